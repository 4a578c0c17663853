import type { Embed } from '../../domain/embed/embed.ts';
import { MAX_PAGE_SIZE } from '../../domain/embed/paging.ts';
import { needsAttention, type PageOutline } from '../../domain/page-copy.ts';
import { BOUNDS, type CreateList, type EmbedList } from './lists.ts';

/**
 * Adds the filters by the states of pages. They read the list page by page: a state depends on the time, and on a cluster the
 * pages are on another server than the embeds. They scan as many embeds as other filters without an index.
 */
export function withPageStates(
  createList: CreateList,
  findOutline: (pageUrl: string) => Promise<PageOutline>,
): CreateList {
  return (accountId, filter) => {
    if (!filter || (filter.pageStates ?? filter.needsAttention) === undefined) return createList(accountId, filter);
    const { pageStates, needsAttention: isSought } = filter;
    const list = createList(accountId, { ...filter, pageStates: undefined, needsAttention: undefined });

    async function match(embeds: readonly Embed[]): Promise<readonly Embed[]> {
      const outlines = await Promise.all(embeds.map(({ pageUrl }) => findOutline(pageUrl)));
      return embeds.filter((_, i) => {
        const outline = outlines[i] as PageOutline;
        if (pageStates && !pageStates.includes(outline.state)) return false;
        return isSought === undefined || isSought === needsAttention(outline);
      });
    }

    const findPage: EmbedList['findPage'] = async ({ size, fromEnd, ...bounds }) => {
      let { after, before } = bounds;
      let found: readonly Embed[] = [];
      for (let scanned = 0; ; ) {
        const page = await list.findPage({ size: MAX_PAGE_SIZE, fromEnd, after, before });
        const matching = await match(page.embeds);
        found = fromEnd ? [...matching, ...found] : [...found, ...matching];
        if (found.length > size) {
          return { embeds: fromEnd ? found.slice(-size) : found.slice(0, size), isCut: true };
        }
        if (!page.isCut) return { embeds: found, isCut: false };
        // an empty page is one that the list has scanned to its own limit
        scanned += page.stoppedAt === undefined ? page.embeds.length : BOUNDS.maxScanned;
        const stoppedAt = page.stoppedAt ?? page.embeds.at(fromEnd ? 0 : -1)?.id;
        if (scanned >= BOUNDS.maxScanned) return { embeds: found, isCut: true, stoppedAt };
        if (fromEnd) before = stoppedAt;
        else after = stoppedAt;
      }
    };

    return {
      findPage,
      exists: list.exists,
      async count() {
        const all = { size: BOUNDS.maxCounted, fromEnd: false, after: undefined, before: undefined };
        const { embeds, isCut } = await findPage(all);
        return { count: embeds.length, isExact: !isCut };
      },
    };
  };
}
