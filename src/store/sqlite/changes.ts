import type BetterSqlite3 from 'better-sqlite3';
import { CACHE_BYTES, entriesIn } from '../../cache-bytes.ts';
import { type ChangeListener, type ChangeSource, KEPT_MS } from '../changes/changes.ts';
import { createMark, type FeedChange } from '../changes/feed.ts';
import { databaseUnavailable } from '../database-errors.ts';
import { reasonOfSqliteCode } from './errors.ts';

const CHECK_INTERVAL_MS = 1_000;
/** The last changes of all followed accounts together, for clients that continue a stream. */
const MAX_KEPT = entriesIn(CACHE_BYTES.changes) / 2;

/** The changes of an account that is followed, or was in the last 5 minutes. */
interface ChangeFeed {
  /** That of all its positions. */
  readonly mark: string;
  number: number;
  /** The number of the last change that is not kept any more. */
  discarded: number;
  readers: number;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * The accounts with a feed, and the changes that this process knows of. A trigger of the connection adds its own changes, in
 * their transaction, so another count in `Account` means that another process has changed embeds.
 */
const SCHEMA = `
  CREATE TEMP TABLE "Followed" ("accountId" TEXT PRIMARY KEY, "changeCount" INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TEMP TRIGGER "Followed_change" AFTER UPDATE OF "changeCount" ON main."Account" BEGIN
    UPDATE "Followed" SET "changeCount" = "changeCount" + NEW."changeCount" - OLD."changeCount"
    WHERE "accountId" = NEW."id";
  END`;

/**
 * Keeps the last changes of this process in memory. It also detects changes by other processes, without reading them one by
 * one. Checkpoints, and writes that change no embed of a followed account, end no subscription.
 */
export function openSqliteChanges(
  connection: BetterSqlite3.Database,
  dataVersion: () => number,
  { onChange, onMissed }: ChangeListener,
): ChangeSource {
  connection.exec(SCHEMA);
  const follow = connection.prepare('INSERT INTO "Followed" SELECT "id", "changeCount" FROM "Account" WHERE "id" = ?');
  const unfollow = connection.prepare('DELETE FROM "Followed" WHERE "accountId" = ?');
  const findChanged = connection
    .prepare(
      `SELECT "accountId" FROM "Followed" JOIN "Account" ON "id" = "accountId"
     WHERE "Account"."changeCount" <> "Followed"."changeCount"`,
    )
    .pluck();
  const feeds = new Map<string, ChangeFeed>();
  let kept: FeedChange[] = [];
  let subscriptions = 0;
  let lastVersion: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function checkOtherProcesses(): void {
    const version = dataVersion();
    if (version === lastVersion) return;
    for (const accountId of findChanged.all() as string[]) {
      closeFeed(accountId);
      onMissed(accountId);
    }
    lastVersion = version;
  }

  function checkRegularly(): void {
    try {
      checkOtherProcesses();
    } catch {
      // the counts still differ at the next check
    }
  }

  function keep(change: FeedChange): void {
    kept.push(change);
    // a slice of many at once: to remove the first of an array moves all others
    if (kept.length < 2 * MAX_KEPT) return;
    for (const { accountId, mark, number } of kept.splice(0, MAX_KEPT)) {
      const feed = feeds.get(accountId);
      if (feed?.mark === mark) feed.discarded = number;
    }
  }

  function openFeed(accountId: string): ChangeFeed {
    follow.run(accountId);
    const feed = { mark: createMark(), number: 0, discarded: 0, readers: 0, expiry: undefined };
    feeds.set(accountId, feed);
    return feed;
  }

  function closeFeed(accountId: string): void {
    if (connection.open) unfollow.run(accountId);
    feeds.delete(accountId);
    kept = kept.filter((change) => change.accountId !== accountId);
  }

  function findFeed(accountId: string): ChangeFeed {
    try {
      // also if nobody follows: then the timer does not run
      checkOtherProcesses();
      return feeds.get(accountId) ?? openFeed(accountId);
    } catch (error) {
      const reason = reasonOfSqliteCode((error as { readonly code?: string }).code ?? '');
      throw reason ? databaseUnavailable(reason) : error;
    }
  }

  return {
    publish(change) {
      const feed = feeds.get(change.accountId);
      if (!feed) return;
      feed.number++;
      const numbered = { ...change, mark: feed.mark, number: feed.number };
      keep(numbered);
      if (feed.readers > 0) onChange(numbered);
    },
    subscribe(accountId) {
      const feed = findFeed(accountId);
      subscriptions++;
      timer ??= setInterval(checkRegularly, CHECK_INTERVAL_MS).unref();
      feed.readers++;
      clearTimeout(feed.expiry);
      return {
        ready: Promise.resolve(),
        position: () => ({ mark: feed.mark, number: feed.number }),
        async readAfter({ mark, number }) {
          if (mark !== feed.mark || number > feed.number || number < feed.discarded) return null;
          return kept.filter((change) => change.mark === mark && change.number > number);
        },
        unsubscribe() {
          subscriptions--;
          feed.readers--;
          if (feed.readers === 0) {
            const close = () => feeds.get(accountId) === feed && closeFeed(accountId);
            feed.expiry = setTimeout(close, KEPT_MS).unref();
          }
          if (subscriptions > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    close: () => clearInterval(timer),
  };
}
