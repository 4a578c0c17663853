import pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';

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

/** @param nameOf returns the name of a statement in the sessions; an empty one if they do not keep it */
export function createStatements(pool: pg.Pool, nameOf: (query: { readonly sql: string }) => string): Statements {
  const query = ({ text, values }: Prisma.Sql): Promise<pg.QueryResult> =>
    mapDatabaseErrors(() => pool.query({ name: nameOf({ sql: text }), text, values, types: TYPES }));
  return {
    all: async (statement) => (await query(statement)).rows,
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}
