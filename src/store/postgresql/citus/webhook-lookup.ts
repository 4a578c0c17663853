import { Prisma, type Webhook } from '../../../generated/prisma/client.ts';

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

/** @param readEach runs a statement on each shard whose node answers */
export function createWebhookReader(
  readEach: (read: (place: string) => Prisma.Sql) => Promise<readonly Webhook[]>,
): WebhookReader {
  let found: Promise<readonly Webhook[]> = Promise.resolve([]);
  let isReading = false;
  let readAtMs = Number.NEGATIVE_INFINITY;

  const readAll = () => readEach(readWebhooksOfShard);

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
