import { webUrl } from './links.ts';

const MAX_JSON_LD = 10;
const MAX_TEXT = 2_000;
const MAX_JSON_LD_TEXT = 300_000;

/** Names that meta elements give to what is read here; the first one of a name counts. */
const MAX_METAS = 500;

type Attributes = Readonly<Record<string, string>>;

/**
 * What a page says about itself outside its text, gathered while a parser walks over it. Methods are named as the
 * parser's events.
 */
export class PageFacts {
  readonly metas = new Map<string, string>();
  readonly jsonLd: string[] = [];
  /** The robots directives of all meta elements, each on its line. */
  robots = '';
  title = '';
  /** The text of the first `h1` that has any. */
  heading = '';
  language: string | null = null;
  direction: 'ltr' | 'rtl' | null = null;
  /** What references of the page are relative to. */
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
    if (isJsonLd && this.jsonLd.length < MAX_JSON_LD) this.#capture = { name, max: MAX_JSON_LD_TEXT, text: '' };
    const isWanted = (name === 'title' && this.title === '') || (name === 'h1' && this.heading === '');
    if (isWanted) this.#capture = { name, max: MAX_TEXT, text: '' };
  }

  #readMeta(attributes: Attributes): void {
    const content = attributes.content?.trim();
    const equivalent = attributes['http-equiv']?.toLowerCase() === 'content-language' ? 'content-language' : undefined;
    const name = (attributes.property ?? attributes.name ?? equivalent)?.trim().toLowerCase();
    if (!name || !content) return;
    // a prohibition counts wherever it stands
    if (name === 'robots' || name === 'googlebot') this.robots += `${content.replaceAll('\n', ' ')}\n`;
    if (this.metas.size < MAX_METAS && !this.metas.has(name)) this.metas.set(name, content);
  }

  #readBase(href: string | undefined): void {
    if (href === undefined || this.#hasBase) return;
    this.#hasBase = true;
    this.base = webUrl(href, this.#url) ?? this.#url;
  }

  #readRoot({ lang, dir }: Attributes): void {
    this.language ??= lang ?? null;
    const direction = dir?.trim().toLowerCase();
    if (direction === 'ltr' || direction === 'rtl') this.direction ??= direction;
  }
}
