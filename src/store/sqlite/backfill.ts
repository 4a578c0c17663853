import { setTimeout as sleep } from 'node:timers/promises';
import type { Embed } from '../../domain/embed/embed.ts';
import { Refusal } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Log } from '../../log.ts';
import type { EmbedDriver } from '../embeds/driver.ts';
import { NO_TERMS_YET } from '../embeds/sql.ts';
import { MIGRATIONS_TABLE } from '../prisma/migrations.ts';
import { limitOf } from './posting-lists.ts';
import { SQLITE } from './sql.ts';

/** Rows of a batch. It delays all other statements by about 20 ms. */
const BATCH_ROWS = 250;
const LOG_EVERY_ROWS = 100_000;
/** Another process may be indexing the same rows, or the database may be unavailable. */
const RETRY_AFTER_MS = 200;
const MAX_RETRY_AFTER_MS = 10_000;
const RETRY_LIST_AFTER_S = 10;
/** Pause between batches, in which requests run. */
const PAUSE_MS = 1;

/** Writes the terms of embeds that an older version has written without, while the service runs. */
export interface Backfill {
  /** @throws {Refusal} `unavailable` until all embeds have their terms */
  requireDone(): void;
  readonly done: Promise<void>;
  /** Ends after the current batch. The next start continues. */
  stop(): Promise<void>;
}

interface PendingRow extends Pick<Embed, 'id' | 'title' | 'pageUrl'> {
  /** A number that JavaScript may not represent. */
  readonly position: string;
}

const MIGRATIONS = Prisma.raw(`"${MIGRATIONS_TABLE}"`);
/** Leaves embeds without words. Its row has a note once all have words: their tokens, though deleted, would cost a start 10 ms per million. */
const WORDS_MIGRATION = '20261122080000_word_index';
const WORDS_WRITTEN = 'The words of all embeds are written.';

const SELECT_DONE = Prisma.sql`
  SELECT 1 FROM ${MIGRATIONS} WHERE "migration_name" = ${WORDS_MIGRATION} AND "logs" = ${WORDS_WRITTEN}`;
const WRITE_DONE = Prisma.sql`
  UPDATE ${MIGRATIONS} SET "logs" = ${WORDS_WRITTEN} WHERE "migration_name" = ${WORDS_MIGRATION}`;

/** Selects some embeds without terms, after a position. */
const selectWithoutTerms = (after: string) => Prisma.sql`
  SELECT e."id", e."title", e."pageUrl", CAST(e."position" AS TEXT) AS "position" FROM "EmbedIndex" AS i
  CROSS JOIN "Embed" AS e ON e."position" = i.rowid
  WHERE "EmbedIndex" MATCH '"[]"' AND i.rowid > CAST(${after} AS INTEGER) ORDER BY i.rowid ${limitOf(BATCH_ROWS)}`;

function writeTerms(embeds: readonly PendingRow[]): Prisma.Sql {
  const rows = embeds.map((embed) => [embed.id, SQLITE.serializeTerms(embed)]);
  return Prisma.sql`
    UPDATE "Embed" AS e SET "terms" = row.value->>1 FROM json_each(${JSON.stringify(rows)}) AS row
    WHERE e."id" = row.value->>0 AND e."terms" = ${NO_TERMS_YET}`;
}

/** Returns after the first look. Usually one row says that there is nothing to do. */
export async function startBackfill(driver: EmbedDriver, log: Log): Promise<Backfill> {
  const stopping = new AbortController();
  let isDone = false;
  let indexed = 0;

  const readBatch = (after: string) => driver.all<PendingRow>(selectWithoutTerms(after), null);

  async function writeDone(): Promise<void> {
    try {
      await driver.run(WRITE_DONE, null);
    } catch {
      // the next start looks again
    }
  }

  async function writeAll(first: readonly PendingRow[]): Promise<void> {
    log.info({}, 'indexing the words of embeds; filtered lists are unavailable until it is done');
    let tries = 0;
    for (let rows = first; rows.length > 0 && !stopping.signal.aborted; ) {
      try {
        await driver.run(writeTerms(rows), null);
        indexed += rows.length;
        if (indexed % LOG_EVERY_ROWS < BATCH_ROWS) log.info({ indexed }, 'indexing the words of embeds');
        rows = await readBatch((rows.at(-1) as PendingRow).position);
        tries = 0;
        await sleep(PAUSE_MS);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const pauseMs = Math.min(RETRY_AFTER_MS * 2 ** tries++, MAX_RETRY_AFTER_MS);
        await sleep(pauseMs, null, { signal: stopping.signal }).catch(() => {});
      }
    }
    if (stopping.signal.aborted) return;
    await writeDone();
    isDone = true;
    log.info({ indexed }, 'indexed the words of embeds');
  }

  const rows = await driver.all(SELECT_DONE, null);
  const first = rows.length > 0 ? [] : await readBatch('-1');
  isDone = first.length === 0;
  if (isDone && rows.length === 0) await writeDone();
  const done = isDone
    ? Promise.resolve()
    : writeAll(first).catch((error) => log.error({ err: error }, 'cannot index the words of embeds'));
  return {
    requireDone() {
      if (isDone) return;
      throw new Refusal(
        'unavailable',
        `The index for filters is being built after an upgrade (${indexed} embeds so far); try again later.`,
        [],
        RETRY_LIST_AFTER_S,
      );
    },
    done,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
