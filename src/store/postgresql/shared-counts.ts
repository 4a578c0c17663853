import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import { createBatcher } from '../performance/batcher.ts';

/** Counters per minute that all gateways on one database share. */
export interface SharedCounts {
  /** Adds to a counter. A caller waits for the result before it adds to the same counter again. */
  add(key: string, amount: number): Promise<SharedCount>;
}

export interface SharedCount {
  readonly used: number;
  readonly msLeft: number;
}

const WINDOW_S = 60;
/**
 * Longest duration of a statement. A window that ends later than a new one would, by more than this, started before the
 * clock of the database was set back, and counts as over.
 */
const MAX_STATEMENT_S = 10;
const TRIM_INTERVAL_MS = 60_000;

const isOpen = Prisma.sql`(
  q."endsAt" > now() AT TIME ZONE 'utc'
  AND q."endsAt" < excluded."endsAt" + ${MAX_STATEMENT_S}::int * interval '1 second')`;

export function openSharedCounts(client: PrismaClient): SharedCounts {
  let trimmedAt = performance.now();

  async function trim(): Promise<void> {
    if (performance.now() - trimmedAt < TRIM_INTERVAL_MS) return;
    trimmedAt = performance.now();
    // a row that another gateway has locked is used again
    await client.$executeRaw`
      DELETE FROM "Quota" WHERE "key" IN (
        SELECT "key" FROM "Quota" WHERE "endsAt" < (now() AT TIME ZONE 'utc') - interval '1 minute' FOR UPDATE SKIP LOCKED
      )`;
  }

  /** The order of the keys prevents two gateways from waiting for each other's rows. */
  async function addAll(
    additions: readonly { readonly key: string; readonly amount: number }[],
  ): Promise<readonly SharedCount[]> {
    const sorted = additions.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    await trim();
    const rows = await client.$queryRaw<(SharedCount & { readonly key: string })[]>`
      INSERT INTO "Quota" AS q ("key", "used", "endsAt")
      SELECT "key", "amount", (now() AT TIME ZONE 'utc') + ${WINDOW_S}::int * interval '1 second'
      FROM unnest(${sorted.map(({ key }) => key)}::text[], ${sorted.map(({ amount }) => amount)}::int[])
        AS added ("key", "amount")
      ON CONFLICT ("key") DO UPDATE SET
        "used" = excluded."used" + CASE WHEN ${isOpen} THEN q."used" ELSE 0 END,
        "endsAt" = CASE WHEN ${isOpen} THEN q."endsAt" ELSE excluded."endsAt" END
      RETURNING "key", "used",
        floor(extract(epoch FROM "endsAt" - now() AT TIME ZONE 'utc') * 1000)::int AS "msLeft"`;
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return additions.map(({ key }) => byKey.get(key) as SharedCount);
  }

  const add = createBatcher(addAll, { keyOf: ({ key }) => key });
  return { add: (key, amount) => add({ key, amount }) };
}
