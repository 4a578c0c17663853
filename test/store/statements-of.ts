import BetterSqlite3 from 'better-sqlite3';

interface Source {
  readonly source: string;
}

/** The SQL that the driver runs while some work is done. */
export async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  const statements: string[] = [];
  const database = new BetterSqlite3(':memory:');
  const ofStatements = Object.getPrototypeOf(database.prepare('SELECT 1'));
  database.close();
  const { run, get, all } = ofStatements;
  const { exec } = BetterSqlite3.prototype;
  const noting = (method: (...values: unknown[]) => unknown) =>
    function (this: Source, ...values: unknown[]) {
      statements.push(this.source);
      return method.apply(this, values);
    };
  Object.assign(ofStatements, { run: noting(run), get: noting(get), all: noting(all) });
  BetterSqlite3.prototype.exec = function (this: BetterSqlite3.Database, sql: string) {
    statements.push(sql);
    return exec.call(this, sql);
  };
  try {
    await work();
  } finally {
    Object.assign(ofStatements, { run, get, all });
    BetterSqlite3.prototype.exec = exec;
  }
  return statements.map((sql) => sql.trim());
}
