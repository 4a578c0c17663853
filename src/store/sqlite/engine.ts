import { rmSync } from 'node:fs';
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { openAudit } from '../audit/audit.ts';
import { COPY_TABLE, readCheckpoint } from '../copy/checkpoint.ts';
import { type Engine, MAX_QUERY_PLANS, readTables } from '../engine.ts';
import { DIRECT_EXECUTOR } from '../executor.ts';
import type { OpenOptions } from '../open-options.ts';
import { withMappedErrors } from '../prisma/errors.ts';
import { knownMigrations } from '../prisma/migrations.ts';
import { startBackfill } from './backfill.ts';
import { openSqliteChanges } from './changes.ts';
import { DurableSqlite } from './connection.ts';
import { openSqliteDriver } from './driver.ts';
import { reasonOfSqliteCode } from './errors.ts';
import { prepareSqliteFile, requireSqliteFile } from './file.ts';
import { createHealthMonitor } from './health.ts';
import { checkPages, startPageCheck } from './integrity/page-check.ts';
import { takeSharedLock, waitForLock } from './lock.ts';
import { beforeUpdateFileOf, migrateSqlite } from './migration.ts';
import { SQLITE } from './sql.ts';

/** Wait of the service for another program that locks the file. Commands retry as a whole. */
const MAX_LOCK_WAIT_MS = 60_000;

/** Those of the model, and those that triggers write. */
const TABLES = [...Object.values(Prisma.ModelName), 'EmbedIndex_data', 'EmbedWord', 'EmbedChange'];

/** @param file absolute path; the file and its folder are created if they do not exist */
export async function openSqlite(file: string, { durability, log, isService }: OpenOptions): Promise<Engine> {
  const maxWaitMs = isService ? MAX_LOCK_WAIT_MS : 0;
  const wait = <T>(part: () => T) => waitForLock(log, 'another program, which locks the database', maxWaitMs, part);
  await wait(() => requireSqliteFile(file));
  const lock = takeSharedLock(file);
  try {
    const known = knownMigrations('sqlite');
    const applied = await wait(() => prepareSqliteFile(file, known));
    const isUpdated = (applied ?? known).length < known.length;
    const isCheckedNow = !isService || isUpdated;
    await wait(() => checkPages(file, { isWhole: isCheckedNow }));
    const appliedMigrations = await migrateSqlite(file, applied, log);
    if (isService && !isUpdated) rmSync(beforeUpdateFileOf(file), { force: true });
    const health = createHealthMonitor(file, log);
    const factory = new DurableSqlite(file, { durability, health });
    const client = withMappedErrors(new PrismaClient({ adapter: factory, queryPlanCacheMaxSize: MAX_QUERY_PLANS }));
    const adapter = await factory.connect();
    const driver = openSqliteDriver(factory.connection, health);
    const checkpoint = await readCheckpoint(
      async <Row>({ sql, values }: Prisma.Sql) => factory.connection.prepare<unknown[], Row>(sql).all(values),
      Prisma.sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${COPY_TABLE}`,
    );
    const backfill = await startBackfill(driver, log);
    const pageCheck = isCheckedNow ? null : startPageCheck(file);
    void pageCheck?.fault.then((fault) => {
      if (fault && reasonOfSqliteCode(fault.code) === 'damaged') health.report(fault.code, fault.message);
      else if (fault) log.warn({ file, reason: fault.message }, 'the pages of the database were not checked');
    });
    const { dataVersion } = factory;
    return {
      client,
      sql: SQLITE,
      driver,
      shards: null,
      executor: DIRECT_EXECUTOR,
      backfill,
      rowLock: Prisma.empty,
      audit: openAudit(file, durability, log),
      counts: null,
      openChanges: (listener) => openSqliteChanges(driver, dataVersion, listener),
      now: () => new Date(),
      appliedMigrations,
      dataVersion,
      checkpoint,
      async ping() {
        await driver.all(readTables(TABLES), null);
        health.inspect();
        // an unused number, written to the write-ahead log and to the disk like any other write
        if (health.unavailableReason !== null) await driver.run(Prisma.sql`PRAGMA user_version = 0`, null);
      },
      async close() {
        await Promise.all([backfill.stop(), pageCheck?.stop()]);
        await client.$disconnect();
        // Prisma closes only what it has used
        if (factory.connection.open) await adapter.dispose();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
