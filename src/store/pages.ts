import type { Article } from '../domain/article.ts';
import type { PageCopy } from '../domain/page-copy.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { attempt, isDuplicate } from './failure.ts';

/** Copies of pages: a cache of bounded size that survives a restart. */
export interface PageStore {
  find(pageUrl: string): Promise<PageCopy | null>;
  /** Keeps a copy in the place of an older one; the stalest copies go when there is no room. */
  keep(copy: PageCopy): Promise<void>;
}

/** All articles together. A long one has some 100 kB, so this is thousands of pages. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** How many copies go at once when there is no room. */
const EVICTION_BATCH = 50;

export function openPages(client: PrismaClient, maxTotalBytes = MAX_TOTAL_BYTES): PageStore {
  async function makeRoom(): Promise<void> {
    for (;;) {
      const { _sum } = await attempt(() => client.page.aggregate({ _sum: { bytes: true } }));
      if ((_sum.bytes ?? 0) <= maxTotalBytes) return;
      const stalest = await attempt(() =>
        client.page.findMany({ orderBy: { freshUntil: 'asc' }, take: EVICTION_BATCH, select: { pageUrl: true } }),
      );
      const pageUrl = { in: stalest.map((page) => page.pageUrl) };
      await attempt(() => client.page.deleteMany({ where: { pageUrl } }));
    }
  }

  return {
    async find(pageUrl) {
      const row = await attempt(() => client.page.findUnique({ where: { pageUrl } }));
      return row && { ...row, article: row.article === null ? null : (JSON.parse(row.article) as Article) };
    },

    async keep({ pageUrl, article: copied, ...rest }) {
      const article = copied && JSON.stringify(copied);
      const data = { ...rest, article, bytes: article?.length ?? 0 };
      const { count } = await attempt(() => client.page.updateMany({ where: { pageUrl }, data }));
      if (count > 0) return;
      try {
        await attempt(() => client.page.create({ data: { pageUrl, ...data }, select: { pageUrl: true } }));
      } catch (error) {
        // another gateway looked at the same page; its copy is as good
        if (!isDuplicate(error)) throw error;
      }
      await makeRoom();
    },
  };
}
