import { Parser } from 'htmlparser2';
import type { Article } from '../article.ts';
import type { PageStatus } from '../page-state.ts';
import { hidesDescription, prohibitionOf, type RobotsMode } from '../robots.ts';
import { takeConversation } from './conversation/conversation.ts';
import {
  type Extraction,
  extractArticle,
  extractMainContent,
  type PageDescription,
  renderDocument,
} from './extract.ts';
import { PageFacts } from './facts.ts';
import { readStructuredData, renderDescribed } from './json-ld.ts';
import { createMetadata, MAX_TITLE } from './metadata.ts';
import { hasDoubtfulTitle, isNotice } from './not-articles.ts';
import { plainText } from './plain-text.ts';
import { renderDocsModel } from './scripted/google-docs.ts';
import { readFlightData, renderFlightData } from './scripted/next-flight.ts';
import { convertNotionPage, isNotionShell, removeNotionAdvertising } from './scripted/notion.ts';
import { findArticleInData, parseData, toMarkup } from './scripted/page-data.ts';
import { convertSwaggerPage } from './scripted/swagger.ts';
import { PageTree, type TreeOptions } from './tree/page-tree.ts';
import { selectFirst } from './tree/select.ts';

/** In characters. The rest of a page is ignored. */
const MAX_HTML_LENGTH = 5 * 1024 * 1024;
const CHUNK_LENGTH = 64 * 1024;
/** In characters. Shorter ones only ask for scripts. */
const MIN_NOSCRIPT_LENGTH = 300;
/** In characters, of a thing that a page describes. */
const MIN_DESCRIBED_LENGTH = 80;

/** What is known of a page besides its markup. */
export interface PageContext {
  readonly url: string;
  /** The `X-Robots-Tag` values, joined by line breaks. */
  readonly robots: string | null;
  /** `respect` if omitted. */
  readonly robotsMode?: RobotsMode;
  /** A browser has run the scripts of the page. */
  readonly isRendered?: boolean;
}

/** The article of a page, and why its `content` is null if it is. */
export interface PageReading {
  readonly status: PageStatus;
  readonly article: Article;
  /** The page has scripts that may add its article, or the rest of a short one. */
  readonly mayNeedBrowser?: boolean;
  /** The URL to which the page redirects its readers at once. */
  readonly refreshUrl?: string | null;
  /** The description of the page for sites that embed it. */
  readonly oembedUrl?: string | null;
}

/** A part of a document, filtered like an article. */
export interface Fragment {
  readonly title: string | null;
  readonly content: string;
}

const SHOWN: PageStatus = { state: 'SHOWN', reason: null };
const NO_ARTICLE: PageStatus = { state: 'NO_ARTICLE', reason: 'The page has no article that could be copied.' };
const NEEDS_BROWSER: PageStatus = { state: 'NEEDS_BROWSER', reason: 'The page has no text without its scripts.' };
const TOO_LARGE: PageStatus = { state: 'TOO_LARGE', reason: 'The page has too much markup to copy.' };

/** Reads the article of a page, whatever its markup. Without an article, or if copies are forbidden, `content` is null. */
export function readArticle(html: string, context: PageContext): PageReading {
  const converted = convertNotionPage(html) ?? convertSwaggerPage(html);
  const reading = readPage(converted ?? html, converted === null ? context : { ...context, isRendered: false });
  if (converted === null || (reading.status !== SHOWN && reading.status !== NO_ARTICLE)) return reading;
  // all that was converted is the author's, also a gallery, a short text or a database of links
  const whole = readFragment(converted, { url: context.url, title: reading.article.title });
  if (!whole?.content.trim()) return reading;
  return { ...reading, status: SHOWN, article: { ...reading.article, content: whole.content } };
}

function readPage(html: string, { url, robots, robotsMode = 'respect', isRendered = false }: PageContext): PageReading {
  const facts = new PageFacts(url);
  const tree = parsePage(html, facts);
  const titles = [facts.metas.get('og:title') ?? '', facts.title, facts.heading].filter((title) => title.trim() !== '');
  const data = readStructuredData(facts.jsonLd, { url, titles });
  const found = createMetadata(facts, data, url);
  const metadata = isNotionShell(html) ? removeNotionAdvertising(found, url) : found;
  const directives = [robots, facts.robots];
  const isHidden = directives.some((values) => hidesDescription(values, robotsMode));
  const description = isHidden ? null : metadata.description;
  const card = {
    ...metadata,
    description,
    image: metadata.image ?? tree?.largeImage ?? null,
    hero: null,
    content: null,
  };
  const prohibition = directives.map((values) => prohibitionOf(values, robotsMode)).find((status) => status !== null);
  const { refreshUrl, oembedUrl } = facts;
  const links = { refreshUrl, oembedUrl };
  if (prohibition) return { status: prohibition, article: card, ...links };
  if (tree?.isTooLarge) return { status: TOO_LARGE, article: card, ...links };
  const page = { metadata, facts, data, isRendered };
  const inMarkup = tree ? (findConversation(tree, page, url) ?? findArticle(html, tree, page, url)) : {};
  const article = { ...card, ...(inMarkup.content ? inMarkup : findArticleElsewhere(html, page, url)) };
  const { needsBrowser, mayNeedBrowser } = facts;
  if (article.content !== null) {
    const isTeaser = article.content === inMarkup.content && facts.mayBeTeaser(article.content);
    return { status: SHOWN, article, ...(isTeaser && { mayNeedBrowser: true }), ...links };
  }
  if (needsBrowser) return { status: NEEDS_BROWSER, article, mayNeedBrowser, ...links };
  const words = isHidden || hasDoubtfulTitle(article.title) ? null : facts.firstWords.line;
  const isNoticed = words !== null && isNotice(words, false);
  const described = { ...article, description: article.description ?? (isNoticed ? null : words) };
  return { status: NO_ARTICLE, article: described, mayNeedBrowser, ...links };
}

