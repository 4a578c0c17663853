import { Prisma } from '../../../generated/prisma/client.ts';

const MAX_AGE_MS = 1_000;

export type WebhookReader = ReturnType<typeof createWebhookReader>;

/**
 * Creates functions that find the accounts with webhooks. They omit accounts whose node does not answer.
 * @param readEach runs a statement on each shard whose node answers
 */
export function createWebhookReader(
  readEach: <Row extends object>(read: (place: string) => Prisma.Sql) => Promise<readonly Row[]>,
) {
  let found: Promise<readonly string[]> = Promise.resolve([]);
  let isReading = false;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function readWebhookAccounts(): Promise<readonly string[]> {
    const rows = await readEach<{ readonly accountId: string }>(
      (place) => Prisma.sql`SELECT DISTINCT "accountId" FROM "webhooks_of_shard"(${place})`,
    );
    return rows.map(({ accountId }) => accountId);
  }

  return {
    readWebhookAccounts,
    /** Returns them as they were up to 1 s ago. */
    findWebhookAccounts() {
      // reads that wait for a node do not pile up
      if (!isReading && performance.now() - readAtMs > MAX_AGE_MS) {
        isReading = true;
        found = readWebhookAccounts().finally(() => {
          isReading = false;
          readAtMs = performance.now();
        });
      }
      return found;
    },
  };
}
