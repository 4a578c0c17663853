import type { EmbedChange } from '../../domain/embed-change.ts';
import type { CursorPaging } from '../../domain/identity/cursor-paging.ts';
import { ChangesMissed, isUnavailable, Refusal } from '../../errors.ts';
import { retry } from '../../retry.ts';
import { type FeedChange, type FeedPosition, firstMarkOf, parseEventId } from './feed.ts';
import { type ChangeQueue, createChangeQueue } from './queue.ts';

/** Rejects with a refusal if it cannot be continued: `ChangesMissed` if not from the last change that was read either. */
export interface ChangeStream extends AsyncIterableIterator<FeedChange, undefined> {
  /** The position before the first change. */
  readonly start: FeedPosition;
}

export interface Changes {
  /**
   * Follows the embeds of an account. The iterator yields each change that is committed after this resolves once, by
   * whichever process, in the order of the commits.
   * @param after the id of a change (see `eventIdOf`) whose successors are yielded too
   * @throws {Refusal} `unavailable` if changes cannot be received
   */
  follow(accountId: string, after?: string | null): Promise<ChangeStream>;
  /**
   * Returns the changes after the one with the id `after`, or the oldest that are kept.
   * @throws {Refusal} `gone` if some of them are not kept, or if the id is none of the account
   */
  readPage(accountId: string, paging: CursorPaging): Promise<ChangePage>;
  /** Call after each change that this process has committed. */
  publish(change: EmbedChange): void;
  close(): void;
}

export interface ChangePage {
  readonly changes: readonly FeedChange[];
  /** More changes follow. */
  readonly isCut: boolean;
  /** The page follows a change. */
  readonly hasOlder: boolean;
  /** The position after the page, also if it is empty. */
  readonly end: FeedPosition;
}

export interface ChangeSource {
  publish(change: EmbedChange): void;
  subscribe(accountId: string): ChangeSubscription;
  /** Returns the position of the last change of an account. */
  readPosition(accountId: string): Promise<FeedPosition>;
  /** Returns the next changes after a position, or the oldest that are kept; null if some between are not kept. */
  readAfter(accountId: string, position: FeedPosition | null, limit: number): Promise<readonly FeedChange[] | null>;
  close(): void;
}

export interface ChangeSubscription {
  /** Resolves when no change of the account is missed any more; rejects with `unavailable`. */
  readonly ready: Promise<void>;
  /** The position of the last change that was passed to the listener. Call after `ready`. */
  position(): FeedPosition;
  /** Called once, after the last reader has left or after `ready` has rejected. */
  unsubscribe(): void;
}

export interface ChangeListener {
  onChange(change: FeedChange): void;
  /** Called when changes of an account may have been missed. */
  onMissed(accountId: string): void;
  /** Called when changes of an account cannot be received for too long. Those of the past may still be kept. */
  onSilence(accountId: string, refusal: Refusal): void;
}

/** Unread changes of one reader, of which all readers share the objects, and changes that a reader can have missed. */
const MAX_UNREAD = 10_000;
/** Missed changes that a reader gets at once. No other reader shares their objects. */
const MISSED_AT_ONCE = 200;

/** Time for which the read of missed changes is repeated, and the pause between two tries. */
const RETRY_FOR_MS = 60_000;
const RETRY_MS = 1_000;

interface Reader {
  readonly queue: ChangeQueue;
  /** Changes are still missed. The next read returns all that arrive before it, so only those that arrive meanwhile are held. */
  isBehind: boolean;
  held: FeedChange[] | null;
  /** The position of the last change that was added. It can be ahead of that of the group. */
  position: FeedPosition;
}

interface Group extends ChangeSubscription {
  readonly readers: Set<Reader>;
}

