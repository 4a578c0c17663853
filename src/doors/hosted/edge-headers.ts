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

/** Bounds how long a CDN shows what it was not told to purge. */
const PURGED_AGES_S = { maxAge: 60, whileRevalidate: 60 };
const UNPURGED_AGES_S = { maxAge: 1, whileRevalidate: 1 };

export function createEdgeHeaders({ hasPurges, staleIfErrorS }: Options): EdgeHeaders {
  const { maxAge, whileRevalidate } = hasPurges ? PURGED_AGES_S : UNPURGED_AGES_S;
  const lifetime = lifetimeOf(maxAge, whileRevalidate, staleIfErrorS);

  function addKeys({ headers }: Reply, keys: readonly string[]): void {
    headers['surrogate-key'] = keys.join(' ');
    headers['cache-tag'] = keys.join(',');
  }

  const addEmbedKeys: EdgeHeaders['addKeys'] = (sent, { id, pageId }) =>
    addKeys(sent, [embedKeyOf(id), pageKeyOf(pageId)]);

  return {
    add(sent, { embed, stale }) {
      sent.headers['cdn-cache-control'] = stale ? lifetimeOf(1, 1, stale.remainingS) : lifetime;
      addEmbedKeys(sent, embed);
    },
    addKeys: addEmbedKeys,
    addForUnknown(sent, id) {
      sent.headers['cdn-cache-control'] = lifetime;
      if (id !== null) addKeys(sent, [embedKeyOf(id)]);
    },
  };
}

/** RFC 5861 defines the extensions. */
function lifetimeOf(maxAgeS: number, whileRevalidateS: number, ifErrorS: number): string {
  const lifetime = `max-age=${maxAgeS}, stale-while-revalidate=${whileRevalidateS}`;
  return ifErrorS === 0 ? lifetime : `${lifetime}, stale-if-error=${ifErrorS}`;
}
