import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';

interface Source {
  readonly source: string;
}

export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the SQL that the drivers run during some work. */
export async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  return (await queriesOf(work)).map(({ text }) => text);
}

/** As {@link statementsOf}, with the values of the parameters on PostgreSQL. */
export async function queriesOf(work: () => Promise<void>): Promise<Query[]> {
  const statements: Query[] = [];
  const ends = [recordSqlite(statements), recordPostgresql(statements)];
  try {
    await work();
  } finally {
    for (const end of ends) end();
  }
  return statements.map(({ text, values }) => ({ text: text.trim(), values }));
}

function recordSqlite(statements: Query[]): () => void {
  const database = new BetterSqlite3(':memory:');
  const ofStatements = Object.getPrototypeOf(database.prepare('SELECT 1'));
  database.close();
  const { run, get, all } = ofStatements;
  const { exec } = BetterSqlite3.prototype;
  const recording = (method: (...values: unknown[]) => unknown) =>
    function (this: Source, ...values: unknown[]) {
      statements.push({ text: this.source, values: [] });
      return method.apply(this, values);
    };
  Object.assign(ofStatements, { run: recording(run), get: recording(get), all: recording(all) });
  BetterSqlite3.prototype.exec = function (this: BetterSqlite3.Database, sql: string) {
    statements.push({ text: sql, values: [] });
    return exec.call(this, sql);
  };
  return () => {
    Object.assign(ofStatements, { run, get, all });
    BetterSqlite3.prototype.exec = exec;
  };
}

function recordPostgresql(statements: Query[]): () => void {
  const { query } = pg.Client.prototype;
  const recording = function (this: pg.Client, ...args: unknown[]) {
    const [first, others] = args as [string | Query, readonly unknown[] | undefined];
    const { text, values } = typeof first === 'string' ? { text: first, values: others } : first;
    statements.push({ text, values: values ?? others ?? [] });
    return Reflect.apply(query, this, args);
  };
  Object.assign(pg.Client.prototype, { query: recording });
  return () => void Object.assign(pg.Client.prototype, { query });
}
