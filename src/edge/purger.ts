import { createPurgeRequest, maxNamesPerRequest, type Purge, type PurgeTarget, purgedNames } from './purge-request.ts';

/** `ok` and `dropped` end a purge; `retried` counts attempts that failed. */
export type PurgeResult = 'ok' | 'retried' | 'dropped';

export type PurgeEvent =
  | { readonly kind: 'counted'; readonly result: PurgeResult; readonly count: number }
  /** Purges fail from now on, and are retried. */
  | { readonly kind: 'failing'; readonly reason: string }
  | { readonly kind: 'working' };

export interface Purger {
  /** Returns at once. A key that already waits is sent once. */
  purge(purges: readonly Purge[]): void;
  /** Sends what waits, for up to 3 s, and drops the rest. */
  close(): Promise<void>;
}

/** Names that wait. Over this limit, further ones are dropped. */
const MAX_PENDING = 10_000;
const MAX_IN_FLIGHT = 4;
const REQUEST_TIMEOUT_MS = 3_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** For at most this time a CDN shows what was not purged: `max-age` and `stale-while-revalidate`. */
const PURGE_LIFETIME_MS = 120_000;
const CLOSE_TIMEOUT_MS = 3_000;

/** Names with the times of their purges, by the monotonic clock. */
type Batch = readonly (readonly [name: string, addedAtMs: number])[];

/** Sends purges in the order of the changes. After a failure all of them wait, so that no crowd meets a CDN that is away. */
export function createPurger(target: PurgeTarget, onEvent: (event: PurgeEvent) => void): Purger {
  const pending = new Map<string, number>();
  const batchSize = maxNamesPerRequest(target);
  let inFlight = 0;
  let failures = 0;
  let retryTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let onDrained = () => {};

  function add(name: string, addedAtMs: number): void {
    // a later purge of the same name is sent again if one is in flight
    if (pending.has(name) || (pending.size < MAX_PENDING && !isClosed)) pending.set(name, addedAtMs);
    else count('dropped', 1);
  }

  function count(result: PurgeResult, times: number): void {
    if (times > 0) onEvent({ kind: 'counted', result, count: times });
  }

  function sendWaiting(): void {
    while (retryTimer === undefined && inFlight < MAX_IN_FLIGHT && pending.size > 0) void sendBatch(takeBatch());
    if (inFlight === 0 && pending.size === 0) onDrained();
  }

  function takeBatch(): Batch {
    const batch: [string, number][] = [];
    for (const entry of pending) {
      if (batch.push(entry) >= batchSize) break;
    }
    for (const [name] of batch) pending.delete(name);
    return batch;
  }

  async function sendBatch(batch: Batch): Promise<void> {
    inFlight++;
    const names = batch.map(([name]) => name);
    try {
      await send(target, names);
      count('ok', batch.length);
      if (failures > 0) onEvent({ kind: 'working' });
      failures = 0;
    } catch (error) {
      retryLater(batch, reasonOf(error as Error));
    }
    inFlight--;
    sendWaiting();
  }

  function retryLater(batch: Batch, reason: string): void {
    const oldestMs = performance.now() - PURGE_LIFETIME_MS;
    const retried = isClosed ? [] : batch.filter(([, addedAtMs]) => addedAtMs > oldestMs);
    for (const [name, addedAtMs] of retried) add(name, addedAtMs);
    count('retried', retried.length);
    count('dropped', batch.length - retried.length);
    if (failures === 0) onEvent({ kind: 'failing', reason });
    if (isClosed || retryTimer !== undefined) return;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures++, MAX_RETRY_MS);
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      sendWaiting();
    }, waitMs);
  }

  return {
    purge(purges) {
      for (const name of purges.flatMap((purge) => purgedNames(target, purge))) add(name, performance.now());
      sendWaiting();
    },
    async close() {
      const { promise: drained, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      onDrained = resolve;
      sendWaiting();
      await drained;
      clearTimeout(timer);
      clearTimeout(retryTimer);
      isClosed = true;
      count('dropped', pending.size);
      pending.clear();
    },
  };
}

/** @throws if the response is not a success */
async function send(target: PurgeTarget, names: readonly string[]): Promise<void> {
  const { url, init } = createPurgeRequest(target, names);
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}

/** `fetch` gives the reason of a failed connection as the cause. */
function reasonOf({ message, cause }: Error): string {
  const { code, message: detail } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  return code ?? detail ?? message;
}
