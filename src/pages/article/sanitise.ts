import sanitizeHtml from 'sanitize-html';
import { ALLOWED_ATTRIBUTES, ALLOWED_ELEMENTS, REPLACEMENTS, VALUE_PATTERNS } from './allow-list.ts';
import { resolveLinkUrl, resolveSrcset, resolveWebUrl } from './links.ts';

/** Marks the wrapper of a table until the class of the wrapper is set. The parser drops it from pages. */
export const TABLE_MARKER = 'data-embed-table';

/** Marks a text whose lines wrap, as {@link TABLE_MARKER} does a table. */
export const TEXT_MARKER = 'data-embed-text';

const ID_PREFIX = 's-';
const LINK_REL = 'noopener noreferrer nofollow ugc';
const CODE_LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})(?=\s|$)/;

const CODE_CLASS = /^language-[\w+#.-]{1,30}$/;

export interface LinkContext {
  readonly url: string;
  /** Ids in the article, for links within it. */
  readonly ids: ReadonlySet<string>;
}

/** Reduces an article to the allowed elements and attributes. */
export function sanitise(html: string, context: LinkContext): string {
  return sanitizeHtml(html, {
    allowedTags: [...ALLOWED_ELEMENTS],
    allowedAttributes: Object.fromEntries(Object.entries(ALLOWED_ATTRIBUTES).map(([name, list]) => [name, [...list]])),
    allowedClasses: { div: ['embed-table'], pre: [CODE_CLASS, 'embed-text'], code: [CODE_CLASS] },
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
        tagName: REPLACEMENTS[name] ?? name,
        attribs: sanitiseAttributes(REPLACEMENTS[name] ?? name, attributes, context),
      }),
    },
  });
}

type Attributes = Record<string, string>;

function sanitiseAttributes(name: string, attributes: Attributes, context: LinkContext): Attributes {
  const kept: Attributes = {};
  for (const key of [...(ALLOWED_ATTRIBUTES['*'] ?? []), ...(ALLOWED_ATTRIBUTES[name] ?? [])]) {
    const value = resolveUrls(key, attributes[key], context.url);
    if (value !== undefined && (VALUE_PATTERNS[key]?.test(value) ?? true)) kept[key] = value;
  }
  if (kept.id) kept.id = ID_PREFIX + kept.id;
  if (name === 'a') return { ...kept, ...createLinkAttributes(attributes.href, context) };
  if (name === 'img') {
    return { ...kept, alt: kept.alt ?? '', loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' };
  }
  if (name === 'video' || name === 'audio') return { ...kept, controls: '', preload: kept.preload ?? 'none' };
  if (name === 'div' && attributes[TABLE_MARKER] !== undefined) return { ...kept, class: 'embed-table' };
  if (name === 'pre' && attributes[TEXT_MARKER] !== undefined) return { ...kept, class: 'embed-text' };
  const language = name === 'pre' || name === 'code' ? CODE_LANGUAGE.exec(attributes.class ?? '')?.[1] : undefined;
  return language === undefined ? kept : { ...kept, class: `language-${language.toLowerCase()}` };
}

/** Returns undefined for an attribute that should contain web URLs but does not. */
function resolveUrls(key: string, value: string | undefined, base: string): string | undefined {
  if (key === 'src' || key === 'poster') return resolveWebUrl(value || null, base) ?? undefined;
  return key === 'srcset' ? (resolveSrcset(value, base) ?? undefined) : value;
}

/** Links to an id of the article stay in it. Others open in a new tab, without endorsement. */
function createLinkAttributes(href: string | undefined, { url, ids }: LinkContext): Attributes {
  const target = resolveLinkUrl(href || null, url);
  if (target === null) return {};
  const hashStart = target.indexOf('#');
  if (hashStart >= 0 && target.slice(0, hashStart) === new URL(url).href.replace(/#.*$/s, '')) {
    const id = decodeFragment(target.slice(hashStart + 1));
    if (ids.has(id)) return { href: `#${encodeURIComponent(ID_PREFIX + id)}` };
  }
  return { href: target, target: '_blank', rel: LINK_REL };
}

function decodeFragment(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
