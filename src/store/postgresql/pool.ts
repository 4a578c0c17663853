import { PrismaPg } from '@prisma/adapter-pg';
import { DriverAdapterError, type SqlQueryable } from '@prisma/driver-adapter-utils';
import type { Durability } from '../../config.ts';
import { connectionOf } from './connection.ts';
import { setbackOf, sqlStateOf } from './errors.ts';
import type { HealthMonitor } from './health.ts';

/** To get a connection, of the pool or of the server. */
const CONNECT_TIMEOUT_MS = 3_000;
/** The server gives a statement up. All of ours take milliseconds. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** ... and waits no longer than this for a row that others hold. */
const LOCK_TIMEOUT_MS = 3_000;
/** We give it up where the server does not answer at all. */
const ANSWER_TIMEOUT_MS = 6_000;
/** A connection that nobody needs is closed. */
const IDLE_TIMEOUT_MS = 60_000;

/** Far more than there are kinds of queries; lists of ids make some of them by their length. */
const MAX_NAMED = 500;

/**
 * Ways of reading that are never ours: each statement goes along one index, which has its rows in order. A planner that
 * takes its parameters for rare would rather gather and sort what may be a million rows.
 */
export const DISABLED_PLANS = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_sort',
  'enable_incremental_sort',
] as const;

/**
 * Settings of each connection. Up to PostgreSQL 17 the planner makes a disabled way cost 1e10, which is above `jit_above_cost`:
 * a server with JIT would compile a statement that sorts ten rows, each time, for 0.2 to 1 s.
 */
const SETTINGS = [...DISABLED_PLANS.map((way) => `-c ${way}=off`), '-c jit=off'];

const WRITE = /^\s*(INSERT|UPDATE|DELETE)\b/i;

interface Options {
  readonly durability: Durability;
  readonly poolSize: number;
  /** What the names of tables are in. */
  readonly schema: string;
  /** Sees how each statement ends. */
  readonly watch: HealthMonitor;
}

/** Prisma's adapter with a bounded pool, timeouts everywhere, prepared statements, and under watch. */
export class BoundedPostgresql extends PrismaPg {
  readonly #watch: HealthMonitor;

  /** @param url whose parameters win over ours */
  constructor(url: string, { durability, poolSize, schema, watch }: Options) {
    const { options, ...connection } = connectionOf(url);
    // only to speed it up: what a server promises by itself may be more than `on`
    const durable = durability === 'fast' ? '-c synchronous_commit=off' : undefined;
    const config = {
      max: poolSize,
      application_name: 'embed-gateway',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      ...connection,
      options: [...SETTINGS, options, durable].filter(Boolean).join(' '),
    };
    super(config, { schema, statementNameGenerator: createNames() });
    this.#watch = watch;
  }

  override async connect() {
    const adapter = await super.connect();
    this.#observe(adapter);
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await this.#run('BEGIN', () => startTransaction(isolationLevel));
      this.#observe(transaction);
      return transaction;
    };
    return adapter;
  }

  #observe(queryable: SqlQueryable): void {
    const queryRaw = queryable.queryRaw.bind(queryable);
    const executeRaw = queryable.executeRaw.bind(queryable);
    queryable.queryRaw = (query) => this.#run(query.sql, () => queryRaw(query));
    queryable.executeRaw = (query) => this.#run(query.sql, () => executeRaw(query));
  }

  /** Some failures come without a code, or with one that Prisma hides: here they get the one that they mean. */
  async #run<T>(sql: string, statement: () => Promise<T>): Promise<T> {
    try {
      const result = await statement();
      this.#watch.work(WRITE.test(sql));
      return result;
    } catch (error) {
      const code = sqlStateOf(error);
      const setback = setbackOf(code);
      if (setback === null) throw error;
      const message = (error as Error).message;
      this.#watch.fail(setback, `${code}: ${message}`);
      throw new DriverAdapterError({
        kind: 'postgres',
        code,
        severity: 'ERROR',
        message,
        detail: undefined,
        column: undefined,
        hint: undefined,
        originalCode: code,
        originalMessage: message,
      });
    }
  }
}

/** A name for each text of SQL: the server keeps what has a name prepared, in each connection. */
function createNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // an empty name is one that the next statement takes
    if (names.size >= MAX_NAMED) return '';
    const name = `embeds_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
