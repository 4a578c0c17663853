import { PrismaClient as PostgresqlClient } from '../../generated/postgresql/client.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { openLogAudit } from '../audit/audit.ts';
import { COPY_TABLE, readCheckpoint } from '../copy/checkpoint.ts';
import { DatabaseError } from '../database-errors.ts';
import type { PostgresqlLocation } from '../database-url.ts';
import { type Engine, MAX_QUERY_PLANS, readTables } from '../engine.ts';
import { DIRECT_EXECUTOR } from '../executor.ts';
import type { OpenOptions } from '../open-options.ts';
import { withMappedErrors } from '../prisma/errors.ts';
import { openChangeRecords } from './changes/change-records.ts';
import { openPostgresqlChanges } from './changes/changes.ts';
import { createNotifications, createNotifiedAccounts } from './changes/notifications.ts';
import { createClusterSession } from './citus/session.ts';
import { SHARDS_QUERY, type ShardRow } from './citus/shard-map.ts';
import { openShards, type Shards } from './citus/shards.ts';
import { COORDINATOR_TABLES, PLACED_TABLES } from './citus/tables.ts';
import { openDatabaseClock, readClock } from './database-clock.ts';
import { openPostgresqlDriver } from './driver.ts';
import { createHealthMonitor } from './health.ts';
import { createUrlFinder } from './hosts.ts';
import { PooledPostgresql, SessionPool, sessionSettings } from './pool.ts';
import { nameOf, preparePostgresql } from './server.ts';
import { openSharedCounts } from './shared-counts.ts';
import { CITUS, POSTGRESQL } from './sql.ts';
import { createStatements } from './statements.ts';
import { describeUndistributed, findCheckedAccounts, requireRightTotals } from './totals.ts';

export async function openPostgresql(
  place: PostgresqlLocation,
  { durability, poolSize, log, auditLog, onNodes = () => {}, isCopySource = false }: OpenOptions,
): Promise<Engine> {
  const findUrl = createUrlFinder(place);
  const name = nameOf(place);
  const started = await preparePostgresql(
    place,
    { settings: sessionSettings(durability), log },
    async (prepared, run) => {
      const { isUndistributed, undone } = prepared;
      if (isUndistributed && !isCopySource) throw new DatabaseError(describeUndistributed(name));
      if (undone.length > 0) throw new DatabaseError(describeUndone(place, undone));
      const checkpoint = await run('the table of an unfinished copy', (query) =>
        readCheckpoint(query, FIND_COPY_TABLE),
      );
      const accountIds = await run('the list of tokens', findCheckedAccounts);
      let shardRows: readonly ShardRow[] = [];
      if (prepared.isSharded) {
        shardRows = await run('the places of shards', (query) => query<ShardRow>(Prisma.raw(SHARDS_QUERY)));
      } else {
        await run('the totals of accounts', (query) => requireRightTotals(name, accountIds, query));
      }
      const reading = await run('the clock of the server', readClock);
      return { ...prepared, checkpoint, accountIds, shardRows, reading };
    },
  );
  const { hasLeftovers, hasIdleWorkers, schema, pooler, droppedSettings, canNotify, isSharded, checkpoint } = started;
  if (hasLeftovers) log.info(place.server, LEFTOVERS_HINT);
  if (hasIdleWorkers && !isCopySource) log.warn(place.server, IDLE_WORKERS_HINT);
  if (droppedSettings !== null) log.warn(place.server, droppedSettings);
  let shards: Shards | null = null;
  const health = createHealthMonitor(place.server, log, () => shards?.suspectNodes());
  const notifiedAccounts = createNotifiedAccounts();
  const [url = ''] = place.urls;
  const { readMessage: onMessage } = notifiedAccounts;
  const pool = new SessionPool(url, { findUrl, pooler, durability, poolSize, health, onMessage });
  const adapter = new PooledPostgresql(pool, schema);
  const postgresqlClient = new PostgresqlClient({ adapter, queryPlanCacheMaxSize: MAX_QUERY_PLANS });
  // both clients come from one model (prisma/derive.ts), and differ only in what the service does not use
  const client = withMappedErrors(postgresqlClient as unknown as PrismaClient);
  const sql = isSharded ? CITUS : POSTGRESQL;
  const statements = createStatements(pool, pool.nameOf);
  const clock = openDatabaseClock(statements.all, started.reading);
  const close = async () => {
    clock.stop();
    shards?.close();
    await client.$disconnect();
    if (!pool.ending) await pool.end();
  };
  try {
    if (isSharded) {
      const { shardRows } = started;
      const session = createClusterSession(url, findUrl);
      shards = openShards({ client, query: statements.all }, { session, shardRows, poolSize, log, onNodes });
      // so that accounts of a node that is away delay no start
      await shards.ping().catch(() => {});
      await requireRightTotals(name, started.accountIds, statements.all, shards);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const executor = shards ?? DIRECT_EXECUTOR;
  return {
    client,
    sql,
    driver: openPostgresqlDriver(statements, shards),
    shards,
    executor,
    backfill: null,
    rowLock: Prisma.raw('FOR UPDATE'),
    audit: openLogAudit(auditLog),
    counts: openSharedCounts(client),
    openChanges: (listener) =>
      openPostgresqlChanges(
        {
          records: openChangeRecords({ client, shards, executor }),
          openNotifications: canNotify ? (callbacks) => createNotifications(findUrl, callbacks) : null,
          notifiedAccounts,
          executor,
        },
        listener,
      ),
    now: clock.now,
    appliedMigrations: [],
    dataVersion: null,
    checkpoint,
    async ping() {
      // writes nothing, but fails on a read-only database
      await statements.run(Prisma.sql`DELETE FROM "Quota" WHERE false`);
      // on a cluster, one of the workers must answer
      const tables = shards ? COORDINATOR_TABLES : [...PLACED_TABLES.map((table) => table.name), ...COORDINATOR_TABLES];
      await statements.all(readTables(tables));
      await shards?.ping();
    },
    close,
  };
}

const FIND_COPY_TABLE = Prisma.sql`
  SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${COPY_TABLE}`;

const LEFTOVERS_HINT =
  'an earlier release has left what only it uses: once no gateway of that release runs, run "npx embed-gateway migrate --contract"';

const IDLE_WORKERS_HINT =
  'the tables are not distributed: the workers of the cluster are not used; to use them, run "npx embed-gateway distribute" for an empty database of the cluster, and then "npx embed-gateway copy" into it';

function describeUndone(place: PostgresqlLocation, undone: readonly string[]): string {
  return `${nameOf(place)} is distributed, but ${undone.join(', ')}: run "npx embed-gateway distribute".`;
}
