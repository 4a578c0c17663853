import { PrismaPg } from '@prisma/adapter-pg';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { PrismaClient as PostgresqlClient } from '../../src/generated/postgresql/client.ts';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import type { EmbedDriver } from '../../src/store/embeds/driver.ts';
import { openPostgresqlDriver } from '../../src/store/postgresql/driver.ts';
import { createStatements } from '../../src/store/postgresql/statements.ts';
import { DurableSqlite } from '../../src/store/sqlite/connection.ts';
import { openSqliteDriver } from '../../src/store/sqlite/driver.ts';
import { createHealthMonitor } from '../../src/store/sqlite/health.ts';

/** Opens a Prisma client past the store, which is closed after the test. */
export function openClient(url: string): PrismaClient {
  const client = url.startsWith('file:')
    ? new PrismaClient({ adapter: new DurableSqlite(url.slice('file:'.length)) })
    : (new PostgresqlClient({ adapter: new PrismaPg(url) }) as unknown as PrismaClient);
  onTestFinished(() => client.$disconnect());
  return client;
}

/** Opens a driver of embeds past the store, which is closed after the test. */
export function openDriver(url: string): EmbedDriver {
  if (url.startsWith('file:')) {
    const file = url.slice('file:'.length);
    const connection = new BetterSqlite3(file);
    onTestFinished(() => void connection.close());
    return openSqliteDriver(connection, createHealthMonitor(file));
  }
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  onTestFinished(() => pool.end());
  return openPostgresqlDriver(
    createStatements(pool, () => ''),
    null,
  );
}
