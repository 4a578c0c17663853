import { isDriverAdapterError } from '@prisma/driver-adapter-utils';

/** What keeps PostgreSQL from its work, through no fault of a request. */
export type Setback = 'unreachable' | 'refused' | 'crowded' | 'slow' | 'read_only' | 'full' | 'failing' | 'busy';

/** Each setback in words for the operator; null for one that is daily life. */
export const SETBACKS: Record<Setback, string | null> = {
  unreachable: 'the database cannot be reached: requests are refused until it can',
  refused: 'the database does not let the service in: look at its user, password and database',
  crowded:
    'the database has no connection free: requests are refused until it has; look at DATABASE_POOL and max_connections',
  slow: 'the database takes too long: statements are given up',
  read_only: 'the database is read-only, as a standby is: writes are refused until it can be written',
  full: 'the disk of the database is full: writes are refused until there is room',
  failing: 'the database reports damage or a failing disk: look at its own log',
  busy: null,
};

/** By SQLSTATE, or its class (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const BY_SQLSTATE: Readonly<Record<string, Setback>> = {
  '08': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  '28': 'refused',
  '3D000': 'refused',
  '53100': 'full',
  '53': 'crowded',
  '57014': 'slow',
  '25006': 'read_only',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
  '58': 'failing',
  XX: 'failing',
};

export function setbackOf(sqlState: string): Setback | null {
  if (!/^[0-9A-Z]{5}$/.test(sqlState)) return null;
  return BY_SQLSTATE[sqlState] ?? BY_SQLSTATE[sqlState.slice(0, 2)] ?? null;
}

/** What `pg` says without a code, by its beginning. */
const BY_MESSAGE: readonly (readonly [beginning: string, sqlState: string])[] = [
  // all connections of the pool are at work
  ['timeout exceeded when trying to connect', '53300'],
  ['Query read timeout', '57014'],
  ['timeout expired', '08001'],
  ['Connection terminated', '08006'],
  ['Client has encountered a connection error', '08006'],
  ['Client was closed', '08006'],
  ['Cannot use a pool after calling end', '08003'],
  ['The server does not support SSL connections', '08001'],
  ['There was an error establishing an SSL connection', '08001'],
];

/** Kinds by which Prisma's adapter hides the code. */
const BY_KIND: Readonly<Record<string, string>> = {
  DatabaseNotReachable: '08001',
  ConnectionClosed: '08006',
  SocketTimeout: '08006',
  TlsConnectionError: '08001',
};

/** The SQLSTATE of whatever a statement failed with, as `pg`, the system or Prisma's adapter say it; empty for none. */
export function sqlStateOf(error: unknown): string {
  if (isDriverAdapterError(error)) return error.cause.originalCode ?? BY_KIND[error.cause.kind] ?? '';
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  if (/^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)) return code;
  // of the system (ECONNREFUSED, EHOSTUNREACH, EAI_AGAIN) or of TLS
  if (/^(E[A-Z_]+|[A-Z]+_[A-Z_]+)$/.test(code)) return '08001';
  return BY_MESSAGE.find(([beginning]) => message.startsWith(beginning))?.[1] ?? '';
}
