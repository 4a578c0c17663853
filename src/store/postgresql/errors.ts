import type { UnavailableReason } from '../database-errors.ts';

/** By SQLSTATE, or by its class (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const REASONS = {
  '08': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  '28': 'access_denied',
  '3D000': 'access_denied',
  '53100': 'full',
  '53': 'no_free_connection',
  '57014': 'timeout',
  '25006': 'standby',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
  '58': 'failing',
  XX: 'failing',
} as const satisfies Readonly<Record<string, UnavailableReason>>;

export type PostgresqlReason = (typeof REASONS)[keyof typeof REASONS];

export const OPERATOR_MESSAGES: Record<Exclude<PostgresqlReason, 'busy'>, string> = {
  unreachable: 'the database cannot be reached: requests are refused until it can',
  access_denied: 'the database does not let the service in: check the user, the password and the database name',
  no_free_connection:
    'the database has no free connection: requests are refused until it has one; check DATABASE_POOL and max_connections',
  timeout: 'the database takes too long: statements are cancelled',
  standby: 'the database is read-only, as a standby is: writes are refused until it can be written',
  full: 'the disk of the database is full: writes are refused until there is room',
  failing: 'the database reports damage or a failing disk: check its own log',
};

export function reasonOfSqlState(sqlState: string): PostgresqlReason | null {
  if (!/^[0-9A-Z]{5}$/.test(sqlState)) return null;
  const reasons: Readonly<Record<string, PostgresqlReason>> = REASONS;
  return reasons[sqlState] ?? reasons[sqlState.slice(0, 2)] ?? null;
}

/** Errors that `pg` throws without a code, by the beginning of their message. */
const SQLSTATE_BY_MESSAGE: readonly (readonly [beginning: string, sqlState: string])[] = [
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

/** @param error of `pg` */
export function sqlStateOf(error: unknown): string {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  if (/^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)) return code;
  // system errors (ECONNREFUSED, EHOSTUNREACH, EAI_AGAIN) and TLS errors
  if (/^(E[A-Z_]+|[A-Z]+_[A-Z_]+)$/.test(code)) return '08001';
  return SQLSTATE_BY_MESSAGE.find(([beginning]) => message.startsWith(beginning))?.[1] ?? '';
}
