import sanitizeHtml from 'sanitize-html';
import { decodeSegment } from '../page-url.ts';
import { ALLOWED_ATTRIBUTES, ALLOWED_CLASSES, ALLOWED_ELEMENTS, REPLACEMENTS, VALUE_PATTERNS } from './allow-list.ts';
import { MARKER } from './blocks/tree.ts';
import { resolveLinkUrl, resolveSrcset, resolveWebUrl } from './links.ts';
import { GITHUB_PREFIX, ID_PREFIX } from './part/part.ts';

const LINK_REL = 'noopener noreferrer nofollow ugc';
const CODE_LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})(?=\s|$)/;
const CODE_CLASS = /^language-[\w+#.-]{1,30}$/;
/** Class of a part of coloured code. */
const TOKEN_CLASS = /^hljs-[a-z_-]{1,30}(?=\s|$)/;

export interface LinkContext {
  readonly url: string;
  /** Ids in the article, for links within it. */
  readonly ids: ReadonlySet<string>;
}

/** Reduces an article to the allowed elements and attributes. */
export function sanitise(html: string, context: LinkContext): string {
  return sanitizeHtml(html, {
    allowedTags: [...ALLOWED_ELEMENTS],
    allowedAttributes: Object.fromEntries([...ALLOWED_ATTRIBUTES].map(([name, list]) => [name, [...list]])),
    allowedClasses: {
      ...Object.fromEntries([...ALLOWED_CLASSES.keys()].map((name) => [name, ['*']])),
      ...{ pre: [CODE_CLASS, 'embed-text'], code: [CODE_CLASS], span: [TOKEN_CLASS, 'embed-line', 'frame-words'] },
    },
    allowedSchemes: ['http', 'https'],
    allowedSchemesByTag: { a: ['http', 'https', 'mailto', 'tel'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', 'srcset', 'poster'],
    allowProtocolRelative: false,
    selfClosing: ['br', 'col', 'hr', 'img', 'input', 'source', 'track', 'wbr'],
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
      '*': (name, attributes) => {
        const tagName = nameOf(name, attributes);
        return { tagName, attribs: sanitiseAttributes(tagName, attributes, context) };
      },
    },
  });
}

type Attributes = Record<string, string>;

/** Returns the name of the element in the hosted page; a name that is not allowed drops it. */
function nameOf(name: string, attributes: Attributes): string {
  const marker = attributes[MARKER] ?? '';
  if (name === 'blockquote' && marker.startsWith('callout')) return 'aside';
  if (name === 'input' && !marker.startsWith('task')) return 'form';
  return REPLACEMENTS.get(name) ?? name;
}

function sanitiseAttributes(name: string, attributes: Attributes, context: LinkContext): Attributes {
  const kept: Attributes = {};
  for (const key of [...(ALLOWED_ATTRIBUTES.get('*') ?? []), ...(ALLOWED_ATTRIBUTES.get(name) ?? [])]) {
    const value = resolveUrls(key, attributes[key], context.url);
    if (value !== undefined && (VALUE_PATTERNS[key]?.test(value) ?? true)) kept[key] = value;
  }
  if (kept.id) kept.id = ID_PREFIX + kept.id;
  if (name === 'a') return { ...kept, ...createLinkAttributes(attributes.href, context) };
  const marker = attributes[MARKER] ?? '';
  if (ALLOWED_CLASSES.get(name)?.test(marker)) kept.class = marker;
  if (name === 'img') {
    return { ...kept, alt: kept.alt ?? '', loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' };
  }
  if (name === 'video' || name === 'audio') return { ...kept, controls: '', preload: kept.preload ?? 'none' };
  if (name === 'input') return { type: 'checkbox', disabled: '', ...(marker === 'task done' && { checked: '' }) };
  if (name === 'aside') return { ...kept, role: 'note' };
  const token = name === 'span' ? TOKEN_CLASS.exec(attributes.class ?? '')?.[0] : undefined;
  if (token) return { ...kept, class: token };
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
  const [link, page] = [new URL(target), new URL(url)];
  const isSamePage = link.origin === page.origin && link.pathname === page.pathname;
  if (link.hash !== '' && isSamePage && (link.search === '' || link.search === page.search)) {
    const name = decodeSegment(link.hash.slice(1));
    const id = [name, GITHUB_PREFIX + name].find((one) => ids.has(one));
    if (id !== undefined) return { href: `#${encodeURIComponent(ID_PREFIX + id)}` };
  }
  return { href: target, target: '_blank', rel: LINK_REL };
}
