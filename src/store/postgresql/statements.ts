import pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';

export type Statements = ReturnType<typeof createStatements>;

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

/**
 * Creates functions that run statements on the pool, outside of Prisma, with its names and its time limits. They throw a refusal,
 * `unavailable`, if the database cannot run the statement now.
 * @param nameOf returns the name of a statement in the sessions; an empty one if they do not keep it
 */
export function createStatements(pool: pg.Pool, nameOf: (query: { readonly sql: string }) => string) {
  const query = ({ text, values }: Prisma.Sql): Promise<pg.QueryResult> =>
    mapDatabaseErrors(() => pool.query({ name: nameOf({ sql: text }), text, values, types: TYPES }));
  return {
    all: async <Row extends object>(statement: Prisma.Sql): Promise<readonly Row[]> => (await query(statement)).rows,
    /** Returns the number of written rows. */
    run: async (statement: Prisma.Sql) => (await query(statement)).rowCount ?? 0,
  };
}
