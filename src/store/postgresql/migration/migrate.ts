import type pg from 'pg';
import type { Log } from '../../../log.ts';
import { retry } from '../../../retry.ts';
import { logWaiting } from '../../database-log.ts';
import type { PostgresqlLocation } from '../../database-url.ts';
import { createMigrationRow, knownMigrations, MIGRATIONS_TABLE, readMigration } from '../../prisma/migrations.ts';
import { hasShardFunctions, installShardFunctions } from '../citus/shard-functions.ts';
import { isDistributed, placeNewTables } from '../citus/tables.ts';
import { hasRows } from '../connection.ts';
import { sqlStateOf } from '../errors.ts';
import { findPooler } from '../pooler.ts';
import { connectToServer, nameOf } from '../server.ts';
import { fillWords } from './fill-words.ts';
import { asBlock, separateStatementsOf, separateTriggersOf } from './script.ts';
import { isContraction, readAppliedMigrations, refuseContracted } from './state.ts';
import { inTransaction, lockTimeoutAfter, pauseMsAfter } from './transaction.ts';

interface Options {
  readonly log: Log;
  /** Also applies migrations that remove what only the previous release uses. A new database always gets them. */
  readonly contracts?: boolean;
}

/** Wait for another process that migrates, or for a lock on a table. Filling a large table may take minutes. */
const MAX_WAIT_MS = 3_600_000;
const WAIT_LOG_INTERVAL_MS = 10_000;
/** The number of an advisory lock: "embeds" in ASCII. */
const MIGRATION_LOCK = '111473265304691';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** Work of migrations that SQL cannot do, after their statements. */
const FILLS: Readonly<Record<string, (connection: pg.Client) => Promise<void>>> = {
  '20261123090100_fill_words': fillWords,
  // gateways of an earlier version may have written embeds since
  '20261123090200_hashed_lists_contract': fillWords,
};

/**
 * Applies the pending migrations, each in one transaction with its row, or by statements that can be repeated: an interrupted
 * run is continued by the next one. Gateways go on serving meanwhile. If several processes migrate at once, the others wait.
 * @returns the names of the applied migrations
 * @throws {DatabaseError} if the database cannot be used, or is locked by others for an hour
 */
export async function migratePostgresql(
  place: PostgresqlLocation,
  { log, contracts = false }: Options,
): Promise<readonly string[]> {
  return connectToServer(place, async (locking) => {
    await lockMigrations(locking, log);
    return connectToServer(place, async (connection) => {
      // a pooler would give the settings to other sessions
      if ((await findPooler(connection)) === null)
        await connection.query('SET statement_timeout = 0; SET lock_timeout = 0');
      const isSharded = await isDistributed(connection);
      const known = knownMigrations('postgres');
      const found = await readAppliedMigrations(connection, nameOf(place));
      const finished = found ?? [];
      refuseContracted(nameOf(place), finished, known);
      // the last one without which no gateway starts
      const lastNeeded = known.findLast((name) => !isContraction(name));
      if (found === null) await createMigrationsTable(connection, lastNeeded ?? '');
      const last = await readComment(connection);
      const isNew = last !== null && known.includes(last) && !finished.includes(last);
      const applied: string[] = [];
      for (const name of known) {
        if (finished.includes(name)) continue;
        if (isContraction(name) && !contracts && !isNew) continue;
        await apply(connection, name, isSharded, log);
        log.info({ migration: name }, 'applied a migration');
        applied.push(name);
      }
      // not in the transaction that places its table, which Citus refuses
      if (isSharded && !(await hasShardFunctions(connection))) await installShardFunctions(connection);
      return applied;
    });
  });
}

/** In the format of Prisma, whose commands read it. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE "${MIGRATIONS_TABLE}" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/** @param last its comment: until this migration is applied, no gateway can have used the new database */
async function createMigrationsTable(connection: pg.Client, last: string): Promise<void> {
  await inTransaction(connection, async () => {
    await connection.query(CREATE_MIGRATIONS_TABLE);
    await connection.query(`COMMENT ON TABLE "${MIGRATIONS_TABLE}" IS '${last}'`);
  });
}

async function readComment(connection: pg.Client): Promise<string | null> {
  const { rows } = await connection.query<{ text: string | null }>(
    `SELECT obj_description('"${MIGRATIONS_TABLE}"'::regclass, 'pg_class') AS text`,
  );
  return rows[0]?.text ?? null;
}

/**
 * Begins a transaction with the lock: unlike a session, a transaction keeps its lock through a pooler in transaction mode.
 * Waits between transactions, because a pooler with few sessions would have none left for the migration.
 */
