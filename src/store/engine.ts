import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Audit } from './audit.ts';
import type { ChangeListener, ChangeSource } from './changes.ts';
import type { EmbedSql } from './embeds/sql.ts';
import type { SharedCounts } from './postgresql/shared-counts.ts';

/** What the store needs of a kind of database that is open: all that differs between them. */
export interface Engine {
  readonly client: PrismaClient;
  readonly sql: EmbedSql;
  readonly audit: Audit;
  /** Counts that gateways share; null where one has the database for itself. */
  readonly counts: SharedCounts | null;
  readonly openChanges: (listener: ChangeListener) => ChangeSource;
  /** The migrations that the opening applied. */
  readonly appliedMigrations: readonly string[];
  /** Another number after each change that anybody else made, where that is cheap to know; null where it is not. */
  readonly dataVersion: (() => number) | null;
  hasTable(name: string): Promise<boolean>;
  /** Fails, as a statement does, when the database cannot do its work. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
