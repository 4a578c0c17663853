import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Log } from '../../log.ts';
import { DatabaseError } from '../database-errors.ts';
import { logWaiting } from '../database-log.ts';
import type { PostgresqlLocation } from '../database-url.ts';
import type { Query } from '../engine.ts';
import { hasIdLookup } from './citus/id-lookup.ts';
import { hasShardFunctions } from './citus/shard-functions.ts';
import { findMisplacedTables, hasCitus, hasWorkers, isDistributed, wasDistributed } from './citus/tables.ts';
import { createClient } from './connection.ts';
import { type PostgresqlReason, reasonOfSqlState, sqlStateOf } from './errors.ts';
import { createUrlFinder } from './hosts.ts';
import { requireMigrated } from './migration/state.ts';
import { sessionSettings } from './pool.ts';
import { describeDroppedSettings, findPooler, type Pooler } from './pooler.ts';

const CONNECT_TIMEOUT_MS = 5_000;

export interface Prepared {
  /** Earlier releases have left tables, columns or indexes that only they use. */
  readonly hasLeftovers: boolean;
  readonly pooler: Pooler | null;
  /** A warning; null if the server has all settings of the session. */
  readonly droppedSettings: string | null;
  /** True if notifications of triggers reach listening sessions. On Citus they do not, because triggers run on other servers. */
  readonly canNotify: boolean;
  /** The first existing schema of `search_path`. */
  readonly schema: string;
  /** The tables of accounts are distributed over a Citus cluster. */
  readonly isSharded: boolean;
  /** The tables are those of a cluster, but none is distributed. */
  readonly isUndistributed: boolean;
  /** The database has workers of a cluster, but all its tables are on the coordinator, as a dump of another server leaves them. */
  readonly hasIdleWorkers: boolean;
  /** The work of `distribute` without which this version cannot use the cluster; empty if there is none. */
  readonly undone: readonly string[];
}

/** Lets the server end the session of a start that was killed while it waited. PostgreSQL 14 and newer have it, not on all systems. */
const CHECK_CLIENT = `SELECT set_config(name, '5s', false) FROM pg_settings WHERE name = 'client_connection_check_interval'`;

/** Runs a part of a start. Its statements have no time limit: logs every 5 s what they wait for. */
export type RunPart = <T>(waitingFor: string, part: (query: Query) => Promise<T>) => Promise<T>;

/**
 * Reads what a gateway has to know of its database, and checks that it is migrated.
 * @param check more parts of the start, on the same connection
 */
export function preparePostgresql<T>(
  place: PostgresqlLocation,
  { settings, log }: { readonly settings: Readonly<Record<string, string>>; readonly log: Log },
  check: (prepared: Prepared, run: RunPart) => Promise<T>,
): Promise<T> {
  return connectToServer(place, async (connection) => {
    await connection.query(CHECK_CLIENT).catch(() => {});
    const run = <R>(waitingFor: string, part: () => Promise<R>) =>
      logWaiting(log, waitingFor, () => withoutLimits(connection, part));
    const pooler = await findPooler(connection);
    const droppedSettings = pooler && (await describeDroppedSettings(connection, settings));
    const prepared = await run('the list of migrations', async (): Promise<Prepared> => {
      const schema = await readSchema(connection, place);
      const isOnCitus = await hasCitus(connection);
      const isSharded = await isDistributed(connection);
      return {
        schema,
        pooler,
        droppedSettings,
        canNotify: pooler === null && !isOnCitus,
        isSharded,
        hasLeftovers: await requireMigrated(connection, nameOf(place), isSharded ? 'distribute' : 'migrate'),
        isUndistributed: !isSharded && (await wasDistributed(connection)),
        hasIdleWorkers: isOnCitus && !isSharded && (await hasWorkers(connection)),
        undone: isSharded ? await findUndone(connection) : [],
      };
    });
    // a transaction each, so that a statement that waits for one table holds no lock on another
    const query: Query = <Row extends object>({ text, values }: Prisma.Sql) =>
      withoutLimits(connection, async () => (await connection.query<Row & pg.QueryResultRow>(text, values)).rows);
    return check(prepared, (waitingFor, part) => logWaiting(log, waitingFor, () => part(query)));
  });
}

/** In a transaction, because a pooler would give the settings to other sessions. */
const WITHOUT_LIMITS = Object.entries({ ...sessionSettings('full'), statement_timeout: '0', lock_timeout: '0' })
  .map(([name, value]) => `SET LOCAL ${name} = ${value};`)
  .join(' ');

async function withoutLimits<T>(connection: pg.Client, work: () => Promise<T>): Promise<T> {
  await connection.query(`BEGIN; ${WITHOUT_LIMITS}`);
  try {
    return await work();
  } finally {
    // the parts only read
    await connection.query('ROLLBACK').catch(() => {});
  }
}

async function findUndone(connection: pg.Client): Promise<readonly string[]> {
  const { unplaced, onWorkers } = await findMisplacedTables(connection);
  const names = unplaced.map(({ name }) => name).join(', ');
  return [
    ...(names === '' ? [] : [`its new tables are not (${names})`]),
    ...(onWorkers.length === 0 ? [] : [`${onWorkers.join(' and ')} must move to the coordinator`]),
    ...((await hasIdLookup(connection)) ? [] : ['it lacks what finds embeds by their ids']),
    ...((await hasShardFunctions(connection)) ? [] : ['it lacks functions that run on one shard']),
  ];
}

/** @throws {DatabaseError} if the server cannot be used */
export async function connectToServer<T>(
  place: PostgresqlLocation,
  work: (connection: pg.Client) => Promise<T>,
): Promise<T> {
  let connection: pg.Client | undefined;
  try {
    const findUrl = createUrlFinder(place);
    connection = createClient(await findUrl(), {
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'embed-gateway start',
      keepAlive: true,
    });
    await connection.connect();
    return await work(connection);
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(describeError(error, place), { cause: error });
  } finally {
    await connection?.end().catch(() => {});
  }
}

async function readSchema(connection: pg.Client, place: PostgresqlLocation): Promise<string> {
  const { rows } = await connection.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  const [{ schema = null } = {}] = rows;
  if (schema) return schema;
  throw new DatabaseError(`${nameOf(place)} has none of the schemas in the search path: create one of them.`);
}

export function nameOf({ server }: PostgresqlLocation): string {
  return `The database ${server.database} at ${server.host}`;
}

const MESSAGES: Partial<Record<PostgresqlReason, string>> = {
  unreachable: 'cannot be reached',
  access_denied: 'does not let the service in',
  no_free_connection: 'has no free connection',
  standby: 'is read-only, but must be written',
  full: 'has a full disk',
  busy: 'has been locked by others for too long',
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
