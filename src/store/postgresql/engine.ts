import { PrismaClient as PostgresqlClient } from '../../generated/postgresql/client.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { openLogAudit } from '../audit/audit.ts';
import { DatabaseError } from '../database-errors.ts';
import type { PostgresqlLocation } from '../database-url.ts';
import { type Engine, MAX_QUERY_PLANS } from '../engine.ts';
import type { OpenOptions } from '../open-options.ts';
import { openChangeRecords } from './changes/change-records.ts';
import { openPostgresqlChanges } from './changes/changes.ts';
import { createNotifications, createNotifiedAccounts } from './changes/notifications.ts';
import { openShards, type Shards } from './citus/shards.ts';
import { CITUS } from './citus/sql.ts';
import { type DatabaseClock, openDatabaseClock } from './database-clock.ts';
import { openPostgresqlDriver } from './driver.ts';
import { createHealthMonitor } from './health.ts';
import { createUrlFinder } from './hosts.ts';
import { BoundedPostgresql, sessionSettings } from './pool.ts';
import { describeDroppedSettings } from './pooler.ts';
import { createQuery } from './query.ts';
import { nameOf, preparePostgresql } from './server.ts';
import { openSharedCounts } from './shared-counts.ts';
import { POSTGRESQL } from './sql.ts';
import { describeUndistributed, refuseWrongTotals } from './totals.ts';

export async function openPostgresql(
  place: PostgresqlLocation,
  { durability, poolSize, log, auditLog, onNodes = () => {}, isCopySource = false }: OpenOptions,
): Promise<Engine> {
  const findUrl = createUrlFinder(place);
  const settings = sessionSettings(durability);
  const prepared = await preparePostgresql(place, { findUrl, settings, log });
  const { hasLeftovers, schema, pooler, droppedSettings, canNotify, isSharded, isUndistributed, undone } = prepared;
  if (isUndistributed && !isCopySource) throw new DatabaseError(describeUndistributed(nameOf(place)));
  if (undone.length > 0) throw new DatabaseError(describeUndone(place, undone));
  if (hasLeftovers) log.info(place.server, LEFTOVERS_HINT);
  if (Object.keys(droppedSettings).length > 0) log.warn(place.server, describeDroppedSettings(droppedSettings));
  let shards: Shards | null = null;
  const health = createHealthMonitor(place.server, log, () => shards?.suspectNodes());
  const notifiedAccounts = createNotifiedAccounts();
  const adapter = new BoundedPostgresql(place.urls[0] as string, {
    ...(place.needsWritableHost && { findUrl }),
    ...{ pooler, durability, poolSize, schema, health, onMessage: notifiedAccounts.readMessage },
  });
  const postgresqlClient = new PostgresqlClient({ adapter, queryPlanCacheMaxSize: MAX_QUERY_PLANS });
  await postgresqlClient.$connect();
  // both clients come from one model (prisma/derive.ts), and differ only in what the service does not use
  const client = postgresqlClient as unknown as PrismaClient;
  const sql = isSharded ? CITUS : POSTGRESQL;
  const query = createQuery(adapter.pool, { nameOf: adapter.statementNameOf, health });
  let clock: DatabaseClock;
  try {
    if (isSharded) shards = await openShards({ client, query }, { findUrl, poolSize, log, onNodes });
    await refuseWrongTotals(client, nameOf(place), shards);
    clock = await openDatabaseClock(postgresqlClient);
  } catch (error) {
    shards?.close();
    await postgresqlClient.$disconnect();
    throw error;
  }
  return {
    client,
    sql,
    driver: openPostgresqlDriver(query, shards),
    shards,
    backfill: null,
    rowLock: Prisma.raw('FOR UPDATE'),
    audit: openLogAudit(auditLog),
    counts: openSharedCounts(postgresqlClient),
    openChanges: (listener) =>
      openPostgresqlChanges(
        {
          records: openChangeRecords(postgresqlClient),
          openNotifications: canNotify ? (callbacks) => createNotifications(findUrl, callbacks) : null,
          notifiedAccounts,
          shards,
        },
        listener,
      ),
    now: clock.now,
    appliedMigrations: [],
    dataVersion: null,
    async hasTable(name) {
      const rows = await client.$queryRaw<object[]>`
        SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`;
      return rows.length > 0;
    },
    async ping() {
      // writes nothing, but fails on a read-only database
      await client.$executeRaw`DELETE FROM "Quota" WHERE false`;
      if (shards) return pingCluster(client, shards);
      await client.$queryRaw`SELECT
        EXISTS(SELECT 1 FROM "Embed"), EXISTS(SELECT 1 FROM "Account"), EXISTS(SELECT 1 FROM "Token"),
        EXISTS(SELECT 1 FROM "IdempotentCreate"), EXISTS(SELECT 1 FROM "Page"),
        EXISTS(SELECT 1 FROM "EmbedTerm"), EXISTS(SELECT 1 FROM "Import"), EXISTS(SELECT 1 FROM "AuditEvent")`;
    },
    async close() {
      clock.stop();
      shards?.close();
      await client.$disconnect();
    },
  };
}

const LEFTOVERS_HINT =
  'an earlier release has left what only it uses: once no gateway of that release runs, run "npx embed-gateway migrate --contract"';

/** Reads the tables of the coordinator, and asks the workers: one must answer. */
async function pingCluster(client: PrismaClient, shards: Shards): Promise<void> {
  await client.$queryRaw`SELECT EXISTS(SELECT 1 FROM "Token"), EXISTS(SELECT 1 FROM "Page")`;
  await shards.ping();
}

function describeUndone(place: PostgresqlLocation, undone: readonly string[]): string {
  return `${nameOf(place)} is distributed, but ${undone.join(', ')}: run "npx embed-gateway distribute".`;
}
