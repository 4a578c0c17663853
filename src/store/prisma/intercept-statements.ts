import type { SqlDriverAdapter, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils';

type StatementRunner = <T>(isWrite: boolean, statement: () => Promise<T>) => Promise<T>;

const WRITE = /^\s*(INSERT|UPDATE|DELETE)\b/i;
/** Statements that succeed on a database that cannot be written. */
const NO_WRITE = /^\s*(SELECT|ROLLBACK)\b/i;

/**
 * The adapter of SQLite has no hook for failed statements. Can go when it reports the result of each statement.
 * @param onTransaction receives each transaction that begins
 */
export function interceptStatements(
  adapter: SqlDriverAdapter,
  run: StatementRunner,
  onTransaction: (transaction: Transaction) => void,
): void {
  intercept(adapter, run);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolationLevel) => {
    const transaction = await run(false, () => startTransaction(isolationLevel));
    intercept(transaction, run);
    onTransaction(transaction);
    return transaction;
  };
}

function intercept(queryable: SqlQueryable, run: StatementRunner): void {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => run(WRITE.test(query.sql), () => queryRaw(query));
  queryable.executeRaw = (query) => run(!NO_WRITE.test(query.sql), () => executeRaw(query));
}
