import type { Durability } from '../config.ts';
import type { Log } from '../log.ts';

export interface OpenOptions {
  readonly durability: Durability;
  readonly poolSize: number;
  readonly log: Log;
  /** The pages of a SQLite file of 8 to 64 MB are checked while it is used, instead of before. */
  readonly isCheckedLater?: boolean;
  /** Receives audit events on PostgreSQL, at any log level. */
  readonly auditLog: Pick<Log, 'info'>;
}

export const toStandardError: Log = {
  info: writeToStandardError,
  warn: writeToStandardError,
  error: writeToStandardError,
};

function writeToStandardError(fields: object, message: string): void {
  console.error(JSON.stringify({ ...fields, message }));
}
