import { isProbablyReaderable, Readability } from '@mozilla/readability';
import type { Article } from '../../domain/page/article.ts';
import type { PageFacts } from './facts.ts';
import type { StructuredData } from './json-ld.ts';
import { MAX_BYLINE, type Metadata } from './metadata.ts';
import { plainText } from './plain-text.ts';
import { sanitise, TABLE_MARK } from './sanitise.ts';

/** How much text, in characters, makes an article: of a page that looks like one, says so, or neither. */
const MIN_TEXT = { likely: 250, declared: 120, unknown: 500 };
/** A form that asks for a password, or a title that tells of an error, needs more text than that around it. */
const MIN_TEXT_DESPITE_DOUBT = 1_200;
/** The share of the text that may be in links: above it, a page is a list of ways to other pages. */
const MAX_LINKED = 0.6;

/** An article is kept, and sent with each embed. Escaped and with absolute URLs, it may be far longer than its page. */
const MAX_CONTENT_LENGTH = 2 * 1024 * 1024;

const ERROR_TITLE =
  /^(?:error\b|[45]\d\d\b|page not found|not found|access denied|forbidden|just a moment|attention required|are you a (?:human|robot))/i;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** What a page says of itself, in its markup and in its structured data. */
interface Hints {
  readonly metadata: Metadata;
  readonly facts: PageFacts;
  readonly data: StructuredData;
}

/** The part of a page that is there to be read, cleaned; nothing where there is none. Takes the document apart. */
export function extractArticle(
  document: Document,
  { metadata, facts, data }: Hints,
  url: string,
): Partial<Pick<Article, 'byline' | 'content'>> {
  const isLikely = isProbablyReaderable(document);
  // Readability drops a heading that repeats the title
  document.title = metadata.title;
  const options = { keepClasses: true, disableJSONLD: true, serializer: (node: Node) => node };
  const found = new Readability(document, options).parse();
  // what is found stands in an element of Readability's own
  const root = (found?.content as Element | null | undefined)?.firstElementChild;
  if (!found || !root) return {};

  const isDeclared = data.isReadable || facts.hasArticleElement || facts.metas.get('og:type') === 'article';
  const isDoubtful = facts.asksForPassword || ERROR_TITLE.test(metadata.title);
  const enough = isLikely ? MIN_TEXT.likely : isDeclared ? MIN_TEXT.declared : MIN_TEXT.unknown;
  const text = weightOf(root);
  if (text < (isDoubtful ? MIN_TEXT_DESPITE_DOUBT : enough)) return {};
  const linked = [...root.querySelectorAll('a[href]')].reduce((sum, link) => sum + weightOf(link), 0);
  if (linked > text * MAX_LINKED) return {};

  prepare(root, metadata.title);
  const ids = new Set([...root.querySelectorAll('[id]')].map((element) => element.id));
  const content = sanitise(root.innerHTML, { url, ids });
  if (content.length > MAX_CONTENT_LENGTH) return {};
  const byline = metadata.byline ?? plainText(found.byline, MAX_BYLINE);
  return { byline, content };
}

/** How much there is to read in an element: a Han or Hangul character says as much as two or three Latin ones. */
function weightOf(element: Element): number {
  const text = element.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  return text.length + 1.5 * (text.match(WIDE)?.length ?? 0);
}

/** What is easier done to a tree than to text: the title said once, nothing empty, tables that can scroll. */
function prepare(root: Element, title: string): void {
  const heading = root.querySelector('h1, h2, h3, h4, h5, h6');
  if (heading && sameText(heading.textContent, title)) heading.remove();
  for (const image of root.querySelectorAll('img:not([src]):not([srcset])')) image.remove();
  for (const media of root.querySelectorAll('video, audio')) {
    if (!media.hasAttribute('src') && media.querySelector('source[src]') === null) media.remove();
  }
  for (const table of root.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue;
    const frame = root.ownerDocument.createElement('div');
    frame.setAttribute(TABLE_MARK, '');
    table.replaceWith(frame);
    frame.append(table);
  }
}

function sameText(heading: string | null, title: string): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return words(heading?.slice(0, 1_000) ?? '') === words(title);
}
