import { ROBOT_NAME } from '../robots.ts';
import { FirstWords } from './head/first-words.ts';
import type { IconLink } from './head/icon.ts';
import { isDiscussionType } from './json-ld.ts';
import { resolveWebUrl } from './links.ts';
import { toLine } from './plain-text.ts';
import { isDocsScript } from './scripted/google-docs.ts';
import { isFlightScript } from './scripted/next-flight.ts';
import { isPageData } from './scripted/page-data.ts';
import { isHiddenByStyle } from './tree/elements.ts';
import { HiddenNames } from './waiting/hidden-names.ts';

const MAX_JSON_LD_SCRIPTS = 10;
const MAX_TEXT_LENGTH = 2_000;
const MAX_JSON_LD_LENGTH = 300_000;

const MAX_DATA_SCRIPTS = 10;
const MAX_DATA_LENGTH = 2_000_000;
/** In characters, of all scripts with parts of a model. */
const MAX_MODEL_LENGTH = 4_000_000;

const MAX_METAS = 500;
/** In characters. */
const MAX_AUTHORS_LENGTH = 100;
const AUTHOR_METAS = ['author', 'citation_author', 'dc.creator'];
const MAX_ICONS = 20;

/** Elements whose text a browser with scripts does not show. */
const INVISIBLE_ELEMENTS = ['script', 'style', 'noscript', 'template', 'title'];
/** In characters. Pages with more text were not built by their scripts alone. */
const MAX_SHELL_TEXT_LENGTH = { silent: 200, asksForScripts: 1_000 };
/** In characters. The scripts of pages with more text do not add the article. Menus, links and footers count a quarter. */
const MAX_TEXT_LENGTH_BEFORE_SCRIPTS = 2_000;
const MENU_WEIGHT = 0.25;
/** Elements, roles and class names whose text is no part of an article. */
const MENUS = ['nav', 'footer', 'a', 'button', 'form', 'dialog'];
const MENU_ROLES = ['banner', 'contentinfo', 'dialog', 'menu', 'menubar', 'navigation'];
const MENU_NAME =
  /(?:^|\s)(?:(?:site|main|top|side|mega|mobile|primary|secondary|global|user|app)[-_]?)?(?:menu|nav|navigation|navbar|sidebar|drawer|topbar|(?:site|main|top|side)[-_]?(?:bar|header|footer))(?=\s|$)/i;
/** In characters, without menus. A shorter text may be replaced or continued by scripts. */
const MAX_TEASER_LENGTH = 2_000;
/** The end of the HTML of a text that goes on. */
const OPEN_END = /(?:…|\.\.\.)\s*(?:<\/[a-z]{1,10}>\s*){0,20}$/;
/** What scripts in the page use to build its text. */
const BUILDS_TEXT =
  /\b(?:IntersectionObserver|insertAdjacentHTML|attachShadow|replaceChildren)\b|\b(?:inner|outer)HTML\s*=/;
/** Ids and attributes of the elements in which applications build their pages. */
const APPLICATION_ROOT = /^(?:root|app|app-?root|main-app|__next|__nuxt|___gatsby|react-root|svelte|q-app|mount)$/;
const ROOT_ATTRIBUTES = ['data-reactroot', 'data-server-rendered', 'data-v-app', 'ng-version'];
/** Class names and ids of the head of a site, and of the columns beside the text: a heading in there is the name of the site. */
const SITE_HEAD =
  /(?:^|\s)(?:(?:site|menu|nav|navbar|masthead)[-_]?(?:header|title|name|logo|brand(?:ing)?|bar)|headerbar|masthead|branding|brand|logo|side-?bar|side|titlebox)(?=\s|$)/i;
/** Boxes beside the text in which many sites ask their readers to sign in. */
const LOGIN_BOX = /^(?:header|aside)$/;
const LOGIN_BOX_NAME = /(?:^|\s)(?:(?:page-?)?header|modal|popup|dropdown(?:-menu)?|offcanvas)(?=\s|$)/i;
/** Class names that hide an element at every width. */
const HIDING_NAME =
  /^(?!.*:)(?:.*\s)?(?:hidden|is-hidden|d-none|invisible|sr-only|visually-hidden|screen-reader-text)(?=\s|$)/i;

