import { type SearchEntry, STOP_WORDS } from './client/search-index.ts';
import type { Group, Page } from './page.ts';

/** Samples, forms, what operations repeat, and the fields of responses, which the pages of objects and types have. */
const REPEATED =
  /<aside[\s\S]*?<\/aside>|<details class="more">[\s\S]*?<\/details>|<pre[\s\S]*?<\/pre>|<p class="eyebrow">.*?<\/p>|<h2 id="(?:returns|response)"[\s\S]*?(?=<h2 |$)/g;

const CHANGELOG_URL = '/docs/changelog';

/** Examples of ids and secrets. */
const ID = /^(?=.*\d)\w{10,}$/;

/** Lists pages, their sections, and codes, types and fields, in the order of the navigation. */
export function searchEntriesOf(groups: readonly Group[]): readonly SearchEntry[] {
  const entries = groups.flatMap(({ title, pages }) => pages.flatMap((page) => entriesOf(page, title)));
  return [...new Map(entries.map((entry) => [entry.url, entry])).values()];
}

function entriesOf({ label, title, url, content, headings, anchors }: Page, group: string): SearchEntry[] {
  // the changelog has a word of everything
  if (url === CHANGELOG_URL) return [{ url, title, context: group, text: '' }];
  const [beginning = '', ...sections] = content.text.replace(REPEATED, '').split(/(?=<h[23] id=")/);
  const name = label ?? title;
  const own = headings.length === 0 ? [beginning, ...sections].join(' ') : beginning;
  const aliases = anchors.filter(({ id }) => id === '').map(({ text }) => text);
  const textOf = (id: string) => sections.find((section) => section.includes(` id="${id}"`)) ?? '';
  return [
    { url, title: [name, ...aliases].join(' · '), context: group, text: wordsOf(`${title} ${own}`, name) },
    ...headings.map(({ id, text }) => {
      return { url: `${url}#${id}`, title: text, context: name, text: wordsOf(textOf(id), text) };
    }),
    ...anchors
      .filter(({ id }) => id !== '')
      .map(({ id, text }) => ({ url: `${url}#${id}`, title: text, context: name, text: '' })),
  ];
}

/** Returns the words of markup that say something and are not in the title, each once, sorted: equal neighbours compress better. */
function wordsOf(markup: string, title: string): string {
  const split = (text: string) => new Set(text.toLowerCase().split(/[\s\p{P}\p{S}]+/u));
  const titled = split(title);
  return [...split(markup.replace(/<[^>]+>|&#?\w+;/g, ' '))]
    .filter((word) => word.length > 1 && !ID.test(word) && !STOP_WORDS.has(word) && !titled.has(word))
    .sort()
    .join(' ');
}
