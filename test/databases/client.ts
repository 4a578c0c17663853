import { PrismaPg } from '@prisma/adapter-pg';
import { onTestFinished } from 'vitest';
import { PrismaClient as PostgresqlClient } from '../../src/generated/postgresql/client.ts';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { DurableSqlite } from '../../src/store/sqlite/connection.ts';

/** Opens a Prisma client past the store, which is closed after the test. */
export function openClient(url: string): PrismaClient {
  const client = url.startsWith('file:')
    ? new PrismaClient({ adapter: new DurableSqlite(url.slice('file:'.length)) })
    : (new PostgresqlClient({ adapter: new PrismaPg(url) }) as unknown as PrismaClient);
  onTestFinished(() => client.$disconnect());
  return client;
}
