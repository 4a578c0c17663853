import type { Embed } from '../../domain/embed/embed.ts';
import type { EmbedStore } from '../embeds.ts';
import { createReadCache } from './read-cache.ts';

const MAX_KNOWN = 10_000;

/** Remembers embeds for the readers of their pages, who come by the thousand. One that is not there is looked for each time. */
export function withEmbedCache(store: EmbedStore, fileVersion: () => number): EmbedStore {
  const { get, invalidateAround } = createReadCache(fileVersion, { maxSubjects: MAX_KNOWN, maxSize: MAX_KNOWN });
  const sizeOf = (embed: Embed | null) => (embed ? 1 : 0);
  return {
    ...store,
    findForAnyone: (id) => get(id, 'embed', () => store.findForAnyone(id), sizeOf),
    update: (accountId, id, ...change) => invalidateAround(id, () => store.update(accountId, id, ...change)),
    delete: (accountId, id, ...expected) => invalidateAround(id, () => store.delete(accountId, id, ...expected)),
  };
}
