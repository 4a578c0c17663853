import type { Awaitable } from '../../awaitable.ts';
import { withDeadline } from '../../deadline.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import { isUnavailable } from '../../errors.ts';
import { DELETED, type RenderedEmbed, type RenderedPage, type RenderedPageCache } from './rendered-page-cache.ts';

export interface FoundEmbed {
  readonly embed: Embed;
  /** The page to serve while the database is away; null if the database confirmed the embed. */
  readonly stale: StalePage | null;
}

export interface StalePage {
  readonly page: RenderedPage;
  /** Seconds for which the page may still be served. */
  readonly remainingS: number;
}

interface Options {
  readonly embeds: { findForAnyone(id: string): Awaitable<Embed | null> };
  readonly cache: RenderedPageCache;
  readonly wasRefreshedSince: (pageUrl: string, timeMs: number) => boolean;
  /** Seconds from the first failed lookup during which rendered pages are found; 0 for never. */
  readonly staleIfErrorS: number;
  /** False for a database in a file, whose lookups wait for no network. */
  readonly isDatabaseRemote: boolean;
  /** Returns the same value for ids whose lookups fail together. */
  readonly placeOfId: (id: string) => unknown;
}

/** A part of the database that does not answer. Times by the monotonic clock. */
interface Outage {
  readonly sinceMs: number;
  retryAtMs: number;
}

/** After this time, a lookup counts as failed for an embed whose page is rendered. */
const LOOKUP_TIMEOUT_MS = 500;
/** While the database is away, one lookup of a rendered embed in this time finds out whether it is back. */
const RETRY_INTERVAL_MS = 1_000;

const TIMED_OUT = Symbol('timed out');

/**
 * Creates a function that looks an embed up. While the database is away, it finds the embeds whose pages are rendered,
 * except those that this process knows to be deleted, changed or refreshed since (stale-if-error, RFC 5861 section 4).
 */
export function createEmbedLookup(options: Options): (id: string) => Awaitable<FoundEmbed | null> {
  const { embeds, cache, wasRefreshedSince, staleIfErrorS, isDatabaseRemote, placeOfId } = options;
  /** By place, those that do not answer. */
  const outages = new Map<unknown, Outage>();

  function lookUp(id: string): Awaitable<FoundEmbed | null> {
    try {
      const embed = embeds.findForAnyone(id);
      return embed instanceof Promise
        ? embed.then(
            (each) => confirm(id, each),
            (error) => fail(id, error),
          )
        : confirm(id, embed);
    } catch (error) {
      // a file fails at once: a rendered page may still be found, as after a lookup that waited
      return new Promise(() => fail(id, error));
    }
  }

  function fail(id: string, error: unknown): never {
    if (isUnavailable(error)) noteFailure(id);
    throw error;
  }

  function confirm(id: string, embed: Embed | null): FoundEmbed | null {
    outages.delete(placeOfId(id));
    if (embed) return { embed, stale: null };
    if (cache.findById(id)) cache.noteVersion(id, DELETED);
    return null;
  }

  function noteFailure(id: string): void {
    const now = performance.now();
    const { sinceMs = now } = outages.get(placeOfId(id)) ?? {};
    outages.set(placeOfId(id), { sinceMs, retryAtMs: now + RETRY_INTERVAL_MS });
  }

  function findRendered(id: string): RenderedEmbed | null {
    const rendered = staleIfErrorS === 0 ? null : cache.findById(id);
    return rendered && !wasRefreshedSince(rendered.embed.pageUrl, rendered.page.lookedUpAtMs) ? rendered : null;
  }

  function findStale({ embed, page }: RenderedEmbed): FoundEmbed | null {
    const outage = outages.get(placeOfId(embed.id));
    if (!outage) return null;
    const remainingS = Math.floor(staleIfErrorS - (performance.now() - outage.sinceMs) / 1_000);
    return remainingS < 0 ? null : { embed, stale: { page, remainingS } };
  }

  /** Returns a rendered page while the database is away, except to the request that finds out whether it is back. */
  function findWithoutLookup(id: string): FoundEmbed | null {
    const outage = outages.size === 0 ? undefined : outages.get(placeOfId(id));
    const rendered = outage ? findRendered(id) : null;
    if (!outage || !rendered) return null;
    if (performance.now() < outage.retryAtMs) return findStale(rendered);
    // other requests do not wait for this one
    outage.retryAtMs = performance.now() + RETRY_INTERVAL_MS;
    return null;
  }

  async function waitOrFindStale(id: string, lookup: Promise<FoundEmbed | null>): Promise<FoundEmbed | null> {
    const rendered = findRendered(id);
    if (!rendered) return lookup;
    try {
      const found = await (isDatabaseRemote ? withDeadline(lookup, LOOKUP_TIMEOUT_MS, TIMED_OUT) : lookup);
      if (found !== TIMED_OUT) return found;
      noteFailure(id);
    } catch (error) {
      const stale = findStale(rendered);
      if (stale) return stale;
      throw error;
    }
    return findStale(rendered) ?? lookup;
  }

  return (id) => {
    const stale = findWithoutLookup(id);
    if (stale) return stale;
    const found = lookUp(id);
    return found instanceof Promise ? waitOrFindStale(id, found) : found;
  };
}
