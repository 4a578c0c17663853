import { isProbablyReaderable, Readability } from '@mozilla/readability';
import type { Article } from '../../domain/page/article.ts';
import { finishBlocks } from './blocks/finish.ts';
import { prepareBlocks } from './blocks/prepare.ts';
import { removeLines } from './clutter/lines.ts';
import { removeNamedBoxes } from './clutter/named-boxes.ts';
import { PLAYER_SOURCE, simplifyPlaceholders } from './embedded/parts.ts';
import { clearWrappers, linkEmbeds } from './embedded/player-wrappers.ts';
import { convertTexText } from './embedded/tex-text.ts';
import type { PageFacts } from './facts.ts';
import { parseByline, removeByline } from './head/byline.ts';
import { selectHero } from './head/hero.ts';
import { findPublished } from './head/published.ts';
import type { StructuredData } from './json-ld.ts';
import { chooseDirection, type Metadata } from './metadata.ts';
import type { PageTree } from './page-tree.ts';
import { sanitise } from './sanitise.ts';
import { stabilise } from './stable-html.ts';

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
  { document, parts, tex }: PageTree,
  { metadata, facts, data }: PageDescription,
  url: string,
): Partial<Article> {
  linkEmbeds(document, parts);
  clearWrappers(document);
  const isLikely = isProbablyReaderable(document);
  const publishedAt = metadata.publishedAt ?? findPublished(document);
  prepareBlocks(document);
  document.title = metadata.title;
  const options = {
    keepClasses: true,
    disableJSONLD: true,
    allowedVideoRegex: new RegExp(`^${PLAYER_SOURCE}$`),
    serializer: (node: Node) => node,
  };
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

  removeNamedBoxes(root);
  removeLines(root);
  const { language } = metadata;
  const found = parseByline(result.byline, { publishedAt, language });
  const byline = metadata.byline ?? (found === metadata.site ? null : found);
  removeByline(root, { byline, publishedAt, language });
  const hero = selectHero(metadata.hero, root);
  const content = renderContent(root, { parts, tex }, { title: metadata.title, url });
  if (content === null) return {};
  const direction = chooseDirection(facts, language, root.textContent ?? '');
  return { byline, publishedAt, hero, direction, content };
}

/** Renders a document that is an article as a whole. Returns null if it is too long. Modifies the document. */
export function renderDocument(tree: PageTree, { title, url }: { title: string; url: string }): string | null {
  linkEmbeds(tree.document, tree.parts);
  clearWrappers(tree.document);
  prepareBlocks(tree.document);
  return renderContent(tree.document.body, tree, { title, url });
}

/** Finishes and sanitises the content of an element. Returns null if it is too long. Modifies the element. */
function renderContent(
  root: Element,
  { parts, tex }: Pick<PageTree, 'parts' | 'tex'>,
  { title, url }: { readonly title: string; readonly url: string },
): string | null {
  convertTexText(root, parts, tex);
  finishBlocks(root, title);
  simplifyPlaceholders(root);
  const ids = new Set([...root.querySelectorAll('[id]')].map((element) => element.id));
  const sanitised = sanitise(root.innerHTML, { url, ids });
  return sanitised.length > MAX_CONTENT_LENGTH ? null : stabilise(parts.insertInto(sanitised));
}

/** Counts the characters of an element. A CJK character carries as much as 2.5 Latin ones. */
function measureText(element: Element): number {
  const text = element.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  return text.length + 1.5 * (text.match(CJK)?.length ?? 0);
}
