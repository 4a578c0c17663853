import { isProbablyReaderable, Readability } from '@mozilla/readability';
import type { Article } from '../article.ts';
import { finishBlocks } from './blocks/finish.ts';
import { hideIds, showIds } from './blocks/headings.ts';
import { prepareBlocks } from './blocks/prepare.ts';
import { spacedTextOf } from './blocks/tree.ts';
import { removeCatalogueLinks, removeLines } from './clutter/lines.ts';
import { removeConsentWalls, removeNamedBoxes, removeSingleBoxes, removeSubscriptions } from './clutter/named-boxes.ts';
import { removeCoveredCards, removeTeaserCards } from './clutter/teasers.ts';
import { removeWall } from './clutter/walls.ts';
import { PART_MARKER, PLAYER_SOURCE, simplifyPlaceholders } from './embedded/parts.ts';
import {
  clearWrappers,
  findLeadPlayer,
  keepRecordings,
  linkEmbeds,
  restoreLeadPlayer,
} from './embedded/player-wrappers.ts';
import { convertTexElements, convertTexText } from './embedded/tex-text.ts';
import type { PageFacts } from './facts.ts';
import { isNameLike, parseByline, removeByline } from './head/byline.ts';
import { findByline, mapAuthorBoxes, withoutBlanks } from './head/find-byline.ts';
import { selectHero } from './head/hero.ts';
import { restoreKicker, takeKicker } from './head/kicker.ts';
import { dateInUrl, findModified, findPublished } from './head/published.ts';
import type { StructuredData } from './json-ld.ts';
import { measureBlocks, measureDeclared, removeMenus, removeOuterTitle, takeMainContent } from './main-content.ts';
import { isDeclaration } from './manuals/declarations.ts';
import { isManual, isPartOnly, markParts } from './manuals/pages.ts';
import { chooseDirection, type Metadata } from './metadata.ts';
import { hasDoubtfulTitle, hasListTitle, isInterface, isNotice, isTeaserList } from './not-articles.ts';
import { copyNotes, restoreNotes } from './notes/kept-notes.ts';
import { measureLinks, measureText, toLine } from './plain-text.ts';
import { sanitise } from './sanitise.ts';
import { stabilise } from './stable-html.ts';
import { hasStructure } from './structure.ts';
import type { PageTree } from './tree/page-tree.ts';
import { selectAll, selectFirst } from './tree/select.ts';

/** In characters: for pages that look like an article to Readability, declare to be one, name their main content, or none. */
const MIN_TEXT_LENGTH = { likely: 60, declared: 100, named: 200, unknown: 500 };
/** The title of a page with one section of a law, which is short and alone, counts as a name of the text. */
const LAW = /§\s?\d|^Art(?:\.|icle|ikel|ículo|igo|icolo)\s\d/;
/** For pages with a password field or the title of an error page. */
const MIN_DOUBTFUL_TEXT_LENGTH = 1_200;
/** Pages with a larger share of their text in links are lists of links, not articles. */
const MAX_LINK_RATIO = 0.6;

/** An article is incomplete if the page declares so much more text than was found. */
const MIN_INCOMPLETE_RATIO = 1.1;
const MIN_INCOMPLETE_LENGTH = 100;
/** Share of the paragraphs and code of the main part, or of all of a page, without an `article`, which page builders spread over many boxes. */
const MIN_PARAGRAPH_SHARE = { main: 0.75, body: 0.5 };
/** In characters. Of a shorter text nothing may be lost. */
const MAX_SHORT_LENGTH = 1_500;

/** In characters. Escapes and absolute URLs can make an article far longer than its page. */
const MAX_CONTENT_LENGTH = 2 * 1024 * 1024;

export interface PageDescription {
  readonly metadata: Metadata;
  readonly facts: PageFacts;
  readonly data: StructuredData;
  /** Scripts have built the page, which may be an application without an article. */
  readonly isRendered: boolean;
}

/** An article that a page has, or may have: `isIncomplete` if the page declares more text than was found. */
export interface Extraction {
  readonly article: Partial<Article>;
  readonly length: number;
  readonly isIncomplete: boolean;
}

/**
 * A title without words: Readability would remove the first heading whose words are in the title, also that of a section.
 * Instead of a shorter title it takes a heading.
 */
const NO_TITLE = '-'.repeat(20);

