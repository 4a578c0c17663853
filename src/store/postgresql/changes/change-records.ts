import { setTimeout as pause } from 'node:timers/promises';
import type { EmbedChange } from '../../../domain/embed/embed.ts';
import { Refusal } from '../../../errors.ts';
import { Prisma, type PrismaClient } from '../../../generated/postgresql/client.ts';
import { createMark, type FeedChange, type FeedPosition } from '../../changes/feed.ts';
import { mapDatabaseErrors } from '../../prisma/errors.ts';
import { CHANNEL } from './notifications.ts';

/**
 * Time after the last renewal for which a feed goes on: at least 5 minutes after the last reader has left. The trigger
 * records for a minute more, so that no change is missed while a renewal waits for its commit.
 */
const CONTINUED = Prisma.raw(`interval '6 minutes'`);
const RECORDED = Prisma.raw(`interval '7 minutes'`);
const DELETED_AFTER = Prisma.raw(`interval '10 minutes'`);
const NOW = Prisma.raw(`now() AT TIME ZONE 'utc'`);

/** Rows per statement. The trigger writes up to 200 changes to one. */
export const MAX_ROWS = 500;
const WRITERS_CHECK_INTERVAL_MS = 10;
const WRITERS_TIMEOUT_MS = 3_000;
const RETRY_AFTER_S = 2;

/** The recorded changes of followed accounts. A trigger writes them in the statement that changes the embeds. */
export interface ChangeRecords {
  /**
   * Makes the trigger record the changes of an account for 7 minutes, and writers notify if `isListening`. If some may not
   * have been recorded, the feed gets a new mark.
   * @returns the position before the next recorded change
   */
  follow(accountId: string, isListening: boolean): Promise<FeedPosition>;
  /**
   * Waits for the writes that began before this call: they may not know that their account is followed.
   * @throws {Refusal} `unavailable` after 3 s
   */
  settleWriters(): Promise<void>;
  /** Returns the position of the last change of each account. */
  readPositions(accountIds: readonly string[]): Promise<ReadonlyMap<string, FeedPosition>>;
  /**
   * Returns the next changes after a position, not always all; null if some of them are not kept, or if the position is not
   * one of this feed.
   */
  readAfter(accountId: string, position: FeedPosition): Promise<readonly FeedChange[] | null>;
  /** Notifies the gateways that listen to one of the accounts of its last change. */
  notify(accountIds: readonly string[]): Promise<void>;
  /** Deletes the changes of all accounts that are older than 10 minutes. */
  purge(): Promise<void>;
}

interface PositionRow {
  readonly accountId: string;
  readonly mark: string;
  readonly lastNumber: bigint;
}

interface ChangeRow {
  readonly lastNumber: bigint;
  readonly mark: string;
  readonly previousMark: string;
  readonly kind: EmbedChange['kind'];
  readonly embedIds: string;
}

/** Every statement except the purge names its accounts, and none needs another table: they can be distributed by account. */
export function openChangeRecords(client: PrismaClient): ChangeRecords {
  async function findWriters(): Promise<readonly string[]> {
    const rows = await mapDatabaseErrors(
      () => client.$queryRaw<{ readonly id: string }[]>`
        SELECT "virtualtransaction" AS "id" FROM pg_locks
        WHERE "locktype" = 'relation' AND "relation" = '"Embed"'::regclass AND "mode" = 'RowExclusiveLock'
          AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())`,
    );
    return rows.map(({ id }) => id);
  }

  return {
    async follow(accountId, isListening) {
      // columns instead of functions in the update: Citus accepts no others
      const rows = await mapDatabaseErrors(
        () => client.$queryRaw<PositionRow[]>`
          INSERT INTO "ChangeFeed" AS f ("accountId", "mark", "lastNumber", "renewedAt", "notifiedAt")
          VALUES (${accountId}, ${createMark()}, 0, ${NOW}, ${isListening ? NOW : Prisma.sql`NULL`})
          ON CONFLICT ("accountId") DO UPDATE SET
            "mark" = CASE WHEN f."renewedAt" > excluded."renewedAt" - ${CONTINUED} THEN f."mark" ELSE excluded."mark" END,
            "renewedAt" = excluded."renewedAt",
            "notifiedAt" = coalesce(excluded."notifiedAt", f."notifiedAt")
          RETURNING "accountId", "mark", "lastNumber"`,
      );
      return positionOf(rows[0] as PositionRow);
    },

    async settleWriters() {
      const deadline = performance.now() + WRITERS_TIMEOUT_MS;
      let remaining = await findWriters();
      while (remaining.length > 0) {
        if (performance.now() > deadline) {
          throw new Refusal(
            'unavailable',
            'A write does not end, so changes may be missed; try again.',
            [],
            RETRY_AFTER_S,
          );
        }
        await pause(WRITERS_CHECK_INTERVAL_MS);
        const current = await findWriters();
        remaining = remaining.filter((id) => current.includes(id));
      }
    },

    async readPositions(accountIds) {
      const rows = await mapDatabaseErrors(
        () => client.$queryRaw<PositionRow[]>`
          SELECT "accountId", "mark", "lastNumber" FROM "ChangeFeed" WHERE "accountId" = ANY(${[...accountIds]}::text[])`,
      );
      return new Map(rows.map((row) => [row.accountId, positionOf(row)]));
    },

    async readAfter(accountId, position) {
      const rows = await mapDatabaseErrors(
        () => client.$queryRaw<ChangeRow[]>`
          SELECT "lastNumber", "mark", "previousMark", "kind", "embedIds" FROM "EmbedChange"
          WHERE "accountId" = ${accountId} AND "lastNumber" > ${BigInt(position.number)}
          ORDER BY "accountId", "lastNumber" LIMIT ${Prisma.raw(String(MAX_ROWS))}`,
      );
      const changes: FeedChange[] = [];
      let previous = position;
      for (const { lastNumber, mark, previousMark, kind, embedIds } of rows) {
        const ids = embedIds.split(',');
        const before = Number(lastNumber) - ids.length;
        const isInside = before < previous.number;
        if (previous.mark !== (isInside ? mark : previousMark)) return null;
        for (const [i, embedId] of ids.entries()) {
          const number = before + i + 1;
          if (number > previous.number) changes.push({ kind, accountId, embedId, mark, number });
        }
        previous = { mark, number: Number(lastNumber) };
      }
      return changes;
    },

    async notify(accountIds) {
      // a transaction that has written nothing does not wait for the disk, so it holds the lock of the server for microseconds
      await mapDatabaseErrors(
        () => client.$executeRaw`
          SELECT pg_notify(${CHANNEL}, concat_ws(' ', "accountId", "lastNumber")) FROM "ChangeFeed"
          WHERE "accountId" = ANY(${[...accountIds]}::text[]) AND "notifiedAt" > ${NOW} - ${RECORDED}`,
      );
    },

    async purge() {
      await mapDatabaseErrors(
        () => client.$executeRaw`DELETE FROM "EmbedChange" WHERE "createdAt" < ${NOW} - ${DELETED_AFTER}`,
      );
    },
  };
}

function positionOf({ mark, lastNumber }: PositionRow): FeedPosition {
  return { mark, number: Number(lastNumber) };
}
