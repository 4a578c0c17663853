import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';

interface Source {
  readonly source: string;
}

/** Returns the SQL that the drivers run during some work. */
export async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  const statements: string[] = [];
  const ends = [recordSqlite(statements), recordPostgresql(statements)];
  try {
    await work();
  } finally {
    for (const end of ends) end();
  }
  return statements.map((sql) => sql.trim());
}

function recordSqlite(statements: string[]): () => void {
  const database = new BetterSqlite3(':memory:');
  const ofStatements = Object.getPrototypeOf(database.prepare('SELECT 1'));
  database.close();
  const { run, get, all } = ofStatements;
  const { exec } = BetterSqlite3.prototype;
  const recording = (method: (...values: unknown[]) => unknown) =>
    function (this: Source, ...values: unknown[]) {
      statements.push(this.source);
      return method.apply(this, values);
    };
  Object.assign(ofStatements, { run: recording(run), get: recording(get), all: recording(all) });
  BetterSqlite3.prototype.exec = function (this: BetterSqlite3.Database, sql: string) {
    statements.push(sql);
    return exec.call(this, sql);
  };
  return () => {
    Object.assign(ofStatements, { run, get, all });
    BetterSqlite3.prototype.exec = exec;
  };
}

function recordPostgresql(statements: string[]): () => void {
  const { query } = pg.Client.prototype;
  const recording = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { readonly text: string }];
    statements.push(typeof first === 'string' ? first : first.text);
    return Reflect.apply(query, this, args);
  };
  Object.assign(pg.Client.prototype, { query: recording });
  return () => void Object.assign(pg.Client.prototype, { query });
}
