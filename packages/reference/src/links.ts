import type { Page } from './page.ts';

/** Other pages of the service that the reference links to. */
const OTHER_PAGES = ['/', '/graphql', '/openapi.json'];

/** Lists the links to pages and places of the reference that do not exist. */
export function brokenLinksOf(pages: readonly Page[]): readonly string[] {
  const idsByUrl = new Map(pages.map(({ url, content }) => [url, new Set(idsOf(content.text))]));
  return pages.flatMap(({ url, content }) =>
    [...content.text.matchAll(/ href="([/#][^"]*)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => {
        const [path = '', id] = href.split('#');
        if (OTHER_PAGES.includes(path)) return false;
        const ids = idsByUrl.get(path === '' ? url : path);
        return !ids || (id !== undefined && !ids.has(id));
      })
      .map((href) => `${url}: ${href}`),
  );
}

/** Lists the ids that a page uses more than once. */
export function repeatedIdsOf(pages: readonly Page[]): readonly string[] {
  return pages.flatMap(({ url, content }) => {
    const ids = idsOf(content.text);
    return ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${url}: ${id}`);
  });
}

function idsOf(text: string): string[] {
  return [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
}
