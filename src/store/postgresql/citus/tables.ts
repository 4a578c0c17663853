import type pg from 'pg';

interface PlacedTable {
  readonly name: string;
  /** The column whose hash chooses the shard; null for a copy of the table on each node. */
  readonly column: string | null;
  /** The table whose shards these shards stay with. */
  readonly colocatedWith?: string;
}

/**
 * Where the rows of each table are. Triggers write only tables that stand before their own. Tables that are not here stay
 * on the coordinator: `Quota`, because a count is cheapest there, and Prisma's.
 */
export const PLACED_TABLES: readonly PlacedTable[] = [
  { name: 'Account', column: 'id' },
  { name: 'ChangeFeed', column: 'accountId', colocatedWith: 'Account' },
  { name: 'EmbedChange', column: 'accountId', colocatedWith: 'Account' },
  { name: 'EmbedTerm', column: 'accountId', colocatedWith: 'Account' },
  { name: 'Embed', column: 'accountId', colocatedWith: 'Account' },
  { name: 'IdempotentCreate', column: 'accountId', colocatedWith: 'Account' },
  { name: 'Import', column: 'accountId', colocatedWith: 'Account' },
  { name: 'AuditEvent', column: 'accountId', colocatedWith: 'Account' },
  { name: 'Page', column: 'pageUrl' },
  { name: 'Token', column: null },
];

/** The tables that fill a database with data of clients; the cache of pages is not among them. */
export const DATA_TABLES = PLACED_TABLES.map(({ name }) => name).filter((name) => name !== 'Page');

/**
 * Removes what a distributed table cannot have: keys without the column that places a row, and keys that lead from a copied
 * table to a distributed one or cascade over that column.
 */
export const BEFORE_PLACING: readonly string[] = [
  'ALTER TABLE "Token" DROP CONSTRAINT "Token_accountId_fkey"',
  'ALTER TABLE "Embed" DROP CONSTRAINT "Embed_accountId_fkey"',
  'ALTER TABLE "Embed" DROP CONSTRAINT "Embed_pkey", ADD CONSTRAINT "Embed_pkey" PRIMARY KEY ("accountId", "id")',
  'DROP INDEX "Embed_accountId_id_idx"',
  // for ids that do not name their shard; without an order, so that no plan of a list reads the embeds of other accounts
  'CREATE INDEX "Embed_id_idx" ON "Embed" USING hash ("id")',
];

export const AFTER_PLACING: readonly string[] = [
  'ALTER TABLE "Embed" ADD CONSTRAINT "Embed_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id")',
];

/** Returns true if the tables of accounts have shards. */
export async function isDistributed(connection: pg.Client): Promise<boolean> {
  const { rows: catalogs } = await connection.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  if (catalogs.length === 0) return false;
  const { rows } = await connection.query(
    `SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('"Embed"') AND partmethod = 'h'`,
  );
  return rows.length > 0;
}
