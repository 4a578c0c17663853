import { type Embed, isSameEmbed, type Written } from '../domain/embed/embed.ts';
import { isUnavailable } from '../errors.ts';
import type { AccountStore } from './accounts.ts';
import type { EmbedStore } from './embeds.ts';

/** An update or deletion by this process. */
export interface EmbedWrite {
  readonly id: string;
  /** Null if it was not read before the deletion. */
  readonly before: Embed | null;
  /** The committed version, which is that of `before` if an update may have failed. Null if the embed was deleted. */
  readonly after: Embed | null;
}

/** Notes the new content of an embed before it is written, and returns it. */
type Note = (before: Embed, after: Embed) => Embed;

/**
 * Calls the listener after each update and deletion of an embed, before the caller gets the result. Also calls it after one that
 * has begun and fails, because it may be committed: the connection was lost, or a create with a key could not complete the key.
 * The caller gets that error at once: to read what is committed may take as long as the write. `settle` waits until the listener
 * knows it.
 * @param options.readsDeleted whether to read an embed before it is deleted, so that {@link EmbedWrite.before} is known
 */
export function withWriteListener(
  store: EmbedStore,
  listen: (write: EmbedWrite) => void,
  { readsDeleted }: { readonly readsDeleted: boolean },
): { readonly embeds: EmbedStore; settle(): Promise<void> } {
  const reading = new Set<Promise<void>>();

  /** Reads what is committed. If it cannot be read, nothing is known of a later version than the one before. */
  function listenLater(before: Embed): void {
    const read = async () => store.find(before.accountId, before.id);
    const done = read()
      .catch(() => before)
      .then((after) => {
        listen({ id: before.id, before, after });
        reading.delete(done);
      });
    reading.add(done);
  }

  async function listenTo<Result extends Pick<Written, 'embed'>>(
    write: (note: Note) => Promise<Result>,
  ): Promise<Result> {
    let begun = null as Embed | null;
    const note: Note = (before, after) => {
      begun = isSameEmbed(before, after) ? null : before;
      return after;
    };
    try {
      const written = await write(note);
      // a create inserts if the embed to update was deleted meanwhile
      if (begun?.id === written.embed.id) listen({ id: begun.id, before: begun, after: written.embed });
      return written;
    } catch (error) {
      if (begun) listenLater(begun);
      throw error;
    }
  }

  const embeds: EmbedStore = {
    ...store,
    insert: (embed, resolve) =>
      listenTo((note) => store.insert(embed, resolve && ((...embeds) => note(embeds[0], resolve(...embeds))))),
    insertOnce: (embed, once, resolve) =>
      listenTo((note) => store.insertOnce(embed, once, (...embeds) => note(embeds[0], resolve(...embeds)))),
    update: (accountId, id, change, ...expected) =>
      listenTo((note) => store.update(accountId, id, (before) => note(before, change(before)), ...expected)),
    async delete(accountId, id, ...expected) {
      const findBefore = async () => store.find(accountId, id);
      const before = readsDeleted ? await findBefore().catch(() => null) : null;
      try {
        await store.delete(accountId, id, ...expected);
      } catch (error) {
        // it may be deleted
        if (before && isUnavailable(error)) listenLater(before);
        throw error;
      }
      listen({ id, before, after: null });
    },
  };
  return {
    embeds,
    async settle() {
      await Promise.all(reading);
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
