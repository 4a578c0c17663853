import { andThen } from '../../awaitable.ts';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES } from '../../cache-bytes.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { CreateList, EmbedPage } from '../embeds/lists.ts';
import { type EmbedStore, ownedBy } from '../embeds.ts';
import { createReadCache } from './read-cache.ts';

interface CachedStores {
  readonly embeds: EmbedStore;
  readonly createList: CreateList;
}

/** The fields of an embed other than its long texts. */
const FIELDS_BYTES = 2 * ENTRY_BYTES;

const sizeOfEmbed = (embed: Embed | null) =>
  embed ? FIELDS_BYTES + bytesOfEntry(embed.title, embed.pageUrl, embed.settings ?? '') : 0;
const sizeOfPage = ({ embeds }: EmbedPage) => embeds.reduce((bytes, embed) => bytes + sizeOfEmbed(embed), ENTRY_BYTES);
const sizeOfCount = () => ENTRY_BYTES;

/** Caches embeds by id, and the first page, the last page and the total of each account. Absent embeds are not cached. */
export function withEmbedCache(
  { embeds, createList }: CachedStores,
  dataVersion: () => number,
): CachedStores & {
  /** Call after each committed update: a create that updates an embed does not name it, and may fail after that. */
  forget(id: string): void;
} {
  const byId = createReadCache(dataVersion, CACHE_BYTES.embeds);
  const byAccount = createReadCache(dataVersion, CACHE_BYTES.lists);
  const find = (id: string) => byId.get(id, 'embed', () => embeds.findForAnyone(id), sizeOfEmbed);
  const invalidateBoth = <T>(accountId: string, id: string, write: () => Promise<T>) =>
    byId.invalidateAround(id, () => byAccount.invalidateAround(accountId, write));
  const invalidateList = <T>({ accountId }: Embed, write: () => Promise<T>) =>
    byAccount.invalidateAround(accountId, write);
  return {
    forget: byId.forget,
    embeds: {
      ...embeds,
      find: (accountId, id) => andThen(find(id), (embed) => ownedBy(accountId, embed)),
      findForAnyone: find,
      insert: (embed, ...rest) => invalidateList(embed, () => embeds.insert(embed, ...rest)),
      insertOnce: (embed, ...rest) => invalidateList(embed, () => embeds.insertOnce(embed, ...rest)),
      update: (accountId, id, ...change) =>
        invalidateBoth(accountId, id, () => embeds.update(accountId, id, ...change)),
      delete: (accountId, id, ...expected) =>
        invalidateBoth(accountId, id, () => embeds.delete(accountId, id, ...expected)),
    },
    createList(accountId, filter) {
      const list = createList(accountId, filter);
      if (filter) return list;
      return {
        ...list,
        async findPage(paging) {
          const { size, fromEnd, after, before } = paging;
          const read = () => list.findPage(paging);
          // pages in the middle of a list are many, and each is read once
          if (after !== undefined || before !== undefined) return read();
          return byAccount.get(accountId, `${fromEnd ? 'last' : 'first'} ${size}`, read, sizeOfPage);
        },
        count: async () => byAccount.get(accountId, 'count', list.count, sizeOfCount),
      };
    },
  };
}
