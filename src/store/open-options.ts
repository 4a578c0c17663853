import type { Durability } from '../config.ts';
import type { Log } from '../log.ts';

/** What whoever opens a database decides. */
export interface OpenOptions {
  readonly durability: Durability;
  /** How many connections of PostgreSQL are open at most. */
  readonly poolSize: number;
  /** Told of what only the operator can mend. */
  readonly log: Log;
  /** Told of each deed of the audit of a server, whatever the level of the log. */
  readonly auditLog: Pick<Log, 'info'>;
}

/** Why a database cannot be used: one line for the operator. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** The log of whoever has none, such as a command: lines of JSON. */
export const toStandardError: Log = {
  info: writeToStandardError,
  warn: writeToStandardError,
  error: writeToStandardError,
};

function writeToStandardError(fields: object, message: string): void {
  console.error(JSON.stringify({ ...fields, message }));
}
