import pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import type { HealthMonitor } from './health.ts';

/** Runs statements on the pool, outside of Prisma. They have its names and its time limits. */
export interface Statements {
  /** @throws {Refusal} `unavailable` if the database cannot run the statement now */
  all<Row extends object>(statement: Prisma.Sql): Promise<readonly Row[]>;
  /** Returns the number of written rows. */
  run(statement: Prisma.Sql): Promise<number>;
}

export interface EmbedKey {
  readonly id: string;
  /** Null if it is not known. */
  readonly accountId: string | null;
}

const { INT8, TIMESTAMP } = pg.types.builtins;
/** Counts are safe integers, and timestamps are in UTC. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  [TIMESTAMP]: (text) => new Date(`${text.replace(' ', 'T')}Z`),
};
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') => PARSERS[type] ?? pg.types.getTypeParser(type, format),
};

interface Options {
  /** Returns the name of a statement in the sessions; undefined if they do not keep statements. */
  readonly nameOf: (query: { readonly sql: string }) => string | undefined;
  readonly health: HealthMonitor;
}

export function createStatements(pool: pg.Pool, { nameOf, health }: Options): Statements {
  async function query({ text, values }: Prisma.Sql, isWrite: boolean): Promise<pg.QueryResult> {
    try {
      const result = await pool.query({ name: nameOf({ sql: text }), text, values, types: TYPES });
      health.reportSuccess(isWrite);
      return result;
    } catch (error) {
      const failure = health.reportFailure(error);
      throw failure ? new DatabaseUnavailable(failure.reason) : error;
    }
  }
  return {
    all: async (statement) => (await query(statement, false)).rows,
    run: async (statement) => (await query(statement, true)).rowCount ?? 0,
  };
}
