import type { Article, HeroImage } from '../article.ts';
import { fallbackTitleOf } from '../page-url.ts';
import type { PageFacts } from './facts.ts';
import { parseByline } from './head/byline.ts';
import { directionOfLanguage, directionOfText } from './head/direction.ts';
import { findIcon } from './head/icon.ts';
import { isPlaceholder } from './head/placeholder.ts';
import { parsePublished } from './head/published.ts';
import { chooseTitle, findHeadedName, findSiteName, isNameOfHost } from './head/title.ts';
import type { StructuredData } from './json-ld.ts';
import { resolveWebUrl } from './links.ts';
import { plainText, shortText } from './plain-text.ts';

/** In characters, also of files and players. */
export const MAX_TITLE = 200;
const MAX_SITE = 100;
const MAX_DESCRIPTION = 500;

const IMAGE_METAS = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'];
const DATE_METAS = [
  'article:published_time',
  'og:article:published_time',
  'itemprop:datepublished',
  'parsely-pub-date',
  'citation_publication_date',
  'citation_online_date',
  'citation_date',
  'dc.date.issued',
  'dc.date',
  'dc.date.created',
  'dcterms.created',
  'dcterms.date',
  'dcterms.issued',
  'og:published_time',
  'article.published',
  'article:published',
  'sailthru.date',
  'cxenseparse:recs:publishtime',
  'datepublished',
  'publishdate',
  'publish_date',
  'pubdate',
  'publish-date',
  'date',
  'created',
];

const AUTHOR_METAS = [
  'author',
  'article:author',
  'dc.creator',
  'parsely-author',
  'citation_author',
  'sailthru.author',
  'cxenseparse:author',
  'byl',
];
const CHANGE_METAS = [
  'article:modified_time',
  'og:updated_time',
  'itemprop:datemodified',
  'dcterms.modified',
  'last-modified',
  'changed',
];

/** Names of sites that are not also those of their authors. */
const PUBLICATION =
  /^(?:the|der|die|das|le|la|el|il)\s|\b(?:news|times|post|blog|magazine|magazin|daily|journal|herald|tribune|gazette|media|press|tv|radio|today|online|zeitung)\b|\.\w{2,}$/i;

/** The hero is a candidate here: `selectHero` compares it with the content. */
export type Metadata = Omit<Article, 'content'>;

/** Combines the metadata of a page. The title falls back to its URL, the site to its host. */
export function createMetadata(facts: PageFacts, data: StructuredData, url: string): Metadata {
  const findMeta = (max: number, ...names: readonly string[]) =>
    names.map((name) => readValue(facts.metas.get(name), max)).find((text) => text !== null) ?? null;
  const host = new URL(url).hostname.replace(/^www\./, '');
  const heading = readValue(facts.heading, MAX_TITLE);
  const titles = [
    findMeta(MAX_TITLE, 'og:title'),
    findMeta(MAX_TITLE, 'twitter:title'),
    readValue(data.headline, MAX_TITLE),
    readValue(facts.title, MAX_TITLE),
    heading,
  ];
  const pageTitle = plainText(facts.title, MAX_TITLE);
  const titled = findSiteName(pageTitle, titles.slice(0, 3).concat(heading), host);
  const names = [
    findMeta(MAX_SITE, 'og:site_name'),
    // the publisher of a site may have another name
    titled !== null && isNameOfHost(titled, host) ? titled : null,
    readValue(data.publisher, MAX_SITE),
    readValue(data.webSite, MAX_SITE),
    findMeta(MAX_SITE, 'application-name', 'apple-mobile-web-app-title'),
  ].map((name) => (name !== null && /^https?:|^www\./i.test(name) ? null : name));
  const ownNames = names.every((name) => name === null)
    ? [findHeadedName(pageTitle, readValue(facts.siteHeading, MAX_SITE)) ?? titled]
    : names;
  const site = ownNames.find((name) => name !== null) ?? host;
  const author = readValue(facts.metas.get('author'), MAX_TITLE);
  const title = chooseTitle(titles, { names: ownNames, author, host, heading });
  const language =
    findLanguageTag(facts.language) ??
    findLanguageTag(facts.metas.get('content-language')) ??
    findLanguageTag(facts.metas.get('og:locale'));
  const description =
    findMeta(MAX_DESCRIPTION, 'og:description', 'twitter:description', 'description') ??
    shortText(data.description, MAX_DESCRIPTION);
  const findDate = (declared: string | null, names: readonly string[]) =>
    [declared, ...names.map((name) => facts.metas.get(name))]
      .map((value) => parsePublished(value))
      .find((date) => date !== null) ?? null;
  const publishedAt = findDate(data.published, DATE_METAS);
  const bylines = [...AUTHOR_METAS.map((name) => facts.metas.get(name)), labelledAuthor(facts)];
  const withoutSite = (line: string | null) => (line?.endsWith(`, ${site}`) ? line.slice(0, -site.length - 2) : line);
  // the site of a person has the name of its author
  const isAuthor = (name: string | null) => name !== null && (name !== site || !PUBLICATION.test(name));
  const image = findImage(facts, data);
  const picture = image === null ? null : createHero(image, facts);
  return {
    headTitle: findMeta(MAX_TITLE, 'og:title') ?? plainText(facts.title, MAX_TITLE),
    title: title ?? fallbackTitleOf(url),
    site,
    icon: findIcon(facts.icons, facts.base),
    language,
    direction: chooseDirection(facts, language, [title, description].join(' ')),
    byline:
      [...bylines, data.byline]
        .map((byline) => withoutSite(parseByline(byline, { publishedAt, language }, true)))
        .find(isAuthor) ?? null,
    publishedAt,
    modifiedAt: findDate(data.modified, CHANGE_METAS),
    description,
    image,
    ...(picture?.width && picture.height && { imageSize: { width: picture.width, height: picture.height } }),
    hero: image === resolveWebUrl(data.logo, facts.base) ? null : picture,
    isPaywalled: data.isPaywalled || facts.metas.get('article:content_tier')?.toLowerCase() === 'locked',
  };
}

