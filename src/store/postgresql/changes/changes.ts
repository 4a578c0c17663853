import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../errors.ts';
import type { ChangeListener, ChangeSource } from '../../changes/changes.ts';
import { type FeedPosition, firstMarkOf } from '../../changes/feed.ts';
import type { Executor } from '../../executor.ts';
import { type ChangeRecords, MAX_ROWS } from './change-records.ts';
import type { NotificationCallbacks, Notifications, NotifiedAccounts } from './notifications.ts';

/** Changes by other gateways arrive after this at the latest, if no notification arrives earlier. */
const POLL_INTERVAL_MS = 1_000;
const RENEWAL_INTERVAL_MS = 60_000;
const TRIM_INTERVAL_MS = 600_000;
/** Streams end if the database does not respond for longer than this. */
const MAX_SILENCE_MS = 60_000;
const RETRY_AFTER_S = 2;
/** Under load, notifications are gathered for this time. */
const NOTIFY_INTERVAL_MS = 10;

interface ChangeFeed {
  readonly accountId: string;
  /** Null until no change is missed. */
  position: FeedPosition | null;
  renewedAt: number;
  /** The last response of the database about this feed. */
  respondedAt: number;
  isReading: boolean;
  /** There may be changes that a read in progress does not see. */
  isStale: boolean;
  /** The highest number that is known to exist. */
  target: number;
}

interface Options {
  readonly records: ChangeRecords;
  /** Null if the database cannot notify. */
  readonly openNotifications: ((callbacks: NotificationCallbacks) => Notifications) | null;
  readonly notifiedAccounts: NotifiedAccounts;
  /** One statement reads the positions of accounts of one shard. */
  readonly executor: Pick<Executor, 'shardOf'>;
}

/**
 * Reads the recorded changes of followed accounts: after each write of this process, after each notification, and every
 * second. So changes arrive without notifications too, and nothing is lost with a connection or a primary. Notifies the
 * other gateways of the writes of this process.
 */
export function openPostgresqlChanges(
  { records, openNotifications, notifiedAccounts, executor }: Options,
  listener: ChangeListener,
): ChangeSource {
  const feeds = new Map<string, ChangeFeed>();
  const { read, advance } = createFeedReader(feeds, records, listener);
  const notifications = openNotifications?.({
    onNotified: (accountId, number) => read(feeds.get(accountId), number),
    onListening: () => void renew([...feeds.values()]),
  });
  const notify = gatherNotifications(records);
  const readPosition = async (accountId: string) =>
    (await records.readPositions([accountId])).get(accountId) ?? { number: 0, mark: firstMarkOf(accountId) };
  const trimming = setInterval(() => void trimAll().catch(() => {}), TRIM_INTERVAL_MS).unref();
  let isClosed = false;
  let polling: NodeJS.Timeout | undefined;
  /** Feeds whose positions are being read. */
  const pollingFeeds = new Set<ChangeFeed>();

  async function trimAll(): Promise<void> {
    for (let isMore = true; isMore && !isClosed; ) isMore = await records.trim();
  }

  function start(): void {
    polling = setInterval(poll, POLL_INTERVAL_MS).unref();
    notifications?.start();
  }

  function stop(): void {
    clearInterval(polling);
    polling = undefined;
    notifications?.stop();
  }

  async function follow(feed: ChangeFeed): Promise<FeedPosition> {
    const position = await records.follow(feed.accountId, notifications?.isListening() ?? false);
    feed.renewedAt = performance.now();
    return position;
  }

  async function renew(due: readonly ChangeFeed[]): Promise<void> {
    for (const feed of due) {
      const from = feed.position;
      const position = await follow(feed).catch(() => null);
      if (position === null) return;
      if (from) advance(feed, from, position);
    }
  }

  function poll(): void {
    const known = [...feeds.values()].filter((feed) => feed.position !== null && !pollingFeeds.has(feed));
    const groups = Map.groupBy(known, ({ accountId }) => executor.shardOf(accountId));
    for (const group of groups.values()) void pollGroup(group);
  }

  async function pollGroup(group: readonly ChangeFeed[]): Promise<void> {
    const known = group.map((feed) => [feed, feed.position as FeedPosition] as const);
    for (const feed of group) pollingFeeds.add(feed);
    try {
      const accountIds = group.map(({ accountId }) => accountId);
      const positions = await records.readPositions(accountIds);
      for (const feed of group) feed.respondedAt = performance.now();
      for (const [feed, from] of known) advance(feed, from, positions.get(feed.accountId));
      await renew(group.filter(({ renewedAt }) => performance.now() - renewedAt > RENEWAL_INTERVAL_MS));
    } catch {
      for (const { accountId, respondedAt } of group) {
        if (performance.now() - respondedAt > MAX_SILENCE_MS) listener.onSilence(accountId, silence());
      }
    } finally {
      for (const feed of group) pollingFeeds.delete(feed);
    }
  }

  async function open(feed: ChangeFeed): Promise<void> {
    feed.position = await follow(feed);
    feed.respondedAt = performance.now();
    read(feed);
  }

  return {
    publish({ accountId }) {
      read(feeds.get(accountId));
      if (notifiedAccounts.has(accountId)) notify(accountId);
    },
    readPosition,
    async readAfter(accountId, position, limit) {
      // before the changes, so that one that is committed meanwhile does not count as missed
      const current = position && (await readPosition(accountId));
      const changes = await records.readAfter(accountId, position, limit);
      if (!current || changes?.length !== 0) return changes?.slice(0, limit) ?? null;
      return current.number === position.number && current.mark === position.mark ? [] : null;
    },
    subscribe(accountId) {
      const feed: ChangeFeed = {
        accountId,
        position: null,
        renewedAt: 0,
        respondedAt: performance.now(),
        isReading: false,
        isStale: false,
        target: 0,
      };
      feeds.set(accountId, feed);
      if (polling === undefined) start();
      return {
        ready: open(feed),
        position: () => feed.position as FeedPosition,
        unsubscribe() {
          if (feeds.get(accountId) === feed) feeds.delete(accountId);
          if (feeds.size === 0) stop();
        },
      };
    },
    close() {
      clearInterval(trimming);
      isClosed = true;
      stop();
    },
  };
}

