import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';

/** Far more than there are kinds of queries; lists of ids make some of them by their length. */
const MAX_KEPT = 200;

/** A statement as Prisma's adapter uses it: bound anew for each call, read as arrays. */
class KeptStatement {
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
 * Keeps the statements of a connection prepared. Prisma's adapter prepares its SQL anew for each call, which costs more
 * than to run it. SQLite itself prepares a kept statement again when the schema has changed.
 */
export function reusePreparedStatements(adapter: SqlDriverAdapter): void {
  const client = connectionOf(adapter);
  const kept = new Map<string, KeptStatement>();
  const keep = (sql: string): KeptStatement => {
    const known = kept.get(sql);
    if (known) return known;
    if (kept.size >= MAX_KEPT) kept.clear();
    const statement = new KeptStatement(BetterSqlite3.prototype.prepare.call(client, sql));
    kept.set(sql, statement);
    return statement;
  };
  Object.assign(client, { prepare: keep });
}

export function connectionOf(adapter: SqlDriverAdapter): BetterSqlite3.Database {
  const { client } = adapter as unknown as { readonly client?: BetterSqlite3.Database };
  if (client instanceof BetterSqlite3) return client;
  throw new Error('the adapter no longer keeps its connection in "client"');
}
