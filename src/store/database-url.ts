import { DatabaseError } from './database-errors.ts';

interface SqliteLocation {
  /** Absolute path. */
  readonly file: string;
}

export interface PostgresqlLocation {
  readonly url: string;
  readonly server: { readonly host: string; readonly database: string };
}

export function parseDatabaseUrl(url: string): SqliteLocation | PostgresqlLocation {
  if (url.startsWith('file:')) return { file: url.slice('file:'.length) };
  const { host, pathname, searchParams } = new URL(url);
  const server = { host: searchParams.get('host') ?? host, database: decodeURIComponent(pathname.slice(1)) };
  return { url, server };
}

export function describeLocation(url: string): object {
  const location = parseDatabaseUrl(url);
  return 'file' in location ? location : location.server;
}

export function requireSqlite(url: string): string {
  const location = parseDatabaseUrl(url);
  if ('file' in location) return location.file;
  throw new DatabaseError('This is for SQLite files. For PostgreSQL, use pg_dump and pg_restore, or base backups.');
}
