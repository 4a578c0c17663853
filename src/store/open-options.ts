/** What whoever opens a database decides. */
export interface OpenOptions {
  readonly durability: Durability;
  /** How many connections of PostgreSQL are open at most. */
  readonly poolSize: number;
  /** Told of what only the operator can mend. */
  readonly log: OperatorLog;
  /** Told of each deed of the audit of a server, whatever the level of the log. */
  readonly auditLog: Pick<OperatorLog, 'info'>;
}

/**
 * What an acknowledged write has survived. `full`: a power cut, for it was synced to disk. `fast`: the end of the
 * process; a power cut may undo the last writes, but leaves none half done.
 */
export type Durability = 'full' | 'fast';

/** Where the operator reads (pino's shape). */
export interface OperatorLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Why a database cannot be used: one line for the operator. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** The log of whoever has none, such as a command: lines of JSON. */
export const toStandardError: OperatorLog = {
  info: (fields, message) => console.error(JSON.stringify({ ...fields, message })),
  error: (fields, message) => console.error(JSON.stringify({ ...fields, message })),
};
