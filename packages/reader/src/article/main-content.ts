import { HEADING } from './blocks/tree.ts';
import { removeNamedBoxes } from './clutter/named-boxes.ts';
import { isNamedClutter } from './clutter/names.ts';
import { compact, measureLinks, measureText } from './plain-text.ts';
import { selectAll, selectClosest, selectFirst } from './tree/select.ts';

/** Elements that a page declares as the text of its article, or that common systems use for it. */
const DECLARED = '[itemprop~="articleBody"], article, [role="article"]';
const NAMED = `main, [role="main"], .entry-content, .post-content, .post-body, .article-content, .article-body, .article__body,
  .story-body, .article, #article, .markdown-body, .markdown-rendered, .page-content, .content-body, #article-body, #content, #main-content, .content, .doc-content`;
/** Elements that are around the text, but no part of it. */
const AROUND = `nav, form, dialog, menu, [role="navigation"], [role="search"], [role="complementary"], [role="dialog"],
  [role="contentinfo"], [role="banner"], [aria-modal], body > header, body > footer, footer`;
/** The foot of a site, outside its main part. */
const FEET = 'footer, .footer, #footer, [role="contentinfo"]';
/** Boxes of comments, and of columns beside the text. */
const BESIDE =
  /(?:^|[\s_-])(?:comments?|disqus\w*|respond|side-?bar|site-?footer|site-?header|menu|nav|navbar|footer)(?:$|[\s_-])/i;
const LISTS = 'ul, ol, div, section, aside';

/** In characters. A menu or a foot with more prose may be around the article. */
const MIN_MENU_PROSE = 50;
const MIN_FOOT_PROSE = 500;
const MAX_MENU_WORDS = 300;
/** In characters. Shorter blocks are labels, and count neither as text nor against it. */
const MIN_BLOCK_LENGTH = 25;
/** Share of the text of all blocks that the main element must have. */
const MIN_SHARE = 0.5;
const MAX_LINK_SHARE = 0.8;
const MIN_LINKS = 3;

export interface MainContent {
  readonly element: Element;
  /** The page declares the element, or names it and gives it a heading and paragraphs. */
  readonly trust: 'declared' | 'named' | 'none';
}

/** Measures the blocks of text of an element, in characters, without links, lists of links and what is around the text. */
export function measureBlocks(root: Element, blocks = 'p, pre, li, blockquote, dd, td'): number {
  let length = 0;
  for (const block of selectAll(root, blocks)) {
    if (/^(?:li|blockquote|dd|td)$/.test(block.localName) && selectFirst(block, 'p, pre, li, td') !== null) continue;
    const text = proseOf(block);
    if (text >= MIN_BLOCK_LENGTH && !isAround(block, root)) length += text;
  }
  return length;
}

/** Measures the blocks of the text that a page declares as that of its only article; 0 without one. */
export function measureDeclared(document: Document): number {
  const bodies = selectAll(document, '[itemprop~="articleBody"]');
  const [body, ...others] = bodies.length === 1 ? bodies : selectAll(document, 'article');
  return body && others.length === 0 ? measureBlocks(body) : 0;
}

/** Removes menus, the foot of the site, and its name above a text that begins with its title. */
export function removeMenus(document: Document, title: string): void {
  for (const menu of selectAll(document, 'nav, [role="navigation"]')) {
    if (selectFirst(menu, 'h1, pre') !== null || proseOf(menu) > MAX_MENU_WORDS) continue;
    if (measureBlocks(menu, 'p') < MIN_MENU_PROSE) menu.remove();
  }
  const main = selectFirst(document, 'main, [role="main"]');
  if (main) removeFeet(document, main);
  const first = selectFirst(document, ':is(main, [role="main"]) h1');
  if (!first || compact(first.textContent) !== compact(title)) return;
  for (const heading of selectAll(document, 'h1'))
    if (selectClosest(heading, 'main, [role="main"], article') === null) heading.remove();
}

/** Removes the title above an article: Readability would take the box of its picture and links for a part of the text. */
export function removeOuterTitle(document: Document, title: string): void {
  if (selectFirst(document, 'article') === null) return;
  const heading = selectAll(document, 'h1').find(({ textContent }) => compact(textContent ?? '') === compact(title));
  if (heading && selectClosest(heading, 'article') === null) heading.remove();
}

