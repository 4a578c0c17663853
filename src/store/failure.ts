import { Refusal } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';

/**
 * Runs one statement. When the database cannot take it at this moment (another process holds the lock), the caller is
 * told to try again; any other failure is a bug and stays one.
 */
export async function attempt<T>(statement: () => PromiseLike<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    if (isBusy(error)) throw new Refusal('unavailable', 'The database is busy; try again.');
    throw error;
  }
}

/** P1008: the adapter's word for SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P1008';
}

/** P2002: a row with this key exists. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
