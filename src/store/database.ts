import type { Audit } from './audit.ts';
import { type Changes, openChanges } from './changes.ts';
import { refuseUnfinishedCopy } from './copy/checkpoint.ts';
import { mapDatabaseErrors } from './database-errors.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { type EmbedStore, openEmbeds } from './embeds.ts';
import type { Engine } from './engine.ts';
import { type OpenOptions, toStandardError } from './open-options.ts';
import { openPages, type PageStore } from './pages.ts';
import { withEmbedCache } from './performance/embed-cache.ts';
import { withListCache } from './performance/list-cache.ts';
import type { SharedCounts } from './postgresql/shared-counts.ts';
import { openSqlite } from './sqlite/engine.ts';
import { openTokens, type TokenStore } from './tokens.ts';

/** Everything that is kept. One for a SQLite file in one process: two would block each other. */
export interface Database {
  readonly embeds: EmbedStore;
  readonly tokens: TokenStore;
  readonly pages: PageStore;
  readonly audit: Audit;
  /** Counts that gateways share; null where one has the database for itself. */
  readonly counts: SharedCounts | null;
  readonly changes: Changes;
  /** The migrations that the opening applied. */
  readonly appliedMigrations: readonly string[];
  /**
   * Whether the database can do its work: reads all tables, and writes, where the last write could not be made.
   * @throws {Refusal} `unavailable`
   */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const DEFAULTS: OpenOptions = { durability: 'full', poolSize: 10, log: toStandardError, auditLog: toStandardError };

/**
 * Opens a database and brings it to the newest migration.
 * @param url `file:` with an absolute path, or `postgresql:`; nobody else needs to know which
 * @throws {DatabaseError} when it cannot be used, with the reason in one line
 */
export async function openDatabase(url: string, opening: Partial<OpenOptions> = {}): Promise<Database> {
  const options: OpenOptions = { ...DEFAULTS, ...opening };
  const engine = await openEngine(url, options);
  try {
    await refuseUnfinishedCopy(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const { client, sql, audit, counts, appliedMigrations, dataVersion } = engine;
  const embeds = openEmbeds(client, sql);
  const changes = openChanges(engine.openChanges);
  return {
    embeds: dataVersion ? withEmbedCache(withListCache(embeds, dataVersion), dataVersion) : embeds,
    tokens: openTokens(client),
    pages: openPages(client),
    audit,
    counts,
    changes,
    appliedMigrations,
    ping: () => mapDatabaseErrors(engine.ping),
    async close() {
      changes.close();
      await engine.close();
    },
  };
}

/** Opens the kind of database that a URL names. The driver of servers is loaded only where there is one. */
export async function openEngine(url: string, opening: OpenOptions): Promise<Engine> {
  const place = parseDatabaseUrl(url);
  if ('file' in place) return openSqlite(place.file, opening);
  const { openPostgresql } = await import('./postgresql/engine.ts');
  return openPostgresql(place, opening);
}