export function openChanges(openSource: (listener: ChangeListener) => ChangeSource): Changes {
  const groups = new Map<string, Group>();
  const source = openSource({
    onChange(change) {
      for (const reader of groups.get(change.accountId)?.readers ?? []) receive(reader, change);
    },
    onMissed: (accountId) => failGroup(groups.get(accountId), new ChangesMissed()),
    onSilence: (accountId, refusal) => failGroup(groups.get(accountId), refusal),
  });

  function failGroup(group: Group | undefined, refusal: Refusal): void {
    for (const { queue } of [...(group?.readers ?? [])]) queue.fail(refusal);
  }

  function openGroup(accountId: string): Group {
    const group = { readers: new Set<Reader>(), ...source.subscribe(accountId) };
    groups.set(accountId, group);
    return group;
  }

  function join(accountId: string, group: Group): Reader {
    const onEnd = () => {
      group.readers.delete(reader);
      if (group.readers.size > 0) return;
      if (groups.get(accountId) === group) groups.delete(accountId);
      group.unsubscribe();
    };
    const onEmpty = () => {
      if (!reader.isBehind) return;
      const pauseAfter = (error: unknown) => (isUnavailable(error) && group.readers.has(reader) ? RETRY_MS : null);
      retry(() => readMissed(accountId, reader), pauseAfter, { forMs: RETRY_FOR_MS }).catch(reader.queue.fail);
    };
    const queue = createChangeQueue(MAX_UNREAD, { onEmpty, onEnd });
    const reader: Reader = { queue, isBehind: true, held: [], position: NO_POSITION };
    group.readers.add(reader);
    return reader;
  }

  /** Adds the next missed changes. With the last of them, it also adds those that have arrived meanwhile. */
  async function readMissed(accountId: string, reader: Reader): Promise<void> {
    reader.held = [];
    const missed = await source.readAfter(accountId, reader.position, MISSED_AT_ONCE);
    if (missed === null) return reader.queue.fail(new ChangesMissed());
    for (const change of missed) add(reader, change);
    if (missed.length < MISSED_AT_ONCE) catchUp(reader);
    else reader.held = null;
  }

  return {
    async follow(accountId, after) {
      const group = groups.get(accountId) ?? openGroup(accountId);
      const reader = join(accountId, group);
      try {
        await group.ready;
        const current = group.position();
        const start = after ? parseEventId(after) : current;
        if (start) reader.position = start;
        if (!after) catchUp(reader);
        else if (start && current.number - start.number <= MAX_UNREAD) await readMissed(accountId, reader);
        else reader.queue.fail(new ChangesMissed());
        return Object.assign(reader.queue, { start: start ?? current });
      } catch (error) {
        await reader.queue.return();
        throw error;
      }
    },
    async readPage(accountId, { size, after }) {
      const from = after === undefined ? null : parseEventId(after);
      // before the changes, so that none is between them and the position
      const start = from ?? (await source.readPosition(accountId));
      const changes = await source.readAfter(accountId, from, size + 1);
      if (changes === null) throw new Refusal('gone', NOT_KEPT);
      const page = changes.slice(0, size);
      const hasOlder = from !== null && from.mark !== firstMarkOf(accountId);
      return { changes: page, isCut: changes.length > size, hasOlder, end: page.at(-1) ?? start };
    },
    publish: (change) => source.publish(change),
    close() {
      const stopping = new Refusal('unavailable', 'The service is stopping. Subscribe again.');
      for (const group of [...groups.values()]) failGroup(group, stopping);
      source.close();
    },
  };
}

const NOT_KEPT =
  'The changes after this cursor are not kept any more, or it is none of this account: list the embeds anew, and read the changes without after.';

const NO_POSITION: FeedPosition = { mark: '', number: 0 };

/** Adds the changes that have arrived since the last missed ones were read. */
function catchUp(reader: Reader): void {
  const held = reader.held ?? [];
  reader.held = null;
  reader.isBehind = false;
  for (const change of held) add(reader, change);
}

function receive(reader: Reader, change: FeedChange): void {
  const { queue, held, isBehind } = reader;
  if (!isBehind) add(reader, change);
  else if (held && held.push(change) > MAX_UNREAD) queue.fail(new ChangesMissed());
}

/** Ignores changes that were added before. */
function add(reader: Reader, change: FeedChange): void {
  if (change.number <= reader.position.number) return;
  reader.position = change;
  if (!reader.queue.add(change)) reader.queue.fail(new ChangesMissed());
}
