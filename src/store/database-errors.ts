import { Refusal } from '../errors.ts';

/** A database that cannot be used. The message is one line for the operator. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** Seconds until another server or connection may have taken over. */
const FAILOVER_RETRY_S = 2;
/** Seconds until a disk may have room again. */
const DISK_RETRY_S = 10;

/** The message for the caller and the `Retry-After` of each reason; null leaves the delay to the caller. */
const REPLIES = {
  busy: ['The database is busy; try again.', null],
  unreachable: ['The database cannot be reached; try again.', FAILOVER_RETRY_S],
  access_denied: ['The database cannot be reached; try again.', FAILOVER_RETRY_S],
  no_free_connection: ['The database is busy; try again.', FAILOVER_RETRY_S],
  timeout: ['The database takes too long; try again.', FAILOVER_RETRY_S],
  standby: ['The database cannot be written at this moment; try again.', FAILOVER_RETRY_S],
  read_only: ['The database cannot do this now; try again later.', DISK_RETRY_S],
  full: ['The database cannot do this now; try again later.', DISK_RETRY_S],
  failing: ['The database cannot do this now; try again later.', DISK_RETRY_S],
  damaged: ['The database cannot do this now; try again later.', DISK_RETRY_S],
  missing: ['The database cannot be written: its file was moved or deleted.', DISK_RETRY_S],
  log_lost: ['The database cannot be written: its write-ahead log was moved, deleted or overwritten.', DISK_RETRY_S],
  overwritten: ['The database cannot be written: another program wrote over its file.', DISK_RETRY_S],
} as const satisfies Readonly<Record<string, readonly [message: string, retryAfterS: number | null]>>;

export type UnavailableReason = keyof typeof REPLIES;

export class DatabaseUnavailable extends Refusal {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason) {
    const [message, retryAfterS] = REPLIES[reason];
    super('unavailable', message, [], retryAfterS);
    this.reason = reason;
  }
}

/** Rejects, if the database is unavailable, with an error for the operator of a command that can be repeated. */
export function continueLater(error: unknown): never {
  if (!(error instanceof DatabaseUnavailable)) throw error;
  throw new DatabaseError(`${error.message} Run the same command again to continue.`, { cause: error });
}

/** Returns no rows of a part of the database that is away. */
export function ignoreUnavailable(error: unknown): readonly never[] {
  if (error instanceof DatabaseUnavailable) return [];
  throw error;
}
