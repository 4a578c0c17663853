import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';

/** Returns a private field of the adapter, and stops the start if it is gone. Can go when the adapter offers its connection. */
export function connectionOf(adapter: SqlDriverAdapter): BetterSqlite3.Database {
  const { client } = adapter as unknown as { readonly client?: BetterSqlite3.Database };
  if (client instanceof BetterSqlite3) return client;
  throw new Error('the adapter no longer keeps its connection in "client"');
}
