import { type ChangeListener, type ChangeSource, createEpoch, type FeedChange, KEPT_MS } from '../changes.ts';

const CHECK_INTERVAL_MS = 1_000;
/** The last changes of all followed accounts together, for clients that continue a stream. */
const MAX_KEPT = 10_000;

/** The changes of an account that is followed, or was in the last 5 minutes. */
interface Feed {
  readonly epoch: string;
  number: number;
  /** The number of the last change that is not kept any more. */
  discarded: number;
  readers: number;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * Keeps the last changes of this process in memory. While there is a subscription, it also detects changes by other processes.
 * They cannot be read one by one: `data_version` only shows that there are some.
 */
export function openSqliteChanges(dataVersion: () => number, { onChange, onMissed }: ChangeListener): ChangeSource {
  const feeds = new Map<string, Feed>();
  let kept: FeedChange[] = [];
  let subscriptions = 0;
  let lastVersion: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function checkOtherProcesses(): void {
    const version = dataVersion();
    const hasChanged = lastVersion !== null && version !== lastVersion;
    lastVersion = version;
    if (!hasChanged) return;
    const accountIds = [...feeds.keys()];
    feeds.clear();
    kept = [];
    accountIds.forEach(onMissed);
  }

  function keep(change: FeedChange): void {
    kept.push(change);
    // a slice of many at once: to remove the first of an array moves all others
    if (kept.length < 2 * MAX_KEPT) return;
    for (const { accountId, epoch, number } of kept.splice(0, MAX_KEPT)) {
      const feed = feeds.get(accountId);
      if (feed?.epoch === epoch) feed.discarded = number;
    }
  }

  function openFeed(accountId: string): Feed {
    const feed = { epoch: createEpoch(), number: 0, discarded: 0, readers: 0, expiry: undefined };
    feeds.set(accountId, feed);
    return feed;
  }

  return {
    publish(change) {
      const feed = feeds.get(change.accountId);
      if (!feed) return;
      feed.number++;
      const numbered = { ...change, epoch: feed.epoch, number: feed.number };
      keep(numbered);
      if (feed.readers > 0) onChange(numbered);
    },
    subscribe(accountId) {
      // also if nobody follows: then the timer does not run
      checkOtherProcesses();
      subscriptions++;
      timer ??= setInterval(checkOtherProcesses, CHECK_INTERVAL_MS).unref();
      const feed = feeds.get(accountId) ?? openFeed(accountId);
      feed.readers++;
      clearTimeout(feed.expiry);
      return {
        ready: Promise.resolve(),
        position: () => ({ epoch: feed.epoch, number: feed.number }),
        async readAfter({ epoch, number }) {
          if (epoch !== feed.epoch || number > feed.number || number < feed.discarded) return null;
          return kept.filter((change) => change.epoch === epoch && change.number > number);
        },
        unsubscribe() {
          subscriptions--;
          feed.readers--;
          if (feed.readers === 0) {
            const forget = () => feeds.get(accountId) === feed && feeds.delete(accountId);
            feed.expiry = setTimeout(forget, KEPT_MS).unref();
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