const NOTHING: Extraction = { article: {}, length: 0, isIncomplete: true };

/** Extracts and sanitises the article of a page with Readability; empty if it has none. Modifies the document. */
export function extractArticle(tree: PageTree, description: PageDescription, url: string): Extraction {
  const { document } = tree;
  const { metadata } = description;
  const page = preparePage(tree, description, url);
  const declared = measureDeclared(document);
  const main = selectFirst(document, 'main, [role="main"]');
  const paragraphs = description.facts.articleElements > 0 ? 0 : measureBlocks(main ?? document.body, 'p, pre');
  const notes = copyNotes(document);
  const authors = mapAuthorBoxes(document);
  const player = findLeadPlayer(document);
  document.title = NO_TITLE;
  removeOuterTitle(document, metadata.title);
  const options = {
    keepClasses: true,
    disableJSONLD: true,
    allowedVideoRegex: new RegExp(`^${PLAYER_SOURCE}$`),
    serializer: (node: Node) => node,
  };
  hideIds(document);
  markParts(document);
  const result = new Readability(document, options).parse();
  // Readability wraps the article in an element of its own
  const root = (result?.content as Element | null | undefined)?.firstElementChild;
  if (!result || !root) return NOTHING;
  showIds(root);
  restoreNotes(root, notes);
  restoreLeadPlayer(root, player);
  const { likely, declared: enough } = MIN_TEXT_LENGTH;
  const unknown = leastUnknown(metadata);
  const isShortEnough = isDeclared(description) || isManual(description.facts);
  const min = page.isLikely || hasFormulas(root) ? likely : isShortEnough ? enough : unknown;
  const isIncomplete =
    isPartOnly(root) ||
    losesText(declared, measureBlocks(root)) ||
    measureBlocks(root, 'p, pre') < paragraphs * (main ? MIN_PARAGRAPH_SHARE.main : MIN_PARAGRAPH_SHARE.body);
  const found = finishArticle(
    root,
    { ...page, min, bylines: [page.byline, authors.get(withoutBlanks(result.byline ?? '')) ?? result.byline] },
    { tree, description, url },
  );
  return { ...found, isIncomplete: isIncomplete || found.length === 0 };
}

function losesText(declared: number, found: number): boolean {
  if (declared < MAX_SHORT_LENGTH) return declared > found;
  return declared > found * MIN_INCOMPLETE_RATIO + MIN_INCOMPLETE_LENGTH;
}

/** Extracts and sanitises the main content of a page, as the page marks it, without Readability. Modifies the document. */
export function extractMainContent(tree: PageTree, description: PageDescription, url: string): Extraction {
  const page = preparePage(tree, description, url);
  const notes = copyNotes(tree.document);
  const main = takeMainContent(tree.document);
  if (main === null) return NOTHING;
  restoreNotes(main.element, notes);
  const { likely, declared, named } = MIN_TEXT_LENGTH;
  const isTrusted = main.trust === 'declared' || isDeclared(description) || isManual(description.facts);
  // home pages of sites have sections, too
  const hasParts = !isHome(url) && hasStructure(main.element);
  const min =
    page.isLikely || hasParts || hasFormulas(main.element)
      ? likely
      : isTrusted
        ? declared
        : main.trust === 'named'
          ? named
          : leastUnknown(description.metadata);
  return finishArticle(main.element, { ...page, min, bylines: [page.byline] }, { tree, description, url });
}

function preparePage({ document, parts }: PageTree, { metadata }: PageDescription, url: string) {
  linkEmbeds(document, parts);
  keepRecordings(document, parts, url);
  clearWrappers(document);
  const isLikely = isProbablyReaderable(document);
  const publishedAt = metadata.publishedAt ?? findPublished(document, metadata.language) ?? dateInUrl(url);
  const modifiedAt = metadata.modifiedAt ?? findModified(document, publishedAt);
  const byline = metadata.byline === null ? findByline(document) : null;
  const kicker = takeKicker(document, metadata);
  removeMenus(document, metadata.title);
  removeConsentWalls(document);
  removeSingleBoxes(document);
  removeSubscriptions(document);
  removeCoveredCards(document);
  prepareBlocks(document, url);
  convertTexElements(document.body, parts);
  return { isLikely, publishedAt, modifiedAt, byline, kicker };
}

