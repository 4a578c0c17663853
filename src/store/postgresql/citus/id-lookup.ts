import type pg from 'pg';
import type { Embed } from '../../../domain/embed/embed.ts';
import { ID_DIGITS } from '../../../domain/embed/id.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { EMBED_COLUMNS } from '../../embeds/sql.ts';
import { createBatcher } from '../../performance/batcher.ts';
import { transact } from '../connection.ts';
import type { EmbedKey, Statements } from '../statements.ts';

/** The ids of one lookup. */
export const MAX_ROWS = 64;

/**
 * A function that runs on the node of an account, and reads embeds of its shard, whatever their account: no statement over
 * the distributed table can name a shard. Its first argument is any text with the hash of an account of the shard.
 */
const SHARD_FUNCTION = `
  CREATE OR REPLACE FUNCTION "embeds_of_shard"("place" text, "ids" text[]) RETURNS SETOF "Embed"
  LANGUAGE plpgsql STABLE AS $body$
  BEGIN
    RETURN QUERY EXECUTE
      format('SELECT * FROM %I WHERE "id" = ANY($1)', 'Embed_' || get_shard_id_for_distribution_column('"Embed"', "place"))
      USING "ids";
  END $body$`;
const SHARD_FUNCTION_NAME = 'embeds_of_shard(text, text[])';
const SHARD_FUNCTION_EXISTS = `to_regprocedure('${SHARD_FUNCTION_NAME}')`;

/** The accounts of embeds whose ids do not name them: older versions made them, and `embed-gateway copy` brought them here. */
const OLD_IDS = `
  CREATE TABLE "OldEmbedId" (
    "id" TEXT COLLATE "C" NOT NULL, "accountId" TEXT COLLATE "C" NOT NULL, PRIMARY KEY ("id", "accountId")
  )`;
export const OLD_IDS_TABLE = 'OldEmbedId';
const OLD_IDS_EXIST = `to_regclass('"${OLD_IDS_TABLE}"')`;

/** The last characters of the ids of an account, as `accountCodeOf` computes them. */
const CODE_OF_ACCOUNT = [27, 22]
  .map((shift) => `substr('${ID_DIGITS}', ((hashtext("accountId") >> ${shift}) & 31) + 1, 1)`)
  .join(' || ');

/** Creates what finds embeds by their ids alone. Reads all embeds if a version without these has distributed the database. */
export async function installIdLookup(connection: pg.Client): Promise<void> {
  await connection.query(SHARD_FUNCTION);
  await connection.query('SELECT create_distributed_function($1, $2, colocate_with => $3)', [
    SHARD_FUNCTION_NAME,
    'place',
    '"Embed"',
  ]);
  if (await exists(connection, OLD_IDS_EXIST)) return;
  await transact(connection, 'BEGIN', async () => {
    await connection.query(OLD_IDS);
    await connection.query(
      `INSERT INTO "${OLD_IDS_TABLE}" SELECT "id", "accountId" FROM "Embed" WHERE right("id", 2) <> ${CODE_OF_ACCOUNT}`,
    );
  });
}

export async function hasIdLookup(connection: pg.Client): Promise<boolean> {
  return (await exists(connection, SHARD_FUNCTION_EXISTS)) && (await exists(connection, OLD_IDS_EXIST));
}

async function exists(connection: pg.Client, expression: string): Promise<boolean> {
  const { rows } = await connection.query<{ exists: boolean }>(`SELECT ${expression} IS NOT NULL AS exists`);
  return rows[0]?.exists ?? false;
}

/** @param place a text that the database places on the shard */
export function readOfShard(ids: readonly Embed['id'][], place: string): Prisma.Sql {
  return Prisma.sql`SELECT ${EMBED_COLUMNS} FROM "embeds_of_shard"(${place}, ${[...ids]}::text[]) AS e`;
}

export function readOfAllShards(ids: readonly Embed['id'][]): Prisma.Sql {
  return Prisma.sql`SELECT ${EMBED_COLUMNS} FROM "Embed" AS e WHERE e."id" = ANY(${[...ids]}::text[])`;
}

/** Creates what finds embeds whose ids do not name their accounts. @param query runs a statement */
export function createOldIdLookup(query: Statements['all']) {
  const readAccounts = createBatcher(
    async (ids: readonly Embed['id'][]) => {
      const rows = await query<Pick<Embed, 'id' | 'accountId'>>(
        Prisma.sql`SELECT "id", "accountId" FROM "OldEmbedId" WHERE "id" = ANY(${[...ids]}::text[])`,
      );
      const byId = Map.groupBy(rows, ({ id }) => id);
      return ids.map((id) => byId.get(id)?.map(({ accountId }) => accountId) ?? []);
    },
    { maxBatchSize: MAX_ROWS },
  );

  return async (id: Embed['id'], read: (key: EmbedKey) => Promise<Embed | null>): Promise<Embed | null> => {
    for (const accountId of await readAccounts(id)) {
      const embed = await read({ id, accountId });
      if (embed) return embed;
    }
    return null;
  };
}

export function insertOldIds(embeds: readonly Pick<Embed, 'id' | 'accountId'>[]): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO "OldEmbedId" SELECT * FROM unnest(
      ${embeds.map(({ id }) => id)}::text[], ${embeds.map(({ accountId }) => accountId)}::text[]
    ) ON CONFLICT DO NOTHING`;
}
