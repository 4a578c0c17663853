/** Resolves to the result of the work, or to `fallback` after `timeoutMs`. The work itself continues. */
export async function withDeadline<T, F>(work: Promise<T>, timeoutMs: number, fallback: F): Promise<T | F> {
  const { promise: timeout, resolve } = Promise.withResolvers<F>();
  const timer = setTimeout(resolve, timeoutMs, fallback);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
