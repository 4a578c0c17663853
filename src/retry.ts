import { setTimeout as pause } from 'node:timers/promises';

interface Options {
  /** No further try begins after this time. */
  readonly forMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats work until it succeeds. Throws its last error at the end of the time and when the signal aborts.
 * @param pauseAfter returns the pause after an error, in ms; null for an error that no try would change
 */
export async function retry<T>(
  work: () => T | Promise<T>,
  pauseAfter: (error: unknown) => number | null,
  { forMs = Number.POSITIVE_INFINITY, signal }: Options = {},
): Promise<T> {
  for (const giveUpAt = performance.now() + forMs; ; ) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = performance.now() < giveUpAt ? pauseAfter(error) : null;
      if (pauseMs === null) throw error;
      await pause(pauseMs, null, { signal }).catch(() => {});
      if (signal?.aborted) throw error;
    }
  }
}
