import type { Shards } from './shards.ts';

const run: Shards['runStatement'] = async (_accountId, statement) => statement();

/** A database whose accounts are all on one server. Not with the shards, so that SQLite does not load the driver of PostgreSQL. */
export const NO_SHARDS: Pick<Shards, 'shardOf' | 'runStatement' | 'runRequest' | 'runTrigger'> = {
  shardOf: () => 0,
  runStatement: run,
  runRequest: run,
  runTrigger: run,
};
