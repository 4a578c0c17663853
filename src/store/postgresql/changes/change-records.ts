import type { EmbedChange } from '../../../domain/embed-change.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { type FeedChange, type FeedPosition, firstMarkOf } from '../../changes/feed.ts';
import type { Engine } from '../../engine.ts';
import { CHANNEL } from './notifications.ts';

/** Time after the last renewal by a gateway that listens for which writers notify. */
const NOTIFIED = Prisma.raw(`interval '7 minutes'`);
const KEPT = Prisma.raw(`interval '7 days'`);
const NOW = Prisma.raw(`now() AT TIME ZONE 'utc'`);

/** Rows per statement. The trigger writes up to 200 changes to one. */
export const MAX_ROWS = 500;

export type ChangeRecords = ReturnType<typeof openChangeRecords>;

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
  readonly createdAt: Date;
}

/**
 * Opens the changes of all accounts. A trigger records them in the statement that changes the embeds. Every statement names its
 * accounts or a shard, and none needs another table: they can be distributed by account.
 */
export function openChangeRecords({
  client,
  shards,
  executor: { runStatement: run },
}: Pick<Engine, 'shards' | 'executor'> & {
  readonly client: Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;
}) {
  return {
    /**
     * Makes writers notify for 7 minutes if `isListening`.
     * @returns the position before the next recorded change
     */
    async follow(accountId: string, isListening: boolean): Promise<FeedPosition> {
      const rows = await run(
        accountId,
        () => client.$queryRaw<PositionRow[]>`
          INSERT INTO "ChangeFeed" AS f ("accountId", "mark", "lastNumber", "renewedAt", "notifiedAt")
          VALUES (${accountId}, ${firstMarkOf(accountId)}, 0, ${NOW}, ${isListening ? NOW : Prisma.sql`NULL`})
          ON CONFLICT ("accountId") DO UPDATE SET
            "renewedAt" = excluded."renewedAt",
            "notifiedAt" = coalesce(excluded."notifiedAt", f."notifiedAt")
          RETURNING "accountId", "mark", "lastNumber"`,
      );
      return positionOf(rows[0] as PositionRow);
    },

    /** Returns the position of the last change of each account. The accounts are of one shard. */
    async readPositions(accountIds: readonly string[]): Promise<ReadonlyMap<string, FeedPosition>> {
      const rows = await run(
        accountIds[0] as string,
        () => client.$queryRaw<PositionRow[]>`
          SELECT "accountId", "mark", "lastNumber" FROM "ChangeFeed" WHERE "accountId" = ANY(${[...accountIds]}::text[])`,
      );
      return new Map(rows.map((row) => [row.accountId, positionOf(row)]));
    },

    /**
     * Returns the next changes after a position, or the oldest: all, or at least `limit`. Returns null if some of them are not
     * kept, or if the position is not one of this feed.
     */
    async readAfter(accountId: string, position: FeedPosition | null, limit: number) {
      const rows = await run(
        accountId,
        () => client.$queryRaw<ChangeRow[]>`
          SELECT "lastNumber", "mark", "previousMark", "kind", "embedIds", "createdAt" FROM "EmbedChange"
          WHERE "accountId" = ${accountId} AND "lastNumber" > ${BigInt(position?.number ?? 0)}
          ORDER BY "accountId", "lastNumber" LIMIT ${Prisma.raw(String(limit))}`,
      );
      const changes: FeedChange[] = [];
      let previous = position;
      for (const { lastNumber, mark, previousMark, kind, embedIds, createdAt: at } of rows) {
        const ids = embedIds.split(',');
        const before = Number(lastNumber) - ids.length;
        const from = previous?.number ?? before;
        if (previous && previous.mark !== (before < from ? mark : previousMark)) return null;
        for (const [i, embedId] of ids.entries()) {
          const number = before + i + 1;
          if (number > from) changes.push({ kind, accountId, embedId, mark, number, at });
        }
        previous = { mark, number: Number(lastNumber) };
      }
      return changes;
    },

    /** Notifies the gateways that listen to one of the accounts of its last change. */
    async notify(accountIds: readonly string[]): Promise<void> {
      // a transaction that has written nothing does not wait for the disk, so it holds the lock of the server for microseconds
      await client.$executeRaw`
        SELECT pg_notify(${CHANNEL}, concat_ws(' ', "accountId", "lastNumber")) FROM "ChangeFeed"
        WHERE "accountId" = ANY(${[...accountIds]}::text[]) AND "notifiedAt" > ${NOW} - ${NOTIFIED}`;
    },

    /** Deletes some changes of all accounts that are older than 7 days. Returns whether there are more. */
    async trim(): Promise<boolean> {
      const before = Prisma.sql`(${NOW} - ${KEPT})`;
      if (shards) return shards.deleteOld('changes', before);
      const count = await client.$executeRaw`
        DELETE FROM "EmbedChange" WHERE ("accountId", "lastNumber") IN (
          SELECT "accountId", "lastNumber" FROM "EmbedChange" WHERE "createdAt" < ${before} LIMIT ${MAX_ROWS}
        )`;
      return count >= MAX_ROWS;
    },
  };
}

function positionOf({ mark, lastNumber }: PositionRow): FeedPosition {
  return { mark, number: Number(lastNumber) };
}
