import type pg from 'pg';

export interface PlacedTable {
  readonly name: string;
  /** The column whose hash chooses the shard; null for a copy of the table on each node. */
  readonly column: string | null;
  /** The table whose shards these shards stay with. */
  readonly colocatedWith?: string;
  /** Statements that remove what a distributed table cannot have. They run before any table is placed. */
  readonly before?: readonly string[];
  /** Statements that run after all tables are placed. */
  readonly after?: readonly string[];
}

/**
 * Where the rows of each table are. Triggers write only tables that stand before their own. All other tables stay on the
 * coordinator: {@link COORDINATOR_TABLES}.
 *
 * A distributed table has no key without the column that places a row. No key leads from a copied table to a distributed
 * one, or cascades over that column.
 */
export const PLACED_TABLES: readonly PlacedTable[] = [
  { name: 'Account', column: 'id' },
  { name: 'ChangeFeed', column: 'accountId', colocatedWith: 'Account' },
  { name: 'EmbedChange', column: 'accountId', colocatedWith: 'Account' },
  { name: 'EmbedTerm', column: 'accountId', colocatedWith: 'Account' },
  {
    name: 'Embed',
    column: 'accountId',
    colocatedWith: 'Account',
    before: [
      'ALTER TABLE "Embed" DROP CONSTRAINT "Embed_accountId_fkey"',
      'ALTER TABLE "Embed" DROP CONSTRAINT "Embed_pkey", ADD CONSTRAINT "Embed_pkey" PRIMARY KEY ("accountId", "id")',
      // for ids that do not name their shard; without an order, so that no plan of a list reads the embeds of other accounts
      'CREATE INDEX "Embed_id_idx" ON "Embed" USING hash ("id")',
    ],
    after: [
      'ALTER TABLE "Embed" ADD CONSTRAINT "Embed_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id")',
    ],
  },
  { name: 'IdempotentCreate', column: 'accountId', colocatedWith: 'Account' },
  { name: 'Import', column: 'accountId', colocatedWith: 'Account' },
  { name: 'AuditEvent', column: 'accountId', colocatedWith: 'Account' },
  { name: 'Page', column: 'pageUrl' },
  { name: 'Token', column: null, before: ['ALTER TABLE "Token" DROP CONSTRAINT "Token_accountId_fkey"'] },
];

/** A count is cheapest on the coordinator. The other table is Prisma's. */
export const COORDINATOR_TABLES: readonly string[] = ['Quota', '_prisma_migrations'];

/** The tables that fill a database with data of clients; the cache of pages is not among them. */
export const DATA_TABLES = PLACED_TABLES.map(({ name }) => name).filter((name) => name !== 'Page');

/** Returns true if the tables of accounts have shards. */
export async function isDistributed(connection: pg.Client): Promise<boolean> {
  const { rows: catalogs } = await connection.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return catalogs.length > 0 && (await readPlacedNames(connection)).has('Embed');
}

/** Returns the tables that are still on the coordinator, such as those of a later version. Needs the extension. */
export async function findUnplacedTables(connection: pg.Client): Promise<readonly PlacedTable[]> {
  const placed = await readPlacedNames(connection);
  return PLACED_TABLES.filter(({ name }) => !placed.has(name));
}

async function readPlacedNames(connection: pg.Client): Promise<ReadonlySet<string>> {
  // a copied table has the replication model t; n alone is a table of the coordinator that Citus knows
  const { rows } = await connection.query<{ name: string }>(
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      WHERE relnamespace = current_schema()::regnamespace AND (partmethod = 'h' OR repmodel = 't')`,
  );
  return new Set(rows.map(({ name }) => name));
}
