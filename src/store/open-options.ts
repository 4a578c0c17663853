import type { Log } from '../log.ts';

export interface OpenOptions {
  readonly durability: Durability;
  readonly poolSize: number;
  readonly log: Log;
  /** Receives audit events on PostgreSQL, at any log level. */
  readonly auditLog: Pick<Log, 'info'>;
}

/**
 * What an acknowledged write survives. `full`: a power failure, because it was synced to disk. `fast`: a crash of the
 * process only. A power failure may undo the last writes, but leaves none incomplete.
 */
export type Durability = 'full' | 'fast';

export const toStandardError: Log = {
  info: writeToStandardError,
  warn: writeToStandardError,
  error: writeToStandardError,
};

function writeToStandardError(fields: object, message: string): void {
  console.error(JSON.stringify({ ...fields, message }));
}
