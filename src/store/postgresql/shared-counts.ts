import { Prisma, type PrismaClient } from '../../generated/postgresql/client.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';

/** Counters per minute that all gateways on one database share. */
export interface SharedCounts {
  add(key: string, amount: number): Promise<SharedCount>;
}

export interface SharedCount {
  readonly used: number;
  /** End of the minute in milliseconds, by the clock of the database. It identifies the minute. */
  readonly endsAt: number;
  readonly msLeft: number;
}

const WINDOW_S = 60;
/**
 * Longest duration of a statement. A window that ends later than a new one would, by more than this, started before the
 * clock of the database was set back, and counts as over.
 */
const MAX_STATEMENT_S = 10;
const PURGE_EVERY_MS = 60_000;

const isOpen = Prisma.sql`(
  q."endsAt" > now() AT TIME ZONE 'utc'
  AND q."endsAt" < excluded."endsAt" + ${MAX_STATEMENT_S}::int * interval '1 second')`;

export function openSharedCounts(client: PrismaClient): SharedCounts {
  let purgedAt = performance.now();

  async function purge(): Promise<void> {
    if (performance.now() - purgedAt < PURGE_EVERY_MS) return;
    purgedAt = performance.now();
    await client.$executeRaw`DELETE FROM "Quota" WHERE "endsAt" < (now() AT TIME ZONE 'utc') - interval '1 minute'`;
  }

  return {
    async add(key, amount) {
      const rows = await mapDatabaseErrors(async () => {
        await purge();
        return client.$queryRaw<{ used: number; endsAt: Date; msLeft: number }[]>`
          INSERT INTO "Quota" AS q ("key", "used", "endsAt")
          VALUES (${key}, ${amount}::int, (now() AT TIME ZONE 'utc') + ${WINDOW_S}::int * interval '1 second')
          ON CONFLICT ("key") DO UPDATE SET
            "used" = excluded."used" + CASE WHEN ${isOpen} THEN q."used" ELSE 0 END,
            "endsAt" = CASE WHEN ${isOpen} THEN q."endsAt" ELSE excluded."endsAt" END
          RETURNING "used", "endsAt", floor(extract(epoch FROM "endsAt" - now() AT TIME ZONE 'utc') * 1000)::int AS "msLeft"`;
      });
      const { used = amount, endsAt = new Date(), msLeft = WINDOW_S * 1_000 } = rows[0] ?? {};
      return { used, endsAt: endsAt.getTime(), msLeft };
    },
  };
}
