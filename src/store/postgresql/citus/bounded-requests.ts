import type { CreateFilteredList } from '../../embeds/filtered-list.ts';
import type { EmbedStore } from '../../embeds.ts';
import type { Shards } from './shards.ts';

type Run = Shards['runRequest'];

/** Bounds the requests of each node that no batch bounds: waiting for a node must not take the connections of the others. */
export function withBoundedRequests(store: EmbedStore, run: Run): EmbedStore {
  return {
    ...store,
    findMany: (accountId, ids) => run(accountId, () => store.findMany(accountId, ids)),
    exists: (accountId, range) => run(accountId, () => store.exists(accountId, range)),
    update: (accountId, ...change) => run(accountId, () => store.update(accountId, ...change)),
    delete: (accountId, ...expected) => run(accountId, () => store.delete(accountId, ...expected)),
    insertOnce: (embed, once) => run(embed.accountId, () => store.insertOnce(embed, once)),
  };
}

export function withBoundedLists(createList: CreateFilteredList, run: Run): CreateFilteredList {
  return (accountId, filter) => {
    const list = createList(accountId, filter);
    return {
      findPage: (paging) => run(accountId, () => list.findPage(paging)),
      exists: (range) => run(accountId, () => list.exists(range)),
      count: () => run(accountId, list.count),
    };
  };
}
