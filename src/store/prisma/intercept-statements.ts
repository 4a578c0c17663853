import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';

export type StatementRunner = <T>(sql: string, method: 'query' | 'execute', statement: () => Promise<T>) => Promise<T>;

/** Prisma's adapters have no hook for failed statements. Can go when they report the result of each statement. */
export function interceptStatements(adapter: SqlDriverAdapter, run: StatementRunner): void {
  intercept(adapter, run);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolationLevel) => {
    const transaction = await run('BEGIN', 'query', () => startTransaction(isolationLevel));
    intercept(transaction, run);
    return transaction;
  };
}

function intercept(queryable: SqlQueryable, run: StatementRunner): void {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => run(query.sql, 'query', () => queryRaw(query));
  queryable.executeRaw = (query) => run(query.sql, 'execute', () => executeRaw(query));
}
