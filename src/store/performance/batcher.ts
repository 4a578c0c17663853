import { Refusal } from '../../errors.ts';

/** Answers all asks, each at its place. A refusal is meant for everyone; after any other error each is tried alone. */
type Work<Ask, Answer> = (asks: readonly Ask[]) => Promise<readonly Answer[]>;

interface Options<Ask> {
  /** How many different asks are done together: a bound on how long they hold up everybody else. */
  readonly maxBatchSize: number;
  /** Asks with the same key are one, and get the same answer. Else only an ask itself is the same. */
  readonly keyOf?: (ask: Ask) => unknown;
}

interface Waiting<Ask, Answer> extends PromiseWithResolvers<Answer> {
  readonly ask: Ask;
}

/**
 * Does together what waits in two turns of the event loop: a call of the database costs more than a row. Nobody joins
 * work that has begun. So a read sees everything that was written before it was asked for, and a write that is
 * answered is on disk, as if each had been done by itself.
 */
export function createBatcher<Ask, Answer>(
  work: Work<Ask, Answer>,
  { maxBatchSize, keyOf = (ask) => ask }: Options<Ask>,
): (ask: Ask) => Promise<Answer> {
  let queue = new Map<unknown, Waiting<Ask, Answer>>();

  async function begin(): Promise<void> {
    const all = [...queue];
    // a new one each time: what a map once held, it can hold on to until the next big garbage collection
    queue = new Map(all.slice(maxBatchSize));
    if (queue.size > 0) setImmediate(begin);
    await answer(all.slice(0, maxBatchSize).map(([, waiting]) => waiting));
  }

  async function answer(batch: readonly Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await work(batch.map(({ ask }) => ask));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      const isEveryones = batch.length === 1 || error instanceof Refusal;
      for (const waiting of batch) {
        if (isEveryones) waiting.reject(error);
        else await answer([waiting]);
      }
    }
  }

  return (ask) => {
    const key = keyOf(ask);
    const same = queue.get(key);
    if (same) return same.promise;
    const waiting = { ask, ...Promise.withResolvers<Answer>() };
    queue.set(key, waiting);
    // one turn more: who was answered in the last one is about to ask again
    if (queue.size === 1) setImmediate(setImmediate, begin);
    return waiting.promise;
  };
}
