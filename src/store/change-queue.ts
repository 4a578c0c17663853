import type { EmbedChange } from '../domain/embed/embed.ts';
import type { Refusal } from '../errors.ts';

/** Changes for one reader, in their order. */
export interface ChangeQueue extends AsyncIterableIterator<EmbedChange, undefined> {
  /** False when the queue is full: the reader does not keep up. */
  add(change: EmbedChange): boolean;
  /** Forgets what was not read yet: the reader gets the refusal, and then the end. */
  fail(refusal: Refusal): void;
  return(): Promise<IteratorReturnResult<undefined>>;
}

/**
 * A queue for one read at a time. Not a generator: one that waits for a change cannot be ended from outside.
 * @param most how many changes may wait
 * @param onEnd called once, when nobody will read any more
 */
export function createChangeQueue(most: number, onEnd: () => void): ChangeQueue {
  const END = { done: true, value: undefined } as const;
  let waiting: EmbedChange[] = [];
  let refusal: Refusal | null = null;
  let isOver = false;
  let reader: PromiseWithResolvers<IteratorResult<EmbedChange, undefined>> | null = null;

  function end(): void {
    if (isOver) return;
    isOver = true;
    waiting = [];
    onEnd();
  }

  return {
    add(change) {
      if (isOver) return true;
      if (reader) {
        reader.resolve({ value: change });
        reader = null;
        return true;
      }
      return waiting.push(change) <= most;
    },
    fail(found) {
      if (isOver) return;
      end();
      if (reader) reader.reject(found);
      else refusal = found;
      reader = null;
    },
    async next() {
      const change = waiting.shift();
      if (change) return { value: change };
      if (refusal) {
        const found = refusal;
        refusal = null;
        throw found;
      }
      if (isOver) return END;
      reader = Promise.withResolvers();
      return reader.promise;
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
