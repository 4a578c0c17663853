import { MAX_CLOCK_SKEW_MS } from '../../domain/clock.ts';
import { intervalAfter, MAX_WATCHES, nextCheckAt } from '../../domain/watch.ts';
import { refuseFaults } from '../../errors.ts';
import type { PrismaClient, Watch } from '../../generated/prisma/client.ts';
import type { Shards } from '../postgresql/citus/shards.ts';
import { isDuplicate, mapDatabaseErrors } from '../prisma/errors.ts';
import { NEVER } from './page-leases.ts';

export type DueWatch = Pick<Watch, 'accountId' | 'embedId' | 'pageUrl' | 'host'>;

/** The last check of a page. */
export interface PageCheck {
  /** A digest of what the page shows. */
  readonly digest: string;
  readonly isUnreachable: boolean;
  /** Why the page may not be checked; null if it was. */
  readonly refusal: string | null;
}

/** The watched pages of all embeds. Triggers of `Embed` add and remove them. */
export interface WatchStore {
  /** @throws {Refusal} `invalid` if the account watches the maximum, without the embed itself */
  requireRoom(accountId: string, embedId?: string): Promise<void>;
  /** Returns watches whose time has come, of hosts from which no gateway fetches now, the oldest first. */
  findDue(limit: number): Promise<readonly DueWatch[]>;
  /** Adds the URL under which the page is stored, and its host. */
  place(watch: DueWatch, pageUrl: string, host: string): Promise<void>;
  /** Returns whether this process may now fetch from the host, until the lease ends or {@link freeHosts} changes its end. */
  leaseHost(host: string): Promise<boolean>;
  /** Renews the leases of hosts, or ends them after this time. */
  freeHosts(hosts: readonly string[], afterMs?: number): Promise<void>;
  /** Chooses the next checks of a page for all its embeds. Null if it was not checked: it is tried again after a minute. */
  schedule(pageUrl: string, check: PageCheck | null): Promise<void>;
  /** Deletes hosts that are free since an hour. */
  trim(): Promise<void>;
}

/** Time after which another gateway may fetch from the host of a process that was killed. */
const LEASE_MS = 5_000;
const RETRY_MS = 60_000;
const KEPT_HOST_MS = 3_600_000;
/** Hosts of one statement. More are not busy at once. */
const MAX_HOSTS = 1_000;

/**
 * @param now the clock of all gateways
 * @param shards null if there are no shards
 */
export function openWatches(
  client: PrismaClient,
  now: () => Date,
  shards: Pick<Shards, 'runRequest'> | null,
): WatchStore {
  const { watch: watches, watchedHost: hosts } = client;
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  const longest = () => inMs(LEASE_MS + MAX_CLOCK_SKEW_MS);

  /** Adds the row of a page that was never fetched. */
  async function saveRefusal(pageUrl: string, refusal: string | null): Promise<void> {
    if (refusal === null) {
      const where = { pageUrl, watchRefusal: { not: null } };
      await mapDatabaseErrors(() => client.page.updateMany({ where, data: { watchRefusal: null } }));
      return;
    }
    await mapDatabaseErrors(
      () => client.$executeRaw`
        INSERT INTO "Page" AS p ("pageUrl", "freshUntil", "bytes", "watchRefusal")
        VALUES (${pageUrl}, ${NEVER}, 0, ${refusal})
        ON CONFLICT ("pageUrl") DO UPDATE SET "watchRefusal" = ${refusal}`,
    );
  }

  return {
    async requireRoom(accountId, embedId = '') {
      const countOthers = () =>
        mapDatabaseErrors(() => watches.count({ where: { accountId, embedId: { not: embedId } }, take: MAX_WATCHES }));
      const count = await (shards?.runRequest(accountId, countOthers) ?? countOthers());
      const message = `must not be set, because the account watches ${MAX_WATCHES.toLocaleString('en')} embeds already`;
      if (count >= MAX_WATCHES) throw refuseFaults([{ path: 'watch', message }]);
    },

    async findDue(take) {
      const select = { accountId: true, embedId: true, pageUrl: true, host: true };
      const query = { where: { dueAt: { lte: now() } }, select, orderBy: { dueAt: 'asc' as const }, take };
      const first = await mapDatabaseErrors(() => watches.findMany(query));
      if (first.length === 0) return first;
      const where = { freeAt: { gt: now(), lte: longest() } };
      const rows = await mapDatabaseErrors(() => hosts.findMany({ where, take: MAX_HOSTS }));
      const busy = rows.map(({ host }) => host);
      if (!first.some(({ host }) => busy.includes(host))) return first;
      const ofFree = { ...query.where, host: { notIn: busy } };
      return mapDatabaseErrors(() => watches.findMany({ ...query, where: ofFree }));
    },

    async place({ accountId, embedId, pageUrl: before }, pageUrl, host) {
      const where = { accountId, embedId, pageUrl: before };
      await mapDatabaseErrors(() => watches.updateMany({ where, data: { pageUrl, host } }));
    },

    async leaseHost(host) {
      const freeAt = inMs(LEASE_MS);
      const where = { host, OR: [{ freeAt: { lte: now() } }, { freeAt: { gt: longest() } }] };
      const { count } = await mapDatabaseErrors(() => hosts.updateMany({ where, data: { freeAt } }));
      if (count === 1) return true;
      try {
        await mapDatabaseErrors(() => hosts.create({ data: { host, freeAt } }));
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },

    async freeHosts(names, afterMs = LEASE_MS) {
      const where = { host: { in: [...names] } };
      await mapDatabaseErrors(() => hosts.updateMany({ where, data: { freeAt: inMs(afterMs) } }));
    },

    async schedule(pageUrl, check) {
      if (!check) {
        await mapDatabaseErrors(() => watches.updateMany({ where: { pageUrl }, data: { dueAt: inMs(RETRY_MS) } }));
        return;
      }
      await saveRefusal(pageUrl, check.refusal);
      const by = ['watch', 'intervalMs', 'seen'] as const;
      const groups = await mapDatabaseErrors(() => watches.groupBy({ by: [...by], where: { pageUrl } }));
      for (const group of groups) {
        const { watch, seen } = group;
        const isChanged = seen === null || check.isUnreachable ? null : seen !== check.digest;
        const intervalMs = intervalAfter(watch, group.intervalMs, isChanged);
        const data = { intervalMs, dueAt: nextCheckAt(now(), intervalMs, check.isUnreachable) };
        const seenNow = check.isUnreachable ? seen : check.digest;
        await mapDatabaseErrors(() =>
          watches.updateMany({ where: { pageUrl, ...group }, data: { ...data, seen: seenNow } }),
        );
      }
    },

    async trim() {
      await mapDatabaseErrors(() => hosts.deleteMany({ where: { freeAt: { lt: inMs(-KEPT_HOST_MS) } } }));
    },
  };
}
