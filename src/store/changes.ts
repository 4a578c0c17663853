import type { EmbedChange } from '../domain/embed/embed.ts';
import { Refusal } from '../errors.ts';
import { type ChangeQueue, createChangeQueue } from './change-queue.ts';

/** What happens to embeds, for whoever wants to know it while it happens. */
export interface Changes {
  /**
   * The changes of an account's embeds, whoever makes them: all that are committed after this resolves, each once, those
   * of one embed in the order of their commits. It ends with a refusal (`unavailable`) when some may have been missed.
   * @throws {Refusal} `unavailable`
   */
  follow(accountId: string): Promise<AsyncIterableIterator<EmbedChange>>;
  /** Ends whatever is followed. */
  close(): void;
}

/** How one kind of database tells what changes in it. */
export interface ChangeSource {
  /** Tells the changes of one more account. */
  enter(accountId: string): Entry;
}

export interface Entry {
  /** From when it resolves on, none is missed. */
  readonly entered: Promise<void>;
  /** Called once, when nobody follows the account any more, or when it could not be entered. */
  leave(): void;
}

/** Whom a source tells. */
export interface ChangeListener {
  tell(change: EmbedChange): void;
  /** Some changes may have been missed, of any account. */
  lose(): void;
}

/** Changes that may wait for a reader who is slow: a reference each, to what all readers share. */
const MOST_WAITING = 10_000;

/** Who follows one account. */
interface Group extends Entry {
  readonly queues: Set<ChangeQueue>;
}

export function openChanges(openSource: (listener: ChangeListener) => ChangeSource): Changes {
  const groups = new Map<string, Group>();
  const source = openSource({
    tell(change) {
      for (const queue of groups.get(change.accountId)?.queues ?? []) if (!queue.add(change)) queue.fail(missed());
    },
    lose: failAll,
  });

  function failAll(): void {
    for (const { queues } of [...groups.values()]) for (const queue of [...queues]) queue.fail(missed());
  }

  function remove(queue: ChangeQueue, accountId: string, group: Group): void {
    group.queues.delete(queue);
    if (group.queues.size > 0) return;
    groups.delete(accountId);
    group.leave();
  }

  function enter(accountId: string): Group {
    const group = { queues: new Set<ChangeQueue>(), ...source.enter(accountId) };
    groups.set(accountId, group);
    return group;
  }

  return {
    async follow(accountId) {
      const group = groups.get(accountId) ?? enter(accountId);
      const queue = createChangeQueue(MOST_WAITING, () => remove(queue, accountId, group));
      group.queues.add(queue);
      try {
        await group.entered;
      } catch (error) {
        await queue.return();
        throw error;
      }
      return queue;
    },
    close: failAll,
  };
}

function missed(): Refusal {
  return new Refusal('unavailable', 'Changes may have been missed: subscribe again, then read what you show anew.');
}
