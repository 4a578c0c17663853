import { findText, isObject, type JsonObject, parseJson } from '../json.ts';
import { renderDiscussion } from './conversation/description.ts';
import { renderThing } from './described/things.ts';
import { isSimilarTitle } from './head/title.ts';
import { plainText } from './plain-text.ts';

const SCHEMA_ORG_ARTICLE_TYPES = /(?:Article|Posting|Recipe|Report|Review|HowTo)$/;
const EPISODE = /Episode$/;
const DISCUSSION_TYPES = /(?:^|\/)(?:DiscussionForumPosting|QAPage|Conversation)$/;
const MAX_THINGS = 200;

export interface StructuredData {
  readonly isArticle: boolean;
  readonly isDiscussion: boolean;
  /** The messages of a discussion, as HTML. */
  readonly discussion: string | null;
  readonly headline: string | null;
  readonly description: string | null;
  readonly byline: string | null;
  readonly publisher: string | null;
  readonly webSite: string | null;
  readonly logo: string | null;
  readonly image: string | null;
  /** The whole text, unless it is behind a paywall. */
  readonly articleBody: string | null;
  readonly published: string | null;
  readonly modified: string | null;
  /** Only a part of the text can be read without paying (`isAccessibleForFree`). */
  readonly isPaywalled: boolean;
}

interface PageIdentity {
  readonly url: string;
  /** The titles that the page itself has, in its head and its first heading. */
  readonly titles: readonly string[];
}

/** Reads the article that a page describes (schema.org). Articles of other pages, such as teasers, are ignored. */
export function readStructuredData(scripts: readonly string[], page: PageIdentity): StructuredData {
  const things = scripts.flatMap(collectThings);
  const thing = findArticle(things, page);
  const find = (value: unknown) => dereference(value, things);
  const discussion = things.find((one) => typesOf(one).some(isDiscussionType));
  const discussed = isObject(discussion?.mainEntity) ? discussion.mainEntity : (discussion ?? null);
  const headline = findText(thing?.headline) ?? findText(thing?.name);
  const webPage =
    things.find((one) => typesOf(one).includes('WebPage')) ??
    things.find((one) => typesOf(one).some((type) => EPISODE.test(type)) && isOfPage(one, page));
  const webSite = things.find((one) => typesOf(one).includes('WebSite'));
  const publisher = find(thing?.publisher);
  return {
    isArticle: thing !== undefined,
    isDiscussion: discussion !== undefined,
    discussion: discussed && renderDiscussion(discussed, (author) => namesOf(author, find)),
    headline: isTitleOf(headline, page) ? headline : null,
    description: findText(thing?.description),
    byline: namesOf(thing?.author ?? thing?.creator, find),
    publisher: namesOf(publisher, find),
    webSite: namesOf(webSite?.name, find),
    logo: isObject(publisher) ? urlOf(publisher.logo, find) : null,
    image: urlOf(thing?.image, find),
    published:
      findText(thing?.datePublished) ??
      findText(thing?.dateCreated) ??
      findText(webPage?.datePublished) ??
      findText(things.find((one) => typesOf(one).includes('JobPosting'))?.datePosted),
    modified: findText(thing?.dateModified) ?? findText(webPage?.dateModified),
    isPaywalled: [thing, webPage].some(isPaywalled),
    articleBody: [thing, webPage].some(isPaywalled) ? null : findText(thing?.articleBody),
  };
}

/** Renders a recipe, questions, an event, a product or opening hours that a page describes, as HTML; null without one. */
export function renderDescribed(scripts: readonly string[], language: string | null): string | null {
  return renderThing(scripts.flatMap(collectThings), typesOf, language ?? 'en');
}

function findArticle(things: readonly JsonObject[], page: PageIdentity): JsonObject | undefined {
  const articles = things.filter((thing) => typesOf(thing).some((type) => SCHEMA_ORG_ARTICLE_TYPES.test(type)));
  return (
    articles.find((article) => isOfPage(article, page)) ??
    articles.find((article) => isTitleOf(findText(article.headline) ?? findText(article.name), page))
  );
}

/** Returns true for a missing title too, and for a page that has no title of its own. */
function isTitleOf(headline: string | null, { titles }: PageIdentity): boolean {
  return headline === null || titles.length === 0 || titles.some((title) => isSimilarTitle(title, headline));
}

function isOfPage(thing: JsonObject, { url }: PageIdentity): boolean {
  return addressesOf(thing).some((address) => isSamePage(address, url));
}

function addressesOf({ url, mainEntityOfPage, '@id': id }: JsonObject): readonly string[] {
  const page = isObject(mainEntityOfPage) ? mainEntityOfPage['@id'] : mainEntityOfPage;
  return [url, page, id].map(findText).filter((address) => address !== null);
}

function isSamePage(address: string, pageUrl: string): boolean {
  const [one, other] = [URL.parse(address, pageUrl), new URL(pageUrl)];
  const pathOf = (url: URL) => url.pathname.replace(/\/$/, '');
  return one?.hostname === other.hostname && pathOf(one) === pathOf(other);
}

function collectThings(script: string): readonly JsonObject[] {
  const things: JsonObject[] = [];
  const queue: unknown[] = [parseJson(script)];
  for (let i = 0; i < queue.length && i < MAX_THINGS; i++) {
    const value = queue[i];
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_THINGS));
    else if (isObject(value)) {
      things.push(value);
      queue.push(value['@graph'], value.mainEntity);
    }
  }
  return things;
}

/** Checks a type of schema.org. */
export function isDiscussionType(type: string): boolean {
  return DISCUSSION_TYPES.test(type);
}

function typesOf(thing: JsonObject): readonly string[] {
  const types: readonly unknown[] = [thing['@type']].flat().slice(0, 10);
  return types.filter((type) => typeof type === 'string' && type.length < 100) as readonly string[];
}

/** Follows a reference to another thing of the page, which has only an `@id`. */
function dereference(value: unknown, things: readonly JsonObject[]): unknown {
  if (!isObject(value) || typeof value['@id'] !== 'string' || value.name !== undefined) return value;
  return things.find((thing) => thing['@id'] === value['@id']) ?? value;
}

function isPaywalled(thing: JsonObject | undefined): boolean {
  const parts: readonly unknown[] = [thing?.hasPart].flat().slice(0, 20);
  return [thing, ...parts].some((part) => isObject(part) && /^(?:false|0|no)$/i.test(String(part.isAccessibleForFree)));
}

type Find = (value: unknown) => unknown;

/** Joins names of people or organisations, given as a text, as a thing, or as a list of both. */
function namesOf(value: unknown, find: Find): string | null {
  const entries = (Array.isArray(value) ? value.slice(0, 5) : [value]).map(find);
  const names = entries.map((entry) => plainText(findText(isObject(entry) ? entry.name : entry), 120));
  return names.filter((name) => name !== null && !name.includes('://')).join(', ') || null;
}

function urlOf(value: unknown, find: Find): string | null {
  const first = find(Array.isArray(value) ? value[0] : value);
  return findText(isObject(first) ? (first.url ?? first.contentUrl) : first);
}
