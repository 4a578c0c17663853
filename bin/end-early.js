/** Marks the listeners of {@link addEarlyEnd}. The build of the package has a copy of this file, so both share no variable. */
const MARK = Symbol.for('embed-gateway.end-early');
const SIGNALS = ['SIGINT', 'SIGTERM'];

const findOwn = (signal) => process.listeners(signal).filter((listener) => MARK in listener);

/**
 * Ends a start cleanly at SIGINT or SIGTERM, also as process 1 of a container, for which the kernel ignores both. A start can
 * end at any moment without harm. Plain JavaScript without imports, so that nothing is loaded before the listeners are there.
 */
export function addEarlyEnd() {
  for (const signal of SIGNALS) {
    if (findOwn(signal).length > 0) continue;
    const end = () => {
      console.error(`Stopped by ${signal} before the service was ready.`);
      process.exit(0);
    };
    process.once(signal, Object.assign(end, { [MARK]: true }));
  }
}

/** Removes the listeners of {@link addEarlyEnd}, but none of others, such as of a tracer that Node imports first. */
export function removeEarlyEnd() {
  for (const signal of SIGNALS) for (const listener of findOwn(signal)) process.off(signal, listener);
}
