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

/** SQLITE_BUSY: P1008 from a query, and what the adapter calls it inside a raw one. */
function isBusy(error: unknown): boolean {
  return isKnown(error, 'P1008') || kindOf(error) === 'SocketTimeout';
}

/** A row with this key exists: P2002 from a query, and what the adapter calls it inside a raw one. */
export function isDuplicate(error: unknown): boolean {
  return isKnown(error, 'P2002') || kindOf(error) === 'UniqueConstraintViolation';
}

function isKnown(error: unknown, code: string): error is Prisma.PrismaClientKnownRequestError {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}

/** P2010: a raw query failed. */
function kindOf(error: unknown): string | undefined {
  if (!isKnown(error, 'P2010')) return undefined;
  const { cause } = (error.meta?.driverAdapterError ?? {}) as { readonly cause?: { readonly kind: string } };
  return cause?.kind;
}
