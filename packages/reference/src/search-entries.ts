import { type SearchPage, type SearchPlace, STOP_WORDS } from './client/search-index.ts';
import { type Group, OVERVIEW, type Page } from './page.ts';

/** Samples, forms, what operations repeat, and the fields of responses, which the pages of objects and types have. */
const REPEATED =
  /<aside[\s\S]*?<\/aside>|<details class="more">[\s\S]*?<\/details>|<pre[\s\S]*?<\/pre>|<p class="eyebrow">.*?<\/p>|<h2 id="(?:returns|response)"[\s\S]*?(?=<h2 |$)/g;

const CHANGELOG_URL = '/docs/changelog';

/** Examples of ids and secrets. */
const ID = /^(?=.*\d)\w{10,}$/;

/** Lists pages, in the order of the navigation, with their sections, and codes, types and fields. */
export function searchPagesOf(groups: readonly Group[]): readonly SearchPage[] {
  return groups.flatMap(({ title, pages }) => pages.map((page) => searchPageOf(page, title)));
}

function searchPageOf({ label, title, url, content, headings, anchors }: Page, group: string): SearchPage {
  // the changelog has a word of everything
  if (url === CHANGELOG_URL) return { url, name: title, group, text: '', places: [] };
  const [beginning = '', ...sections] = content.text.replace(REPEATED, '').split(/(?=<h[23] id=")/);
  const name = label === OVERVIEW ? title : (label ?? title);
  const own = headings.length === 0 ? [beginning, ...sections].join(' ') : beginning;
  const aliases = anchors.filter(({ id }) => id === '').map(({ text }) => text);
  const textOf = (id: string) => sections.find((section) => section.includes(` id="${id}"`)) ?? '';
  const places = [
    ...headings.map(({ id, text }) => placeOf(id, text, wordsOf(textOf(id), text))),
    ...anchors.filter(({ id }) => id !== '').map(({ id, text }) => placeOf(id, text, '')),
  ];
  return {
    url,
    name,
    ...(aliases.length > 0 && { aliases: aliases.join(' · ') }),
    group,
    text: wordsOf(`${title} ${own}`, name),
    places: [...new Map(places.map((place) => [place.id, place])).values()],
  };
}

function placeOf(id: string, title: string, text: string): SearchPlace {
  return { id, ...(title !== id && { title }), ...(text !== '' && { text }) };
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
