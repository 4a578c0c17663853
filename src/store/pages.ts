import type { Article } from '../domain/page/article.ts';
import type { KeptPage, PageVersion } from '../domain/page/copy.ts';
import type { Page, PrismaClient } from '../generated/prisma/client.ts';
import { isDuplicate, mapDatabaseErrors } from './database-errors.ts';

/** Copies of pages: a cache of bounded size that survives a restart. */
export interface PageStore {
  find(pageUrl: string): Promise<KeptPage | null>;
  /** Keeps a copy in the place of an older one; the stalest copies go when there is no room. */
  keep(page: KeptPage): Promise<void>;
  /** Puts off the next look at a page. What is kept of it stays. */
  postpone(pageUrl: string, freshUntil: Date): Promise<void>;
}

/** All rows together. A long article has some 100 kB, so this is thousands of pages. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** What a row and its entries in two indexes take beside their texts, about. */
const ROW_BYTES = 200;
/** How full the cache is after it made room, so that not every write has to. */
const FILLED_AGAIN = 0.9;

export function openPages(client: PrismaClient, maxTotalBytes = MAX_TOTAL_BYTES): PageStore {
  /** What all rows take: measured once, then counted along. Null when it was not measured yet. */
  let totalBytes: number | null = null;

  async function measure(): Promise<number> {
    const { _sum } = await mapDatabaseErrors(() => client.page.aggregate({ _sum: { bytes: true } }));
    totalBytes = _sum.bytes ?? 0;
    return totalBytes;
  }

  async function grow(bytes: number): Promise<void> {
    if (totalBytes === null) await measure();
    else totalBytes += bytes;
    if ((totalBytes ?? 0) > maxTotalBytes) await makeRoom();
  }

  /** Measures first: another gateway that shares the table may have made room already. */
  async function makeRoom(): Promise<void> {
    if ((await measure()) <= maxTotalBytes) return;
    for (;;) {
      let excess = (await measure()) - maxTotalBytes * FILLED_AGAIN;
      if (excess <= 0) return;
      const stalest = await mapDatabaseErrors(() =>
        client.page.findMany({ orderBy: { freshUntil: 'asc' }, take: 50, select: { pageUrl: true, bytes: true } }),
      );
      const leaving: string[] = [];
      for (const { pageUrl, bytes } of stalest) {
        if (excess > 0) leaving.push(pageUrl);
        excess -= bytes;
      }
      await mapDatabaseErrors(() => client.page.deleteMany({ where: { pageUrl: { in: leaving } } }));
    }
  }

  async function insert(row: Page): Promise<void> {
    try {
      await mapDatabaseErrors(() => client.page.create({ data: row, select: { pageUrl: true } }));
    } catch (error) {
      // another gateway looked at the same page; its copy is as good
      if (isDuplicate(error)) return;
      throw error;
    }
    await grow(row.bytes);
  }

  return {
    async find(pageUrl) {
      const row = await mapDatabaseErrors(() => client.page.findUnique({ where: { pageUrl } }));
      return row && { pageUrl, freshUntil: row.freshUntil, version: versionOf(row) };
    },

    async keep(page) {
      const { pageUrl, ...row } = rowOf(page);
      const old = await mapDatabaseErrors(() =>
        client.page.findUnique({ where: { pageUrl }, select: { bytes: true } }),
      );
      const { count } = await mapDatabaseErrors(() => client.page.updateMany({ where: { pageUrl }, data: row }));
      if (count === 0) return insert({ pageUrl, ...row });
      await grow(row.bytes - (old?.bytes ?? 0));
    },

    async postpone(pageUrl, freshUntil) {
      const { count } = await mapDatabaseErrors(() =>
        client.page.updateMany({ where: { pageUrl }, data: { freshUntil } }),
      );
      if (count === 0) await insert(rowOf({ pageUrl, freshUntil, version: null }));
    },
  };
}

function versionOf({ fetchedAt, url, etag, lastModified, article }: Page): PageVersion | null {
  if (fetchedAt === null || url === null || article === null) return null;
  return { fetchedAt, url, etag, lastModified, article: JSON.parse(article) as Article };
}

function rowOf({ pageUrl, freshUntil, version }: KeptPage): Page {
  const { fetchedAt = null, url = null, etag = null, lastModified = null } = version ?? {};
  const article = version && JSON.stringify(version.article);
  // the URL of the page stands in the index of the key, too
  const texts = [pageUrl, pageUrl, url, etag, lastModified, article];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), ROW_BYTES);
  return { pageUrl, freshUntil, fetchedAt, url, etag, lastModified, bytes, article };
}
