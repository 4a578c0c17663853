import type { Article } from '../domain/page/article.ts';
import type { KeptPage, PageVersion } from '../domain/page/copy.ts';
import type { Page, PrismaClient } from '../generated/prisma/client.ts';
import { isDuplicate, mapDatabaseErrors } from './prisma/errors.ts';

export interface PageStore {
  find(pageUrl: string): Promise<KeptPage | null>;
  /** Adds or replaces a page. Evicts the stalest pages above 256 MB. */
  keep(page: KeptPage): Promise<void>;
  /** Sets the time of the next revalidation. The cached content stays. */
  postpone(pageUrl: string, freshUntil: Date): Promise<void>;
}

const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
const ROW_BYTES = 200;
/** Eviction stops at this share of the maximum, so that not every write evicts. */
const EVICTION_TARGET = 0.9;

export function openPages(client: PrismaClient, maxTotalBytes = MAX_TOTAL_BYTES): PageStore {
  /** Size of all rows: measured once, then updated with each write. Null until the first write. */
  let totalBytes: number | null = null;

  async function measure(): Promise<number> {
    const { _sum } = await mapDatabaseErrors(() => client.page.aggregate({ _sum: { bytes: true } }));
    totalBytes = _sum.bytes ?? 0;
    return totalBytes;
  }

  async function grow(bytes: number): Promise<void> {
    if (totalBytes === null) await measure();
    else totalBytes += bytes;
    if ((totalBytes ?? 0) > maxTotalBytes) await evict();
  }

  /** Measures first, because another gateway on the same table may have evicted already. */
  async function evict(): Promise<void> {
    if ((await measure()) <= maxTotalBytes) return;
    for (;;) {
      let excess = (await measure()) - maxTotalBytes * EVICTION_TARGET;
      if (excess <= 0) return;
      const stalest = await mapDatabaseErrors(() =>
        client.page.findMany({ orderBy: { freshUntil: 'asc' }, take: 50, select: { pageUrl: true, bytes: true } }),
      );
      const evicted: string[] = [];
      for (const { pageUrl, bytes } of stalest) {
        if (excess > 0) evicted.push(pageUrl);
        excess -= bytes;
      }
      await mapDatabaseErrors(() => client.page.deleteMany({ where: { pageUrl: { in: evicted } } }));
    }
  }

  async function insert(row: Page): Promise<void> {
    try {
      await mapDatabaseErrors(() => client.page.create({ data: row, select: { pageUrl: true } }));
    } catch (error) {
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
  const texts = [pageUrl, pageUrl, url, etag, lastModified, article];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), ROW_BYTES);
  return { pageUrl, freshUntil, fetchedAt, url, etag, lastModified, bytes, article };
}
