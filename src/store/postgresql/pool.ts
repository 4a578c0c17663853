import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Durability } from '../../config.ts';
import { requireConnectable } from '../prisma/errors.ts';
import { connectionConfigOf } from './connection.ts';
import type { HealthMonitor } from './health.ts';
import { createRoutedClient, type FindUrl } from './hosts.ts';
import type { Pooler } from './pooler.ts';

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
 * Settings of each session, as in `pg_settings`. Up to PostgreSQL 17 a disabled plan costs 1e10, which exceeds
 * `jit_above_cost`: with JIT, the server would compile a statement that sorts ten rows on each execution, for 0.2 to 1 s.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DISABLED_PLANS.map((plan) => [plan, 'off'])),
  jit: 'off',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
};

export function sessionSettings(durability: Durability): Readonly<Record<string, string>> {
  // never set to `on`: the server's own setting may promise more, such as remote_apply
  return durability === 'fast' ? { ...SETTINGS, synchronous_commit: 'off' } : SETTINGS;
}

interface Options {
  readonly findUrl: FindUrl;
  readonly pooler: Pooler | null;
  readonly durability: Durability;
  readonly poolSize: number;
  readonly health: HealthMonitor;
  /** Receives the messages of the server that are neither results nor errors (severity INFO to WARNING). */
  readonly onMessage: (message: string | undefined) => void;
}

/** SQLSTATEs of statements that others were in the way of: constraints, deadlocks, locks. The session is as before. */
const CONFLICTS = /^(?:23|40)|^55P03$/;

/**
 * Keeps the session of a statement that conflicts with another, such as one with an external id that is taken. The pool of
 * `pg` ends the session after every error: it may be that of a standby, or have statements for an earlier schema. Ends a
 * session whose transaction is still open, because the server did not answer COMMIT or ROLLBACK: later writes would become a
 * part of it. Prisma's adapter returns it to the pool like any other.
 */
export class SessionPool extends pg.Pool {
  readonly #health: HealthMonitor;
  /** Names each SQL text, because the server keeps only named statements prepared. */
  readonly nameOf: (query: { readonly sql: string }) => string;

  constructor(url: string, { findUrl, pooler, durability, poolSize, health, onMessage }: Options) {
    const { options, ...connection } = connectionConfigOf(url);
    // poolers reject parameters that they do not know
    const settings = pooler ? {} : sessionSettings(durability);
    const parameters = [...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`), options];
    super({
      max: poolSize,
      application_name: 'embed-gateway',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
      ...connection,
      options: parameters.filter(Boolean).join(' ') || undefined,
      Client: createRoutedClient(findUrl),
    });
    this.#health = health;
    this.nameOf = createStatementNames(pooler === null || pooler.keepsStatements ? MAX_STATEMENT_NAMES : 0);
    this.on('connect', (client) => {
      client.on('notice', ({ message }) => onMessage(message));
      client.query = async (...args: unknown[]) => {
        const result = await Reflect.apply(pg.Client.prototype.query, client, args).catch(health.reportFailure);
        health.reportSuccess(result.command);
        return result;
      };
    });
    // of an idle connection, which the pool replaces
    this.on('error', () => {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: `pg` has an overload with a callback, which no caller uses
  override async connect(): Promise<any> {
    const client = await super.connect().catch(this.#health.reportFailure);
    const release = client.release;
    client.release = (error) => release(error || client.getTransactionStatus() !== 'I');
    return client;
  }

  // biome-ignore lint/suspicious/noExplicitAny: `pg` has eight overloads, of which our callers use the two that return a promise
  override query(query: any, values?: any): any {
    return this.#run(query, values);
  }

  async #run(query: pg.QueryConfig, values: unknown[] | undefined): Promise<pg.QueryResult> {
    const client: pg.PoolClient = await this.connect();
    try {
      const result = await client.query(query, values);
      client.release();
      return result;
    } catch (error) {
      client.release(!CONFLICTS.test((error as { readonly code?: string }).code ?? ''));
      throw error;
    }
  }
}

/** Prisma's adapter on a pool that is used without Prisma too. Leaves it open. */
export class PooledPostgresql extends PrismaPg {
  readonly #pool: SessionPool;

  constructor(pool: SessionPool, schema: string) {
    super(pool, { schema, statementNameGenerator: pool.nameOf });
    this.#pool = pool;
  }

  override async connect() {
    requireConnectable(this.#pool.ending);
    return super.connect();
  }
}

/** Returns an empty name, whose statement no server keeps, for more texts than `max`. */
function createStatementNames(max: number): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= max) return '';
    const name = `embeds_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
