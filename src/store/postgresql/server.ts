import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseError } from '../database-errors.ts';
import type { PostgresqlLocation } from '../database-url.ts';
import { knownMigrations, migrate, refuseNewer } from '../prisma/migrate.ts';
import { MigratingPostgresql } from '../prisma/postgresql-migration-adapter.ts';
import { findUnplacedTables, isDistributed } from './citus/tables.ts';
import { createClient } from './connection.ts';
import { type PostgresqlReason, reasonOfSqlState, sqlStateOf } from './errors.ts';
import type { FindUrl } from './hosts.ts';
import { findDroppedSettings, findPooler, type Pooler } from './pooler.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Wait for a migration by another gateway. A large table may take minutes. */
const MIGRATION_WAIT_MS = 600_000;
const LOCK_RETRY_MS = 200;
/** The number of an advisory lock: "embeds" in ASCII. */
const MIGRATION_LOCK = '111473265304691';

interface Prepared {
  readonly appliedMigrations: readonly string[];
  readonly pooler: Pooler | null;
  /** Settings of the session that a pooler does not pass to the server. */
  readonly droppedSettings: Readonly<Record<string, string>>;
  /** True if notifications of triggers reach listening sessions. On Citus they do not, because triggers run on other servers. */
  readonly canNotify: boolean;
  /** The first existing schema of `search_path`. */
  readonly schema: string;
  /** The tables of accounts are distributed over a Citus cluster. */
  readonly isSharded: boolean;
  /** Tables of this version that the cluster does not distribute yet. */
  readonly unplacedTables: readonly string[];
}

interface Options {
  readonly findUrl: FindUrl;
  readonly settings: Readonly<Record<string, string>>;
}

/** If several gateways start at once, one migrates and the others wait. */
export function preparePostgresql(place: PostgresqlLocation, { findUrl, settings }: Options): Promise<Prepared> {
  return connectToServer(place, findUrl, async (connection, url) => {
    const pooler = await findPooler(connection);
    const { schema, hasCitus } = await readEnvironment(connection, place);
    const server = {
      schema,
      pooler,
      droppedSettings: pooler ? await findDroppedSettings(connection, settings) : {},
      canNotify: pooler === null && !hasCitus,
      isSharded: hasCitus && (await isDistributed(connection)),
    };
    const appliedMigrations = await applyMigrations(connection, url, { place, schema });
    const unplaced = server.isSharded ? await findUnplacedTables(connection) : [];
    return { ...server, appliedMigrations, unplacedTables: unplaced.map(({ name }) => name) };
  });
}

async function applyMigrations(
  connection: pg.Client,
  url: string,
  { place, schema }: { readonly place: PostgresqlLocation; readonly schema: string },
): Promise<readonly string[]> {
  const known = knownMigrations('postgres');
  const found = await readMigrations(connection, place);
  const finished = found?.flatMap((row) => (row.finished_at ? [row.migration_name] : []));
  if (finished && finished.length >= known.length) {
    refuseNewer(nameOf(place), finished, known);
    return [];
  }
  await lockMigrations(connection);
  const applied = await readMigrations(connection, place);
  refuseUnfinished(applied ?? [], place);
  const names = applied?.map((row) => row.migration_name) ?? null;
  const appliedMigrations = await migrate(new MigratingPostgresql(url, schema), names);
  await connection.query('COMMIT');
  return appliedMigrations;
}

/** @throws {DatabaseError} if the server cannot be used */
export async function connectToServer<T>(
  place: PostgresqlLocation,
  findUrl: FindUrl,
  work: (connection: pg.Client, url: string) => Promise<T>,
): Promise<T> {
  let connection: pg.Client | undefined;
  try {
    const url = await findUrl();
    connection = createClient(url, {
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'embed-gateway start',
    });
    await connection.connect();
    return await work(connection, url);
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(describeError(error, place), { cause: error });
  } finally {
    await connection?.end().catch(() => {});
  }
}

