import type pg from 'pg';
import { Prisma, type Webhook } from '../../../generated/prisma/client.ts';
import { ignoreUnavailable } from '../../database-errors.ts';
import type { Shard } from './shard-map.ts';

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

function readWebhooksOfShard(place: string): Prisma.Sql {
  return Prisma.sql`
    SELECT "accountId", "id", "url", "events", "secret", "previousSecret", "previousSecretUntil", "createdAt", "failingSince",
      "disabledAt", "disabledReason"
    FROM "webhooks_of_shard"(${place})`;
}

const MAX_AGE_MS = 1_000;

/** Reads the webhooks of all accounts whose node answers. */
export interface WebhookReader {
  /** Returns those of now. */
  readWebhooks(): Promise<readonly Webhook[]>;
  /** Returns them as they were up to 1 s ago. */
  findWebhooks(): Promise<readonly Webhook[]>;
}

export function createWebhookReader(
  shards: () => readonly Shard[],
  read: (shard: Shard, statement: Prisma.Sql) => Promise<readonly Webhook[]>,
): WebhookReader {
  let found: Promise<readonly Webhook[]> = Promise.resolve([]);
  let isReading = false;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function readAll(): Promise<readonly Webhook[]> {
    const parts = shards().map(async (shard) => {
      if (shard.place === null) throw new Error(`the shard ${shard.lowestHash} has too few hashes for webhooks`);
      return read(shard, readWebhooksOfShard(shard.place)).catch(ignoreUnavailable);
    });
    return (await Promise.all(parts)).flat();
  }

  return {
    readWebhooks: readAll,
    findWebhooks() {
      // reads that wait for a node do not pile up
      if (!isReading && performance.now() - readAtMs > MAX_AGE_MS) {
        isReading = true;
        found = readAll().finally(() => {
          isReading = false;
          readAtMs = performance.now();
        });
      }
      return found;
    },
  };
}
