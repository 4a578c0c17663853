import type { Article } from '../../domain/page/article.ts';
import { fallbackTitleOf } from '../../domain/page/url.ts';
import type { PageFacts } from './facts.ts';
import type { StructuredData } from './json-ld.ts';
import { webUrl } from './links.ts';
import { plainText } from './plain-text.ts';

const MAX_TITLE = 200;
const MAX_SITE = 100;
const MAX_DESCRIPTION = 500;
export const MAX_BYLINE = 120;

/** Scripts that are written from right to left (ISO 15924). */
const RTL_SCRIPTS = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr', 'Aran'];

/** What stands between the title of an article and the name of its site. */
const TITLE_SEPARATOR = / [|\-–—·•»:/] /;

/** All of an article but its text. */
export type Metadata = Omit<Article, 'content'>;

/** What a page shows of itself, from what it says about itself and, last, from its URL. */
export function metadataOf(facts: PageFacts, data: StructuredData, url: string): Metadata {
  const meta = (max: number, ...names: readonly string[]) =>
    names.map((name) => plainText(facts.metas.get(name), max)).find((text) => text !== null) ?? null;
  const host = new URL(url).hostname.replace(/^www\./, '');
  const site =
    meta(MAX_SITE, 'og:site_name') ?? plainText(data.publisher, MAX_SITE) ?? meta(MAX_SITE, 'application-name');
  const title =
    meta(MAX_TITLE, 'og:title', 'twitter:title') ??
    plainText(data.headline, MAX_TITLE) ??
    plainText(facts.title, MAX_TITLE) ??
    plainText(facts.heading, MAX_TITLE);
  const language =
    languageTag(facts.language) ??
    languageTag(facts.metas.get('content-language')) ??
    languageTag(facts.metas.get('og:locale'));
  const byline = meta(MAX_BYLINE, 'author', 'article:author', 'dc.creator', 'parsely-author');
  return {
    headTitle: meta(MAX_TITLE, 'og:title') ?? plainText(facts.title, MAX_TITLE),
    title: title === null ? fallbackTitleOf(url) : withoutSite(title, [site, host]),
    site: site ?? host,
    language,
    direction: facts.direction ?? directionOf(language),
    byline: byline !== null && !byline.includes('://') ? byline : plainText(data.byline, MAX_BYLINE),
    description:
      meta(MAX_DESCRIPTION, 'og:description', 'twitter:description', 'description') ??
      plainText(data.description, MAX_DESCRIPTION),
    image: imageOf(facts, data),
  };
}

function imageOf(facts: PageFacts, data: StructuredData): string | null {
  const names = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'];
  const references = [...names.map((name) => facts.metas.get(name)), data.image];
  return references.map((reference) => webUrl(reference || null, facts.base)).find((found) => found !== null) ?? null;
}

/** "Bread - The Baker" of the site The Baker as "Bread". */
function withoutSite(title: string, sites: readonly (string | null)[]): string {
  const parts = title.split(TITLE_SEPARATOR);
  const last = parts.at(-1) ?? '';
  const isSite = sites.some((site) => site?.toLowerCase() === last.toLowerCase());
  return isSite && parts.length > 1 ? title.slice(0, -(last.length + 3)).trim() || title : title;
}

/** A language tag in its canonical form (BCP 47), or null when it is none. */
function languageTag(text: string | null | undefined): string | null {
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
