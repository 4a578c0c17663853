import sanitizeHtml from 'sanitize-html';
import { ATTRIBUTES, ELEMENTS, REPLACED, VALUES } from './allow-list.ts';
import { linkUrl, webSrcset, webUrl } from './links.ts';

/** The mark of the element that lets a wide table scroll; in the article, before it is sanitised. */
export const TABLE_MARK = 'data-embed-table';

const ID_PREFIX = 's-';
const LINK_REL = 'noopener noreferrer nofollow ugc';
const CODE_LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})(?=\s|$)/;

const CLASS_OF_CODE = /^language-[\w+#.-]{1,30}$/;

/** What decides where the links of an article lead. */
export interface LinkContext {
  /** The URL of the page. */
  readonly url: string;
  /** The ids that its article has. */
  readonly ids: ReadonlySet<string>;
}

/**
 * An article as HTML that is safe to serve: elements and attributes of an allow-list, and no others. Nothing touches
 * the result afterwards: what a second serialisation would make of it cannot be known.
 */
export function sanitise(html: string, context: LinkContext): string {
  return sanitizeHtml(html, {
    allowedTags: [...ELEMENTS],
    allowedAttributes: Object.fromEntries(Object.entries(ATTRIBUTES).map(([name, list]) => [name, [...list]])),
    allowedClasses: { div: ['embed-table'], pre: [CLASS_OF_CODE], code: [CLASS_OF_CODE] },
    allowedSchemes: ['http', 'https'],
    allowedSchemesByTag: { a: ['http', 'https', 'mailto', 'tel'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', 'srcset', 'poster'],
    allowProtocolRelative: false,
    selfClosing: ['br', 'col', 'hr', 'img', 'source', 'wbr'],
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'select',
      'button',
      'noscript',
      'template',
      'title',
      'svg',
      'math',
    ],
    transformTags: {
      '*': (name, attributes) => ({
        tagName: REPLACED[name] ?? name,
        attribs: attributesOf(REPLACED[name] ?? name, attributes, context),
      }),
    },
  });
}

type Attributes = Record<string, string>;

function attributesOf(name: string, attributes: Attributes, context: LinkContext): Attributes {
  const kept: Attributes = {};
  for (const key of [...(ATTRIBUTES['*'] ?? []), ...(ATTRIBUTES[name] ?? [])]) {
    const value = urlsOf(key, attributes[key], context.url);
    if (value !== undefined && (VALUES[key]?.test(value) ?? true)) kept[key] = value;
  }
  if (kept.id) kept.id = ID_PREFIX + kept.id;
  if (name === 'a') return { ...kept, ...hrefOf(attributes.href, context) };
  if (name === 'img') {
    return { ...kept, alt: kept.alt ?? '', loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' };
  }
  if (name === 'video' || name === 'audio') return { ...kept, controls: '', preload: 'none' };
  if (name === 'div' && attributes[TABLE_MARK] !== undefined) return { ...kept, class: 'embed-table' };
  const language = name === 'pre' || name === 'code' ? CODE_LANGUAGE.exec(attributes.class ?? '')?.[1] : undefined;
  return language === undefined ? kept : { ...kept, class: `language-${language.toLowerCase()}` };
}

/** The value of an attribute, which is kept only with URLs on the web where it consists of URLs. */
function urlsOf(key: string, value: string | undefined, base: string): string | undefined {
  if (key === 'src' || key === 'poster') return webUrl(value || null, base) ?? undefined;
  return key === 'srcset' ? (webSrcset(value, base) ?? undefined) : value;
}

/** A link to a part of the article stays in it; any other opens elsewhere and vouches for nothing. */
function hrefOf(href: string | undefined, { url, ids }: LinkContext): Attributes {
  const target = linkUrl(href || null, url);
  if (target === null) return {};
  const hashStart = target.indexOf('#');
  if (hashStart >= 0 && target.slice(0, hashStart) === new URL(url).href.replace(/#.*$/s, '')) {
    const id = fragmentOf(target.slice(hashStart + 1));
    if (ids.has(id)) return { href: `#${encodeURIComponent(ID_PREFIX + id)}` };
  }
  return { href: target, target: '_blank', rel: LINK_REL };
}

function fragmentOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