/** Returns the author that a card for Twitter shows. */
function labelledAuthor({ metas }: PageFacts): string | undefined {
  const isLabelled = /^(?:written by|author|posted by|verfasst von|écrit par|escrito por|geschreven door)$/i;
  return ['1', '2']
    .filter((n) => isLabelled.test(metas.get(`twitter:label${n}`) ?? ''))
    .map((n) => metas.get(`twitter:data${n}`))[0];
}

/** Reads a line, unless it is a placeholder. */
function readValue(text: string | null | undefined, max: number): string | null {
  const line = shortText(text, max);
  return line === null || isPlaceholder(line) ? null : line;
}

/** The declared direction comes first. A text in a right-to-left script may be on a page with a wrong language. */
export function chooseDirection(facts: PageFacts, language: string | null, text: string): 'ltr' | 'rtl' {
  if (facts.direction !== null) return facts.direction;
  return directionOfText(text) === 'rtl' ? 'rtl' : (directionOfLanguage(language) ?? 'ltr');
}

function findImage(facts: PageFacts, data: StructuredData): string | null {
  const references = [...IMAGE_METAS.map((name) => facts.metas.get(name)), data.image];
  return (
    references.map((reference) => resolveWebUrl(reference || null, facts.base)).find((found) => found !== null) ?? null
  );
}

/** The size and the text of `og:image` are known only if the image comes from it. */
function createHero(url: string, facts: PageFacts): HeroImage {
  const isOpenGraph = resolveWebUrl(facts.metas.get('og:image') || null, facts.base) === url;
  const read = (name: string) => (isOpenGraph ? facts.metas.get(`og:image:${name}`) : undefined);
  const [width, height] = [read('width'), read('height')].map((size) =>
    /^[1-9]\d{1,4}$/.test(size ?? '') ? size : '',
  );
  const isSized = width !== '' && height !== '';
  return {
    url,
    alt: plainText(read('alt'), MAX_DESCRIPTION) ?? '',
    width: isSized ? Number(width) : null,
    height: isSized ? Number(height) : null,
  };
}

/** Returns the canonical form of a language tag (BCP 47), or null. */
export function findLanguageTag(text: string | null | undefined): string | null {
  const tag = text?.split(',')[0]?.trim().replaceAll('_', '-') ?? '';
  if (tag.length > 35) return null;
  try {
    // an extended language stands for itself: "zh-yue" is "yue", but "zh-CHT" is an old name
    return Intl.getCanonicalLocales(tag.replace(/^zh-(?=(?:cmn|gan|hak|hsn|nan|wuu|yue)(?:-|$))/i, ''))[0] ?? null;
  } catch {
    return null;
  }
}
