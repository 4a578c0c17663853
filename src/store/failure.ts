import { Refusal } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { troubleOf } from './trouble.ts';

/** Seconds after which a disk may have room again. */
const TROUBLE_RETRY_S = 10;

/**
 * Runs one statement. When the database cannot take it at this moment (another process holds the lock, the disk is full
 * or read-only), the caller is told to try again; any other failure is a bug and stays one.
 */
export async function attempt<T>(statement: () => PromiseLike<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    const code = sqliteCodeOf(error);
    if (code.startsWith('SQLITE_BUSY')) throw new Refusal('unavailable', 'The database is busy; try again.');
    if (troubleOf(code)) {
      throw new Refusal('unavailable', 'The database cannot do this now; try again later.', [], TROUBLE_RETRY_S);
    }
    throw error;
  }
}

/** A row with this key exists. */
export function isDuplicate(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE'].includes(sqliteCodeOf(error));
}

/** The code with which SQLite refused a statement; empty when it was not SQLite. */
function sqliteCodeOf(error: unknown): string {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return '';
  const { driverAdapterError } = (error.meta ?? {}) as {
    driverAdapterError?: { readonly cause?: { readonly originalCode?: string } };
  };
  return driverAdapterError?.cause?.originalCode ?? '';
}
