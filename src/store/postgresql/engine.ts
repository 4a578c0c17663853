import { PrismaClient as PostgresqlClient } from '../../generated/postgresql/client.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { openLogAudit } from '../audit/audit.ts';
import { DatabaseError } from '../database-errors.ts';
import type { PostgresqlLocation } from '../database-url.ts';
import { type Backfill, startBackfill } from '../embeds/backfill.ts';
import type { Engine } from '../engine.ts';
import type { OpenOptions } from '../open-options.ts';
import { openChangeRecords } from './change-records.ts';
import { openPostgresqlChanges } from './changes.ts';
import { openShards, type Shards } from './citus/shards.ts';
import { CITUS } from './citus/sql.ts';
import { createHealthMonitor } from './health.ts';
import { createUrlFinder } from './hosts.ts';
import { createNotifications } from './notifications.ts';
import { BoundedPostgresql, sessionSettings } from './pool.ts';
import { describeDroppedSettings } from './pooler.ts';
import { nameOf, preparePostgresql } from './server.ts';
import { openSharedCounts } from './shared-counts.ts';
import { POSTGRESQL } from './sql.ts';

export async function openPostgresql(
  place: PostgresqlLocation,
  { durability, poolSize, log, auditLog }: OpenOptions,
): Promise<Engine> {
  const findUrl = createUrlFinder(place);
  const settings = sessionSettings(durability);
  const prepared = await preparePostgresql(place, { findUrl, settings });
  const { appliedMigrations, schema, pooler, droppedSettings, canNotify, isSharded, unplacedTables } = prepared;
  if (unplacedTables.length > 0) throw new DatabaseError(describeUnplaced(place, unplacedTables));
  if (Object.keys(droppedSettings).length > 0) log.warn(place.server, describeDroppedSettings(droppedSettings));
  const health = createHealthMonitor(place.server, log);
  const adapter = new BoundedPostgresql(place.urls[0] as string, {
    ...(place.needsWritableHost && { findUrl }),
    ...{ pooler, durability, poolSize, schema, health },
  });
  const postgresqlClient = new PostgresqlClient({ adapter });
  await postgresqlClient.$connect();
  // both clients come from one model (prisma/derive.ts), and differ only in what the service does not use
  const client = postgresqlClient as unknown as PrismaClient;
  const sql = isSharded ? CITUS : POSTGRESQL;
  let backfill: Backfill;
  let shards: Shards | null = null;
  try {
    backfill = await startBackfill(client, sql, log);
    if (isSharded) shards = await openShards(client);
  } catch (error) {
    await postgresqlClient.$disconnect();
    throw error;
  }
  return {
    client,
    sql,
    findEmbed: null,
    shards,
    backfill,
    rowLock: Prisma.raw('FOR UPDATE'),
    audit: openLogAudit(auditLog),
    counts: openSharedCounts(postgresqlClient),
    openChanges: (listener) =>
      openPostgresqlChanges(
        {
          records: openChangeRecords(postgresqlClient),
          openNotifications: canNotify ? (callbacks) => createNotifications(findUrl, callbacks) : null,
        },
        listener,
      ),
    appliedMigrations,
    dataVersion: null,
    async hasTable(name) {
      const rows = await client.$queryRaw<object[]>`
        SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`;
      return rows.length > 0;
    },
    async ping() {
      // writes nothing, but fails on a read-only database
      await client.$executeRaw`DELETE FROM "Quota" WHERE false`;
      await client.$queryRaw`SELECT
        EXISTS(SELECT 1 FROM "Embed"), EXISTS(SELECT 1 FROM "Account"), EXISTS(SELECT 1 FROM "Token"),
        EXISTS(SELECT 1 FROM "IdempotentCreate"), EXISTS(SELECT 1 FROM "Page"),
        EXISTS(SELECT 1 FROM "EmbedTerm"), EXISTS(SELECT 1 FROM "Import"), EXISTS(SELECT 1 FROM "AuditEvent")`;
    },
    async close() {
      await backfill.stop();
      await client.$disconnect();
    },
  };
}

function describeUnplaced(place: PostgresqlLocation, tables: readonly string[]): string {
  return `${nameOf(place)} is distributed, but its new tables are not (${tables.join(', ')}): run "npx embed-gateway distribute".`;
}
