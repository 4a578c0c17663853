import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import type { Durability } from '../../config.ts';
import type { ChangeListener, ChangeSource } from '../changes.ts';
import { DatabaseError } from '../open-options.ts';
import { connectionOf, reusePreparedStatements } from '../performance/prepared-statements.ts';
import { openSqliteChanges } from './changes.ts';
import { openDataVersion } from './data-version.ts';
import { createHealthMonitor, type HealthMonitor } from './health.ts';
import { openFilesOf } from './open-files.ts';

/** How long a statement waits for another process's lock. The wait blocks the event loop, so it is short. */
export const BUSY_TIMEOUT_MS = 500;

/** The log of writes grows past this only while somebody reads an old state, such as a backup, and shrinks again. */
const MAX_WAL_BYTES = 16 * 1024 * 1024;

/** `PRAGMA synchronous`, by its number. The adapter's default in WAL mode is NORMAL, which a power cut can undo. */
const SYNCHRONOUS: Record<Durability, number> = { full: 2, fast: 1 };

const WRITE = /^\s*(INSERT|UPDATE|DELETE)\b/i;

interface Options {
  readonly durability?: Durability;
  /** Sees how each statement ends. */
  readonly watch?: HealthMonitor;
}

/** Prisma's adapter with our durability, under watch. */
export class DurableSqlite extends PrismaBetterSqlite3 {
  readonly #durability: Durability;
  readonly #watch: HealthMonitor;
  /** Of the newest connection: another number after each change that another connection made. */
  dataVersion = () => 0;
  /** Of the newest connection, what it changes. */
  openChanges = (_listener: ChangeListener): ChangeSource => {
    throw new Error('there is no connection');
  };

  constructor(file: string, { durability = 'full', watch = createHealthMonitor(file) }: Options = {}) {
    super({ url: `file:${file}`, timeout: BUSY_TIMEOUT_MS });
    this.#durability = durability;
    this.#watch = watch;
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    const wanted = SYNCHRONOUS[this.#durability];
    await adapter.executeScript(
      `PRAGMA synchronous = ${wanted}; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = ${MAX_WAL_BYTES};`,
    );
    const { rows } = await adapter.queryRaw({ sql: 'PRAGMA synchronous', args: [], argTypes: [] });
    if (Number(rows[0]?.[0]) !== wanted) throw new DatabaseError(`SQLite did not accept synchronous=${wanted}.`);
    reusePreparedStatements(adapter);
    const connection = connectionOf(adapter);
    const version = openDataVersion(connection);
    this.dataVersion = version.read;
    this.openChanges = (listener) => openSqliteChanges(connection, version.read, listener);
    const files = version.index === null ? null : openFilesOf(connection, version.index);
    this.#watch.useFiles(files);
    const dispose = adapter.dispose.bind(adapter);
    adapter.dispose = async () => {
      files?.beforeClose();
      await dispose();
      files?.close();
      version.close();
    };
    this.#observe(adapter);
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await startTransaction(isolationLevel);
      this.#observe(transaction);
      return transaction;
    };
    return adapter;
  }

  #observe(queryable: SqlQueryable): void {
    const queryRaw = queryable.queryRaw.bind(queryable);
    const executeRaw = queryable.executeRaw.bind(queryable);
    queryable.queryRaw = (query) => this.#watch.run(WRITE.test(query.sql), () => queryRaw(query));
    queryable.executeRaw = (query) => this.#watch.run(true, () => executeRaw(query));
  }

  /** The engine sends a whole migration as one statement to its shadow database, which the driver takes only as a script. */
  override async connectToShadowDb(): Promise<SqlDriverAdapter> {
    const shadow = await super.connectToShadowDb();
    const executeRaw = shadow.executeRaw.bind(shadow);
    shadow.executeRaw = async (query) => {
      if (query.args.length > 0) return executeRaw(query);
      await shadow.executeScript(query.sql);
      return 0;
    };
    return shadow;
  }
}
