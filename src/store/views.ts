import { LRUCache } from 'lru-cache';
import { bytesOfEntry, CACHE_BYTES, entriesIn } from '../cache-bytes.ts';
import {
  ALL_EMBEDS,
  addDays,
  dayOf,
  MAX_VIEW_DAYS,
  OTHER,
  type ViewCount,
  type ViewRange,
  type ViewStatistics,
} from '../domain/views.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { Log } from '../log.ts';
import type { Engine } from './engine.ts';
import { createBatcher } from './performance/batcher.ts';
import { createDelayedWriter } from './performance/delayed-writer.ts';
import { changeAll, MAX_CHANGED } from './performance/partial-changes.ts';

/** Sites of one embed, and of all embeds of an account, in a calendar month. Further ones are counted as {@link OTHER}. */
const MAX_SITES = 100;
/** Sites that a list by site names. A range can have those of 14 months. */
const MAX_LISTED_SITES = 100;

const WRITE_DELAY_MS = 2_000;
const MAX_WRITTEN = 100;
const MAX_PENDING = 5_000;
/** Embeds of one statement. */
const MAX_FOUND = 100;

export interface ViewStore {
  /** Adds to the counts of an embed and of its account, within 2 s. Reads without views are ignored. */
  add(count: ViewCount): void;
  /** Includes all views that this process has counted, and none of more than 400 days. @param embedId {@link ALL_EMBEDS} for the account */
  find(accountId: string, embedId: string, range: ViewRange): Promise<ViewStatistics>;
  /** Deletes the counts of an embed in the background. What a crash leaves is deleted after 400 days. */
  forget(embed: EmbedKey): void;
  /** Writes the counts that wait. */
  close(): Promise<void>;
}

type EmbedKey = Pick<ViewCount, 'accountId' | 'embedId'>;

interface Search extends ViewRange, EmbedKey {}

interface Group extends Pick<ViewCount, 'embedId' | 'views' | 'reads'> {
  readonly key: string;
}

export function openViews({ client, executor, now }: Engine, log: Log): ViewStore {
  const { runStatement, runRequest } = executor;
  const oldestDay = () => addDays(dayOf(now()), 1 - MAX_VIEW_DAYS);
  /** The day on which old rows of an account were last deleted. */
  const trimmedOn = new LRUCache<string, string>({ max: entriesIn(CACHE_BYTES.viewedAccounts) });
  const chooseSites = createSiteLimit(client);

  let trimming: Promise<void> = Promise.resolve();

  /** Deletes the old rows of accounts that are viewed or read, once a day for each, in the background. */
  function startTrimming(accountIds: Iterable<string>): void {
    const today = dayOf(now());
    for (const accountId of accountIds) {
      if (trimmedOn.get(accountId) === today) continue;
      trimmedOn.set(accountId, today);
      trimming = trimming
        .then(() => trim(accountId))
        .catch((error) => log.warn({ reason: String(error) }, 'old views could not be deleted'));
    }
  }

  async function trim(accountId: string): Promise<void> {
    const isOld = Prisma.sql`"accountId" = ${accountId} AND "day" < ${oldestDay()}`;
    await runStatement(accountId, () => deleteRows(client, isOld));
  }

  const counts = createDelayedWriter<ViewCount>({
    name: 'views',
    delayMs: WRITE_DELAY_MS,
    maxWritten: MAX_WRITTEN,
    maxPending: MAX_PENDING,
    merge: addUp,
    write: async (rows) => insertRows(client, await chooseSites(rows)),
    // new views are written meanwhile
    onWritten: async (accountIds) => startTrimming(accountIds),
    log,
    executor,
  });
  const deletions = createDelayedWriter<EmbedKey>({
    name: 'deletions of views',
    delayMs: WRITE_DELAY_MS,
    maxWritten: MAX_WRITTEN,
    maxPending: MAX_PENDING,
    write: (keys) => deleteRows(client, isOneOf(keys)),
    log,
    executor,
  });
  const findGroups = createBatcher((searches: readonly Search[]) => readGroups(client, searches), {
    maxBatchSize: MAX_FOUND,
    keyOf: ({ accountId, embedId, from, to, by }: Search) => `${accountId} ${embedId} ${from} ${to} ${by}`,
    groupOf: ({ accountId, from, to, by }) => `${accountId} ${from} ${to} ${by}`,
  });

  return {
    add(count) {
      const ofAll = { ...count, embedId: ALL_EMBEDS };
      counts.add(keyOf(count), count);
      counts.add(keyOf(ofAll), ofAll);
    },

    async find(accountId, embedId, range) {
      await counts.flush();
      startTrimming([accountId]);
      const from = range.from > oldestDay() ? range.from : oldestDay();
      const groups = await runRequest(accountId, () => findGroups({ accountId, embedId, ...range, from }));
      return { ...totalOf(groups), groups: range.by === 'SITE' ? listSites(groups) : groups };
    },

    forget: (key) => deletions.add(key.embedId, key),

    async close() {
      await counts.close();
      await deletions.close();
      await trimming;
    },
  };
}

const keyOf = ({ accountId, embedId, day, site }: ViewCount) => `${accountId} ${embedId} ${day} ${site}`;

function addUp(a: ViewCount, b: ViewCount): ViewCount {
  return { ...a, views: a.views + b.views, reads: a.reads + b.reads };
}

