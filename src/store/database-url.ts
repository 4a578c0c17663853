import { DatabaseError } from './database-errors.ts';

interface SqlitePlace {
  /** Absolute path. */
  readonly file: string;
}

export interface PostgresqlPlace {
  readonly url: string;
  readonly server: { readonly host: string; readonly database: string };
}

export function parseDatabaseUrl(url: string): SqlitePlace | PostgresqlPlace {
  if (url.startsWith('file:')) return { file: url.slice('file:'.length) };
  const { host, pathname, searchParams } = new URL(url);
  const server = { host: searchParams.get('host') ?? host, database: decodeURIComponent(pathname.slice(1)) };
  return { url, server };
}

export function placeOf(url: string): object {
  const place = parseDatabaseUrl(url);
  return 'file' in place ? place : place.server;
}

export function requireSqlite(url: string): string {
  const place = parseDatabaseUrl(url);
  if ('file' in place) return place.file;
  throw new DatabaseError('This is for SQLite files. For PostgreSQL, use pg_dump and pg_restore, or base backups.');
}
