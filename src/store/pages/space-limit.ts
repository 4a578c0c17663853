/** Measures while one gateway fills the space. Each other gateway may exceed the maximum by this part. */
const MEASURES = 8;
/** Eviction stops at this share of the maximum, so that not every write evicts. */
const EVICTION_TARGET = 0.9;

/** The rows of a table that is a cache. */
interface Rows<Row> {
  /** Reads all rows. */
  measure(): Promise<number>;
  /** Returns some rows that may be evicted, in the order of eviction. */
  findOldest(): Promise<readonly Row[]>;
  remove(rows: readonly Row[]): PromiseLike<unknown>;
}

/**
 * Bounds the bytes of a table, in which several gateways write.
 * @returns a function to call after each write, with the bytes by which the table has grown
 */
export function createSpaceLimit<Row extends { readonly bytes: number }>(
  maxBytes: number,
  { measure, findOldest, remove }: Rows<Row>,
): (bytes: number) => Promise<void> {
  /** Bytes that this process may write before it measures again. */
  let unmeasuredBytes = 0;
  let checking: Promise<void> | null = null;

  async function check(): Promise<void> {
    let usedBytes = await measure();
    const maxKept = usedBytes > maxBytes ? maxBytes * EVICTION_TARGET : maxBytes;
    while (usedBytes > maxKept) {
      const evicted: Row[] = [];
      for (const row of await findOldest()) {
        if (usedBytes <= maxKept) break;
        evicted.push(row);
        usedBytes -= row.bytes;
      }
      if (evicted.length === 0) break;
      await remove(evicted);
    }
    unmeasuredBytes = Math.min(maxBytes - usedBytes, maxBytes / MEASURES);
  }

  return async (bytes) => {
    unmeasuredBytes -= bytes;
    if (unmeasuredBytes > 0) return;
    checking ??= check().finally(() => {
      checking = null;
    });
    await checking;
  };
}
