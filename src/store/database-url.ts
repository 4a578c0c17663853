import { DatabaseError } from './open-options.ts';

/** A SQLite file, by its absolute path. */
interface SqlitePlace {
  readonly file: string;
}

/** A database of a PostgreSQL server. */
export interface PostgresqlPlace {
  /** As `pg` reads it, with the password. */
  readonly url: string;
  /** Without the password, for logs and messages. */
  readonly server: { readonly host: string; readonly database: string };
}

/** @param url `DATABASE_URL`, checked */
export function parseDatabaseUrl(url: string): SqlitePlace | PostgresqlPlace {
  if (url.startsWith('file:')) return { file: url.slice('file:'.length) };
  const { host, pathname, searchParams } = new URL(url);
  const server = { host: searchParams.get('host') ?? host, database: decodeURIComponent(pathname.slice(1)) };
  return { url, server };
}

/** Where a database is, for the log: never the password. */
export function placeOf(url: string): object {
  const place = parseDatabaseUrl(url);
  return 'file' in place ? place : place.server;
}

/**
 * The SQLite file of a command that is for files.
 * @throws {DatabaseError} that names what there is for PostgreSQL
 */
export function requireSqlite(url: string): string {
  const place = parseDatabaseUrl(url);
  if ('file' in place) return place.file;
  throw new DatabaseError('This is for SQLite files. PostgreSQL has its own: pg_dump and pg_restore, or base backups.');
}
