import type { EmbedChange } from '../domain/embed/embed.ts';
import { Refusal } from '../errors.ts';
import { type ChangeQueue, createChangeQueue } from './change-queue.ts';

export interface Changes {
  /**
   * Follows the embeds of an account. The iterator yields each change that is committed after this resolves once, by
   * whichever process; the changes of one embed in the order of their commits. It rejects with `unavailable` if changes
   * may have been missed.
   * @throws {Refusal} `unavailable`
   */
  follow(accountId: string): Promise<AsyncIterableIterator<EmbedChange>>;
  /** Passes a change of this process to its readers, unless the source reads it from the database. */
  publish(change: EmbedChange): void;
  close(): void;
}

export interface ChangeSource {
  /** Passes the changes of this process to the listener too. */
  readonly readsOwnChanges: boolean;
  subscribe(accountId: string): ChangeSubscription;
}

export interface ChangeSubscription {
  /** Resolves when no change of the account is missed any more; rejects with `unavailable`. */
  readonly ready: Promise<void>;
  /** Called once, after the last reader has left or after `ready` has rejected. */
  unsubscribe(): void;
}

export interface ChangeListener {
  onChange(change: EmbedChange): void;
  /** Called when changes of an account may have been missed; without an argument, those of any account. */
  onLost(accountId?: string): void;
}

/** Unread changes of one reader. All readers share the objects. */
const MAX_UNREAD = 10_000;

interface Group extends ChangeSubscription {
  readonly queues: Set<ChangeQueue>;
}

export function openChanges(openSource: (listener: ChangeListener) => ChangeSource): Changes {
  const groups = new Map<string, Group>();
  const source = openSource({ onChange: distribute, onLost: fail });

  function distribute(change: EmbedChange): void {
    for (const queue of groups.get(change.accountId)?.queues ?? []) if (!queue.add(change)) queue.fail(missed());
  }

  function fail(accountId?: string): void {
    const failed = accountId === undefined ? [...groups.values()] : [groups.get(accountId)];
    for (const group of failed) for (const queue of [...(group?.queues ?? [])]) queue.fail(missed());
  }

  function remove(queue: ChangeQueue, accountId: string, group: Group): void {
    group.queues.delete(queue);
    if (group.queues.size > 0) return;
    groups.delete(accountId);
    group.unsubscribe();
  }

  function openGroup(accountId: string): Group {
    const group = { queues: new Set<ChangeQueue>(), ...source.subscribe(accountId) };
    groups.set(accountId, group);
    return group;
  }

  return {
    async follow(accountId) {
      const group = groups.get(accountId) ?? openGroup(accountId);
      const queue = createChangeQueue(MAX_UNREAD, () => remove(queue, accountId, group));
      group.queues.add(queue);
      try {
        await group.ready;
      } catch (error) {
        await queue.return();
        throw error;
      }
      return queue;
    },
    publish: source.readsOwnChanges ? () => {} : distribute,
    close: () => fail(),
  };
}

function missed(): Refusal {
  return new Refusal('unavailable', 'Changes may have been missed: subscribe again, then read what you show anew.');
}
