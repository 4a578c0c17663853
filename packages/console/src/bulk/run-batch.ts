import type { ApiError } from '../api/api-error.ts';

/** All calls of a deletion: they are sent at once before another tab replaces the cookie. */
const MAX_IN_FLIGHT = 5;

/** An item fails if the service is still unavailable after so many attempts. A rate limit only delays. */
const MAX_ATTEMPTS = 5;
const DEFAULT_PAUSE_S = 2;

interface Batch<Item> {
  readonly items: readonly Item[];
  /** Returns the error, or null after success. */
  readonly send: (item: Item) => Promise<ApiError | null>;
  readonly onSettled: (item: Item, error: ApiError | null) => void;
  /** Called with the seconds for which all requests wait, and with null when they continue. */
  readonly onPause: (seconds: number | null) => void;
  /** Stops sending; items that were not sent do not settle. */
  readonly signal: AbortSignal;
}

/** Sends one request for each item. When the API asks to wait (429 or 503 with Retry-After), all requests wait. */
export async function runBatch<Item>({ items, send, onSettled, onPause, signal }: Batch<Item>): Promise<void> {
  const waiting = [...items].reverse();
  let pause: Promise<void> | null = null;

  function pauseFor(seconds: number): Promise<void> {
    pause ??= wait(seconds * 1_000, signal).then(() => {
      pause = null;
      onPause(null);
    });
    onPause(seconds);
    return pause;
  }

  async function sendWithRetries(item: Item): Promise<ApiError | null> {
    for (let attempt = 1; ; ) {
      await pause;
      const error = await send(item);
      const isLimited = error?.code === 'RATE_LIMITED';
      const isUnavailable = error?.code === 'SERVICE_UNAVAILABLE' && attempt++ < MAX_ATTEMPTS;
      if (signal.aborted || !(isLimited || isUnavailable)) return error;
      await pauseFor(error.retryAfterS ?? DEFAULT_PAUSE_S);
    }
  }

  async function work(): Promise<void> {
    for (let item = waiting.pop(); item !== undefined && !signal.aborted; item = waiting.pop()) {
      onSettled(item, await sendWithRetries(item));
    }
  }
  await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, work));
}

/** Sends one request as a batch does. Returns its error, or null after success. */
export async function sendWithRetries(
  send: () => Promise<ApiError | null>,
  { signal, onPause = () => {} }: Pick<Batch<never>, 'signal'> & Partial<Pick<Batch<never>, 'onPause'>>,
): Promise<ApiError | null> {
  let last: ApiError | null = null;
  const onSettled = (_item: null, error: ApiError | null) => {
    last = error;
  };
  await runBatch({ items: [null], send, onSettled, onPause, signal });
  return last;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
