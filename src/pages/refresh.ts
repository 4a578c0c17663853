import { LRUCache } from 'lru-cache';
import type { Embed } from '../domain/embed/embed.ts';
import { Refusal } from '../errors.ts';

const REFRESH_INTERVAL_MS = 10_000;
/** Over this limit, the least recently used embed may be refreshed earlier, and its page is shown anew a little later. */
const MAX_REMEMBERED = 10_000;

/** Refreshes of pages by the embeds that asked for them. */
export interface Refreshes {
  /** @throws {Refusal} `rate_limited` within 10 s of the embed's previous refresh */
  begin(embed: Pick<Embed, 'id'>): void;
  end(embed: Pick<Embed, 'id' | 'pageUrl'>): void;
  /** Returns whether a refresh of the page ended after this time by `performance.now()`. */
  wasRefreshedSince(pageUrl: string, timeMs: number): boolean;
}

export function createRefreshes(): Refreshes {
  const begunAtMs = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const endedAtMs = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return {
    begin({ id }) {
      const now = performance.now();
      const waitS = Math.ceil(((begunAtMs.get(id) ?? -REFRESH_INTERVAL_MS) + REFRESH_INTERVAL_MS - now) / 1_000);
      if (waitS > 0) {
        const message = `An embed can be refreshed once every ${REFRESH_INTERVAL_MS / 1_000} s; try again in ${waitS} s.`;
        throw new Refusal('rate_limited', message, [], waitS);
      }
      begunAtMs.set(id, now);
    },
    end: ({ pageUrl }) => void endedAtMs.set(pageUrl, performance.now()),
    wasRefreshedSince: (pageUrl, timeMs) => (endedAtMs.get(pageUrl) ?? Number.NEGATIVE_INFINITY) >= timeMs,
  };
}
