/** Runs statements about accounts. On a cluster, a statement fails only if the node of its account does not answer: see `Shards`. */
export interface Executor {
  /** Returns the same number for accounts of one shard. */
  shardOf(accountId: string): number;
  /** Runs a statement about accounts of the same shard. @throws {Refusal} `unavailable` if its node does not answer */
  runStatement<T>(accountId: string, statement: () => Promise<T>): Promise<T>;
  /** Runs a request that may need several statements about one account. @throws as {@link runStatement} */
  runRequest<T>(accountId: string, request: () => Promise<T>): Promise<T>;
  /** Runs a statement about a row on the coordinator whose trigger writes on the node of the account, also while that is away. */
  runTrigger<T>(accountId: string, statement: () => Promise<T>): Promise<T>;
}

const run: Executor['runStatement'] = async (_accountId, statement) => statement();

/** All accounts are on one server. */
export const DIRECT_EXECUTOR: Executor = { shardOf: () => 0, runStatement: run, runRequest: run, runTrigger: run };
