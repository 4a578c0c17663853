import { Refusal } from '../../errors.ts';

/** Returns one result per item, in their order. A refusal applies to the whole batch; after any other error each item is retried alone. */
type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Options<Item> {
  /** Maximum number of distinct items per batch, by default 64. It bounds how long one batch delays the others. */
  readonly maxBatchSize?: number;
  readonly keyOf?: (item: Item) => unknown;
  /** Items of different groups are never in one batch. */
  readonly groupOf?: (item: Item) => unknown;
}

interface Pending<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/**
 * Batches look-ups by key.
 * @param read returns the values that it finds, in any order
 * @returns a function that returns null for a key without a value
 */
export function createLookup<Key extends string, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { keyOf, ...options }: { readonly keyOf: (found: Value) => Key } & Omit<Options<Key>, 'keyOf'>,
): (key: Key) => Promise<Value | null> {
  return createBatcher(async (keys) => {
    const byKey = new Map((await read(keys)).map((found) => [keyOf(found), found]));
    return keys.map((key) => byKey.get(key) ?? null);
  }, options);
}

/**
 * Batches items that arrive within two turns of the event loop, because a call of the database costs more than a row.
 * Nothing joins a batch that has started. So a read sees every write that completed before it was requested, and a
 * completed write is on disk, as if each had run alone.
 */
export function createBatcher<Item, Result>(
  run: RunBatch<Item, Result>,
  { maxBatchSize = 64, keyOf = (item) => item, groupOf = () => null }: Options<Item> = {},
): (item: Item) => Promise<Result> {
  let queue = new Map<unknown, Pending<Item, Result>>();

  async function startBatch(): Promise<void> {
    const all = [...queue];
    // a new map each time: an emptied one may keep its entries alive until the next major garbage collection
    queue = new Map(all.slice(maxBatchSize));
    if (queue.size > 0) setImmediate(startBatch);
    const groups = Map.groupBy(all.slice(0, maxBatchSize), ([, { item }]) => groupOf(item));
    await Promise.all([...groups.values()].map((group) => settle(group.map(([, pending]) => pending))));
  }

  async function settle(batch: readonly Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result);
    } catch (error) {
      const isForAll = batch.length === 1 || error instanceof Refusal;
      for (const pending of batch) {
        if (isForAll) pending.reject(error);
        else await settle([pending]);
      }
    }
  }

  return (item) => {
    const key = keyOf(item);
    const same = queue.get(key);
    if (same) return same.promise;
    const pending = { item, ...Promise.withResolvers<Result>() };
    queue.set(key, pending);
    // the second turn includes callers that continue after the previous batch
    if (queue.size === 1) setImmediate(setImmediate, startBatch);
    return pending.promise;
  };
}
