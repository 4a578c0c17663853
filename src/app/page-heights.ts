import { LRUCache } from 'lru-cache';
import { estimateHeights } from '#frame';
import { partFragmentOf } from '#reader/page-url';
import { bytesOfEntry, CACHE_BYTES } from '../cache-bytes.ts';
import type { PageOutline } from '../domain/page-copy.ts';
import type { ArticleCache } from '../pages/article-cache.ts';
import type { PageStore } from '../store/pages.ts';

/** Stores each copy with the height that its article takes in an embed, for lists of snippets. */
export function withHeights(pages: PageStore): PageStore {
  return {
    ...pages,
    save: (page) => pages.save(page, page.version && estimateHeights(page.version.article)),
  };
}

interface PartOutline {
  readonly whole: PageOutline;
  readonly part: PageOutline;
}

/**
 * Creates a function that finds the outline of what an embed shows: the reason and the heights of a part are its own. They
 * are computed once for each copy of the page.
 */
export function createFindOutline(pages: Pick<ArticleCache, 'findOutline' | 'findShown'>): ArticleCache['findOutline'] {
  const parts = new LRUCache<string, PartOutline>({
    maxSize: CACHE_BYTES.partOutlines,
    sizeCalculation: (_, pageUrl) => 4 * bytesOfEntry(pageUrl),
  });
  return async (pageUrl) => {
    const whole = await pages.findOutline(pageUrl);
    if (whole.state !== 'SHOWN' || partFragmentOf(pageUrl) === null) return whole;
    const known = parts.get(pageUrl);
    if (known && known.whole.reason === whole.reason && Number(known.whole.fetchedAt) === Number(whole.fetchedAt)) {
      return { ...known.part, watchRefusal: whole.watchRefusal };
    }
    const copy = await pages.findShown(pageUrl);
    if (!copy?.article) return whole;
    const heights = estimateHeights(copy.article, copy.whole !== undefined);
    const part = { ...whole, reason: copy.reason, heights };
    parts.set(pageUrl, { whole, part });
    return part;
  };
}
