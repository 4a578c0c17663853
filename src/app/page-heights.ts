import { estimateHeights } from '../doors/hosted/height.ts';
import type { PageStore } from '../store/pages.ts';

/** Stores each copy with the height that its article takes in an embed, for lists of snippets. */
export function withHeights(pages: PageStore): PageStore {
  return {
    ...pages,
    save: (page) => pages.save(page, page.version && estimateHeights(page.version.article)),
  };
}
