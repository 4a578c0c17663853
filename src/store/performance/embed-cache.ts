import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES, entriesIn } from '../../cache-bytes.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { EmbedPage } from '../embeds/filtered-list.ts';
import type { EmbedStore } from '../embeds.ts';
import { createReadCache } from './read-cache.ts';

/** The fields of an embed other than its long texts. */
const FIELDS_BYTES = 2 * ENTRY_BYTES;

const sizeOfEmbed = (embed: Embed | null) => (embed ? FIELDS_BYTES + bytesOfEntry(embed.title, embed.pageUrl) : 0);
const sizeOfPage = ({ embeds }: EmbedPage) => embeds.reduce((bytes, embed) => bytes + sizeOfEmbed(embed), ENTRY_BYTES);
const sizeOfCount = () => ENTRY_BYTES;

/** Caches embeds by id, and the first page, the last page and the total of each account. Absent embeds are not cached. */
export function withEmbedCache(store: EmbedStore, dataVersion: () => number): EmbedStore {
  const byId = createReadCache(dataVersion, {
    maxSubjects: entriesIn(CACHE_BYTES.embedGenerations),
    maxSize: CACHE_BYTES.embeds,
  });
  const byAccount = createReadCache(dataVersion, {
    maxSubjects: entriesIn(CACHE_BYTES.accountGenerations),
    maxSize: CACHE_BYTES.lists,
  });
  const invalidateBoth = <T>(accountId: string, id: string, write: () => Promise<T>) =>
    byId.invalidateAround(id, () => byAccount.invalidateAround(accountId, write));
  return {
    ...store,
    findForAnyone: (id) => byId.get(id, 'embed', async () => store.findForAnyone(id), sizeOfEmbed),
    async findPage(accountId, paging) {
      const { size, fromEnd, after, before } = paging;
      const read = () => store.findPage(accountId, paging);
      // pages in the middle of a list are many, and each is read once
      if (after !== undefined || before !== undefined) return read();
      return byAccount.get(accountId, `${fromEnd ? 'last' : 'first'} ${size}`, read, sizeOfPage);
    },
    count: async (accountId) => byAccount.get(accountId, 'count', () => store.count(accountId), sizeOfCount),
    insert: (embed) => byAccount.invalidateAround(embed.accountId, () => store.insert(embed)),
    insertOnce: (embed, once) => byAccount.invalidateAround(embed.accountId, () => store.insertOnce(embed, once)),
    update: (accountId, id, ...change) => invalidateBoth(accountId, id, () => store.update(accountId, id, ...change)),
    delete: (accountId, id, ...expected) =>
      invalidateBoth(accountId, id, () => store.delete(accountId, id, ...expected)),
  };
}
