import { parseRetryAfterMs } from '#fetcher';
import type { PurgeTarget } from '../config/values.ts';

/** `ok` and `dropped` end a purge; `retried` counts attempts that failed. */
type PurgeResult = 'ok' | 'retried' | 'dropped';

export type PurgeEvent =
  | { readonly kind: 'counted'; readonly result: PurgeResult; readonly count: number }
  /** Purges for this host fail from now on, and are retried. */
  | { readonly kind: 'failing'; readonly host: string; readonly reason: string }
  | { readonly kind: 'working'; readonly host: string };

/** Names that wait. Over this limit, further ones are dropped. */
const MAX_PENDING = 10_000;
const MAX_IN_FLIGHT = 4;
/** Purges wait for further ones, up to this time or number. */
const GATHER_MS = 200;
const MAX_GATHERED = 100;
const REQUEST_TIMEOUT_MS = 3_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
/** For at most this time a CDN shows what was not purged: `max-age` and `stale-while-revalidate`. */
const PURGE_LIFETIME_MS = 120_000;
/** A longer `Retry-After` counts as this. Purges that expire meanwhile are dropped. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const CLOSE_TIMEOUT_MS = 3_000;

/** Names with the times of their purges, by the monotonic clock. */
type Batch = readonly (readonly [name: string, addedAtMs: number])[];

