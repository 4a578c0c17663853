import type { Durability } from '../config.ts';
import type { Log } from '../log.ts';

export interface OpenOptions {
  readonly durability: Durability;
  readonly poolSize: number;
  readonly log: Log;
  /**
   * The service opens the database, not a command: the pages of a SQLite file of 8 to 64 MB are checked while it is used, and
   * the copy from before the last update is removed.
   */
  readonly isService?: boolean;
  /** Receives audit events on PostgreSQL, at any log level. */
  readonly auditLog: Pick<Log, 'info'>;
  /** Opens a database that the service refuses, because a dump of a cluster was restored. */
  readonly isCopySource?: boolean;
  /** Called on a cluster with the nodes that hold accounts: true for one that answers. */
  readonly onNodes?: (states: ReadonlyMap<string, boolean>) => void;
}

export const toStandardError: Log = {
  info: writeToStandardError,
  warn: writeToStandardError,
  error: writeToStandardError,
};

function writeToStandardError(fields: object, message: string): void {
  console.error(JSON.stringify({ ...fields, message }));
}