/** The sign of a link from a heading to itself. */
const PERMALINK = /\s*[#¶§]$/;
/** Between two headings in a title. */
const SEPARATOR = /^[\s\p{P}\p{S}]{1,9}$/u;

/** Pages that are refreshed later are meant to be read. */
const MAX_REFRESH_S = 5;

type Attributes = Readonly<Record<string, string>>;

/** Collects the metadata of a page from the events of a parser, after which its methods are named. */
export class PageFacts {
  readonly metas = new Map<string, string>();
  readonly jsonLd: string[] = [];
  /** Data from which the scripts of the page build it. */
  readonly dataScripts: string[] = [];
  /** Parts of a model of the page, of Next or of Google Docs, in their order. */
  readonly modelScripts: string[] = [];
  /** In characters. */
  noscriptLength = 0;
  readonly icons: IconLink[] = [];
  /** The robots directives of all meta elements, one per line, in the form of `X-Robots-Tag`. */
  robots = '';
  title = '';
  heading = '';
  /** The heading of the site, not of the page. */
  siteHeading = '';
  language: string | null = null;
  direction: 'ltr' | 'rtl' | null = null;
  base: string;
  /** The page has a field for a password, not only in a box beside its text. */
  asksForPassword = false;
  articleElements = 0;
  readonly firstWords = new FirstWords();
  /** The page declares a discussion in microdata (schema.org). */
  isDiscussion = false;
  #bannerHeading = '';
  #refresh: string | null = null;
  #oembed: string | null = null;
  readonly #url: string;
  /** In characters: the visible text, and that in menus. */
  #textLength = 0;
  #menuLength = 0;
  #hiddenDepth = 0;
  #menuDepth = 0;
  #siteHeadDepth = 0;
  #loginBoxDepth = 0;
  /** The page has scripts, or frames of its own site. */
  #isScripted = false;
  #modelLength = 0;
  #isApplication = false;
  #buildsText = false;
  #asksForScripts = false;
  /** The invisible element that the parser is in. */
  #invisible: string | null = null;
  readonly #hiddenNames = new HiddenNames();
  #hasBase = false;
  #svgDepth = 0;
  #capture: { readonly name: string; readonly max: number; text: string; isSiteName?: boolean } | null = null;

  constructor(url: string) {
    this.base = url;
    this.#url = url;
  }

  /** The page is an application whose scripts build its text. */
  get needsBrowser(): boolean {
    const { silent, asksForScripts } = MAX_SHELL_TEXT_LENGTH;
    return this.#isScripted && this.#textLength < (this.#asksForScripts ? asksForScripts : silent);
  }

  /** The page has little text besides menus, and may have the rest in its data. */
  get isShell(): boolean {
    return this.#isScripted && this.#textLength - this.#menuLength < MAX_SHELL_TEXT_LENGTH.silent;
  }

  /** Scripts may add the text of the page. */
  get mayNeedBrowser(): boolean {
    const length = this.#textLength - this.#menuLength * (1 - MENU_WEIGHT);
    return this.#isScripted && length < MAX_TEXT_LENGTH_BEFORE_SCRIPTS;
  }

  /** The page has a short text, and is an application, has scripts that build text, or ends in the middle of a sentence. */
  mayBeTeaser(content: string): boolean {
    const isBuilt = this.#buildsText || (this.#isScripted && (this.#isApplication || OPEN_END.test(content)));
    return isBuilt && this.#textLength - this.#menuLength < MAX_TEASER_LENGTH;
  }

  /** The target of a refresh that browsers with scripts follow within {@link MAX_REFRESH_S}. */
  get refreshUrl(): string | null {
    return resolveWebUrl(this.#refresh, this.base);
  }

  get oembedUrl(): string | null {
    return resolveWebUrl(this.#oembed, this.base);
  }

  onopentag(name: string, attributes: Attributes): void {
    if (INVISIBLE_ELEMENTS.includes(name)) this.#invisible ??= name;
    this.firstWords.ontag(name);
    const isHidden =
      attributes.hidden !== undefined ||
      attributes['aria-hidden'] === 'true' ||
      HIDING_NAME.test(attributes.class ?? '') ||
      isHiddenByStyle(attributes) ||
      this.#hiddenNames.hides(attributes);
    if (this.#hiddenDepth > 0 || (isHidden && name !== 'body')) this.#hiddenDepth++;
    if (this.#menuDepth > 0 || isMenu(name, attributes)) this.#menuDepth++;
    const isSiteHead =
      name !== 'body' && name !== 'html' && SITE_HEAD.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`);
    if (this.#siteHeadDepth > 0 || isSiteHead) this.#siteHeadDepth++;
    const isLoginBox = isSiteHead || (name !== 'body' && name !== 'html' && isBesideText(name, attributes));
    if (this.#loginBoxDepth > 0 || isLoginBox) this.#loginBoxDepth++;
    if (name === 'a' && this.#capture?.name === 'h1' && this.#isHome(attributes.href)) this.#capture.isSiteName = true;
    if (attributes.itemtype && isDiscussionType(attributes.itemtype)) this.isDiscussion = true;
    const mayHaveText = this.#hiddenDepth === 0 && this.#menuDepth === 0;
    this.#isApplication ||= isRoot(attributes) || (mayHaveText && loadsPart(name, attributes));
    if (name === 'script') this.#isScripted ||= isExecutable(attributes.type);
    if (name === 'iframe' || name === 'frame')
      this.#isScripted ||= this.#hiddenDepth === 0 && this.#isOwnFrame(attributes);
    if (name === 'svg') this.#svgDepth++;
    else if (name === 'meta') this.#readMeta(attributes);
    else if (name === 'link') this.#readLink(attributes);
    else if (name === 'base') this.#readBase(attributes.href);
    else if (name === 'html' || name === 'body') this.#readRoot(attributes);
    else if (name === 'article') this.articleElements++;
    else if (name === 'input') this.asksForPassword ||= this.#isPassword(attributes);
    else if (this.#capture === null && this.#svgDepth === 0) this.#startCapture(name, attributes);
  }

  ontext(data: string): void {
    if (this.#invisible === null) {
      const length = this.#hiddenDepth > 0 ? 0 : data.trim().length;
      this.#textLength += length;
      if (this.#menuDepth > 0) this.#menuLength += length;
      if (this.#hiddenDepth === 0) this.firstWords.ontext(data, this.#menuDepth);
    }
    if (this.#invisible === 'style') this.#hiddenNames.addStyles(data);
    if (this.#invisible === 'noscript') {
      this.#asksForScripts ||= /javascript/i.test(data);
      this.noscriptLength += data.trim().length;
    }
    if (this.#capture && this.#capture.text.length < this.#capture.max) this.#capture.text += data;
  }

  onclosetag(name: string): void {
    this.firstWords.ontag(name);
    if (this.#hiddenDepth > 0) this.#hiddenDepth--;
    if (this.#menuDepth > 0) this.#menuDepth--;
    if (this.#siteHeadDepth > 0) this.#siteHeadDepth--;
    if (this.#loginBoxDepth > 0) this.#loginBoxDepth--;
    if (name === 'svg') this.#svgDepth--;
    if (name === this.#invisible) this.#invisible = null;
    if (this.#capture?.name !== name) return;
    const { text, max, isSiteName } = this.#capture;
    this.#capture = null;
    if (name === 'title') this.title ||= text.trim();
    else if (isSiteName) this.#readSiteHeading(text.trim());
    else if (name === 'h1' && this.#menuDepth > 0) this.#bannerHeading ||= text.trim();
    else if (name === 'h1' && this.heading === '') this.heading = text.trim();
    else if (/^h[12]$/.test(name)) this.#readSubheading(toLine(text).replace(PERMALINK, ''));
    else if (text.length > max) return;
    else if (max === MAX_JSON_LD_LENGTH) this.jsonLd.push(text);
    else if (isFlightScript(text) || isDocsScript(text)) this.#addModel(text);
    else if (isPageData(text) && this.dataScripts.length < MAX_DATA_SCRIPTS) this.dataScripts.push(text);
    else this.#buildsText ||= BUILDS_TEXT.test(text);
  }

  /**
   * In a title such as "Bread - The Baker" of a page with the headings "The Baker" and "Bread", the first one is that of the site;
   * after the number of an issue, its own title and more may be around it.
   */
  #readSubheading(text: string): void {
    if (text === '') return;
    // the first heading in the title is then the name of the site
    if (this.heading === '' && this.title.slice(this.#bannerHeading.length).includes(text)) this.#bannerHeading = '';
    if (this.heading === '' || !this.title.startsWith(text)) return;
    const rest = this.title.slice(text.length, MAX_TEXT_LENGTH);
    const isEnd = rest.toLowerCase().endsWith(this.heading.toLowerCase());
    const isTail = isEnd && SEPARATOR.test(rest.slice(0, -this.heading.length));
    const isIssue = /\s#\d{1,7}$/.test(text.slice(-9)) && `${rest} - `.includes(` - ${this.heading} - `);
    if (!isTail && !isIssue) return;
    this.siteHeading = this.heading;
    this.heading = text;
  }

  /** Takes a heading in a banner with which the title begins, in a page without another one. */
  onend(): void {
    const rest = this.title.startsWith(this.#bannerHeading) ? this.title.slice(this.#bannerHeading.length) : '';
    if (this.heading === '' && /^\s[\p{P}\p{S}]\s/u.test(rest)) this.heading = this.#bannerHeading;
  }

  /** A heading in a menu or a banner may also be that of the page. */
  #readSiteHeading(text: string): void {
    if (this.#menuDepth === 0 || this.title.endsWith(text)) this.siteHeading ||= text;
  }

  #isPassword({ type }: Attributes): boolean {
    return type?.toLowerCase() === 'password' && this.#hiddenDepth === 0 && this.#loginBoxDepth === 0;
  }

  #addModel(text: string): void {
    this.#modelLength += text.length;
    if (this.#modelLength <= MAX_MODEL_LENGTH) this.modelScripts.push(text);
  }

  #startCapture(name: string, attributes: Attributes): void {
    if (name === 'script') {
      const isJsonLd = attributes.type?.trim().toLowerCase() === 'application/ld+json';
      if (isJsonLd && this.jsonLd.length < MAX_JSON_LD_SCRIPTS)
        this.#capture = { name, max: MAX_JSON_LD_LENGTH, text: '' };
      else if (attributes.src === undefined) this.#capture = { name, max: MAX_DATA_LENGTH, text: '' };
    }
    // a heading in the banner of the site is its name
    const isSiteName = name === 'h1' && this.#siteHeadDepth > 0;
    const isHeading = name === 'h1' && this.heading === '';
    const isBelow = this.heading !== '' || this.#bannerHeading !== '';
    const isSubheading = /^h[12]$/.test(name) && isBelow && this.siteHeading === '' && this.#menuDepth === 0;
    if (isHeading || isSubheading || (name === 'title' && this.title === ''))
      this.#capture = { name, max: MAX_TEXT_LENGTH, text: '', isSiteName };
  }

  /** Detects a link to the home page of the site, from another page. */
  #isHome(href: string | undefined): boolean {
    const [home, page] = [URL.parse(href ?? '', this.base), new URL(this.#url)];
    return home?.hostname === page.hostname && home.pathname === '/' && home.search === '' && page.pathname !== '/';
  }

  #isOwnFrame({ src, srcdoc }: Attributes): boolean {
    const url = URL.parse(src ?? '', this.base);
    return srcdoc !== undefined || (Boolean(src) && url?.origin === new URL(this.#url).origin);
  }

  #readMeta(attributes: Attributes): void {
    const content = attributes.content?.trim();
    const isRefresh = attributes['http-equiv']?.toLowerCase() === 'refresh' && this.#invisible === null;
    if (isRefresh && content) this.#refresh ??= findRefreshTarget(content.slice(0, MAX_TEXT_LENGTH));
    const equivalent = attributes['http-equiv']?.toLowerCase() === 'content-language' ? 'content-language' : undefined;
    const property = attributes.itemprop && `itemprop:${attributes.itemprop}`;
    const name = (attributes.property ?? attributes.name ?? equivalent ?? property)?.trim().toLowerCase();
    if (!name || !content) return;
    // all robots directives apply; of other names the first one
    if (name === 'robots') this.robots += `${content.replaceAll('\n', ' ')}\n`;
    if (name === ROBOT_NAME) this.robots += `${ROBOT_NAME}: ${content.replaceAll('\n', ' ')}\n`;
    if (AUTHOR_METAS.includes(name)) this.#addAuthor(name, content);
    if (this.metas.size < MAX_METAS && !this.metas.has(name)) this.metas.set(name, content);
  }

  /** Joins authors that have an element each. In a paper or a book, the last name may come first, with years at the end. */
  #addAuthor(key: string, name: string): void {
    const before = this.metas.get(key);
    const natural =
      key === 'author' ? name : name.replace(/^([^,]{1,60}),\s*([^,]{1,60}?)(?:,\s*\d{4}.{0,10})?$/, '$2 $1');
    if (`, ${before ?? ''}, `.includes(`, ${natural}, `) || (before?.length ?? 0) >= MAX_AUTHORS_LENGTH) return;
    this.metas.set(key, before ? `${before}, ${natural}` : natural);
  }

  #readLink({ rel = '', type = '', href = '', sizes = '', media = '' }: Attributes): void {
    if (/icon/i.test(rel) && this.icons.length < MAX_ICONS) this.icons.push({ rel, href, sizes, media });
    const isAlternate = rel.toLowerCase().split(/\s+/).includes('alternate');
    if (isAlternate && type.trim().toLowerCase() === 'application/json+oembed') this.#oembed ??= href;
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

function isMenu(name: string, { role = '', class: names = '', id = '' }: Attributes): boolean {
  return MENUS.includes(name) || MENU_ROLES.includes(role) || MENU_NAME.test(names) || MENU_NAME.test(id);
}

function isBesideText(name: string, attributes: Attributes): boolean {
  const { class: names = '', id = '' } = attributes;
  const isMenuBox = name !== 'form' && isMenu(name, attributes);
  return isMenuBox || LOGIN_BOX.test(name) || LOGIN_BOX_NAME.test(names) || LOGIN_BOX_NAME.test(id);
}

function isRoot(attributes: Attributes): boolean {
  return APPLICATION_ROOT.test(attributes.id ?? '') || ROOT_ATTRIBUTES.some((name) => name in attributes);
}

/** Detects elements into which a script loads a part of the page without a click (htmx, Turbo, GitHub). */
function loadsPart(name: string, attributes: Attributes): boolean {
  if (name === 'turbo-frame' || name === 'include-fragment') return Boolean(attributes.src);
  const trigger = attributes['hx-trigger'] ?? attributes['data-hx-trigger'] ?? '';
  return /(?:^|,)\s*(?:load|revealed|intersect)(?![\w-])/.test(trigger);
}

/** Data blocks, such as JSON-LD, are not executable (HTML standard, section 4.12.1). */
function isExecutable(type: string | undefined): boolean {
  return !type || /^(?:module|(?:text|application)\/(?:java|ecma)script)$/i.test(type.trim());
}

/** Reads a declarative refresh (HTML standard, section 4.2.5.3). Null if it is late, or reloads the same page. */
function findRefreshTarget(content: string): string | null {
  const [, seconds, quote = '', rest] =
    /^\s*(\d{0,9})(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(["']?)(.*)$/is.exec(content) ?? [];
  if (rest === undefined || Number(seconds) > MAX_REFRESH_S) return null;
  const target = quote === '' ? rest : rest.split(quote)[0];
  return target?.trim() || null;
}
