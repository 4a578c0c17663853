import type { SearchEntry } from './client/search.ts';
import type { Group } from './page.ts';

/** Lists pages, headings, codes, types and fields, in the order of the navigation. */
export function searchEntriesOf(groups: readonly Group[]): readonly SearchEntry[] {
  const pages = groups.flatMap(({ title, pages }) => pages.map((page) => ({ page, group: title })));
  return [
    ...pages.map(({ page, group }): SearchEntry => [page.label ?? page.title, group, page.url]),
    ...pages.flatMap(({ page: { label, title, url, headings, anchors } }) =>
      [...headings, ...anchors].map(
        ({ text, id }): SearchEntry => [text, label ?? title, id === '' ? url : `${url}#${id}`],
      ),
    ),
  ];
}
