/** A value that may be there already. Waiting for a promise costs a turn of the microtask queue. */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value: at once if it is there. The steps of a view write this out, to allocate no closures. */
export function andThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Recovers from what the work throws, and from its rejection. */
export function runOrRecover<T>(work: () => Awaitable<T>, recover: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}

/** Creates a function that loads a value at its first call, and again after a failure. Once loaded, the value is there at once. */
export function loadOnce<T extends object>(load: () => Promise<T>): () => Awaitable<T> {
  let loaded: Awaitable<T> | undefined;
  return () => {
    loaded ??= load().then(
      (value) => {
        loaded = value;
        return value;
      },
      (error) => {
        loaded = undefined;
        throw error;
      },
    );
    return loaded;
  };
}

/** Returns the work of a key that is in flight, or starts it. */
export function joinOrStart<Key, T>(inFlight: Map<Key, Promise<T>>, key: Key, start: () => Promise<T>): Promise<T> {
  const current = inFlight.get(key);
  if (current) return current;
  const started = start().finally(() => inFlight.delete(key));
  inFlight.set(key, started);
  return started;
}