/** Reads a page of messages, in the order and the levels in which they answer each other; null for other pages. */
function findConversation(
  tree: PageTree,
  { facts, data, metadata }: PageDescription,
  url: string,
): Partial<Article> | null {
  if (hasDoubtfulTitle(metadata.title)) return null;
  const conversation = takeConversation(tree.document, data.isDiscussion || facts.isDiscussion);
  const content = conversation && renderDocument(tree, { title: metadata.title, url });
  if (!conversation || !content) return null;
  const { title, byline, publishedAt } = conversation;
  return {
    content,
    title: title ?? metadata.title,
    byline: metadata.byline ?? byline,
    publishedAt: metadata.publishedAt ?? publishedAt,
  };
}

/** Filters HTML that is an article as a whole. Without a title, its first heading is the title. Null if nothing is left. */
export function readFragment(html: string, { url, title }: { url: string; title: string | null }): Fragment | null {
  const facts = new PageFacts(url);
  const tree = parsePage(html, facts);
  if (tree === null || tree.isTooLarge) return null;
  const { body } = tree.document;
  if (!body.textContent.trim() && !selectFirst(body, 'img, video, audio, iframe')) return null;
  const found = title ?? plainText(facts.heading, MAX_TITLE);
  const content = renderDocument(tree, { title: found ?? '', url });
  return content === null ? null : { title: found, content };
}

/** Finds an article that the page carries outside its markup: in JSON-LD, `noscript` elements, or the data of its scripts. */
function findArticleElsewhere(html: string, description: PageDescription, url: string): Partial<Article> {
  const { facts, data } = description;
  const readText = (content: string) => {
    const text = `<article>${content}</article>`;
    const tree = parsePage(text, new PageFacts(url));
    return tree && findArticle(text, tree, { ...description, data: { ...data, isArticle: true } }, url);
  };
  const discussion = data.discussion === null ? null : parsePage(data.discussion, new PageFacts(url));
  const messages = discussion && findConversation(discussion, description, url);
  if (messages) return messages;
  const body = data.articleBody === null ? null : readText(toMarkup(data.articleBody));
  if (body?.content) return body;
  const described = renderDescribed(facts.jsonLd, description.metadata.language);
  const thing = described === null ? null : readFragment(described, { url, title: description.metadata.title });
  if (thing && thing.content.replace(/<[^>]*>/g, '').length >= MIN_DESCRIBED_LENGTH) return { content: thing.content };
  const docs = renderDocsModel(facts.modelScripts);
  const document = docs === null ? null : readText(docs);
  if (document?.content || !(facts.needsBrowser || facts.isShell)) return document ?? {};
  const withNoscript =
    facts.noscriptLength >= MIN_NOSCRIPT_LENGTH
      ? parsePage(html, new PageFacts(url), new PageTree({ readsNoscript: true }))
      : null;
  const inNoscript =
    withNoscript &&
    (findConversation(withNoscript, description, url) ??
      tryExtraction(() => extractArticle(withNoscript, description, url)).article);
  if (inNoscript?.content) return inNoscript;
  const flight = readFlightData(facts.modelScripts);
  const inStream = renderFlightData(flight);
  const streamed = inStream === null ? null : readText(inStream);
  if (streamed?.content) return streamed;
  const inData = findArticleInData([...facts.dataScripts.map(parseData), ...flight.values()]);
  return (inData === null ? null : readText(inData)) ?? {};
}

/** Reads a page a second time, by what the page says of its main content, if the first result is nothing or loses much. */
function findArticle(html: string, tree: PageTree, description: PageDescription, url: string): Partial<Article> {
  const first = tryExtraction(() => extractArticle(tree, description, url));
  if (!first.isIncomplete) return first.article;
  const readAgain = (options: TreeOptions) => {
    const again = parsePage(html, new PageFacts(url), new PageTree(options));
    return again === null || again.isTooLarge ? null : tryExtraction(() => extractMainContent(again, description, url));
  };
  const second = readAgain({});
  if (second && second.length > first.length) return second.article;
  const hasText = first.length > 0 || !/aria-hidden=["']?true/i.test(html);
  return hasText ? first.article : (readAgain({ readsAriaHidden: true })?.article ?? {});
}

function tryExtraction(extract: () => Extraction): Extraction {
  try {
    return extract();
  } catch {
    // libraries throw on some malformed pages
    return { article: {}, length: 0, isIncomplete: true };
  }
}

function parsePage(html: string, facts: PageFacts, tree = new PageTree()): PageTree | null {
  const parser = new Parser({
    onopentag(name, attributes) {
      facts.onopentag(name, attributes);
      tree.onopentag(name, attributes, facts.base);
    },
    ontext(text) {
      facts.ontext(text);
      tree.ontext(text);
    },
    onclosetag(name) {
      facts.onclosetag(name);
      tree.onclosetag(name);
    },
    oncomment: (data) => tree.oncomment(data),
    onend() {
      facts.onend();
      tree.onend();
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