function createFeedReader(feeds: ReadonlyMap<string, ChangeFeed>, records: ChangeRecords, listener: ChangeListener) {
  function fail(feed: ChangeFeed): void {
    if (feeds.get(feed.accountId) === feed) listener.onMissed(feed.accountId);
  }

  /** @param target the number of a change that exists; undefined if there may be one */
  function read(feed: ChangeFeed | undefined, target?: number): void {
    if (!feed?.position || (target !== undefined && target <= feed.position.number)) return;
    feed.target = Math.max(feed.target, target ?? 0);
    feed.isStale = true;
    if (feed.isReading) return;
    // the next poll repeats a failed read
    readAll(feed, feed.position).catch(() => {});
  }

  async function readAll(feed: ChangeFeed, from: FeedPosition): Promise<void> {
    let position = from;
    feed.isReading = true;
    try {
      while (feed.isStale || position.number < feed.target) {
        feed.isStale = false;
        const { target } = feed;
        const changes = await records.readAfter(feed.accountId, position, MAX_ROWS);
        if (feeds.get(feed.accountId) !== feed) return;
        const last = changes?.at(-1);
        if (changes === null || (last === undefined && position.number < target)) return fail(feed);
        if (last === undefined) continue;
        // one statement may not return all
        feed.isStale ||= changes.length >= MAX_ROWS;
        position = last;
        feed.position = last;
        changes.forEach(listener.onChange);
      }
    } finally {
      feed.isReading = false;
    }
  }

  /** Reads the changes between two positions, or ends the streams of the account if there is no way between them. */
  function advance(feed: ChangeFeed, from: FeedPosition, current: FeedPosition | undefined): void {
    if (current && canFollow(current, from)) read(feed, current.number);
    else fail(feed);
  }

  return { read, advance };
}

/** Sends one statement for the accounts of a batch, and then at most one every 10 ms. */
function gatherNotifications({ notify }: ChangeRecords): (accountId: string) => void {
  let waiting = new Set<string>();
  let isSending = false;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const accountIds = [...waiting];
      waiting = new Set();
      // gateways that get no notification poll
      const sent = notify(accountIds).catch(() => {});
      await Promise.all([sent, pause(NOTIFY_INTERVAL_MS, undefined, { ref: false })]);
    }
    isSending = false;
  }

  return (accountId) => {
    waiting.add(accountId);
    if (isSending) return;
    isSending = true;
    setImmediate(send);
  };
}

/** Returns false if changes after the earlier position cannot lead to the current one. Reading them proves that they do. */
function canFollow(current: FeedPosition, earlier: FeedPosition): boolean {
  return current.number > earlier.number || (current.number === earlier.number && current.mark === earlier.mark);
}

function silence(): Refusal {
  return new Refusal('unavailable', 'The database does not respond; subscribe again.', [], RETRY_AFTER_S);
}
