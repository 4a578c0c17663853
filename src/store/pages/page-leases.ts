import { MAX_CLOCK_SKEW_MS, msUntil } from '../../domain/clock.ts';
import { FRESH_MS } from '../../domain/page-copy.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';

/** The right of one process to fetch a page. It is renewed until it is released. */
export interface PageLease {
  release(): Promise<void>;
}

/** Time after which another process may fetch a page whose process was killed. */
const LEASE_MS = 4_000;
const RENEWAL_INTERVAL_MS = 1_000;
/** A page that was never fetched. */
export const NEVER = new Date(0);

export function isLeased({ leaseUntil }: { readonly leaseUntil: Date | null }, now: Date): boolean {
  return leaseUntil !== null && msUntil(leaseUntil, now, LEASE_MS) > 0;
}

/**
 * See `PageStore.lease`.
 * @param now the clock of all gateways
 */
export function openPageLeases(client: PrismaClient, now: () => Date) {
  const nextEnd = () => new Date(now().getTime() + LEASE_MS);

  async function acquire(pageUrl: string, until: Date, isRefresh: boolean): Promise<boolean> {
    const present = now();
    // a gateway of an earlier version writes an article without its state
    const isStale = isRefresh
      ? Prisma.empty
      : Prisma.sql`AND (${isOver('freshUntil', present, FRESH_MS)} OR (p."fetchedAt" IS NOT NULL AND p."state" IS NULL))`;
    const count = await client.$executeRaw`
      INSERT INTO "Page" AS p ("pageUrl", "freshUntil", "bytes", "leaseUntil")
      VALUES (${pageUrl}, ${NEVER}, 0, ${until})
      ON CONFLICT ("pageUrl") DO UPDATE SET "leaseUntil" = ${until}
      WHERE (p."leaseUntil" IS NULL OR ${isOver('leaseUntil', present, LEASE_MS)}) ${isStale}`;
    return count === 1;
  }

  return async function lease(pageUrl: string, { isRefresh = false } = {}): Promise<PageLease | null> {
    let until = nextEnd();
    if (!(await acquire(pageUrl, until, isRefresh))) return null;

    /** Has no effect after another process has taken over. */
    async function change(leaseUntil: Date | null): Promise<boolean> {
      const where = { pageUrl, leaseUntil: until };
      const { count } = await client.page.updateMany({ where, data: { leaseUntil } });
      return count === 1;
    }

    let renewing = Promise.resolve();
    async function renew(): Promise<void> {
      const next = nextEnd();
      // a renewal that fails leaves the lease to expire: another process may then fetch the page too
      if (await change(next).catch(() => false)) until = next;
    }
    const timer = setInterval(() => {
      renewing = renewing.then(renew);
    }, RENEWAL_INTERVAL_MS);
    timer.unref();
    return {
      async release() {
        clearInterval(timer);
        await renewing;
        await change(null);
      },
    };
  };
}

/** As {@link msUntil}: a time that is too far ahead counts as passed. */
function isOver(column: 'freshUntil' | 'leaseUntil', now: Date, longestMs: number): Prisma.Sql {
  const name = Prisma.raw(`p."${column}"`);
  return Prisma.sql`(${name} <= ${now} OR ${name} > ${new Date(now.getTime() + longestMs + MAX_CLOCK_SKEW_MS)})`;
}
