import pg from 'pg';
import type { PostgresqlPlace } from '../database-url.ts';
import { DatabaseError } from '../open-options.ts';
import { knownMigrations, migrate, refuseNewer } from '../prisma/migrate.ts';
import { MigratingPostgresql } from '../prisma/postgresql-migration-adapter.ts';
import { connectionOf } from './connection.ts';
import { type Setback, setbackOf, sqlStateOf } from './errors.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Whoever starts beside a migration waits for its end: one of a large table may take minutes. */
const MIGRATION_WAIT_MS = 600_000;
/** An advisory lock is a number; this one is "embeds" in ASCII. */
const MIGRATION_LOCK = '111473265304691';

/** A database that is ready. */
interface Prepared {
  /** The migrations that were applied by this start. */
  readonly appliedMigrations: readonly string[];
  /** What the names of tables are in: the first of `search_path` that is there. */
  readonly schema: string;
}

/**
 * Makes a database ready for Prisma: looks whether it is ours, and applies the migrations that it lacks. Of many that start
 * at once, one does it, and the others wait for it.
 * @throws {DatabaseError} with the reason in one line
 */
export async function preparePostgresql(place: PostgresqlPlace): Promise<Prepared> {
  let connection: pg.Client | undefined;
  try {
    connection = await connectTo(place);
    const schema = await readSchema(connection, place);
    const known = await knownMigrations('postgres');
    const found = await readMigrations(connection, place);
    // what is not finished may be under way elsewhere
    const finished = found?.flatMap((row) => (row.finished_at ? [row.migration_name] : []));
    if (finished && finished.length >= known.length) {
      refuseNewer(nameOf(place), finished, known);
      return { appliedMigrations: [], schema };
    }
    await connection.query(`SET lock_timeout = ${MIGRATION_WAIT_MS}; SET statement_timeout = 0`);
    // ends with the connection
    await connection.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await readMigrations(connection, place);
    refuseUnfinished(applied ?? [], place);
    const names = applied?.map((row) => row.migration_name) ?? null;
    return { appliedMigrations: await migrate(new MigratingPostgresql(place.url, schema), names), schema };
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(reasonOf(error, place), { cause: error });
  } finally {
    await connection?.end().catch(() => {});
  }
}

async function connectTo({ url }: PostgresqlPlace): Promise<pg.Client> {
  const connection = new pg.Client({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'embed-gateway start',
    ...connectionOf(url),
  });
  // a connection that breaks fails the statement under way, too
  connection.on('error', () => {});
  await connection.connect();
  return connection;
}

async function readSchema(connection: pg.Client, place: PostgresqlPlace): Promise<string> {
  const { rows } = await connection.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  const schema = rows[0]?.schema;
  if (schema) return schema;
  throw new DatabaseError(`${nameOf(place)} has none of the schemas in the search path: create the one to be used.`);
}

interface MigrationRow {
  readonly migration_name: string;
  readonly finished_at: Date | null;
}

/**
 * The migrations that a database has, oldest first; null for an empty one.
 * @throws {DatabaseError} when the database is not ours
 */
async function readMigrations(connection: pg.Client, place: PostgresqlPlace): Promise<readonly MigrationRow[] | null> {
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

function refuseUnfinished(applied: readonly MigrationRow[], place: PostgresqlPlace): void {
  const failed = applied.find((row) => row.finished_at === null);
  if (!failed) return;
  throw new DatabaseError(
    `${nameOf(place)} is half-migrated: ${failed.migration_name} did not finish. Restore a backup, or see "prisma migrate resolve".`,
  );
}

function nameOf({ server }: PostgresqlPlace): string {
  return `The database ${server.database} at ${server.host}`;
}

const REASONS: Partial<Record<Setback, string>> = {
  unreachable: 'cannot be reached',
  refused: 'does not let the service in',
  crowded: 'has no connection free',
  read_only: 'is read-only: the first start must be able to write',
  full: 'has a full disk',
  busy: 'is being migrated by another start for too long',
};

/** X.509 errors, as Node names them (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
function isOfCertificate(error: unknown): boolean {
  return /CERT|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/.test((error as { readonly code?: string }).code ?? '');
}

function reasonOf(error: unknown, place: PostgresqlPlace): string {
  const { message, errors, syscall } = error as AggregateError & NodeJS.ErrnoException;
  // a file of the connection's, such as sslrootcert
  const setback = syscall === 'open' ? null : setbackOf(sqlStateOf(error));
  if (isOfCertificate(error)) {
    return `${nameOf(place)} has a certificate that is not trusted: ${message}. sslrootcert names the file of its CA.`;
  }
  const detail = message || errors?.map((each: Error) => each.message).join(', ') || String(error);
  return `${nameOf(place)} ${(setback && REASONS[setback]) ?? 'cannot be used'}: ${detail}.`;
}
