import type { Article } from '../../domain/page/article.ts';
import { fallbackTitleOf } from '../../domain/page/url.ts';
import type { PageFacts } from './facts.ts';
import type { StructuredData } from './json-ld.ts';
import { resolveWebUrl } from './links.ts';
import { plainText } from './plain-text.ts';

const MAX_TITLE = 200;
const MAX_SITE = 100;
const MAX_DESCRIPTION = 500;
export const MAX_BYLINE = 120;

/** Right-to-left scripts (ISO 15924). */
const RTL_SCRIPTS = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr', 'Aran'];

const TITLE_SEPARATOR = / [|\-–—·•»:/] /;

export type Metadata = Omit<Article, 'content'>;

/** Combines the metadata of a page. The title falls back to its URL, the site to its host. */
export function createMetadata(facts: PageFacts, data: StructuredData, url: string): Metadata {
  const findMeta = (max: number, ...names: readonly string[]) =>
    names.map((name) => plainText(facts.metas.get(name), max)).find((text) => text !== null) ?? null;
  const host = new URL(url).hostname.replace(/^www\./, '');
  const site =
    findMeta(MAX_SITE, 'og:site_name') ?? plainText(data.publisher, MAX_SITE) ?? findMeta(MAX_SITE, 'application-name');
  const title =
    findMeta(MAX_TITLE, 'og:title', 'twitter:title') ??
    plainText(data.headline, MAX_TITLE) ??
    plainText(facts.title, MAX_TITLE) ??
    plainText(facts.heading, MAX_TITLE);
  const language =
    findLanguageTag(facts.language) ??
    findLanguageTag(facts.metas.get('content-language')) ??
    findLanguageTag(facts.metas.get('og:locale'));
  const byline = findMeta(MAX_BYLINE, 'author', 'article:author', 'dc.creator', 'parsely-author');
  return {
    headTitle: findMeta(MAX_TITLE, 'og:title') ?? plainText(facts.title, MAX_TITLE),
    title: title === null ? fallbackTitleOf(url) : removeSiteName(title, [site, host]),
    site: site ?? host,
    language,
    direction: facts.direction ?? directionOf(language),
    byline: byline !== null && !byline.includes('://') ? byline : plainText(data.byline, MAX_BYLINE),
    description:
      findMeta(MAX_DESCRIPTION, 'og:description', 'twitter:description', 'description') ??
      plainText(data.description, MAX_DESCRIPTION),
    ...findImage(facts, data),
  };
}

function findImage(facts: PageFacts, data: StructuredData): Pick<Article, 'image' | 'imageSize'> {
  const findFirst = (...references: readonly (string | null | undefined)[]) =>
    references.map((reference) => resolveWebUrl(reference || null, facts.base)).find((found) => found !== null);
  const [graphImage, twitterImage] = [
    ['og:image:secure_url', 'og:image', 'og:image:url'],
    ['twitter:image', 'twitter:image:src'],
  ].map((names) => findFirst(...names.map((name) => facts.metas.get(name))));
  if (graphImage === undefined) return { image: twitterImage ?? findFirst(data.image) ?? null };
  const [width, height] = ['og:image:width', 'og:image:height'].map((name) => parseSize(facts.metas.get(name)));
  return { image: graphImage, ...(width && height && { imageSize: { width, height } }) };
}

/** Returns a number of pixels up to 99,999, or undefined. */
function parseSize(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

/** Shortens "Bread - The Baker" to "Bread". */
function removeSiteName(title: string, sites: readonly (string | null)[]): string {
  const parts = title.split(TITLE_SEPARATOR);
  const last = parts.at(-1) ?? '';
  const isSite = sites.some((site) => site?.toLowerCase() === last.toLowerCase());
  return isSite && parts.length > 1 ? title.slice(0, -(last.length + 3)).trim() || title : title;
}

/** Returns the canonical form of a language tag (BCP 47), or null. */
function findLanguageTag(text: string | null | undefined): string | null {
  const tag = text?.split(',')[0]?.trim().replaceAll('_', '-') ?? '';
  if (tag.length > 35) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

function directionOf(language: string | null): 'ltr' | 'rtl' {
  const script = language === null ? undefined : new Intl.Locale(language).maximize().script;
  return script !== undefined && RTL_SCRIPTS.includes(script) ? 'rtl' : 'ltr';
}
