import { LRUCache } from 'lru-cache';
import type { Embed } from '../domain/embed.ts';
import type { EmbedStore } from './embeds.ts';

const MAX_KNOWN = 10_000;

interface Known {
  readonly embed: Embed;
  /** Of the file, before the embed was read from it. */
  readonly fileVersion: number;
}

/**
 * Remembers embeds for the readers of their pages, who come by the thousand. None is stale: an embed is forgotten when a
 * write of this process to it begins and when it ends, what was read meanwhile is not kept, and nothing counts that was
 * read before another connection changed the file.
 * @param fileVersion another number after each change that another connection made (`PRAGMA data_version`)
 */
export function rememberEmbeds(store: EmbedStore, fileVersion: () => number): EmbedStore {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  /** How many writes to an embed are under way. */
  const writes = new Map<string, number>();
  /** The reads whose finding may be kept: the last one of each embed, while no write has come in between. */
  const reads = new Map<string, symbol>();

  function forget(id: string): void {
    known.delete(id);
    reads.delete(id);
  }

  async function writing<T>(id: string, write: () => Promise<T>): Promise<T> {
    forget(id);
    writes.set(id, (writes.get(id) ?? 0) + 1);
    try {
      return await write();
    } finally {
      const left = (writes.get(id) ?? 1) - 1;
      if (left === 0) writes.delete(id);
      else writes.set(id, left);
      forget(id);
    }
  }

  async function read(id: string, version: number): Promise<Embed | null> {
    const reading = Symbol(id);
    if (!writes.has(id)) reads.set(id, reading);
    try {
      const embed = await store.findForAnyone(id);
      if (embed && reads.get(id) === reading) known.set(id, { embed, fileVersion: version });
      return embed;
    } finally {
      if (reads.get(id) === reading) reads.delete(id);
    }
  }

  return {
    ...store,
    async findForAnyone(id) {
      const version = fileVersion();
      const hit = known.get(id);
      return hit?.fileVersion === version ? hit.embed : read(id, version);
    },
    update: (accountId, id, ...change) => writing(id, () => store.update(accountId, id, ...change)),
    delete: (accountId, id, ...expected) => writing(id, () => store.delete(accountId, id, ...expected)),
  };
}
