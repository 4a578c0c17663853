import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';
import { connectionOf } from '../prisma/sqlite-internals.ts';

/** Far more than there are kinds of queries. Lists of ids create one per length. */
const MAX_STATEMENTS = 200;

class ReusableStatement {
  readonly reader: boolean;
  readonly #statement: BetterSqlite3.Statement;
  readonly #columns: BetterSqlite3.ColumnDefinition[];

  constructor(statement: BetterSqlite3.Statement) {
    this.#statement = statement;
    this.reader = statement.reader;
    this.#columns = statement.reader ? statement.raw().columns() : [];
  }

  bind(values: readonly unknown[]) {
    const { reader } = this;
    const bound = {
      reader,
      columns: () => this.#columns,
      raw: () => bound,
      all: () => this.#statement.all(values),
      run: () => this.#statement.run(values),
    };
    return bound;
  }

  run() {
    return this.#statement.run();
  }
}

/**
 * Prisma's adapter prepares its SQL for each call, which costs more than running it. SQLite itself prepares a cached statement
 * again after a change of the schema. Can go when the adapter caches statements.
 */
export function reusePreparedStatements(adapter: SqlDriverAdapter): void {
  const connection = connectionOf(adapter);
  const statements = new Map<string, ReusableStatement>();
  const prepare = (sql: string): ReusableStatement => {
    const cached = statements.get(sql);
    if (cached) return cached;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const statement = new ReusableStatement(BetterSqlite3.prototype.prepare.call(connection, sql));
    statements.set(sql, statement);
    return statement;
  };
  Object.assign(connection, { prepare });
}
