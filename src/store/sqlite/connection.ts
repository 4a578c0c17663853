import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';
import type { Durability } from '../../config.ts';
import { DatabaseError } from '../database-errors.ts';
import { requireConnectable } from '../prisma/errors.ts';
import { interceptStatements } from '../prisma/intercept-statements.ts';
import { createHealthMonitor, type HealthMonitor } from './health.ts';
import { openFilesOf } from './open-files.ts';

/** Wait for another process's lock. It blocks the event loop, so it is short. */
export const BUSY_TIMEOUT_MS = 500;

/** Size to which the write-ahead log shrinks after a long read, such as a backup. */
const MAX_WAL_BYTES = 16 * 1024 * 1024;

/** Values of `PRAGMA synchronous`. The adapter's default with a write-ahead log is NORMAL (1), which a power failure can undo. */
const SYNCHRONOUS: Record<Durability, number> = { full: 2, fast: 1 };

interface Options {
  readonly durability?: Durability;
  readonly health?: HealthMonitor;
}

export class DurableSqlite extends PrismaBetterSqlite3 {
  readonly #durability: Durability;
  readonly #health: HealthMonitor;
  #connection: BetterSqlite3.Database | null = null;
  #adapter: SqlDriverAdapter | null = null;
  dataVersion = () => 0;

  constructor(file: string, { durability = 'full', health = createHealthMonitor(file) }: Options = {}) {
    super({ url: `file:${file}`, timeout: BUSY_TIMEOUT_MS });
    this.#durability = durability;
    this.#health = health;
  }

  get connection(): BetterSqlite3.Database {
    if (!this.#connection) throw new Error('the database is not connected');
    return this.#connection;
  }

  /** Returns the one connection: the engine opens it before Prisma, which needs 0.1 s to load what compiles its queries. */
  override async connect(): Promise<SqlDriverAdapter> {
    requireConnectable(this.#connection?.open === false);
    this.#adapter ??= await this.#open();
    return this.#adapter;
  }

  async #open(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    const synchronous = SYNCHRONOUS[this.#durability];
    await adapter.executeScript(
      `PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = ${MAX_WAL_BYTES};`,
    );
    const { rows } = await adapter.queryRaw({ sql: 'PRAGMA synchronous', args: [], argTypes: [] });
    if (Number(rows[0]?.[0]) !== synchronous) {
      throw new DatabaseError(`SQLite did not accept synchronous=${synchronous}.`);
    }
    const connection = connectionOf(adapter);
    this.#connection = connection;
    this.dataVersion = createDataVersion(connection);
    // the first statement creates the index of the log
    this.dataVersion();
    const files = openFilesOf(connection);
    this.#health.useFiles(files);
    const dispose = adapter.dispose.bind(adapter);
    adapter.dispose = async () => {
      files.beforeClose();
      await dispose();
      files.close();
    };
    interceptStatements(adapter, this.#health.run, (transaction) => endAtRollback(transaction, connection));
    return adapter;
  }
}

/** Prisma and its adapter leave a transaction open whose COMMIT fails, and later writes would become a part of it. */
function endAtRollback(transaction: Transaction, connection: BetterSqlite3.Database): void {
  const rollback = transaction.rollback.bind(transaction);
  transaction.rollback = async () => {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    await rollback();
  };
}

/** Returns a private field of the adapter, and stops the start if it is gone. Can go when the adapter offers its connection. */
function connectionOf(adapter: SqlDriverAdapter): BetterSqlite3.Database {
  const { client } = adapter as unknown as { readonly client?: BetterSqlite3.Database };
  if (client instanceof BetterSqlite3) return client;
  throw new Error('the adapter no longer keeps its connection in "client"');
}

/**
 * Creates a function that returns another number after each change by another connection (`PRAGMA data_version`). Looks once
 * until the microtasks have run: the requests that are answered until then arrived before. Returns NaN, which equals no other
 * number, if the file cannot be read: the next statement reports why.
 */
export function createDataVersion(connection: BetterSqlite3.Database): () => number {
  const statement = connection.prepare('PRAGMA data_version').safeIntegers(false).pluck();
  let current: number | null = null;
  const expire = () => {
    current = null;
  };
  return () => {
    if (current !== null) return current;
    try {
      current = statement.get() as number;
    } catch {
      return Number.NaN;
    }
    queueMicrotask(expire);
    return current;
  };
}
