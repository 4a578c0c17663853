import pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { databaseUnavailable } from '../database-errors.ts';
import { reasonOfSqlState, sqlStateOf } from './errors.ts';
import type { HealthMonitor } from './health.ts';

/** Runs a statement. */
export type Query = <Row extends object>(statement: Prisma.Sql) => Promise<Result<Row>>;

interface Result<Row> {
  readonly rows: readonly Row[];
  /** The number of read or written rows. */
  readonly count: number;
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

export function createQuery(pool: pg.Pool, { nameOf, health }: Options): Query {
  return async ({ text, values }) => {
    try {
      const { rows, rowCount, command } = await pool.query({
        name: nameOf({ sql: text }),
        text,
        values,
        types: TYPES,
      });
      health.reportSuccess(command !== 'SELECT');
      return { rows, count: rowCount ?? 0 };
    } catch (error) {
      const code = sqlStateOf(error);
      const reason = reasonOfSqlState(code);
      if (reason === null) throw error;
      health.reportFailure(reason, `${code}: ${(error as Error).message}`);
      throw databaseUnavailable(reason);
    }
  };
}
