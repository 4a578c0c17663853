import { DriverAdapterError, isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { requireFreeDescriptors } from '../../descriptors.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { DatabaseUnavailable, type UnavailableReason } from '../database-errors.ts';
import { reasonOfSqlState } from '../postgresql/errors.ts';
import { reasonOfSqliteCode } from '../sqlite/errors.ts';

/** @throws {Refusal} `unavailable` if the database cannot run the statement now; any other error is a bug and is rethrown */
export async function mapDatabaseErrors<T>(statement: () => PromiseLike<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    const reason = reasonOf(error) ?? (isTransactionLost(error) ? 'busy' : null);
    throw reason ? new DatabaseUnavailable(reason) : error;
  }
}

function reasonOf(error: unknown): UnavailableReason | null {
  const code = codeOf(error);
  return reasonOfSqliteCode(code) ?? reasonOfSqlState(code);
}

/** Recognises that another connection locks the database, also as the cause of an error for the operator. */
export function isBusy(error: unknown): boolean {
  const { cause = error } = error as Error;
  return (error instanceof DatabaseUnavailable ? error.reason : reasonOf(cause)) === 'busy';
}

/** Returns a client whose statements throw what {@link mapDatabaseErrors} throws. The begin and end of a transaction do not. */
export function withMappedErrors(client: PrismaClient): PrismaClient {
  const mapped = client.$extends({
    query: { $allOperations: ({ args, query }) => mapDatabaseErrors(() => query(args)) },
  });
  return mapped as unknown as PrismaClient;
}

/** Recognises P2028: a transaction did not begin in time, or its connection closed between two statements. */
function isTransactionLost(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2028';
}

export function isDuplicate(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE', '23505'].includes(codeOf(error));
}

/** Recognises an insert of a row whose foreign key names no row. */
export function isReferenceMissing(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes(codeOf(error));
}

/** Runs a statement that inserts a row. Returns false if there is one with its key. */
export async function insertIfAbsent(statement: PromiseLike<unknown>): Promise<boolean> {
  try {
    await statement;
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Recognises a position that another embed on SQLite has. An id that is taken has another code there. */
export function isPrimaryKeyTaken(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/**
 * Call before Prisma connects. It loads the compiler of its queries next, and would keep a failure.
 * @param isClosed whether Prisma connects again, for a statement after the end: to a connection that nothing would close
 */
export function requireConnectable(isClosed: boolean): void {
  if (isClosed) throw cannotConnect('the database is closed');
  try {
    requireFreeDescriptors();
  } catch (error) {
    throw cannotConnect((error as Error).message);
  }
}

/** SQLSTATE 08003. */
function cannotConnect(originalMessage: string): DriverAdapterError {
  return new DriverAdapterError({ kind: 'ConnectionClosed', originalCode: '08003', originalMessage });
}

function codeOf(error: unknown): string {
  return findDriverError(error)?.code ?? '';
}

interface DriverError {
  readonly code: string;
  readonly message: string;
}

/** @returns the database's own code and message; null if the error has none */
export function findDriverError(error: unknown): DriverError | null {
  const cause = findCause(error);
  if (!cause) return isDriverError(error) ? error : null;
  return { code: cause.originalCode ?? '', message: cause.originalMessage ?? String(error) };
}

/** Recognises the errors of better-sqlite3 and `pg` themselves. Prisma's codes begin with P, those of Node.js have no digit. */
function isDriverError(error: unknown): error is DriverError {
  const { code = '' } = error as { readonly code?: string };
  return /^SQLITE_|^(?=\D*\d)[0-9A-OQ-Z][0-9A-Z]{4}$/.test(code);
}

function findCause(error: unknown): DriverAdapterError['cause'] | undefined {
  // COMMIT, ROLLBACK and the statements of a new connection bypass the client, so their errors arrive unwrapped
  if (isDriverAdapterError(error)) return error.cause;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: DriverAdapterError };
  return driverAdapterError?.cause;
}