class PurgeFailure extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Creates the queues that send each purge to all targets. A target that fails or is slow delays no other. */
export function createPurger(targets: readonly PurgeTarget[], onEvent: (event: PurgeEvent) => void) {
  const queues = targets.map((target) => ({ target, queue: createPurgeQueue(target, onEvent) }));
  return {
    /** Returns at once. */
    purge(purges: readonly Purge[]): void {
      for (const { target, queue } of queues) queue.add(purges.flatMap((purge) => purgedNames(target, purge)));
    },
    /** Sends what waits, for up to 3 s, and drops the rest. */
    async close(): Promise<void> {
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}

/** Sends purges in the order of the changes. After a failure all of them wait, so that no crowd meets a CDN that is away. */
function createPurgeQueue(target: PurgeTarget, onEvent: (event: PurgeEvent) => void) {
  const { host } = new URL(target.url);
  const pending = new Map<string, number>();
  const batchSize = maxNamesPerRequest(target);
  let inFlight = 0;
  let failures = 0;
  let gatherTimer: NodeJS.Timeout | undefined;
  /** True from the end of the gathering until no name waits. */
  let isDue = false;
  let retryTimer: NodeJS.Timeout | undefined;
  /** By the monotonic clock. */
  let retryAtMs = 0;
  let isClosed = false;
  let onDrained = () => {};

  function addName(name: string, addedAtMs: number): void {
    const before = pending.get(name);
    // the first name stays the oldest
    pending.delete(name);
    // a later purge of the same name is sent again if one is in flight
    if (before !== undefined) pending.set(name, Math.max(before, addedAtMs));
    else if (!isClosed && hasRoom()) pending.set(name, addedAtMs);
    else count('dropped', 1);
  }

  /** While a CDN asks to wait, purges that have expired make room for others. */
  function hasRoom(): boolean {
    if (pending.size < MAX_PENDING) return true;
    const [oldest] = pending;
    if (!oldest || withoutExpired([oldest]).length > 0) return false;
    return pending.delete(oldest[0]);
  }

  function count(result: PurgeResult, times: number): void {
    if (times > 0) onEvent({ kind: 'counted', result, count: times });
  }

  function sendWaiting(): void {
    const isReady = () => isDue || pending.size >= MAX_GATHERED;
    while (retryTimer === undefined && inFlight < MAX_IN_FLIGHT && pending.size > 0 && isReady()) sendNext();
    if (pending.size === 0) {
      clearTimeout(gatherTimer);
      gatherTimer = undefined;
      isDue = false;
      if (inFlight === 0) onDrained();
    } else if (!isDue) gatherTimer ??= setTimeout(sendGathered, GATHER_MS);
  }

  function sendGathered(): void {
    clearTimeout(gatherTimer);
    gatherTimer = undefined;
    isDue = true;
    sendWaiting();
  }

  function sendNext(): void {
    const batch = withoutExpired(takeBatch(pending, batchSize));
    if (batch.length > 0) void sendBatch(batch);
  }

  function withoutExpired(batch: Batch): Batch {
    const oldestMs = performance.now() - PURGE_LIFETIME_MS;
    const valid = batch.filter(([, addedAtMs]) => addedAtMs > oldestMs);
    count('dropped', batch.length - valid.length);
    return valid;
  }

  async function sendBatch(batch: Batch): Promise<void> {
    inFlight++;
    const names = batch.map(([name]) => name);
    try {
      await send(target, names);
      count('ok', batch.length);
      // with a retry ahead, another request has failed since
      if (failures > 0 && retryTimer === undefined) {
        onEvent({ kind: 'working', host });
        failures = 0;
      }
    } catch (error) {
      retryLater(batch, error as Error);
    }
    inFlight--;
    sendWaiting();
  }

  function retryLater(batch: Batch, error: Error): void {
    const retried = isClosed ? [] : withoutExpired(batch);
    if (isClosed) count('dropped', batch.length);
    for (const [name, addedAtMs] of retried) addName(name, addedAtMs);
    count('retried', retried.length);
    if (failures === 0) onEvent({ kind: 'failing', host, reason: reasonOf(error) });
    if (isClosed) return;
    const retryAfterMs = error instanceof PurgeFailure ? error.retryAfterMs : null;
    if (retryTimer !== undefined && retryAfterMs === null) return;
    const waitMs = retryAfterMs ?? Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
    failures++;
    // a CDN can ask several requests in flight to wait
    retryAtMs = Math.max(retryTimer === undefined ? 0 : retryAtMs, performance.now() + waitMs);
    clearTimeout(retryTimer);
    retryTimer = setTimeout(retry, retryAtMs - performance.now());
  }

  function retry(): void {
    retryTimer = undefined;
    sendGathered();
  }

  return {
    /** A name that already waits is sent once. */
    add(names: readonly string[]): void {
      for (const name of names) addName(name, performance.now());
      sendWaiting();
    },
    async close(): Promise<void> {
      const { promise: drained, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      onDrained = resolve;
      // the CDN takes nothing until then
      if (retryTimer !== undefined && retryAtMs > performance.now() + CLOSE_TIMEOUT_MS) resolve();
      sendGathered();
      await drained;
      clearTimeout(timer);
      clearTimeout(retryTimer);
      isClosed = true;
      count('dropped', pending.size);
      pending.clear();
    },
  };
}

function takeBatch(pending: Map<string, number>, size: number): Batch {
  const batch: [string, number][] = [];
  for (const entry of pending) {
    if (batch.push(entry) >= size) break;
  }
  for (const [name] of batch) pending.delete(name);
  return batch;
}

/** @throws if the response is not a success */
async function send(target: PurgeTarget, names: readonly string[]): Promise<void> {
  const { url, init } = createPurgeRequest(target, names);
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  await response.body?.cancel();
  if (response.ok) return;
  const { 'retry-after': retryAfter, date } = Object.fromEntries(response.headers);
  const waitMs = parseRetryAfterMs(retryAfter, date);
  throw new PurgeFailure(`HTTP ${response.status}`, waitMs && Math.min(waitMs, MAX_RETRY_AFTER_MS));
}

/** `fetch` gives the reason of a failed connection as the cause. */
function reasonOf({ message, cause }: Error): string {
  const { code, message: detail } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  return code ?? detail ?? message;
}

/** A changed key, with the URLs of embeds that have it. */
interface Purge {
  readonly key: string;
  readonly urls: readonly string[];
}

/** The limit of Cloudflare. */
const MAX_KEYS_PER_REQUEST = 100;

/** Returns what a request to the target names: the key of a purge or its URLs. */
function purgedNames({ url }: PurgeTarget, { key, urls }: Purge): readonly string[] {
  return url.includes('{url}') ? urls : [key];
}

/** Returns how many names one request carries at most. */
function maxNamesPerRequest({ url }: PurgeTarget): number {
  return /\{(key|url)\}/.test(url) ? 1 : MAX_KEYS_PER_REQUEST;
}

/** Creates a request that Fastly (header), Cloudflare (body) and the supplied configurations accept. */
function createPurgeRequest(target: PurgeTarget, names: readonly string[]) {
  const { url: template, header } = target;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (!template.includes('{url}')) headers['surrogate-key'] = names.join(' ');
  if (header) headers[header.name] = header.value;
  const [name = ''] = names;
  const url = template.replace(/\{(?:key|url)\}/g, () => encodeURIComponent(name));
  const body = url === template ? JSON.stringify({ tags: names }) : null;
  return { url, init: { method: 'POST', headers, body } };
}
