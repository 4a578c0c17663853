import { Refusal } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Executor } from '../executor.ts';

interface Options<Row> {
  /** The plural, for the log. */
  readonly name: string;
  /** Rows wait so long for others. A crash loses those that wait. */
  readonly delayMs: number;
  /** Rows of one statement. */
  readonly maxWritten: number;
  /** While the database is away, more rows than these are dropped, the oldest first. */
  readonly maxPending: number;
  /** Joins two rows of one key; by default the newer one replaces the older one. */
  readonly merge?: (older: Row, newer: Row) => Row;
  /** Writes rows of accounts of one shard. */
  readonly write: (rows: readonly Row[]) => Promise<unknown>;
  /** Called after the rows of a shard were written. */
  readonly onWritten?: (accountIds: ReadonlySet<string>) => Promise<void>;
  readonly log: Pick<Log, 'warn'>;
  readonly executor: Executor;
}

/** Collects rows, and writes them in one statement, so that no request waits for a write. */
export function createDelayedWriter<Row extends { readonly accountId: string }>({
  name,
  delayMs,
  maxWritten,
  maxPending,
  merge = (_older, newer) => newer,
  write: writeRows,
  onWritten,
  log,
  executor: { shardOf, runStatement },
}: Options<Row>) {
  let pending = new Map<string, Row>();
  let isDropping = false;
  let isAway = false;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  /** Adds a row, or changes the row of this key that waits. */
  function add(key: string, row: Row): void {
    const older = pending.get(key);
    pending.set(key, older ? merge(older, row) : row);
    if (pending.size > maxPending) {
      const [oldest = key] = pending.keys();
      pending.delete(oldest);
      if (!isDropping) log.warn({ rows: maxPending }, `${name} are dropped, because too many wait for the database`);
      isDropping = true;
    }
    timer ??= setTimeout(() => void write(), delayMs).unref();
    // so that many rows do not fill the room of those that wait for a database that is away
    if (!older && pending.size === maxPending / 2 && !isAway) void write();
  }

  /** Writes all rows that wait, after those that are being written. */
  function write(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing
      .then(async () => {
        const rows = [...pending];
        pending = new Map();
        const groups = Map.groupBy(rows, ([, { accountId }]) => shardOf(accountId));
        await Promise.all([...groups.values()].map(writeAll));
      })
      .catch((error) => log.warn({ reason: String(error) }, `${name} could not be written`));
    return writing;
  }

  /** Writes the rows of one shard. Those that cannot be written wait again. */
  async function writeAll(rows: readonly (readonly [string, Row])[]): Promise<void> {
    for (let i = 0; i < rows.length; i += maxWritten) {
      try {
        const part = rows.slice(i, i + maxWritten).map(([, row]) => row);
        await runStatement(part[0]?.accountId ?? '', () => writeRows(part));
        isDropping = false;
        isAway = false;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        isAway = true;
        // in front of those that came since
        const waiting = [...rows.slice(i), ...pending];
        pending = new Map();
        for (const [key, row] of waiting) add(key, row);
        return;
      }
    }
    await onWritten?.(new Set(rows.map(([, { accountId }]) => accountId)));
  }

  return {
    add,
    /** Resolves when all rows that were added before are written, or could not be written now. An earlier call may write them. */
    flush: () => (pending.size > 0 ? write() : writing),
    /** Writes the rows that wait. */
    async close(): Promise<void> {
      await write();
      if (timer) clearTimeout(timer);
      if (pending.size > 0) log.warn({ rows: pending.size }, `${name} were lost, because the database is away`);
    },
  };
}
