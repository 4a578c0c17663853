import type pg from 'pg';
import { hasRelation, hasRows, readTableNames } from '../connection.ts';

const ID_INDEX = 'Embed_id_idx';

export interface PlacedTable {
  readonly name: string;
  /** Statements that remove what a distributed table cannot have. They run before any table is placed. */
  readonly before?: readonly string[];
  /** Statements that run after all tables are placed. */
  readonly after?: readonly string[];
}

/**
 * The tables with the rows of accounts: the hash of its id chooses the shard of all rows of an account. Triggers write only
 * tables that stand before their own. All other tables stay on the coordinator: {@link COORDINATOR_TABLES}.
 *
 * A distributed table has no key without the column that places a row. No key leads from the coordinator to a distributed table.
 */
export const PLACED_TABLES: readonly PlacedTable[] = [
  { name: 'Account', before: ['ALTER TABLE "Token" DROP CONSTRAINT "Token_accountId_fkey"'] },
  { name: 'ChangeFeed' },
  { name: 'EmbedChange' },
  { name: 'Webhook' },
  {
    name: 'WebhookDelivery',
    before: ['ALTER TABLE "WebhookDelivery" DROP CONSTRAINT "WebhookDelivery_accountId_webhookId_fkey"'],
    after: [
      `ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_accountId_webhookId_fkey"
        FOREIGN KEY ("accountId", "webhookId") REFERENCES "Webhook"("accountId", "id") ON DELETE CASCADE`,
    ],
  },
  { name: 'Watch' },
  { name: 'EmbedTerm' },
  {
    name: 'Embed',
    before: [
      'ALTER TABLE "Embed" DROP CONSTRAINT "Embed_accountId_fkey"',
      'ALTER TABLE "Embed" DROP CONSTRAINT "Embed_pkey", ADD CONSTRAINT "Embed_pkey" PRIMARY KEY ("accountId", "id")',
      // for ids that do not name their shard; without an order, so that no plan of a list reads the embeds of other accounts
      `CREATE INDEX "${ID_INDEX}" ON "Embed" USING hash ("id")`,
    ],
    after: [
      'ALTER TABLE "Embed" ADD CONSTRAINT "Embed_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id")',
    ],
  },
  { name: 'IdempotentCreate' },
  { name: 'Import' },
  { name: 'AuditEvent' },
  { name: 'ViewCount' },
];

/**
 * Every request needs these, so they are where every request goes anyway, and no worker that is away can stop them. The cache
 * of pages is bounded. A table of Prisma is the last one.
 */
export const COORDINATOR_TABLES: readonly string[] = [
  'Token',
  'Session',
  'Page',
  'PageVersion',
  'Quota',
  'WatchedHost',
  '_prisma_migrations',
];

/** The tables that fill a database with data of clients; the cache of pages is not among them. */
export const DATA_TABLES = [...PLACED_TABLES.map(({ name }) => name), 'Token'];

export function hasCitus(connection: pg.Client): Promise<boolean> {
  return hasRows(connection, `SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
}

/** Returns true if the database has workers that can hold shards. Needs the extension. */
export function hasWorkers(connection: pg.Client): Promise<boolean> {
  return hasRows(connection, 'SELECT 1 FROM pg_dist_node WHERE groupid > 0 AND shouldhaveshards');
}

/** Returns true if the tables of accounts have shards. */
export async function isDistributed(connection: pg.Client): Promise<boolean> {
  return (await readPlacedNames(connection)).has('Embed');
}

/** Returns true if the tables have what only `distribute` gives them. */
export function wasDistributed(connection: pg.Client): Promise<boolean> {
  return hasRelation(connection, ID_INDEX);
}

/** Returns the tables that are not where this version has them. A table that does not exist yet is not among them. */
export async function findMisplacedTables(connection: pg.Client) {
  const placed = await readPlacedNames(connection);
  const existing = await readTableNames(connection);
  return {
    /** On the coordinator, such as the tables of a later version. */
    unplaced: PLACED_TABLES.filter(({ name }) => existing.has(name) && !placed.has(name)),
    /** Distributed by an earlier version. */
    onWorkers: COORDINATOR_TABLES.filter((name) => placed.has(name)),
  };
}

/**
 * Distributes the tables that an upgrade has added. Runs in a transaction of the caller: a trigger that is created in the same
 * one never finds a worker without its table.
 */
export async function placeNewTables(connection: pg.Client): Promise<void> {
  const { unplaced } = await findMisplacedTables(connection);
  for (const statement of unplaced.flatMap(({ before = [] }) => before)) await connection.query(statement);
  for (const { name } of unplaced) {
    const values = name === 'Account' ? ['"Account"', 'id', 'none'] : [`"${name}"`, 'accountId', '"Account"'];
    await connection.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', values);
  }
  for (const statement of unplaced.flatMap(({ after = [] }) => after)) await connection.query(statement);
}

/** Returns the names of the tables that have shards. */
export async function readPlacedNames(connection: pg.Client): Promise<ReadonlySet<string>> {
  if (!(await hasCitus(connection))) return new Set();
  // a copied table has the replication model t; n alone is a table of the coordinator that Citus knows
  const { rows } = await connection.query<{ name: string }>(
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      WHERE relnamespace = current_schema()::regnamespace AND (partmethod = 'h' OR repmodel = 't')`,
  );
  return new Set(rows.map(({ name }) => name));
}
