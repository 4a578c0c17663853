import BetterSqlite3 from 'better-sqlite3';
import type { ChangeListener, ChangeSource } from '../changes.ts';
import { databaseUnavailable } from '../database-errors.ts';
import { reasonOfSqliteCode } from './errors.ts';

const CHECK_INTERVAL_MS = 1_000;

/**
 * The followed accounts with the changes that this process knows of. A trigger of the connection adds its own changes, in
 * their transaction, so another count in `Account` means that another process has changed embeds.
 */
const SCHEMA = `
  CREATE TEMP TABLE "Followed" ("accountId" TEXT PRIMARY KEY, "changeCount" INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TEMP TRIGGER "Followed_change" AFTER UPDATE OF "changeCount" ON main."Account" BEGIN
    UPDATE "Followed" SET "changeCount" = "changeCount" + NEW."changeCount" - OLD."changeCount"
    WHERE "accountId" = NEW."id";
  END`;

/**
 * Detects changes by other processes while there is a subscription, without reading them one by one. Checkpoints, and
 * writes that change no embed of a followed account, end no subscription.
 */
export function openSqliteChanges(
  connection: BetterSqlite3.Database,
  dataVersion: () => number,
  { onLost }: Pick<ChangeListener, 'onLost'>,
): ChangeSource {
  connection.exec(SCHEMA);
  const prepare = (sql: string) => BetterSqlite3.prototype.prepare.call(connection, sql);
  const follow = prepare('INSERT INTO "Followed" SELECT "id", "changeCount" FROM "Account" WHERE "id" = ?');
  const unfollow = prepare('DELETE FROM "Followed" WHERE "accountId" = ?');
  const findChanged = prepare(
    `SELECT "accountId" FROM "Followed" JOIN "Account" ON "id" = "accountId"
     WHERE "Account"."changeCount" <> "Followed"."changeCount"`,
  ).pluck();
  let subscriptions = 0;
  let lastVersion: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function checkOtherProcesses(): void {
    try {
      const version = dataVersion();
      if (version === lastVersion) return;
      for (const accountId of findChanged.all() as string[]) onLost(accountId);
      lastVersion = version;
    } catch {
      // the counts still differ at the next check
    }
  }

  async function start(accountId: string): Promise<void> {
    subscriptions++;
    if (subscriptions === 1) timer = setInterval(checkOtherProcesses, CHECK_INTERVAL_MS).unref();
    try {
      follow.run(accountId);
    } catch (error) {
      const reason = reasonOfSqliteCode((error as { readonly code?: string }).code ?? '');
      throw reason ? databaseUnavailable(reason) : error;
    }
  }

  return {
    readsOwnChanges: false,
    subscribe: (accountId) => ({
      ready: start(accountId),
      unsubscribe() {
        subscriptions--;
        if (subscriptions === 0) clearInterval(timer);
        if (connection.open) unfollow.run(accountId);
      },
    }),
  };
}
