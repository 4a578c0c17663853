import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';

/** Returns a private field of the adapter, and stops the start if it is gone. Can go when the adapter offers its connection. */
export function connectionOf(adapter: SqlDriverAdapter): BetterSqlite3.Database {
  const { client } = adapter as unknown as { readonly client?: BetterSqlite3.Database };
  if (client instanceof BetterSqlite3) return client;
  throw new Error('the adapter no longer keeps its connection in "client"');
}

/**
 * The schema engine sends a whole migration as one statement to its shadow database, and the driver rejects several statements
 * in one. Can go when the adapter accepts them.
 */
export function runStatementsAsScripts(shadow: SqlDriverAdapter): void {
  const executeRaw = shadow.executeRaw.bind(shadow);
  shadow.executeRaw = async (query) => {
    if (query.args.length > 0) return executeRaw(query);
    await shadow.executeScript(query.sql);
    return 0;
  };
}