function leastUnknown({ title }: Metadata): number {
  return LAW.test(title) ? MIN_TEXT_LENGTH.named : MIN_TEXT_LENGTH.unknown;
}

/** Walls, errors and shops have none. */
function hasFormulas(root: Element): boolean {
  return selectFirst(root, `span[${PART_MARKER}]`) !== null;
}

function isHome(url: string): boolean {
  return new URL(url).pathname === '/';
}

function isDeclared({ data, facts }: PageDescription): boolean {
  return data.isArticle || facts.articleElements > 0 || facts.metas.get('og:type') === 'article';
}

/** Lists of teasers are no article, or have one for each. */
function isOneArticle({ data, facts }: PageDescription): boolean {
  return data.isArticle || facts.articleElements === 1;
}

interface Found {
  /** The least length of an article on this page. */
  readonly min: number;
  /** Found in the text, the surest first. */
  readonly bylines: readonly (string | null | undefined)[];
  readonly publishedAt: string | null;
  readonly modifiedAt: string | null;
  readonly kicker: string | null;
}

/** Removes what is no part of an article, and sanitises it; empty if what remains is none. Modifies the element. */
function finishArticle(
  root: Element,
  { min, bylines, publishedAt, modifiedAt, kicker }: Found,
  { tree, description, url }: { tree: PageTree; description: PageDescription; url: string },
): Extraction {
  const { metadata, facts } = description;
  for (const menu of selectAll(root, 'nav, [role="navigation"]'))
    if (selectFirst(menu, 'h1, p, pre') === null) menu.remove();
  removeTeaserCards(root, [url, facts.metas.get('og:url') ?? url]);
  const hasWall = removeWall(root);
  removeNamedBoxes(root);
  removeLines(root);
  removeCatalogueLinks(root);
  const isDoubtful = facts.asksForPassword || hasDoubtfulTitle(metadata.title);
  const length = measureText(root.textContent);
  if (length < (isDoubtful ? MIN_DOUBTFUL_TEXT_LENGTH : min)) return NOTHING;
  const text = toLine(spacedTextOf(root));
  const isOne = isOneArticle(description);
  const isDeclaredOnce = isOne || (isDeclared(description) && facts.articleElements === 0);
  const isList =
    (hasListTitle(metadata.title) && !isDeclaredOnce) || isTeaserList(root, isOne ? url : null, isHome(url));
  if (isList || isNotice(text, isDeclared(description))) return NOTHING;
  if (description.isRendered && !isDeclared(description) && !hasFormulas(root) && isInterface(root)) return NOTHING;
  // those in declarations are types
  const types = selectAll(root, 'pre')
    .filter(isDeclaration)
    .reduce((sum, code) => sum + measureLinks(code), 0);
  if (measureLinks(root) - types > length * MAX_LINK_RATIO) return NOTHING;

  const { language } = metadata;
  const isAuthor = (name: string | null) => name !== null && name !== metadata.site && isNameLike(name);
  const found = bylines.map((line) => parseByline(line, { publishedAt, language })).find(isAuthor);
  const byline = metadata.byline ?? found ?? null;
  removeByline(root, { byline, publishedAt, language });
  const hero = selectHero(metadata.hero, root);
  restoreKicker(root, kicker);
  const content = renderContent(root, tree, { title: metadata.title, url });
  // too long, as it would be if it was read again
  if (content === null) return { article: {}, length, isIncomplete: false };
  const direction = chooseDirection(facts, language, root.textContent);
  const article = { byline, publishedAt, modifiedAt, hero, direction, content, ...(hasWall && { isPaywalled: true }) };
  return { article, length, isIncomplete: false };
}

/** Renders a document that is an article as a whole. Returns null if it is too long. Modifies the document. */
export function renderDocument(tree: PageTree, { title, url }: { title: string; url: string }): string | null {
  linkEmbeds(tree.document, tree.parts);
  clearWrappers(tree.document);
  prepareBlocks(tree.document, url);
  convertTexElements(tree.document.body, tree.parts);
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
  const ids = new Set(selectAll(root, '[id]').map((element) => element.id));
  const sanitised = sanitise(root.innerHTML, { url, ids });
  return sanitised.length > MAX_CONTENT_LENGTH ? null : stabilise(parts.insertInto(sanitised));
}
