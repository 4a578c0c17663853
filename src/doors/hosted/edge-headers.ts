import { accountKeyOf, embedKeyOf, pageKeyOf } from '../../domain/embed/cache-keys.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { StalePage } from './embed-lookup.ts';

type Headers = Readonly<Record<string, string>>;

export type EdgeHeaders = ReturnType<typeof createEdgeHeaders>;

type EmbedKeys = Pick<Embed, 'id' | 'pageId' | 'accountId'>;

interface Options {
  /** A purge removes what has changed, so the rest may stay. */
  readonly hasPurges: boolean;
  readonly staleIfErrorS: number;
}

/** Seconds for which a CDN shows what was not purged; then again while it revalidates (RFC 5861 section 3). */
const PURGED_AGE_S = 60;
const UNPURGED_AGE_S = 1;

/** Creates the headers for shared caches. Browsers obey `Cache-Control`, so they revalidate pages each time. */
export function createEdgeHeaders({ hasPurges, staleIfErrorS }: Options) {
  const ageS = hasPurges ? PURGED_AGE_S : UNPURGED_AGE_S;
  const lifetime = lifetimeOf(ageS, staleIfErrorS);

  const keysOf = ({ id, pageId, accountId }: EmbedKeys) =>
    keyHeaders([embedKeyOf(id), pageKeyOf(pageId), ...(hasPurges ? [accountKeyOf(accountId)] : [])]);

  return {
    /** The lifetime of a page in a CDN (RFC 9213), and the keys of its embed. */
    of: (embed: EmbedKeys): Headers => ({ ...lifetime, ...keysOf(embed) }),
    /** The lifetime of a page that changes after so many seconds, which no cache may outlive. */
    until: (remainingS: number) => lifetimeOf(ageS, staleIfErrorS, remainingS),
    /** The lifetime of a page that is served while the database is away. */
    ofStale: (stale: StalePage, remainingS: number) => lifetimeOf(UNPURGED_AGE_S, stale.remainingS, remainingS),
    /** The lifetime of the page of an unknown embed. */
    ofUnknown: (id: string | null): Headers => ({ ...lifetime, ...(id !== null && keyHeaders([embedKeyOf(id)])) }),
    keysOf,
  };
}

/** Fastly and Varnish read the first, Cloudflare and others the second. */
function keyHeaders(keys: readonly string[]): Headers {
  return { 'surrogate-key': keys.join(' '), 'cache-tag': keys.join(',') };
}

/** nginx ignores the header of RFC 9213. It reads `X-Accel-Expires`, and does not forward it. */
function lifetimeOf(ageS: number, ifErrorS: number, remainingS = Number.POSITIVE_INFINITY): Headers {
  const maxAgeS = Math.min(ageS, remainingS);
  const staleS = Math.min(ageS, remainingS - maxAgeS);
  const staleIfErrorS = Math.min(ifErrorS, remainingS - maxAgeS);
  const ifError = staleIfErrorS === 0 ? '' : `, stale-if-error=${staleIfErrorS}`;
  return {
    'cdn-cache-control': `max-age=${maxAgeS}, stale-while-revalidate=${staleS}${ifError}`,
    'x-accel-expires': `${maxAgeS}`,
  };
}
