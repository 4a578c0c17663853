import type { IconLink } from './head/icon.ts';
import { resolveWebUrl } from './links.ts';

const MAX_JSON_LD_SCRIPTS = 10;
const MAX_TEXT_LENGTH = 2_000;
const MAX_JSON_LD_LENGTH = 300_000;

const MAX_METAS = 500;
const MAX_ICONS = 20;

type Attributes = Readonly<Record<string, string>>;

/** Collects the metadata of a page from the events of a parser, after which its methods are named. */
export class PageFacts {
  readonly metas = new Map<string, string>();
  readonly jsonLd: string[] = [];
  readonly icons: IconLink[] = [];
  /** The robots directives of all meta elements, one per line. */
  robots = '';
  title = '';
  heading = '';
  language: string | null = null;
  direction: 'ltr' | 'rtl' | null = null;
  base: string;
  asksForPassword = false;
  hasArticleElement = false;
  readonly #url: string;
  #hasBase = false;
  #svgDepth = 0;
  #capture: { readonly name: string; readonly max: number; text: string } | null = null;

  constructor(url: string) {
    this.base = url;
    this.#url = url;
  }

  onopentag(name: string, attributes: Attributes): void {
    if (name === 'svg') this.#svgDepth++;
    else if (name === 'meta') this.#readMeta(attributes);
    else if (name === 'link') this.#readLink(attributes);
    else if (name === 'base') this.#readBase(attributes.href);
    else if (name === 'html' || name === 'body') this.#readRoot(attributes);
    else if (name === 'article') this.hasArticleElement = true;
    else if (name === 'input') this.asksForPassword ||= attributes.type?.toLowerCase() === 'password';
    else if (this.#capture === null && this.#svgDepth === 0) this.#startCapture(name, attributes);
  }

  ontext(data: string): void {
    if (this.#capture && this.#capture.text.length < this.#capture.max) this.#capture.text += data;
  }

  onclosetag(name: string): void {
    if (name === 'svg') this.#svgDepth--;
    if (this.#capture?.name !== name) return;
    const { text, max } = this.#capture;
    this.#capture = null;
    if (name === 'title') this.title ||= text;
    else if (name === 'h1') this.heading ||= text.trim();
    else if (text.length <= max) this.jsonLd.push(text);
  }

  #startCapture(name: string, attributes: Attributes): void {
    const isJsonLd = name === 'script' && attributes.type?.trim().toLowerCase() === 'application/ld+json';
    if (isJsonLd && this.jsonLd.length < MAX_JSON_LD_SCRIPTS)
      this.#capture = { name, max: MAX_JSON_LD_LENGTH, text: '' };
    const isHeading = (name === 'title' && this.title === '') || (name === 'h1' && this.heading === '');
    if (isHeading) this.#capture = { name, max: MAX_TEXT_LENGTH, text: '' };
  }

  #readMeta(attributes: Attributes): void {
    const content = attributes.content?.trim();
    const equivalent = attributes['http-equiv']?.toLowerCase() === 'content-language' ? 'content-language' : undefined;
    const property = attributes.itemprop && `itemprop:${attributes.itemprop}`;
    const name = (attributes.property ?? attributes.name ?? equivalent ?? property)?.trim().toLowerCase();
    if (!name || !content) return;
    // all robots directives apply; of other names the first one
    if (name === 'robots' || name === 'googlebot') this.robots += `${content.replaceAll('\n', ' ')}\n`;
    if (this.metas.size < MAX_METAS && !this.metas.has(name)) this.metas.set(name, content);
  }

  #readLink({ rel = '', href = '', sizes = '', media = '' }: Attributes): void {
    if (/icon/i.test(rel) && this.icons.length < MAX_ICONS) this.icons.push({ rel, href, sizes, media });
  }

  #readBase(href: string | undefined): void {
    if (href === undefined || this.#hasBase) return;
    this.#hasBase = true;
    this.base = resolveWebUrl(href, this.#url) ?? this.#url;
  }

  #readRoot({ lang, dir }: Attributes): void {
    this.language ??= lang ?? null;
    const direction = dir?.trim().toLowerCase();
    if (direction === 'ltr' || direction === 'rtl') this.direction ??= direction;
  }
}
