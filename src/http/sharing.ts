/** Runs the work, or joins the equal work that another has asked for. */
export type Sharing<T> = (key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Does equal work once for all who ask for it in one turn of the event loop. Nobody joins work that has begun, so what
 * is read is as new for each as if it had been read for them alone.
 */
export function createSharing<T>(): Sharing<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = waiting.get(key);
    if (known) return known;
    const begun = new Promise<T>((resolve, reject) => {
      setImmediate(() => {
        waiting.delete(key);
        work().then(resolve, reject);
      });
    });
    waiting.set(key, begun);
    return begun;
  };
}
