import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { Parser } from 'htmlparser2';
import type { Article } from '../domain/article.ts';
import { PageFacts } from './facts.ts';
import { readStructuredData, type StructuredData } from './json-ld.ts';
import { MAX_BYLINE, type Metadata, metadataOf } from './metadata.ts';
import { PageTree } from './page-tree.ts';
import { plainText } from './plain-text.ts';
import { forbidsCopy } from './robots.ts';
import { sanitise, TABLE_MARK } from './sanitise.ts';

/** A page is looked at no further than this. */
const MAX_HTML_LENGTH = 5 * 1024 * 1024;
const CHUNK_LENGTH = 64 * 1024;

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

/** Where a page was found, and what came with it. */
export interface PageSource {
  /** Absolute URL, after all redirects. */
  readonly url: string;
  /** The values of `X-Robots-Tag`, joined by commas or line breaks. */
  readonly robots: string | null;
}

/** What a page shows of itself. Whatever its markup is like, there is at least a card. */
export function readArticle(html: string, { url, robots }: PageSource): Article {
  const facts = new PageFacts(url);
  const tree = readTree(html, facts);
  const data = readStructuredData(facts.jsonLd);
  const metadata = metadataOf(facts, data, url);
  const card = { ...metadata, image: metadata.image ?? tree?.bigImage ?? null, content: null };
  if (tree === null || tree.isTooLarge || forbidsCopy(robots) || forbidsCopy(facts.robots)) return card;
  try {
    return { ...card, ...extract(tree.document, metadata, facts, data, url) };
  } catch {
    // a page that the extraction stumbles over is a card, like one without an article
    return card;
  }
}

function readTree(html: string, facts: PageFacts): PageTree | null {
  const tree = new PageTree(() => facts.base);
  const parser = new Parser({
    onopentag(name, attributes) {
      facts.onopentag(name, attributes);
      tree.onopentag(name, attributes);
    },
    ontext(text) {
      facts.ontext(text);
      tree.ontext(text);
    },
    onclosetag(name) {
      facts.onclosetag(name);
      tree.onclosetag(name);
    },
  });
  try {
    for (let at = 0; at < Math.min(html.length, MAX_HTML_LENGTH) && !tree.isTooLarge; at += CHUNK_LENGTH) {
      parser.write(html.slice(at, at + CHUNK_LENGTH));
    }
    if (!tree.isTooLarge) parser.end();
    return tree;
  } catch {
    return null;
  }
}

function extract(
  document: Document,
  metadata: Metadata,
  facts: PageFacts,
  data: StructuredData,
  url: string,
): Partial<Article> {
  const isLikely = isProbablyReaderable(document);
  // Readability drops a heading that repeats the title
  document.title = metadata.title;
  const options = { keepClasses: true, disableJSONLD: true, charThreshold: 200, serializer: (node: Node) => node };
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
