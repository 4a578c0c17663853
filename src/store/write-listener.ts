import type { Embed, Written } from '../domain/embed/embed.ts';
import type { AccountStore } from './accounts.ts';
import type { EmbedStore, Resolve } from './embeds.ts';

/** An update or deletion by this process. */
export interface EmbedWrite {
  readonly id: string;
  /** Null if it was not read before the deletion. */
  readonly before: Embed | null;
  /** The committed version, which is that of `before` if an update may have failed. Null if the embed was deleted. */
  readonly after: Embed | null;
}

interface Options {
  /** Reads an embed before it is deleted, so that {@link EmbedWrite.before} is known. */
  readonly readsDeleted: boolean;
}

/**
 * Calls the listener after each update and deletion of an embed, before the caller gets the result; also after a create with a key
 * that has begun an update and fails.
 */
export function withWriteListener(
  store: EmbedStore,
  listen: (write: EmbedWrite) => void,
  { readsDeleted }: Options,
): EmbedStore {
  function listenTo({ embed: after, before }: Written): void {
    if (before && before !== after) listen({ id: after.id, before, after });
  }

  /** Returns the embed itself if it cannot be read: nothing is known of a later version. */
  async function readCurrent(before: Embed): Promise<Embed | null> {
    const read = async () => store.find(before.accountId, before.id);
    return read().catch(() => before);
  }

  return {
    ...store,
    async insert(...create) {
      const written = await store.insert(...create);
      listenTo(written);
      return written;
    },
    async insertOnce(embed, once, resolve) {
      let begun = null as Embed | null;
      const resolveNoted: Resolve = (before, created) => {
        const after = resolve(before, created);
        if (after !== before) begun = before;
        return after;
      };
      try {
        const inserted = await store.insertOnce(embed, once, resolveNoted);
        if (!inserted.replayed) listenTo(inserted);
        return inserted;
      } catch (error) {
        // the update may be committed, if the completion of the key has failed
        if (begun) listen({ id: begun.id, before: begun, after: await readCurrent(begun) });
        throw error;
      }
    },
    async update(...change) {
      const updated = await store.update(...change);
      listenTo(updated);
      return updated;
    },
    async delete(accountId, id, ...expected) {
      const findBefore = async () => store.find(accountId, id);
      const before = readsDeleted ? await findBefore().catch(() => null) : null;
      await store.delete(accountId, id, ...expected);
      listen({ id, before, after: null });
    },
  };
}

/** Calls the listener after each change of an account's settings, before the caller gets the result. */
export function withAccountListener(store: AccountStore, listen: (accountId: string) => void): AccountStore {
  return {
    ...store,
    async updateSettings(accountId, change) {
      const updated = await store.updateSettings(accountId, change);
      if (updated.settings !== updated.before) listen(accountId);
      return updated;
    },
  };
}
