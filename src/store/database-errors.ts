import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { Refusal } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type Setback, setbackOf } from './postgresql/errors.ts';
import { type Trouble, troubleOf } from './sqlite/errors.ts';

/** Seconds after which a disk may have room again. */
const TROUBLE_RETRY_S = 10;
/** Seconds after which a database may be there again, or another have taken its place. */
const SETBACK_RETRY_S = 2;

/** What the caller is told of each trouble. */
const TOLD_OF_FILE: Record<Trouble, string> = {
  full: 'The database cannot do this now; try again later.',
  read_only: 'The database cannot do this now; try again later.',
  failing: 'The database cannot do this now; try again later.',
  damaged: 'The database cannot do this now; try again later.',
  missing: 'The database cannot be written: its file was moved or deleted.',
  log_lost: 'The database cannot be written: its log of writes was moved, deleted or overwritten.',
  overwritten: 'The database cannot be written: another program wrote over its file.',
};

/** What the caller is told of each setback. */
const TOLD: Record<Setback, string> = {
  unreachable: 'The database cannot be reached; try again.',
  refused: 'The database cannot be reached; try again.',
  crowded: 'The database is busy; try again.',
  slow: 'The database takes too long; try again.',
  read_only: 'The database cannot be written at this moment; try again.',
  full: 'The database cannot do this now; try again later.',
  failing: 'The database cannot do this now; try again later.',
  busy: 'The database is busy; try again.',
};

/**
 * Runs one statement. When the database cannot take it at this moment (another process holds the lock, the disk is full
 * or read-only, the server is away), the caller is told to try again; any other failure is a bug and stays one.
 */
export async function mapDatabaseErrors<T>(statement: () => PromiseLike<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    const code = codeOf(error);
    if (code.startsWith('SQLITE_BUSY')) throw new Refusal('unavailable', 'The database is busy; try again.');
    const trouble = troubleOf(code);
    if (trouble) throw new Refusal('unavailable', TOLD_OF_FILE[trouble], [], TROUBLE_RETRY_S);
    const setback = setbackOf(code);
    if (setback) throw new Refusal('unavailable', TOLD[setback], [], setback === 'busy' ? null : SETBACK_RETRY_S);
    if (isTransactionLost(error)) throw new Refusal('unavailable', TOLD.busy);
    throw error;
  }
}

/** Prisma's word that a transaction did not begin in time, or went with its connection between two statements. */
function isTransactionLost(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2028';
}

/** A row with this key exists. */
export function isDuplicate(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE', '23505'].includes(codeOf(error));
}

/** The code with which the database refused a statement; empty when it was not the database. */
function codeOf(error: unknown): string {
  // the end of a transaction is no request of the client's
  if (isDriverAdapterError(error)) return error.cause.originalCode ?? '';
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return '';
  const { driverAdapterError } = (error.meta ?? {}) as {
    driverAdapterError?: { readonly cause?: { readonly originalCode?: string } };
  };
  return driverAdapterError?.cause?.originalCode ?? '';
}
