import { urlsOfHosts } from '../config/database-url.ts';
import { DatabaseError } from './database-errors.ts';

interface SqliteLocation {
  /** Absolute path. */
  readonly file: string;
}

export interface PostgresqlLocation {
  /** One for each host. */
  readonly urls: readonly string[];
  readonly needsWritableHost: boolean;
  readonly server: { readonly host: string; readonly database: string };
}

export function locationOf(url: string): SqliteLocation | PostgresqlLocation {
  if (url.startsWith('file:')) return { file: url.slice('file:'.length) };
  const urls = urlsOfHosts(url);
  const hosts = urls.map((each) => new URL(each)).map(({ host, searchParams }) => searchParams.get('host') ?? host);
  const { pathname, searchParams } = new URL(urls[0] as string);
  const target = searchParams.get('target_session_attrs');
  return {
    urls,
    needsWritableHost: urls.length > 1 || (target !== null && target !== 'any'),
    server: { host: hosts.join(','), database: decodeURIComponent(pathname.slice(1)) },
  };
}

export function describeLocation(url: string): object {
  const location = locationOf(url);
  return 'file' in location ? location : location.server;
}

export function requireSqlite(url: string): string {
  const location = locationOf(url);
  if ('file' in location) return location.file;
  throw new DatabaseError('This is for SQLite files. For PostgreSQL, use pg_dump and pg_restore, or base backups.');
}
