import { PrismaPg } from '@prisma/adapter-pg';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import type { Durability } from '../../config.ts';
import { interceptStatements } from '../prisma/intercept-statements.ts';
import { connectionConfigOf } from './connection.ts';
import { reasonOfSqlState, sqlStateOf } from './errors.ts';
import type { HealthMonitor } from './health.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** The server cancels a statement after this. All of ours take milliseconds. */
const STATEMENT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 3_000;
/** The client gives up on a server that does not respond. */
const RESPONSE_TIMEOUT_MS = 6_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Far more than there are kinds of queries. Lists of ids create one per length. */
const MAX_STATEMENT_NAMES = 500;

/**
 * Plans that are never right here: each statement reads one index, in its order. A planner that considers a parameter rare
 * would gather and sort up to a million rows instead.
 */
export const DISABLED_PLANS = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_sort',
  'enable_incremental_sort',
] as const;

/**
 * Settings of the server for each statement. Up to PostgreSQL 17 a disabled plan costs 1e10, which exceeds `jit_above_cost`: with JIT, the
 * server would compile a statement that sorts ten rows on each execution, for 0.2 to 1 s.
 */
export const SERVER_SETTINGS = [...DISABLED_PLANS, 'jit'].map((name) => [name, 'off'] as const);

const WRITE = /^\s*(INSERT|UPDATE|DELETE)\b/i;

interface Options {
  readonly durability: Durability;
  readonly poolSize: number;
  readonly schema: string;
  readonly health: HealthMonitor;
}

export class BoundedPostgresql extends PrismaPg {
  readonly #health: HealthMonitor;

  constructor(url: string, { durability, poolSize, schema, health }: Options) {
    const { options, ...connection } = connectionConfigOf(url);
    // never set to `on`: the server's own setting may promise more, such as remote_apply
    const synchronousCommit = durability === 'fast' ? '-c synchronous_commit=off' : undefined;
    const config = {
      max: poolSize,
      application_name: 'embed-gateway',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
      ...connection,
      options: [...SERVER_SETTINGS.map(([name, value]) => `-c ${name}=${value}`), options, synchronousCommit]
        .filter(Boolean)
        .join(' '),
    };
    super(config, { schema, statementNameGenerator: createStatementNames() });
    this.#health = health;
  }

  override async connect() {
    const adapter = await super.connect();
    interceptStatements(adapter, (sql, _method, statement) => this.#run(sql, statement));
    return adapter;
  }

  /** Adds the SQLSTATE that `pg` or the adapter left out. Can go when the adapter keeps the original code of every failure. */
  async #run<T>(sql: string, statement: () => Promise<T>): Promise<T> {
    try {
      const result = await statement();
      this.#health.reportSuccess(WRITE.test(sql));
      return result;
    } catch (error) {
      const code = sqlStateOf(error);
      const reason = reasonOfSqlState(code);
      if (reason === null) throw error;
      const message = (error as Error).message;
      this.#health.reportFailure(reason, `${code}: ${message}`);
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

/** Names each SQL text, because the server keeps only named statements prepared. */
function createStatementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // statements with an empty name are not kept
    if (names.size >= MAX_STATEMENT_NAMES) return '';
    const name = `embeds_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
