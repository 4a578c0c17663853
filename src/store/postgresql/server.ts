import pg from 'pg';
import { DatabaseError } from '../database-errors.ts';
import type { PostgresqlLocation } from '../database-url.ts';
import { knownMigrations, migrate, refuseNewer } from '../prisma/migrate.ts';
import { MigratingPostgresql } from '../prisma/postgresql-migration-adapter.ts';
import { isDistributed } from './citus/tables.ts';
import { connectionConfigOf } from './connection.ts';
import { type PostgresqlReason, reasonOfSqlState, sqlStateOf } from './errors.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Wait for a migration by another gateway. A large table may take minutes. */
const MIGRATION_WAIT_MS = 600_000;
/** The number of an advisory lock: "embeds" in ASCII. */
const MIGRATION_LOCK = '111473265304691';

interface Prepared {
  readonly appliedMigrations: readonly string[];
  /** The first existing schema of `search_path`. */
  readonly schema: string;
  /** The database belongs to a Citus cluster, and its tables have shards. */
  readonly isSharded: boolean;
}

/** If several gateways start at once, one migrates and the others wait. */
export function preparePostgresql(place: PostgresqlLocation): Promise<Prepared> {
  return connectToServer(place, async (connection) => {
    const schema = await readSchema(connection, place);
    const known = await knownMigrations('postgres');
    const found = await readMigrations(connection, place);
    const finished = found?.flatMap((row) => (row.finished_at ? [row.migration_name] : []));
    if (finished && finished.length >= known.length) {
      refuseNewer(nameOf(place), finished, known);
      return { appliedMigrations: [], schema, isSharded: await isDistributed(connection) };
    }
    await connection.query(`SET lock_timeout = ${MIGRATION_WAIT_MS}; SET statement_timeout = 0`);
    await connection.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await readMigrations(connection, place);
    refuseUnfinished(applied ?? [], place);
    const names = applied?.map((row) => row.migration_name) ?? null;
    const appliedMigrations = await migrate(new MigratingPostgresql(place.url, schema), names);
    return { appliedMigrations, schema, isSharded: await isDistributed(connection) };
  });
}

/** @throws {DatabaseError} if the server cannot be used */
export async function connectToServer<T>(
  place: PostgresqlLocation,
  work: (connection: pg.Client) => Promise<T>,
): Promise<T> {
  let connection: pg.Client | undefined;
  try {
    connection = await connectTo(place);
    return await work(connection);
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(describeError(error, place), { cause: error });
  } finally {
    await connection?.end().catch(() => {});
  }
}

async function connectTo({ url }: PostgresqlLocation): Promise<pg.Client> {
  const connection = new pg.Client({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'embed-gateway start',
    ...connectionConfigOf(url),
  });
  // an unhandled 'error' event would end the process; the statement in flight rejects with the same error
  connection.on('error', () => {});
  await connection.connect();
  return connection;
}

async function readSchema(connection: pg.Client, place: PostgresqlLocation): Promise<string> {
  const { rows } = await connection.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  const schema = rows[0]?.schema;
  if (schema) return schema;
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
  if (isCertificateError(error)) {
    return `${nameOf(place)} has a certificate that is not trusted: ${message}. sslrootcert names the file of its CA.`;
  }
  const detail = message || errors?.map((each: Error) => each.message).join(', ') || String(error);
  return `${nameOf(place)} ${(reason && MESSAGES[reason]) ?? 'cannot be used'}: ${detail}.`;
}