async function lockMigrations(connection: pg.Client, log: Log): Promise<void> {
  await withRetries('the lock of migrations', log, async () => {
    await connection.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    // without parameters: their protocol keeps a snapshot, for which an index that is created concurrently would wait
    const { rows } = await connection.query(`SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS locked`);
    if (rows[0]?.locked === true) return;
    await connection.query('ROLLBACK');
    throw Object.assign(new Error('another process migrates'), { code: LOCK_NOT_AVAILABLE });
  });
}

/** Repeats work that got no lock in time. Logs work that takes longer than 5 s. */
function withRetries(subject: string, log: Log, work: (lockTimeoutMs: number) => Promise<void>): Promise<void> {
  let tries = 0;
  let loggedAt = performance.now();
  const pauseAfter = (error: unknown) => {
    if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(sqlStateOf(error))) return null;
    if (performance.now() - loggedAt > WAIT_LOG_INTERVAL_MS) {
      loggedAt = performance.now();
      log.info({ waitingFor: subject, reason: (error as Error).message }, 'the migration waits for a lock');
    }
    return pauseMsAfter(tries++);
  };
  const tryOnce = () => work(lockTimeoutAfter(tries));
  return retry(() => logWaiting(log, subject, tryOnce, 'the migration waits for the database'), pauseAfter, {
    forMs: MAX_WAIT_MS,
  });
}

/** @param isSharded whether the tables of accounts are distributed over a cluster */
async function apply(connection: pg.Client, name: string, isSharded: boolean, log: Log): Promise<void> {
  const sql = readMigration('postgres', name);
  const statements = separateStatementsOf(sql);
  if (statements === null) {
    const applyWhole = async () => {
      const [tables, triggers] = separateTriggersOf(sql);
      await connection.query(asBlock(tables));
      if (isSharded) await placeNewTables(connection);
      if (triggers !== '') await connection.query(asBlock(triggers));
      await record(connection, name, sql);
    };
    return withRetries(name, log, (lockTimeoutMs) => inTransaction(connection, applyWhole, { lockTimeoutMs }));
  }
  for (const statement of statements) {
    const [firstLine = ''] = /^(?!--).+/m.exec(statement) ?? [];
    await withRetries(`${name}: ${firstLine}`, log, (limitMs) => runSeparately(connection, statement, limitMs));
  }
  await withRetries(name, log, async () => FILLS[name]?.(connection));
  await inTransaction(connection, () => record(connection, name, sql));
}

async function runSeparately(connection: pg.Client, statement: string, lockTimeoutMs: number): Promise<void> {
  const [, index] = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)"/m.exec(statement) ?? [];
  if (index !== undefined) {
    await requireNoIndexing(connection);
    const found = await findIndex(connection, index);
    // Citus would mark it as invalid, in spite of `IF NOT EXISTS`
    if (found?.isValid) return;
    // the rest of an interrupted creation, which `IF NOT EXISTS` would keep
    if (found) await connection.query(`DROP INDEX CONCURRENTLY "${index}"`);
  }
  // a DO block commits its batches; the others block neither reads nor writes while they wait
  const runsAlone = index !== undefined || /^(DO \$|ANALYZE |ALTER TABLE "\w+" VALIDATE )/m.test(statement);
  if (runsAlone) await connection.query(statement);
  else await inTransaction(connection, () => connection.query(statement), { lockTimeoutMs, table: tableOf(statement) });
}

/** Returns the table that a statement locks. */
function tableOf(statement: string): string | null {
  const [, table] = /^(?:ALTER TABLE|(?:CREATE|DROP) TRIGGER .* ON) "(\w+)"/m.exec(statement) ?? [];
  return table ?? null;
}

/** The session of a process that was killed may still create its index. */
async function requireNoIndexing(connection: pg.Client): Promise<void> {
  const isIndexing = await hasRows(
    connection,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
      AND query ~ '(^|\\n)CREATE (UNIQUE )?INDEX CONCURRENTLY'`,
  );
  if (isIndexing) throw Object.assign(new Error('another session creates an index'), { code: LOCK_NOT_AVAILABLE });
}

async function findIndex(connection: pg.Client, index: string): Promise<{ readonly isValid: boolean } | null> {
  const { rows } = await connection.query<{ isValid: boolean }>(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [`"${index}"`],
  );
  return rows[0] ?? null;
}

async function record(connection: pg.Client, name: string, sql: string): Promise<void> {
  const { id, checksum, finished_at } = createMigrationRow(name, sql);
  await connection.query(
    `INSERT INTO "${MIGRATIONS_TABLE}" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
     VALUES ($1, $2, $3, $4, $4, 1)`,
    [id, checksum, name, finished_at],
  );
}
