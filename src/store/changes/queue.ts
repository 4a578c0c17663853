import type { Refusal } from '../../errors.ts';
import type { FeedChange } from './feed.ts';

export interface ChangeQueue extends AsyncIterableIterator<FeedChange, undefined> {
  /** Returns false if the queue is full. */
  add(change: FeedChange): boolean;
  /** Discards unread changes: the next read rejects with the refusal, and the one after it ends. */
  fail(refusal: Refusal): void;
  return(): Promise<IteratorReturnResult<undefined>>;
}

interface QueueListener {
  /** Called when a reader begins to wait for a change. */
  onEmpty(): void;
  onEnd(): void;
}

/** Not a generator, because a generator that awaits a change cannot be ended from outside. */
export function createChangeQueue(maxLength: number, { onEmpty, onEnd }: QueueListener): ChangeQueue {
  const END = { done: true, value: undefined } as const;
  let unread: FeedChange[] = [];
  let failure: Refusal | null = null;
  let hasEnded = false;
  let reader: PromiseWithResolvers<IteratorResult<FeedChange, undefined>> | null = null;

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    unread = [];
    onEnd();
  }

  return {
    add(change) {
      if (hasEnded) return true;
      if (reader) {
        reader.resolve({ value: change });
        reader = null;
        return true;
      }
      return unread.push(change) <= maxLength;
    },
    fail(refusal) {
      if (hasEnded) return;
      end();
      if (reader) reader.reject(refusal);
      else failure = refusal;
      reader = null;
    },
    async next() {
      const change = unread.shift();
      if (change) return { value: change };
      if (failure) {
        const refusal = failure;
        failure = null;
        throw refusal;
      }
      if (hasEnded) return END;
      const waiting = Promise.withResolvers<IteratorResult<FeedChange, undefined>>();
      reader = waiting;
      onEmpty();
      return waiting.promise;
    },
    async return() {
      end();
      reader?.resolve(END);
      reader = null;
      return END;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
