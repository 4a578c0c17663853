import { Prisma } from '../../../generated/prisma/client.ts';

const MAX_AGE_MS = 1_000;

/** Reads which accounts have webhooks, of those whose node answers. */
export interface WebhookReader {
  /** Returns those of now. */
  readWebhookAccounts(): Promise<readonly string[]>;
  /** Returns them as they were up to 1 s ago. */
  findWebhookAccounts(): Promise<readonly string[]>;
}

/** @param readEach runs a statement on each shard whose node answers */
export function createWebhookReader(
  readEach: <Row extends object>(read: (place: string) => Prisma.Sql) => Promise<readonly Row[]>,
): WebhookReader {
  let found: Promise<readonly string[]> = Promise.resolve([]);
  let isReading = false;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function readAll(): Promise<readonly string[]> {
    const rows = await readEach<{ readonly accountId: string }>(
      (place) => Prisma.sql`SELECT DISTINCT "accountId" FROM "webhooks_of_shard"(${place})`,
    );
    return rows.map(({ accountId }) => accountId);
  }

  return {
    readWebhookAccounts: readAll,
    findWebhookAccounts() {
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
