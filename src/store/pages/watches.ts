import { MAX_CLOCK_SKEW_MS } from '../../domain/clock.ts';
import {
  intervalAfter,
  MAX_HOST_PAUSE_MS,
  MAX_INTERVAL_MS,
  MAX_WATCHES,
  nextCheckAt,
  type PageCheck,
} from '../../domain/watch.ts';
import { refuseFaults } from '../../errors.ts';
import { Prisma, type Watch } from '../../generated/prisma/client.ts';
import type { Engine } from '../engine.ts';
import type { PageStore } from '../pages.ts';
import { insertIfAbsent } from '../prisma/errors.ts';

export type DueWatch = Pick<Watch, 'accountId' | 'embedId' | 'pageUrl' | 'host'>;

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
  /** Deletes hosts that are free since an hour. Makes checks due whose time was set before the clock was moved back. */
  trim(): Promise<void>;
}

/** Time after which another gateway may fetch from the host of a process that was killed. */
const LEASE_MS = 5_000;
const RETRY_MS = 60_000;
const KEPT_HOST_MS = 3_600_000;
/** Hosts of one statement. More are not busy at once. */
const MAX_HOSTS = 1_000;

export function openWatches({ client, shards, executor, now }: Engine, pages: PageStore): WatchStore {
  const { watch: watches, watchedHost: hosts } = client;
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  const longest = () => inMs(MAX_HOST_PAUSE_MS + MAX_CLOCK_SKEW_MS);

  /** Returns due watches, the oldest first, except those of some hosts. */
  async function readDue(take: number, busy: readonly string[]): Promise<readonly DueWatch[]> {
    if (!shards) {
      const select = { accountId: true, embedId: true, pageUrl: true, host: true };
      const where = { dueAt: { lte: now() }, host: { notIn: [...busy] } };
      return watches.findMany({ where, select, orderBy: { dueAt: 'asc' }, take });
    }
    const due = now().toISOString();
    const rows = await shards.readEach<DueWatch & Pick<Watch, 'dueAt'>>(
      (place) => Prisma.sql`
        SELECT "accountId", "embedId", "pageUrl", "host", "dueAt"
        FROM "due_watches_of_shard"(${place}, ${due}::timestamp, ${busy}::text[], ${take}::int)`,
    );
    return rows.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime()).slice(0, take);
  }

  /** Runs work on all watches of a page: on a cluster, for the accounts of one shard at a time, whose node answers. */
  async function forEachPart(pageUrl: string, work: (where: Prisma.WatchWhereInput) => Promise<void>): Promise<void> {
    if (!shards) return work({ pageUrl });
    const rows = await shards.readEach<Pick<Watch, 'accountId'>>(
      (place) => Prisma.sql`SELECT DISTINCT "accountId" FROM "watches_of_page_in_shard"(${place}, ${pageUrl})`,
    );
    const accountIds = rows.map(({ accountId }) => accountId);
    await shards.forEachShard(accountIds, 'requests', async (ids) => {
      await work({ pageUrl, accountId: { in: [...ids] } });
      return [];
    });
  }

  return {
    async requireRoom(accountId, embedId = '') {
      const others = { accountId, embedId: { not: embedId } };
      const count = await executor.runRequest(accountId, () => watches.count({ where: others, take: MAX_WATCHES }));
      const message = `must not be set, because the account watches ${MAX_WATCHES.toLocaleString('en')} embeds already`;
      if (count >= MAX_WATCHES) throw refuseFaults([{ path: 'watch', message }]);
    },

    async findDue(take) {
      const first = await readDue(take, []);
      if (first.length === 0) return first;
      const where = { freeAt: { gt: now(), lte: longest() } };
      const rows = await hosts.findMany({ where, take: MAX_HOSTS });
      const busy = rows.map(({ host }) => host);
      return first.some(({ host }) => busy.includes(host)) ? readDue(take, busy) : first;
    },

    async place({ accountId, embedId, pageUrl: before }, pageUrl, host) {
      const where = { accountId, embedId, pageUrl: before };
      await watches.updateMany({ where, data: { pageUrl, host } });
    },

    async leaseHost(host) {
      const freeAt = inMs(LEASE_MS);
      const where = { host, OR: [{ freeAt: { lte: now() } }, { freeAt: { gt: longest() } }] };
      const { count } = await hosts.updateMany({ where, data: { freeAt } });
      return count === 1 || insertIfAbsent(hosts.create({ data: { host, freeAt } }));
    },

    async freeHosts(names, afterMs = LEASE_MS) {
      const where = { host: { in: [...names] } };
      await hosts.updateMany({ where, data: { freeAt: inMs(afterMs) } });
    },

    async schedule(pageUrl, check) {
      if (check) await pages.recordRefusal(pageUrl, check.refusal);
      await forEachPart(pageUrl, async (where) => {
        if (!check) {
          await watches.updateMany({ where, data: { dueAt: inMs(RETRY_MS) } });
          return;
        }
        const by = ['watch', 'intervalMs', 'seen'] as const;
        const groups = await watches.groupBy({ by: [...by], where });
        // unchanged groups first, the longest interval first: no updated row matches a later group
        const isOther = ({ seen }: (typeof groups)[number]) => Number(seen !== check.digest);
        for (const group of groups.sort((a, b) => isOther(a) - isOther(b) || b.intervalMs - a.intervalMs)) {
          const { watch, seen } = group;
          const isChanged = seen === null || check.isUnreachable ? null : seen !== check.digest;
          const intervalMs = intervalAfter(watch, group.intervalMs, isChanged);
          const data = { intervalMs, dueAt: nextCheckAt(now(), intervalMs, check.isUnreachable) };
          const seenNow = check.isUnreachable ? seen : check.digest;
          await watches.updateMany({ where: { ...where, ...group }, data: { ...data, seen: seenNow } });
        }
      });
    },

    async trim() {
      await hosts.deleteMany({ where: { freeAt: { lt: inMs(-KEPT_HOST_MS) } } });
      const latest = inMs(MAX_INTERVAL_MS + MAX_CLOCK_SKEW_MS);
      if (!shards) {
        await watches.updateMany({ where: { dueAt: { gt: latest } }, data: { dueAt: now() } });
        return;
      }
      const [after, due] = [latest, now()].map((time) => Prisma.sql`${time.toISOString()}::timestamp`);
      await shards.readEach(
        (place) => Prisma.sql`SELECT count(*) FROM "advance_watches_of_shard"(${place}, ${after}, ${due})`,
      );
    },
  };
}
