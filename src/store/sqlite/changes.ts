import { Prisma } from '../../generated/prisma/client.ts';
import type { ChangeListener, ChangeSource } from '../changes/changes.ts';
import { type FeedChange, type FeedPosition, firstMarkOf } from '../changes/feed.ts';
import type { EmbedDriver } from '../embeds/driver.ts';
import { limitOf } from './posting-lists.ts';

const CHECK_INTERVAL_MS = 1_000;
/** Changes of one statement. */
const BATCH_ROWS = 500;

type ChangeRow = Omit<FeedChange, 'at' | 'accountId'> & { readonly atMs: number };

/** A followed account. */
interface ChangeFeed {
  readonly accountId: string;
  /** The position up to which changes were passed on; null until it is known. */
  position: FeedPosition | null;
}

/**
 * Reads the changes that triggers record (migration `keep_changes`): of followed accounts after each write of this process, and
 * each second if another process has written.
 */
export function openSqliteChanges(
  driver: Pick<EmbedDriver, 'all'>,
  dataVersion: () => number,
  { onChange, onMissed }: ChangeListener,
): ChangeSource {
  const feeds = new Map<string, ChangeFeed>();
  let lastVersion: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function readPosition(accountId: string): Promise<FeedPosition> {
    const select = Prisma.sql`
      SELECT a."changeCount" AS "number", lower(hex(c."mark")) AS "mark" FROM "Account" AS a
      LEFT JOIN "EmbedChange" AS c ON c."accountId" = a."id" AND c."number" = a."changeCount"
      WHERE a."id" = ${accountId}`;
    const [row] = await driver.all<{ readonly number: number; readonly mark: string | null }>(select, accountId);
    return { number: row?.number ?? 0, mark: row?.mark || firstMarkOf(accountId) };
  }

  async function readAfter(accountId: string, position: FeedPosition | null, limit: number) {
    // with the change at the position, which proves that those after it are kept
    const rows = await driver.all<ChangeRow>(
      Prisma.sql`
        SELECT "number", lower(hex("mark")) AS "mark", "kind", "embedId", "atMs" FROM "EmbedChange"
        WHERE "accountId" = ${accountId} AND "number" >= ${position?.number ?? 0} ORDER BY "number" ${limitOf(limit + 1)}`,
      accountId,
    );
    const [first] = rows;
    const isAtPosition = position !== null && first?.number === position.number;
    if (isAtPosition && first.mark !== position.mark) return null;
    if (position && !isAtPosition) {
      const { number } = first ? { number: first.number - 1 } : await readPosition(accountId);
      if (position.mark !== firstMarkOf(accountId) || position.number !== number) return null;
    }
    const found = isAtPosition ? rows.slice(1) : rows.slice(0, limit);
    return found.map(({ atMs, ...row }): FeedChange => ({ ...row, accountId, at: new Date(atMs) }));
  }

  /** A failed read is repeated by the next one. */
  async function advance(feed: ChangeFeed | undefined): Promise<void> {
    while (feed?.position && feeds.get(feed.accountId) === feed) {
      const { accountId, position } = feed;
      const changes = await readAfter(accountId, position, BATCH_ROWS);
      // passed on meanwhile
      if (feed.position !== position) continue;
      if (changes === null) return onMissed(accountId);
      feed.position = changes.at(-1) ?? position;
      changes.forEach(onChange);
      if (changes.length < BATCH_ROWS) return;
    }
  }

  async function checkOtherProcesses(): Promise<void> {
    const version = dataVersion();
    if (version === lastVersion) return;
    for (const feed of feeds.values()) await advance(feed);
    lastVersion = version;
  }

  return {
    publish: ({ accountId }) => void advance(feeds.get(accountId)).catch(() => {}),
    readPosition,
    readAfter,
    subscribe(accountId) {
      const feed: ChangeFeed = { accountId, position: null };
      feeds.set(accountId, feed);
      timer ??= setInterval(() => checkOtherProcesses().catch(() => {}), CHECK_INTERVAL_MS).unref();
      return {
        ready: readPosition(accountId).then((position) => {
          feed.position = position;
        }),
        position: () => feed.position as FeedPosition,
        unsubscribe() {
          if (feeds.get(accountId) === feed) feeds.delete(accountId);
          if (feeds.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    close: () => clearInterval(timer),
  };
}
