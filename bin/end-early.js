/**
 * Ends a start cleanly at SIGINT or SIGTERM, also as process 1 of a container, for which the kernel ignores both. A start can
 * end at any moment without harm. Plain JavaScript without imports, so that nothing is loaded before the listeners are
 * there; `src/gateway.ts` replaces them when the service is ready.
 */
export function endEarly() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => {
      console.error(`Stopped by ${signal} before the service was ready.`);
      process.exit(0);
    });
  }
}
