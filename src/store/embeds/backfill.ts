import { setTimeout as sleep } from 'node:timers/promises';
import type { Embed } from '../../domain/embed/embed.ts';
import { Refusal } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Log } from '../../log.ts';
import type { EmbedDriver } from './driver.ts';

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

export interface BackfillSql {
  /** Selects a row if all embeds have terms, so that a start does not look for others. */
  readonly selectDone: Prisma.Sql;
  readonly writeDone: Prisma.Sql;
  /** Selects at most `limit` embeds without terms, and the next ones if it is repeated with the last `position`. */
  readonly selectWithoutTerms: (after: string | null, limit: number) => Prisma.Sql;
  readonly writeTerms: (embeds: readonly PendingRow[]) => Prisma.Sql;
}

export interface PendingRow extends Pick<Embed, 'id' | 'accountId' | 'title' | 'pageUrl'> {
  /** A number that JavaScript may not represent. */
  readonly position: string;
}

/** Returns after the first look. Usually one row says that there is nothing to do. */
export async function startBackfill(driver: EmbedDriver, sql: BackfillSql, log: Log): Promise<Backfill> {
  const stopping = new AbortController();
  let isDone = false;
  let indexed = 0;

  const readBatch = (after: string | null) => driver.all<PendingRow>(sql.selectWithoutTerms(after, BATCH_ROWS), null);

  async function writeDone(): Promise<void> {
    try {
      await driver.run(sql.writeDone, null);
    } catch {
      // the next start looks again
    }
  }

  async function writeAll(first: readonly PendingRow[]): Promise<void> {
    log.info({}, 'indexing the words of embeds; filtered lists are unavailable until it is done');
    let tries = 0;
    for (let rows = first; rows.length > 0 && !stopping.signal.aborted; ) {
      try {
        await driver.run(sql.writeTerms(rows), null);
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

  const rows = await driver.all(sql.selectDone, null);
  const first = rows.length > 0 ? [] : await readBatch(null);
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
