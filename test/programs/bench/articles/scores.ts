import type { Article } from '../../../../packages/reader/src/article.ts';
import type { ExpectedHead } from './corpus.ts';

/** Null where the measure does not count the page. */
export interface Score {
  readonly precision: number | null;
  readonly recall: number | null;
}

type Counts = ReadonlyMap<string, number>;

const RUN_WORDS = 4;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const ENTITY = /&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi;
const BLOCK =
  /<\/?(?:p|div|h[1-6]|li|ul|ol|dl|dt|dd|table|tr|td|th|blockquote|pre|figure|figcaption|section|article|aside|hr|br|header|footer|main|details|summary|caption|thead|tbody)\b[^>]*>/gi;
const WORD = /[\p{L}\p{N}]{2,}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/gu;

/** Returns the text of HTML, with line breaks between its blocks. */
export function textOf(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(script|style|template|noscript|svg)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(BLOCK, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(ENTITY, (whole, hex?: string, decimal?: string, name = '') =>
      hex || decimal
        ? String.fromCodePoint(Number.parseInt(hex ?? decimal ?? '', hex ? 16 : 10))
        : (NAMED[name.toLowerCase()] ?? whole),
    );
}

/** Compares runs of four words, as the benchmark scrapinghub/article-extraction-benchmark does. Captions do not count. */
export function compareRuns(expected: string, content: string): Score {
  const want = runsOf(expected);
  const have = runsOf(textOf(content.replace(/<figcaption\b[\s\S]*?<\/figcaption>/gi, '')));
  const both = countShared(want, have);
  return { precision: have.size > 0 ? both / sum(have) : null, recall: want.size > 0 ? both / sum(want) : null };
}

/** Compares the words of Markdown and HTML, without formulas and addresses. */
export function compareWords(
  markdown: string,
  content: string,
): { readonly precision: number; readonly recall: number } {
  const plain = markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\$[^$\n]+\$|\$\$[\s\S]*?\$\$/g, ' ');
  const want = wordsOf(plain);
  const have = wordsOf(textOf(content.replace(/<math\b[\s\S]*?<\/math>/gi, ' ')));
  const both = countShared(want, have);
  return {
    recall: want.size > 0 ? both / sum(want) : 1,
    precision: have.size > 0 ? both / sum(have) : Number(want.size === 0),
  };
}

/** Kinds of things, by their patterns in Markdown and in HTML. */
export const KINDS: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  'footnote references': [/\[\^[^\]]+\](?!:)/g, /<a\b[^>]*href="#[^"]*"/g],
  formulas: [/\$\$[\s\S]*?\$\$|\$[^$\n]+\$/g, /<math\b/g],
  'code blocks': [/^```\S*\n/gm, /<pre\b/g],
  'code with a language': [/^```[a-z]\S*\n/gm, /language-|data-lang/g],
  'call-outs': [/^> \[!/gm, /class="[^"]*(?:callout|note)|<aside/g],
  'table rows': [/^\|(?! ?-)/gm, /<tr\b/g],
  pictures: [/!\[[^\]]*\]\(/g, /<img\b/g],
  headings: [/^#{1,6} /gm, /<h[1-6]\b/g],
  'list items': [/^\s*(?:-|\d+\.) /gm, /<li\b/g],
  quotes: [/^> (?!\[!)/gm, /<blockquote\b/g],
};

export type HeadPart = 'titles' | 'bylines' | 'dates';

/** Compares what the head of an article says with what is expected. A part that is not expected is left out. */
export function compareHeads(expected: ExpectedHead, article: Article): Partial<Record<HeadPart, boolean>> {
  const { title, author, published } = expected;
  return {
    // the expected titles of some pages end with the name of the site
    ...(title && { titles: compact(title).startsWith(compact(article.title)) }),
    ...(author && { bylines: compact(author) === compact(article.byline ?? '') }),
    ...(published && { dates: published.slice(0, 10) === article.publishedAt?.slice(0, 10) }),
  };
}

function runsOf(text: string): Counts {
  const words = text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const starts = words.length === 0 ? 0 : Math.max(1, words.length - RUN_WORDS + 1);
  return countAll(Array.from({ length: starts }, (_, i) => words.slice(i, i + RUN_WORDS).join(' ')));
}

function wordsOf(text: string): Counts {
  return countAll(
    text
      .replace(/https?:\S+/g, ' ')
      .toLowerCase()
      .match(WORD) ?? [],
  );
}

function countAll(items: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function countShared(want: Counts, have: Counts): number {
  return [...want].reduce((both, [key, count]) => both + Math.min(count, have.get(key) ?? 0), 0);
}

function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function compact(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
