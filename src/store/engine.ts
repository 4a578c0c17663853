import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { Audit } from './audit/audit.ts';
import type { ChangeListener, ChangeSource } from './changes/changes.ts';
import type { EmbedDriver } from './embeds/driver.ts';
import type { EmbedSql } from './embeds/sql.ts';
import type { Executor } from './executor.ts';
import type { Shards } from './postgresql/citus/shards.ts';
import type { SharedCounts } from './postgresql/shared-counts.ts';
import type { Backfill } from './sqlite/backfill.ts';

/**
 * Plans that Prisma keeps of single queries, and as many of batches, of about 16 kB each. There are fewer kinds of queries,
 * but Prisma makes a batch of reads that wait together, with a plan for each of their combinations.
 */
export const MAX_QUERY_PLANS = 100;

/** Runs one SELECT. */
export type Query = <Row extends object>(sql: Prisma.Sql) => Promise<readonly Row[]>;

export interface Engine {
  readonly client: PrismaClient;
  readonly sql: EmbedSql;
  readonly driver: EmbedDriver;
  /** Null if the command `migrate` writes the words of old embeds. */
  readonly backfill: Backfill | null;
  /** Ends a SELECT whose rows no other statement may change; empty on SQLite, where one statement writes at a time. */
  readonly rowLock: Prisma.Sql;
  /** Null unless the data of accounts are on several nodes. */
  readonly shards: Shards | null;
  readonly executor: Executor;
  readonly audit: Audit;
  readonly counts: SharedCounts | null;
  readonly openChanges: (listener: ChangeListener) => ChangeSource;
  /** Returns the time by the clock that all processes on the database share. */
  readonly now: () => Date;
  /** Migrations that opening the database has applied, oldest first: those of a SQLite file. */
  readonly appliedMigrations: readonly string[];
  /** Returns another number after each change by another process, NaN if it cannot be read; null on PostgreSQL, where that is expensive. */
  readonly dataVersion: (() => number) | null;
  /** The source of a copy that was not finished when the database was opened; null if there was none, undefined if it is unknown. */
  readonly checkpoint: string | null | undefined;
  /** Throws, as a statement does, if the database is unavailable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function readTables(names: readonly string[]): Prisma.Sql {
  return Prisma.raw(`SELECT ${names.map((name) => `EXISTS(SELECT 1 FROM "${name}")`).join(', ')}`);
}
