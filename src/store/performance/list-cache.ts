import type { EmbedPage } from '../embeds/filtered-list.ts';
import type { EmbedStore } from '../embeds.ts';
import { createReadCache } from './read-cache.ts';

/** Embeds in all pages together: some 10 MB. */
const MAX_EMBEDS = 20_000;
const MAX_ACCOUNTS = 10_000;

/** Remembers how the lists of accounts begin and how long they are, which is asked for again and again. */
export function withListCache(store: EmbedStore, fileVersion: () => number): EmbedStore {
  const { get, invalidateAround } = createReadCache(fileVersion, { maxSubjects: MAX_ACCOUNTS, maxSize: MAX_EMBEDS });
  const sizeOfPage = ({ embeds }: EmbedPage) => embeds.length + 1;
  const sizeOfCount = () => 1;
  return {
    ...store,
    findPage(accountId, paging) {
      const { size, fromEnd, after, before } = paging;
      const read = () => store.findPage(accountId, paging);
      // the pages behind the first are many, and each is asked for once
      if (after !== undefined || before !== undefined) return read();
      return get(accountId, `${fromEnd ? 'last' : 'first'} ${size}`, read, sizeOfPage);
    },
    count: (accountId) => get(accountId, 'count', () => store.count(accountId), sizeOfCount),
    insert: (embed, once) => invalidateAround(embed.accountId, () => store.insert(embed, once)),
    update: (accountId, ...change) => invalidateAround(accountId, () => store.update(accountId, ...change)),
    delete: (accountId, ...which) => invalidateAround(accountId, () => store.delete(accountId, ...which)),
  };
}