/** Removes the feet of a site outside its main part, unless they have a longer text, or notes to it. */
function removeFeet(document: Document, main: Element): void {
  const feet = selectAll(document, FEET).filter((foot) => !main.contains(foot) && !foot.contains(main));
  if (feet.length === 0) return;
  const length = Math.max(MIN_FOOT_PROSE, measureBlocks(main, 'p, pre'));
  const targets = new Set(selectAll(main, 'a[href^="#"]').map((link) => link.getAttribute('href')));
  for (const foot of feet) {
    if (selectClosest(foot, 'article')) continue;
    const hasNotes = selectAll(foot, '[id]').some(({ id }) => targets.has(`#${id}`));
    if (!hasNotes && measureBlocks(foot, 'p, pre') < length) foot.remove();
  }
}

/** Finds the element with the main content by what the page says of it, and removes what is no part of it. */
export function takeMainContent(document: Document): MainContent | null {
  const { body } = document;
  const all = Math.max(1, measureBlocks(body));
  const main = chooseDeclared(body, all) ?? chooseNamed(body, all) ?? { element: body, trust: 'none' as const };
  clean(main.element);
  return main.element.textContent.trim() ? main : null;
}

function chooseDeclared(body: Element, all: number): MainContent | null {
  const outermost = selectAll(body, DECLARED).filter(
    (one) => !selectClosest(one.parentElement, DECLARED) && !isAround(one, body),
  );
  const inner = outermost.length === 1 ? selectAll(outermost[0], '[itemprop~="articleBody"]') : undefined;
  const candidates = [...(inner?.length === 1 ? [...inner] : []), ...outermost];
  const measured = candidates.map((element) => ({ element, length: measureBlocks(element) }));
  const best = measured.find(({ length }) => length > 0 && length >= all * MIN_SHARE);
  return best ? { element: best.element, trust: outermost.length === 1 ? 'declared' : 'none' } : null;
}

function chooseNamed(body: Element, all: number): MainContent | null {
  const found = selectAll(body, NAMED).filter((one) => !isAround(one, body));
  const element = found.find((one) => measureBlocks(one) >= all * MIN_SHARE);
  if (!element) return null;
  const hasHeading = selectFirst(body, 'h1, h2, h3') !== null;
  const blocks = selectAll(element, 'p, pre, li, td').filter((block) => proseOf(block) >= MIN_BLOCK_LENGTH);
  return { element, trust: hasHeading && blocks.length >= 2 ? 'named' : 'none' };
}

function clean(root: Element): void {
  for (const element of selectAll(root, AROUND)) {
    if (selectFirst(element, 'h1') === null) element.remove();
  }
  removeNamedBoxes(root);
  const half = measureBlocks(root) / 2;
  for (const element of selectAll(root, '[class], [id]')) {
    if (HEADING.test(element.localName)) continue;
    const isNamedBeside = BESIDE.test(`${element.getAttribute('class') ?? ''} ${element.id}`);
    if (isNamedBeside && measureBlocks(element) < half) element.remove();
  }
  for (const list of selectAll(root, LISTS)) {
    if (root.contains(list) && isLinkList(list)) list.remove();
  }
}

/** Detects a list of three or more links, and nothing else. */
function isLinkList(element: Element): boolean {
  const links = selectAll(element, 'a[href]');
  if (links.length < MIN_LINKS || selectFirst(element, 'p, pre, table, blockquote, h1, [data-embed-part]') !== null)
    return false;
  const length = measureText(element.textContent);
  return length > 0 && 1 - proseOf(element) / length >= MAX_LINK_SHARE;
}

function isAround(element: Element, root: Element): boolean {
  for (let one: Element | null = element; one && one !== root; one = one.parentElement) {
    if (/^(?:nav|footer|form|dialog|aside)$/.test(one.localName) || isNamedClutter(one)) return true;
  }
  return false;
}

/** Counts the characters of an element that are not in links. */
function proseOf(element: Element): number {
  return measureText(element.textContent) - measureLinks(element);
}
