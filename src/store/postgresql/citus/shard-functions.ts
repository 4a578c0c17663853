import type pg from 'pg';

interface ShardFunction {
  readonly name: string;
  readonly table: string;
  /** Their types, by their names. */
  readonly parameters: Readonly<Record<string, string>>;
  /** A SELECT, UPDATE or DELETE of whole rows, with `%1$I` for the table of the shard. */
  readonly statement: string;
}

/** Rows that one call deletes at most. */
export const MAX_DELETED = 500;

const DELETE_OLD = `
  DELETE FROM %1$I WHERE ctid = ANY(ARRAY(SELECT ctid FROM %1$I WHERE "createdAt" < $1 LIMIT ${MAX_DELETED})) RETURNING *`;

/**
 * Functions that run on the node of an account, and read, update or delete rows of its shard, whatever their account: a statement over
 * all shards would fail while one node is away. The first argument is any text with the hash of an account of the shard.
 */
const FUNCTIONS: readonly ShardFunction[] = [
  {
    name: 'embeds_of_shard',
    table: 'Embed',
    parameters: { ids: 'text[]' },
    statement: 'SELECT * FROM %1$I WHERE "id" = ANY($1)',
  },
  { name: 'webhooks_of_shard', table: 'Webhook', parameters: {}, statement: 'SELECT * FROM %1$I' },
  {
    name: 'due_watches_of_shard',
    table: 'Watch',
    parameters: { due: 'timestamp', busy: 'text[]', max: 'int' },
    statement: 'SELECT * FROM %1$I WHERE "dueAt" <= $1 AND "host" <> ALL($2) ORDER BY "dueAt" LIMIT $3',
  },
  {
    name: 'watches_of_page_in_shard',
    table: 'Watch',
    parameters: { page: 'text' },
    statement: 'SELECT * FROM %1$I WHERE "pageUrl" = $1',
  },
  {
    name: 'advance_watches_of_shard',
    table: 'Watch',
    parameters: { latest: 'timestamp', due: 'timestamp' },
    statement: 'UPDATE %1$I SET "dueAt" = $2 WHERE "dueAt" > $1 RETURNING *',
  },
  {
    name: 'delete_keys_of_shard',
    table: 'IdempotentCreate',
    parameters: { before: 'timestamp' },
    statement: DELETE_OLD,
  },
  {
    name: 'delete_changes_of_shard',
    table: 'EmbedChange',
    parameters: { before: 'timestamp' },
    statement: DELETE_OLD,
  },
];

const signatureOf = ({ name, parameters }: ShardFunction) =>
  `${name}(${['text', ...Object.values(parameters)].join(', ')})`;

function createStatementOf({ name, table, parameters, statement }: ShardFunction): string {
  const declared = Object.entries({ place: 'text', ...parameters }).map(([key, type]) => `"${key}" ${type}`);
  const using = Object.keys(parameters).map((key) => `"${key}"`);
  const volatility = statement.startsWith('SELECT') ? 'STABLE' : 'VOLATILE';
  return `
    CREATE OR REPLACE FUNCTION "${name}"(${declared.join(', ')}) RETURNS SETOF "${table}" LANGUAGE plpgsql ${volatility} AS $body$
    BEGIN
      RETURN QUERY EXECUTE
        format('${statement}', '${table}_' || get_shard_id_for_distribution_column('"${table}"', "place"))
        ${using.length > 0 ? `USING ${using.join(', ')}` : ''};
    END $body$`;
}

export async function installShardFunctions(connection: pg.Client): Promise<void> {
  for (const each of FUNCTIONS) {
    await connection.query(createStatementOf(each));
    const values = [signatureOf(each), 'place', `"${each.table}"`];
    await connection.query('SELECT create_distributed_function($1, $2, colocate_with => $3)', values);
  }
}

export async function hasShardFunctions(connection: pg.Client): Promise<boolean> {
  const { rows } = await connection.query<{ are: boolean }>(
    `SELECT bool_and(EXISTS (
        SELECT 1 FROM pg_catalog.pg_dist_object
        WHERE objid = to_regprocedure(signature) AND distribution_argument_index IS NOT NULL
      )) AS are FROM unnest($1::text[]) AS signature`,
    [FUNCTIONS.map(signatureOf)],
  );
  return rows[0]?.are ?? false;
}
