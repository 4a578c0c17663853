import { sourceUrlOf } from '#reader/page-url';
import { outlineOf } from '../domain/page-copy.ts';
import type { Log } from '../log.ts';
import { type AccountStore, openAccounts } from './accounts.ts';
import { type Audit, withAuditEvents } from './audit/audit.ts';
import { type AuditEventStore, openAuditEvents } from './audit/audit-events.ts';
import { type Changes, openChanges } from './changes/changes.ts';
import { refuseUnfinishedCopy } from './copy/checkpoint.ts';
import { locationOf } from './database-url.ts';
import { type CreateList, openLists } from './embeds/lists.ts';
import { withPageStates } from './embeds/page-states.ts';
import { type EmbedStore, type EmbedWrite, openEmbeds } from './embeds.ts';
import type { Engine } from './engine.ts';
import { type OpenOptions, toStandardError } from './open-options.ts';
import { openPageVersions, type PageVersionStore } from './pages/page-versions.ts';
import { openWatches, type WatchStore } from './pages/watches.ts';
import { openPages, type PageStore } from './pages.ts';
import { withEmbedCache } from './performance/embed-cache.ts';
import { withBoundedRequests } from './postgresql/citus/bounded-requests.ts';
import type { SharedCounts } from './postgresql/shared-counts.ts';
import { mapDatabaseErrors } from './prisma/errors.ts';
import { openSessions, type SessionStore } from './sessions.ts';
import { openSqlite } from './sqlite/engine.ts';
import { explainErrors } from './sqlite/file.ts';
import { openTokens, type TokenStore } from './tokens.ts';
import { openViews, type ViewStore } from './views.ts';
import { type Outbox, openOutbox } from './webhooks/outbox.ts';
import { openWebhooks, type WebhookStore } from './webhooks/webhooks.ts';

export interface Database {
  readonly embeds: EmbedStore;
  readonly createList: CreateList;
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly pages: PageStore;
  readonly audit: Audit;
  readonly auditEvents: AuditEventStore;
  readonly webhooks: WebhookStore;
  readonly outbox: Outbox;
  readonly views: ViewStore;
  readonly watches: WatchStore;
  readonly pageVersions: PageVersionStore;
  /** Null on SQLite, which has a single gateway. */
  readonly counts: SharedCounts | null;
  readonly changes: Changes;
  /** Calls the listener after the changes of this process. */
  listen(listener: WriteListener): void;
  /** Waits until listeners know the outcome of each write that failed. */
  settleWrites(): Promise<void>;
  /** Returns the time by the clock that all gateways on the database share. The times of pages are of this clock. */
  readonly now: () => Date;
  /** True if queries go over a network; false for a file. */
  readonly isRemote: boolean;
  readonly appliedMigrations: readonly string[];
  /** Resolves when filtered lists are available, which takes a while after an upgrade. */
  readonly indexed: Promise<void>;
  /** Returns the same value for ids of embeds that fail together. */
  readonly placeOfId: (id: string) => unknown;
  /** Loads what Prisma's first statement would load, in 0.1 s. */
  load(): Promise<void>;
  /** Reads all tables; on a cluster those of the coordinator, and asks the workers. Also writes, on SQLite only after a failed write. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface WriteListener {
  /** Called after each update and deletion of an embed, also after one that fails but may be committed. */
  onEmbedWrite(write: EmbedWrite): void;
  /** Called after each change of the settings of an account. */
  onAccountWrite(accountId: string): void;
  /** Embeds are read before their deletion, so that {@link EmbedWrite.before} is known. */
  readonly readsDeleted: boolean;
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
    refuseUnfinishedCopy(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const { client, shards, backfill, audit, counts, now, appliedMigrations, dataVersion } = engine;
  const changes = openChanges(engine.openChanges);
  const auditEvents = openAuditEvents(engine, options.log);
  const views = openViews(engine, options.log);
  const listeners: WriteListener[] = [];
  const { embeds: allEmbeds, settleWrites } = openEmbeds(engine, {
    publish(write) {
      changes.publish(write);
      if (write.kind === 'CREATED') return;
      if (write.kind === 'DELETED') views.forget(write);
      stores.forget(write.embedId);
      for (const { onEmbedWrite } of listeners) onEmbedWrite(write);
    },
    readsDeleted: () => listeners.some((listener) => listener.readsDeleted),
  });
  const embeds = shards ? withBoundedRequests(allEmbeds, shards.runRequest) : allEmbeds;
  const createList = openLists(engine.driver, engine.sql.index, () => backfill?.requireDone());
  const stores = dataVersion
    ? withEmbedCache({ embeds, createList }, dataVersion)
    : { embeds, createList, forget() {} };
  const pages = openPages(client, now);
  return {
    embeds: stores.embeds,
    createList: withPageStates(stores.createList, async (pageUrl) => {
      return outlineOf(pageUrl, await pages.findOutline(sourceUrlOf(pageUrl)), now());
    }),
    accounts: openAccounts(engine, (accountId) => {
      for (const { onAccountWrite } of listeners) onAccountWrite(accountId);
    }),
    tokens: openTokens(engine),
    sessions: openSessions(client),
    pages,
    audit: withAuditEvents(audit, auditEvents),
    auditEvents,
    webhooks: openWebhooks(engine),
    outbox: openOutbox(engine),
    views,
    watches: openWatches(engine, pages),
    pageVersions: openPageVersions(client, now),
    counts,
    changes,
    listen: (listener) => void listeners.push(listener),
    settleWrites,
    now,
    isRemote: dataVersion === null,
    appliedMigrations,
    indexed: backfill?.done ?? Promise.resolve(),
    placeOfId: shards?.shardOfId ?? (() => null),
    load: () => client.$connect(),
    ping: () => mapDatabaseErrors(engine.ping),
    async close() {
      changes.close();
      await auditEvents.close();
      await views.close();
      await engine.close();
    },
  };
}

/**
 * Brings a database to the schema of this version. A SQLite file is migrated whenever it is opened.
 * @returns the names of the applied migrations
 */
export async function migrateDatabase(url: string, log: Log, contracts = false): Promise<readonly string[]> {
  const place = locationOf(url);
  if ('file' in place) {
    const { backfill, appliedMigrations, close } = await openEngine(url, { ...DEFAULTS, log });
    await backfill?.done;
    await close();
    return appliedMigrations;
  }
  const { migratePostgresql } = await import('./postgresql/migration/migrate.ts');
  return migratePostgresql(place, { log, contracts });
}

/** Opens a database without its stores. Loads the PostgreSQL driver only if it is needed. */
export async function openEngine(url: string, options: OpenOptions): Promise<Engine> {
  const place = locationOf(url);
  if ('file' in place) return explainErrors(place.file, () => openSqlite(place.file, options));
  const { openPostgresql } = await import('./postgresql/engine.ts');
  return openPostgresql(place, options);
}