/** Creates a function that counts the sites above the maximum of an embed and month as {@link OTHER}. */
function createSiteLimit(client: PrismaClient): (rows: readonly ViewCount[]) => Promise<readonly ViewCount[]> {
  /** The sites in the table, by embed and month. */
  const known = new LRUCache<string, Set<string>>({
    maxSize: CACHE_BYTES.viewSites,
    sizeCalculation: (sites) => bytesOfEntry(...sites),
  });
  const monthOf = ({ accountId, embedId, day }: ViewCount) => `${accountId} ${embedId} ${day.slice(0, 7)}`;

  async function readSites(rows: readonly ViewCount[]): Promise<ReadonlyMap<string, readonly ViewCount[]>> {
    const first = rows.map(({ day }) => day.slice(0, 7)).reduce((a, b) => (a < b ? a : b));
    const found = await client.$queryRaw<ViewCount[]>`
      SELECT DISTINCT "accountId", "embedId", substr("day", 1, 7) AS "day", "site" FROM "ViewCount"
      WHERE ${isOneOf(rows)} AND "day" >= ${`${first}-01`} AND "site" <> ${OTHER}`;
    return Map.groupBy(found, monthOf);
  }

  return async (rows) => {
    const sites = new Map(rows.map((row) => [monthOf(row), new Set(known.get(monthOf(row)))]));
    const sitesOf = (row: ViewCount) => sites.get(monthOf(row)) as Set<string>;
    const canBeNew = (row: ViewCount) =>
      row.site !== OTHER && !sitesOf(row).has(row.site) && sitesOf(row).size < MAX_SITES;
    // another gateway may have written them
    const unknown = rows.filter(canBeNew);
    const found = unknown.length > 0 ? await readSites(unknown) : new Map<string, readonly ViewCount[]>();
    for (const [month, set] of sites) for (const { site } of found.get(month) ?? []) set.add(site);
    const chosen = new Map<string, ViewCount>();
    for (const row of rows) {
      const isNew = canBeNew(row);
      // a read on a site without views is forged
      if (isNew && row.views === 0) continue;
      if (isNew) sitesOf(row).add(row.site);
      const placed = sitesOf(row).has(row.site) ? row : { ...row, site: OTHER };
      const other = chosen.get(keyOf(placed));
      chosen.set(keyOf(placed), other ? addUp(other, placed) : placed);
    }
    for (const [month, set] of sites) known.set(month, set);
    return [...chosen.values()];
  };
}

/** Adds to the rows. Their order prevents two gateways from waiting for each other's rows. */
async function insertRows(client: PrismaClient, rows: readonly ViewCount[]): Promise<void> {
  if (rows.length === 0) return;
  const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const values = sorted.map(({ accountId, embedId, day, site, views, reads }) => {
    return Prisma.sql`(${accountId}, ${embedId}, ${day}, ${site}, ${views}, ${reads})`;
  });
  await client.$executeRaw`
    INSERT INTO "ViewCount" ("accountId", "embedId", "day", "site", "views", "reads")
    VALUES ${Prisma.join(values)}
    ON CONFLICT ("accountId", "embedId", "day", "site") DO UPDATE SET
      "views" = "ViewCount"."views" + excluded."views", "reads" = "ViewCount"."reads" + excluded."reads"`;
}

/** Returns the condition for the rows of some embeds. */
function isOneOf(keys: readonly EmbedKey[]): Prisma.Sql {
  const accountIds = [...new Set(keys.map(({ accountId }) => accountId))];
  const embedIds = [...new Set(keys.map(({ embedId }) => embedId))];
  return Prisma.sql`"accountId" IN (${Prisma.join(accountIds)}) AND "embedId" IN (${Prisma.join(embedIds)})`;
}

function deleteRows(client: PrismaClient, condition: Prisma.Sql): Promise<void> {
  return changeAll(
    () => client.$executeRaw`
      DELETE FROM "ViewCount" WHERE ${condition} AND ("accountId", "embedId", "day", "site") IN (
        SELECT "accountId", "embedId", "day", "site" FROM "ViewCount" WHERE ${condition} LIMIT ${MAX_CHANGED}
      )`,
  );
}

/** Reads the groups of embeds of one account, with the same range. */
async function readGroups(client: PrismaClient, searches: readonly Search[]): Promise<readonly (readonly Group[])[]> {
  const [{ from, to, by }] = searches as [Search];
  const key = Prisma.raw(by === 'DAY' ? '"day"' : '"site"');
  // sums are bigint
  const rows = await client.$queryRaw<{ embedId: string; key: string; views: bigint; reads: bigint }[]>`
    SELECT "embedId", ${key} AS "key", SUM("views") AS "views",
      SUM(CASE WHEN "reads" < "views" THEN "reads" ELSE "views" END) AS "reads" FROM "ViewCount"
    WHERE ${isOneOf(searches)} AND "day" BETWEEN ${from} AND ${to} AND "views" > 0
    GROUP BY "embedId", ${key} ORDER BY ${key}`;
  const groups = rows.map((row) => ({ ...row, views: Number(row.views), reads: Number(row.reads) }));
  const byEmbed = Map.groupBy(groups, ({ embedId }) => embedId);
  return searches.map(({ embedId }) => byEmbed.get(embedId) ?? []);
}

/** Puts the sites with the most views first, and the others together at the end. */
function listSites(groups: readonly Group[]): readonly Group[] {
  const named = groups.filter(({ key }) => key !== OTHER).sort((a, b) => b.views - a.views);
  const others = [...named.slice(MAX_LISTED_SITES), ...groups.filter(({ key }) => key === OTHER)];
  const rest = { embedId: '', key: OTHER, ...totalOf(others) };
  return [...named.slice(0, MAX_LISTED_SITES), ...(others.length > 0 ? [rest] : [])];
}

function totalOf(groups: readonly Group[]): Pick<Group, 'views' | 'reads'> {
  const sum = (name: 'views' | 'reads') => groups.reduce((total, group) => total + group[name], 0);
  return { views: sum('views'), reads: sum('reads') };
}
