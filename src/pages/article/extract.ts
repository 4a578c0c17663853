import { isProbablyReaderable, Readability } from '@mozilla/readability';
import type { Article } from '../../domain/page/article.ts';
import type { PageFacts } from './facts.ts';
import type { StructuredData } from './json-ld.ts';
import { MAX_BYLINE, type Metadata } from './metadata.ts';
import { plainText } from './plain-text.ts';
import { sanitise, TABLE_MARKER } from './sanitise.ts';

/** In characters: for pages that look like an article to Readability, declare to be one, or neither. */
const MIN_TEXT_LENGTH = { likely: 250, declared: 120, unknown: 500 };
/** For pages with a password field or the title of an error page. */
const MIN_DOUBTFUL_TEXT_LENGTH = 1_200;
/** Pages with a larger share of their text in links are lists of links, not articles. */
const MAX_LINK_RATIO = 0.6;

/** In characters. Escapes and absolute URLs can make an article far longer than its page. */
const MAX_CONTENT_LENGTH = 2 * 1024 * 1024;

const ERROR_TITLE =
  /^(?:error\b|[45]\d\d\b|page not found|not found|access denied|forbidden|just a moment|attention required|are you a (?:human|robot))/i;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

export interface PageDescription {
  readonly metadata: Metadata;
  readonly facts: PageFacts;
  readonly data: StructuredData;
}

/** Extracts and sanitises the article of a page; empty if it has none. Modifies the document. */
export function extractArticle(
  document: Document,
  { metadata, facts, data }: PageDescription,
  url: string,
): Partial<Pick<Article, 'byline' | 'content'>> {
  const isLikely = isProbablyReaderable(document);
  document.title = metadata.title;
  const options = { keepClasses: true, disableJSONLD: true, serializer: (node: Node) => node };
  const result = new Readability(document, options).parse();
  // Readability wraps the article in an element of its own
  const root = (result?.content as Element | null | undefined)?.firstElementChild;
  if (!result || !root) return {};

  const isDeclared = data.isArticle || facts.hasArticleElement || facts.metas.get('og:type') === 'article';
  const isDoubtful = facts.asksForPassword || ERROR_TITLE.test(metadata.title);
  const enough = isLikely ? MIN_TEXT_LENGTH.likely : isDeclared ? MIN_TEXT_LENGTH.declared : MIN_TEXT_LENGTH.unknown;
  const length = measureText(root);
  if (length < (isDoubtful ? MIN_DOUBTFUL_TEXT_LENGTH : enough)) return {};
  const linkLength = [...root.querySelectorAll('a[href]')].reduce((sum, link) => sum + measureText(link), 0);
  if (linkLength > length * MAX_LINK_RATIO) return {};

  simplify(root, metadata.title);
  const ids = new Set([...root.querySelectorAll('[id]')].map((element) => element.id));
  const content = sanitise(root.innerHTML, { url, ids });
  if (content.length > MAX_CONTENT_LENGTH) return {};
  const byline = metadata.byline ?? plainText(result.byline, MAX_BYLINE);
  return { byline, content };
}

/** Counts the characters of an element. A CJK character carries as much as 2.5 Latin ones. */
function measureText(element: Element): number {
  const text = element.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  return text.length + 1.5 * (text.match(CJK)?.length ?? 0);
}

/** Removes the repeated title and media without a source, and wraps tables so that they can scroll. */
function simplify(root: Element, title: string): void {
  const heading = root.querySelector('h1, h2, h3, h4, h5, h6');
  if (heading && isSameText(heading.textContent, title)) heading.remove();
  for (const image of root.querySelectorAll('img:not([src]):not([srcset])')) image.remove();
  for (const media of root.querySelectorAll('video, audio')) {
    if (!media.hasAttribute('src') && media.querySelector('source[src]') === null) media.remove();
  }
  for (const table of root.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue;
    const wrapper = root.ownerDocument.createElement('div');
    wrapper.setAttribute(TABLE_MARKER, '');
    table.replaceWith(wrapper);
    wrapper.append(table);
  }
}

function isSameText(heading: string | null, title: string): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return words(heading?.slice(0, 1_000) ?? '') === words(title);
}
