import { embedKeyOf, pageKeyOf } from '../../domain/embed/cache-keys.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { Reply } from '../../http/reply.ts';
import type { FoundEmbed } from './embed-lookup.ts';

/** Adds headers for shared caches. Browsers obey `Cache-Control`, so they revalidate pages each time. */
export interface EdgeHeaders {
  /** Adds the lifetime in a CDN (RFC 9213) and the keys of an embed. */
  add(sent: Reply, found: FoundEmbed): void;
  addKeys(sent: Reply, embed: Pick<Embed, 'id' | 'pageId'>): void;
  /** Adds the lifetime of the page of an unknown embed. */
  addForUnknown(sent: Reply, id: string | null): void;
}

interface Options {
  /** A purge removes what has changed, so the rest may stay. */
  readonly hasPurges: boolean;
  readonly staleIfErrorS: number;
}

/** Seconds for which a CDN shows what was not purged; then again while it revalidates (RFC 5861 section 3). */
const PURGED_AGE_S = 60;
const UNPURGED_AGE_S = 1;

type Headers = Readonly<Record<string, string>>;

export function createEdgeHeaders({ hasPurges, staleIfErrorS }: Options): EdgeHeaders {
  const lifetime = lifetimeOf(hasPurges ? PURGED_AGE_S : UNPURGED_AGE_S, staleIfErrorS);

  const addKeys: EdgeHeaders['addKeys'] = ({ headers }, { id, pageId }) =>
    void Object.assign(headers, keyHeaders([embedKeyOf(id), pageKeyOf(pageId)]));

  return {
    addKeys,
    add(sent, { embed, stale }) {
      Object.assign(sent.headers, stale ? lifetimeOf(UNPURGED_AGE_S, stale.remainingS) : lifetime);
      addKeys(sent, embed);
    },
    addForUnknown({ headers }, id) {
      Object.assign(headers, lifetime, id === null ? {} : keyHeaders([embedKeyOf(id)]));
    },
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
