import type { Embed } from '../domain/embed/embed.ts';
import type { EmbedStore } from './embeds.ts';

/** A committed update or deletion by this process. */
export interface EmbedWrite {
  readonly id: string;
  /** Null if it was not read before the deletion. */
  readonly before: Embed | null;
  /** Null if the embed was deleted. */
  readonly after: Embed | null;
}

interface Options {
  /** Reads an embed before it is deleted, so that {@link EmbedWrite.before} is known. */
  readonly readsDeleted: boolean;
}

/** Calls the listener after each update and deletion of an embed, before the caller gets the result. */
export function withWriteListener(
  store: EmbedStore,
  listen: (write: EmbedWrite) => void,
  { readsDeleted }: Options,
): EmbedStore {
  return {
    ...store,
    async update(accountId, id, change, ...expected) {
      let before: Embed | null = null;
      const changeNoted = (embed: Embed) => {
        before = embed;
        return change(embed);
      };
      const after = await store.update(accountId, id, changeNoted, ...expected);
      // an update without effect returns the embed itself
      if (after !== before) listen({ id, before, after });
      return after;
    },
    async delete(accountId, id, ...expected) {
      const findBefore = async () => store.find(accountId, id);
      const before = readsDeleted ? await findBefore().catch(() => null) : null;
      await store.delete(accountId, id, ...expected);
      listen({ id, before, after: null });
    },
  };
}
