import { LRUCache } from 'lru-cache';
import { bytesOfEntry, CACHE_BYTES, entriesIn } from '../cache-bytes.ts';
import type { Embed } from '../domain/embed/embed.ts';
import { Refusal } from '../errors.ts';

const REFRESH_INTERVAL_MS = 10_000;

export type Refreshes = ReturnType<typeof createRefreshes>;

/**
 * Creates the times of refreshes of pages, by the embeds that asked for them. An embed that is evicted may be refreshed earlier.
 * A page that is evicted is shown anew a little later.
 */
export function createRefreshes() {
  const begunAtMs = new LRUCache<string, number>({ max: entriesIn(CACHE_BYTES.embedRefreshes) });
  const endedAtMs = new LRUCache<string, number>({
    maxSize: CACHE_BYTES.pageRefreshes,
    sizeCalculation: (_, pageUrl) => bytesOfEntry(pageUrl),
  });
  return {
    /** @throws {Refusal} `rate_limited` within 10 s of the embed's previous refresh */
    begin({ id }: Pick<Embed, 'id'>): void {
      const now = performance.now();
      const waitS = Math.ceil(((begunAtMs.get(id) ?? -REFRESH_INTERVAL_MS) + REFRESH_INTERVAL_MS - now) / 1_000);
      if (waitS > 0) {
        const message = `An embed can be refreshed once every ${REFRESH_INTERVAL_MS / 1_000} s; try again in ${waitS} s.`;
        throw new Refusal('rate_limited', message, [], waitS);
      }
      begunAtMs.set(id, now);
    },
    end: (pageUrl: string) => void endedAtMs.set(pageUrl, performance.now()),
    /** Returns whether a refresh of the page ended after this time by `performance.now()`. */
    wasRefreshedSince: (pageUrl: string, timeMs: number) =>
      (endedAtMs.get(pageUrl) ?? Number.NEGATIVE_INFINITY) >= timeMs,
  };
}
