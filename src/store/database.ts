import { type Audit, withAuditEvents } from './audit/audit.ts';
import { type AuditEventStore, openAuditEvents } from './audit/audit-events.ts';
import { type Changes, openChanges } from './changes/changes.ts';
import { refuseUnfinishedCopy } from './copy/checkpoint.ts';
import { locationOf } from './database-url.ts';
import { type CreateFilteredList, openFilteredLists } from './embeds/filtered-list.ts';
import { type EmbedStore, openEmbeds } from './embeds.ts';
import type { Engine } from './engine.ts';
import { type OpenOptions, toStandardError } from './open-options.ts';
import { openPages, type PageStore } from './pages.ts';
import { withEmbedCache } from './performance/embed-cache.ts';
import { withTokenCache } from './performance/token-cache.ts';
import type { SharedCounts } from './postgresql/shared-counts.ts';
import { mapDatabaseErrors } from './prisma/errors.ts';
import { openSqlite } from './sqlite/engine.ts';
import { openTokens, type TokenStore } from './tokens.ts';

export interface Database {
  readonly embeds: EmbedStore;
  readonly createFilteredList: CreateFilteredList;
  readonly tokens: TokenStore;
  readonly pages: PageStore;
  readonly audit: Audit;
  readonly auditEvents: AuditEventStore;
  /** Null on SQLite, which has a single gateway. */
  readonly counts: SharedCounts | null;
  readonly changes: Changes;
  /** True if queries go over a network; false for a file. */
  readonly isRemote: boolean;
  readonly appliedMigrations: readonly string[];
  /** Resolves when filtered lists are available, which takes a while after an upgrade. */
  readonly indexed: Promise<void>;
  /** Reads all tables; also writes, on SQLite only after a failed write. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const DEFAULTS: OpenOptions = { durability: 'full', poolSize: 10, log: toStandardError, auditLog: toStandardError };

/**
 * @param url `file:` with an absolute path, or `postgresql:`
 * @throws {DatabaseError} if it cannot be used
 */
export async function openDatabase(url: string, given: Partial<OpenOptions> = {}): Promise<Database> {
  const options: OpenOptions = { ...DEFAULTS, ...given };
  const engine = await openEngine(url, options);
  try {
    await refuseUnfinishedCopy(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const { client, backfill, rowLock, audit, counts, appliedMigrations, dataVersion } = engine;
  const changes = openChanges(engine.openChanges);
  const auditEvents = openAuditEvents(client, options.log);
  const embeds = openEmbeds(engine, changes.publish);
  const tokens = openTokens(client, rowLock);
  return {
    embeds: dataVersion ? withEmbedCache(embeds, dataVersion) : embeds,
    createFilteredList: openFilteredLists(client, engine.sql.index, backfill.requireDone),
    tokens: dataVersion ? withTokenCache(tokens, dataVersion) : tokens,
    pages: openPages(client),
    audit: withAuditEvents(audit, auditEvents),
    auditEvents,
    counts,
    changes,
    isRemote: dataVersion === null,
    appliedMigrations,
    indexed: backfill.done,
    ping: () => mapDatabaseErrors(engine.ping),
    async close() {
      changes.close();
      await auditEvents.close();
      await engine.close();
    },
  };
}

/** Opens a database without its stores. Loads the PostgreSQL driver only if it is needed. */
export async function openEngine(url: string, options: OpenOptions): Promise<Engine> {
  const place = locationOf(url);
  if ('file' in place) return openSqlite(place.file, options);
  const { openPostgresql } = await import('./postgresql/engine.ts');
  return openPostgresql(place, options);
}