/**
 * Begins a transaction with the lock: unlike a session, a transaction keeps its lock through a pooler in transaction mode.
 * Waits between transactions, because a pooler with few sessions would have none left for the migration.
 */
async function lockMigrations(connection: pg.Client): Promise<void> {
  const deadline = performance.now() + MIGRATION_WAIT_MS;
  while (performance.now() < deadline) {
    await connection.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await connection.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [MIGRATION_LOCK]);
    if (rows[0]?.locked === true) return;
    await connection.query('ROLLBACK');
    await pause(LOCK_RETRY_MS);
  }
  throw Object.assign(new Error(`waited for ${MIGRATION_WAIT_MS / 1_000} s`), { code: '55P03' });
}

async function readEnvironment(connection: pg.Client, place: PostgresqlLocation) {
  const { rows } = await connection.query<{ schema: string | null; hasCitus: boolean }>(
    `SELECT current_schema() AS schema, EXISTS(SELECT 1 FROM pg_extension WHERE extname = 'citus') AS "hasCitus"`,
  );
  const { schema = null, hasCitus = false } = rows[0] ?? {};
  if (schema) return { schema, hasCitus };
  throw new DatabaseError(`${nameOf(place)} has none of the schemas in the search path: create one of them.`);
}

interface MigrationRow {
  readonly migration_name: string;
  readonly finished_at: Date | null;
}

/** Returns the rows, oldest first; null for a database without tables. */
async function readMigrations(
  connection: pg.Client,
  place: PostgresqlLocation,
): Promise<readonly MigrationRow[] | null> {
  const { rows: tables } = await connection.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  if (tables.length === 0) return null;
  if (!tables.some(({ name }) => name === '_prisma_migrations')) {
    throw new DatabaseError(`${nameOf(place)} belongs to another program: it has tables that are not ours.`);
  }
  const { rows } = await connection.query<MigrationRow>(
    'SELECT migration_name, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name',
  );
  return rows;
}

function refuseUnfinished(applied: readonly MigrationRow[], place: PostgresqlLocation): void {
  const failed = applied.find((row) => row.finished_at === null);
  if (!failed) return;
  throw new DatabaseError(
    `${nameOf(place)} is half-migrated: ${failed.migration_name} did not finish. Restore a backup, or see "prisma migrate resolve".`,
  );
}

export function nameOf({ server }: PostgresqlLocation): string {
  return `The database ${server.database} at ${server.host}`;
}

const MESSAGES: Partial<Record<PostgresqlReason, string>> = {
  unreachable: 'cannot be reached',
  access_denied: 'does not let the service in',
  no_free_connection: 'has no free connection',
  standby: 'is read-only, but the first start must write',
  full: 'has a full disk',
  busy: 'has been locked by the migration of another gateway for too long',
};

/** Recognises Node's X.509 errors (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
function isCertificateError(error: unknown): boolean {
  return /CERT|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/.test((error as { readonly code?: string }).code ?? '');
}

function describeError(error: unknown, place: PostgresqlLocation): string {
  const { message, errors, syscall } = error as AggregateError & NodeJS.ErrnoException;
  // `open` fails for a local file, such as sslrootcert
  const reason = syscall === 'open' ? null : reasonOfSqlState(sqlStateOf(error));
  if (/unsupported startup parameter/.test(message)) {
    return `${nameOf(place)} is behind a connection pooler that rejects a parameter of the URL: ${message}. Remove options and schema from the URL, and set them for the user with ALTER ROLE.`;
  }
  if (isCertificateError(error)) {
    return `${nameOf(place)} has a certificate that is not trusted: ${message}. sslrootcert names the file of its CA.`;
  }
  const detail = message || errors?.map((each: Error) => each.message).join(', ') || String(error);
  return `${nameOf(place)} ${(reason && MESSAGES[reason]) ?? 'cannot be used'}: ${detail}.`;
}
