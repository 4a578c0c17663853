import type { EmbedStore } from '../../embeds.ts';
import type { Shards } from './shards.ts';

/** Bounds the writes of each node that no batch bounds: waiting for a node must not take the connections of the others. */
export function withBoundedRequests(store: EmbedStore, run: Shards['runRequest']): EmbedStore {
  return {
    ...store,
    update: (accountId, ...change) => run(accountId, () => store.update(accountId, ...change)),
    delete: (accountId, ...expected) => run(accountId, () => store.delete(accountId, ...expected)),
    insert: (embed, ...rest) => {
      const write = () => store.insert(embed, ...rest);
      return embed.externalId === null ? write() : run(embed.accountId, write);
    },
    insertOnce: (embed, ...rest) => run(embed.accountId, () => store.insertOnce(embed, ...rest)),
  };
}
