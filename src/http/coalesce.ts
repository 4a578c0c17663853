/** Runs the work, or joins the equal work that another has asked for. */
export type Coalesce<T> = (key: string, work: () => Promise<T>) => Promise<T>;

interface Waiting<T> extends PromiseWithResolvers<T> {
  readonly work: () => Promise<T>;
}

/**
 * Does equal work once for all who ask for it in one turn of the event loop. Nobody joins work that has begun, so what
 * is read is as new for each as if it had been read for them alone.
 */
export function createCoalescer<T>(): Coalesce<T> {
  let waiting = new Map<string, Waiting<T>>();

  function begin(): void {
    const all = waiting;
    // a new one each time: what a map once held, it can hold on to until the next big garbage collection
    waiting = new Map();
    for (const { work, resolve, reject } of all.values()) work().then(resolve, reject);
  }

  return (key, work) => {
    const same = waiting.get(key);
    if (same) return same.promise;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    waiting.set(key, { work, promise, resolve, reject });
    if (waiting.size === 1) setImmediate(begin);
    return promise;
  };
}
