import type pg from 'pg';
import { Prisma } from '../../../generated/prisma/client.ts';

/**
 * A function that runs on the node of an account, and reads the webhooks of its shard, whatever their account: a statement over
 * all shards would fail while one node is away. Its argument is any text with the hash of an account of the shard.
 */
const FUNCTION = `
  CREATE OR REPLACE FUNCTION "webhooks_of_shard"("place" text) RETURNS SETOF "Webhook" LANGUAGE plpgsql STABLE AS $body$
  BEGIN
    RETURN QUERY EXECUTE
      format('SELECT * FROM %I', 'Webhook_' || get_shard_id_for_distribution_column('"Webhook"', "place"));
  END $body$`;
const NAME = 'webhooks_of_shard(text)';

export async function installWebhookLookup(connection: pg.Client): Promise<void> {
  await connection.query(FUNCTION);
  const values = [NAME, 'place', '"Webhook"'];
  await connection.query('SELECT create_distributed_function($1, $2, colocate_with => $3)', values);
}

export async function hasWebhookLookup(connection: pg.Client): Promise<boolean> {
  const { rows } = await connection.query<{ is: boolean }>(`SELECT to_regprocedure('${NAME}') IS NOT NULL AS is`);
  return rows[0]?.is ?? false;
}

/** @param place a text that the database places on the shard */
export function readWebhooksOfShard(place: string): Prisma.Sql {
  return Prisma.sql`
    SELECT "accountId", "id", "url", "events", "secret", "previousSecret", "previousSecretUntil", "createdAt", "failingSince",
      "disabledAt", "disabledReason"
    FROM "webhooks_of_shard"(${place})`;
}
