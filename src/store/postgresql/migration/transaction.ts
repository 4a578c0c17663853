import type pg from 'pg';
import { transact } from '../connection.ts';

/** While a migration waits for the lock of a table, all later statements on that table wait behind it. */
const LOCK_TIMEOUT_MS = 150;
const MAX_LOCK_TIMEOUT_MS = 600;
/** Tries with the same limit. The first ones take about 5 s. */
const EQUAL_TRIES = 10;

/** Returns a longer limit after many tries: on a slow disk, writes of 200 ms may follow each other without a gap. */
export function lockTimeoutAfter(tries: number): number {
  return Math.min(LOCK_TIMEOUT_MS * 2 ** Math.floor(tries / EQUAL_TRIES), MAX_LOCK_TIMEOUT_MS);
}

/** Returns a pause that is longer than the try before it, in which the statements run that waited behind that try. */
export function pauseMsAfter(tries: number): number {
  return lockTimeoutAfter(tries) * (1.5 + Math.random());
}

/** Citus passes settings of a transaction to the workers only with the first one. Elsewhere its settings have no effect. */
const BEGIN = `BEGIN;
  SET LOCAL citus.propagate_set_commands = 'local';
  SET LOCAL citus.enable_unsafe_triggers = on;
  SET LOCAL statement_timeout = 0`;

/**
 * @param options `table` is locked first against vacuums, which PostgreSQL cancels only for a statement that waits for a second. That
 * lock blocks neither reads nor writes.
 */
export async function inTransaction(
  connection: pg.Client,
  work: () => Promise<unknown>,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, table = null as string | null } = {},
): Promise<void> {
  await transact(connection, BEGIN, async () => {
    if (table !== null) await connection.query(`LOCK TABLE "${table}" IN SHARE UPDATE EXCLUSIVE MODE`);
    await connection.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await work();
  });
}
