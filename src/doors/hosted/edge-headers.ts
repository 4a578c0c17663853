import { embedKeyOf, pageKeyOf } from '../../domain/embed/cache-keys.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { StalePage } from './embed-lookup.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers for shared caches. Browsers obey `Cache-Control`, so they revalidate pages each time. */
export interface EdgeHeaders {
  /** The lifetime of a page in a CDN (RFC 9213), and the keys of its embed. */
  of(embed: EmbedKeys): Headers;
  /** The lifetime of a page that is served while the database is away. */
  ofStale(stale: StalePage): Headers;
  /** The lifetime of the page of an unknown embed. */
  ofUnknown(id: string | null): Headers;
  keysOf(embed: EmbedKeys): Headers;
}

type EmbedKeys = Pick<Embed, 'id' | 'pageId'>;

interface Options {
  /** A purge removes what has changed, so the rest may stay. */
  readonly hasPurges: boolean;
  readonly staleIfErrorS: number;
}

/** Seconds for which a CDN shows what was not purged; then again while it revalidates (RFC 5861 section 3). */
const PURGED_AGE_S = 60;
const UNPURGED_AGE_S = 1;

export function createEdgeHeaders({ hasPurges, staleIfErrorS }: Options): EdgeHeaders {
  const lifetime = lifetimeOf(hasPurges ? PURGED_AGE_S : UNPURGED_AGE_S, staleIfErrorS);

  const keysOf = ({ id, pageId }: EmbedKeys) => keyHeaders([embedKeyOf(id), pageKeyOf(pageId)]);

  return {
    of: (embed) => ({ ...lifetime, ...keysOf(embed) }),
    ofStale: ({ remainingS }) => lifetimeOf(UNPURGED_AGE_S, remainingS),
    ofUnknown: (id) => ({ ...lifetime, ...(id !== null && keyHeaders([embedKeyOf(id)])) }),
    keysOf,
  };
}

/** Fastly and Varnish read the first, Cloudflare and others the second. */
function keyHeaders(keys: readonly string[]): Headers {
  return { 'surrogate-key': keys.join(' '), 'cache-tag': keys.join(',') };
}

/** nginx ignores the header of RFC 9213. It reads `X-Accel-Expires`, and does not forward it. */
function lifetimeOf(ageS: number, ifErrorS: number): Headers {
  const ifError = ifErrorS === 0 ? '' : `, stale-if-error=${ifErrorS}`;
  return {
    'cdn-cache-control': `max-age=${ageS}, stale-while-revalidate=${ageS}${ifError}`,
    'x-accel-expires': `${ageS}`,
  };
}
