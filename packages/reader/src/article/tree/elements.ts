import { SEMANTIC_ATTRIBUTES } from '../allow-list.ts';
import { KINDS } from '../blocks/callouts.ts';
import { isKnownLanguage } from '../blocks/highlight.ts';
import { MARKER, NOTE_REFERENCE } from '../blocks/tree.ts';
import { renameMessagePart, selectMessageAttributes } from '../conversation/attributes.ts';
import { isLazyImage, selectImageAttributes, selectSourceAttributes } from '../images.ts';
import { resolveLinkUrl, resolveWebUrl } from '../links.ts';
import { findNoteReference } from '../waiting/disclosed.ts';

/** Elements of articles, and elements by which Readability finds them. Of all others only the content is kept. */
export const KEPT_ELEMENTS = new Set(
  `a abbr address article aside audio b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn
  div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd legend li main mark
  menu nav ol p picture pre q rb rp rt ruby s samp section small source span strike strong sub summary sup table tbody td
  tfoot th thead time tr track tt u ul var video wbr`.split(/\s+/),
);

/** Elements that are dropped with their content, apart from formulas, drawings and frames. */
export const SKIPPED_ELEMENTS = new Set(
  `area base button command datalist dialog frameset keygen link meta noembed noframes option param plaintext script
  select style template textarea title`.split(/\s+/),
);

/** Obsolete elements, and those of AMP, by the element that shows the same. */
const RENAMED_ELEMENTS = new Map(
  Object.entries({
    acronym: 'abbr',
    'amp-anim': 'img',
    'amp-audio': 'audio',
    'amp-img': 'img',
    'amp-video': 'video',
    dir: 'ul',
    hgroup: 'div',
    image: 'img',
    listing: 'pre',
    search: 'div',
    xmp: 'pre',
  }),
);

const MEDIA_FILE = /\.(?:mp[34]|m4[av]|m3u8|webm|og[gv]|wav)(?:[?#]|$)/i;
const MONOSPACE = /monospace|consolas|menlo|courier/i;

/** Returns the name of the element that shows the same. */
export function renameElement(name: string, attributes: Attributes): string {
  if (name === 'div' && attributes.style?.includes('white-space') && isPastedCode(attributes.style)) return 'pre';
  if (name === 'button' && (attributes.role === 'tab' || findNoteReference(attributes) !== null)) return 'span';
  return RENAMED_ELEMENTS.get(name) ?? renameMessagePart(name, attributes) ?? name;
}

/** Detects an element into whose place scripts put a picture, if it has no content. */
export function isPlaceOfPicture(name: string, { 'data-src': source, 'data-alt': alt }: Attributes): boolean {
  return /^(?:div|span)$/.test(name) && Boolean(source) && alt !== undefined && !MEDIA_FILE.test(source ?? '');
}

/** Attributes that Readability scores elements by, and those that every element may have. */
const COMMON_ATTRIBUTES = ['class', 'id', 'role', 'lang', 'dir', 'itemprop', 'rel', 'aria-modal'];
const ELEMENT_ATTRIBUTES = new Map<string, readonly string[]>(
  Object.entries({
    a: ['title', 'aria-label'],
    aside: ['aria-label'],
    ...SEMANTIC_ATTRIBUTES,
    dfn: ['title'],
    div: ['aria-level'],
    input: ['type', 'checked'],
    track: ['kind', 'srclang', 'label'],
    video: ['width', 'height'],
  }),
);
/** Class names of text that is not visible on a screen. */
const OFF_SCREEN =
  /(?:^|\s)(?:sr-only|screen-?reader(?:-text|-only)?|(?:cdk-)?visually-?hidden|off-?screen|element-invisible|u-visually-hidden|print-only|skip-(?:nav|to-content|to-main|link)(?:-link)?|hide-text)(?:\s|$)/i;
const MAX_ATTRIBUTE_LENGTH = 300;
const MAX_STYLE_LENGTH = 1_000;
/** Attributes in which highlighters keep the language of code. */
const CODE_LANGUAGES = [
  'data-language',
  'data-lang',
  'data-code-block-lang',
  'data-enlighter-language',
  'data-mode-id',
  'language',
  'syntax',
];
/** Confluence keeps in it what others have as the class: `brush: java; gutter: false`. */
const BRUSH = 'data-syntaxhighlighter-params';
const ALIGNED_ELEMENTS = ['table', 'tr', 'td', 'th'];
const ALIGNMENT_CLASS = /(?:^|\s)(?:has-text-align|text|align)-(left|center|right)(?:\s|$)/;

type Attributes = Readonly<Record<string, string>>;

interface ElementContext {
  readonly base: string;
  readonly parentName: string;
}

/**
 * Detects hidden elements by the rules of Readability: `hidden`, `aria-hidden="true"`, and `display` or `visibility` in
 * `style`. Elements that scripts usually reveal count as visible: the body, lazy images, and the text of WeChat. The head
 * and the foot of the pages of a document, which LibreOffice exports, count as hidden.
 */
export function isHidden(name: string, attributes: Attributes): boolean {
  if (name === 'html' || name === 'body') return false;
  if (attributes.hidden !== undefined) return true;
  if (name === 'div' && /^(?:header|footer)$/.test(attributes.title ?? '')) return true;
  if (attributes.class && OFF_SCREEN.test(attributes.class)) return true;
  // with a name such as `md:tw-block`, wider screens show it
  if (/^(?!.*:)(?:.*\s)?tw-hidden(?:\s|$)/.test(attributes.class ?? '')) return true;
  // other elements with this name are shown by scripts, or at some widths
  if (name === 'span' && /^(?!.*\bd-\w+-)(?:.*\s)?d-none(?:\s|$)/.test(attributes.class ?? '')) return true;
  // of a formula, MediaWiki hides the image from screen readers, and the MathML from all others
  if (attributes.class?.includes('mwe-math-mathml')) return false;
  if (attributes['aria-hidden'] === 'true' && !isFormulaImage(attributes)) return true;
  return isHiddenByStyle(attributes) && !(name === 'img' && isLazyImage(attributes));
}

export function isFormulaImage(attributes: Attributes): boolean {
  return attributes.class?.includes('fallback-image') ?? false;
}

/** Detects elements that their `style` hides. The scripts of WeChat reveal the text of an article. */
export function isHiddenByStyle({ style, id }: Attributes): boolean {
  if (!style || id === 'js_content') return false;
  const declared = declarationsOf(style);
  const visibility = declared.get('visibility');
  return declared.get('display') === 'none' || visibility === 'hidden' || visibility === 'collapse';
}

/** Detects code that was pasted from an editor. */
function isPastedCode(style: string): boolean {
  const declared = declarationsOf(style);
  return declared.get('white-space') === 'pre' && MONOSPACE.test(declared.get('font-family') ?? '');
}

function declarationsOf(style: string): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE_LENGTH).toLowerCase().split(';')) {
    const [property = '', value = ''] = declaration.split(':', 2);
    declared.set(property.trim(), value.replace('!important', '').trim());
  }
  return declared;
}

/** Returns the attributes to keep, with absolute URLs; null drops the element. */
export function selectAttributes(
  name: string,
  attributes: Attributes,
  { base, parentName }: ElementContext,
): Record<string, string> | null {
  if (name === 'img') return selectImageAttributes(attributes, base);
  if (name === 'source' && parentName === 'picture') return selectSourceAttributes(attributes, base);
  const kept: Record<string, string> = {};
  for (const key of [...COMMON_ATTRIBUTES, ...(ELEMENT_ATTRIBUTES.get(name) ?? [])]) {
    const value = attributes[key];
    if (value !== undefined) kept[key] = value.slice(0, MAX_ATTRIBUTE_LENGTH);
  }
  Object.assign(kept, selectMessageAttributes(name, attributes));
  const note = findNoteReference(attributes);
  if (note !== null) kept[NOTE_REFERENCE] = note;
  const language = CODE_LANGUAGES.map((key) => attributes[key]).find(
    (value) => value && (value.length > 2 || isKnownLanguage(value)),
  );
  if (language) kept.class = `language-${language.slice(0, 30)} ${kept.class ?? ''}`;
  // Obsidian, Mintlify
  const callout = attributes['data-callout'] ?? attributes['data-callout-type'];
  if (callout && KINDS.has(callout)) kept.class = `callout-${callout} ${kept.class ?? ''}`;
  const brush = attributes[BRUSH];
  if (brush) kept.class = `${brush.slice(0, MAX_ATTRIBUTE_LENGTH)} ${kept.class ?? ''}`;
  const alignment = ALIGNED_ELEMENTS.includes(name) ? alignmentOf(attributes) : null;
  if (alignment !== null) kept[MARKER] = `align-${alignment}`;
  const form = name === 'time' ? findTimeForm(attributes) : null;
  if (form !== null) kept[MARKER] = form;
  if (name === 'a') {
    if (attributes.name && !kept.id) kept.id = attributes.name.slice(0, MAX_ATTRIBUTE_LENGTH);
    const href = attributes.href?.trim() ?? '';
    const url = href.startsWith('#') ? href.slice(0, MAX_ATTRIBUTE_LENGTH) : resolveLinkUrl(href || null, base);
    if (url) kept.href = url;
  }
  // browsers load tracks of other sites only for videos that they load with CORS
  if (name === 'video' && /^(?:anonymous)?$/i.test(attributes.crossorigin ?? '-')) kept.crossorigin = 'anonymous';
  if (name === 'video' || name === 'audio' || name === 'source' || name === 'track') {
    for (const key of ['src', 'poster']) {
      const url = resolveWebUrl(attributes[key] || null, base);
      if (url) kept[key] = url;
    }
  }
  return kept;
}

/** Returns the alignment of cells by `align`, `text-align` or a usual class name. */
function alignmentOf({ align, style, class: classes }: Attributes): string | null {
  const declared = declarationsOf(style ?? '').get('text-align') ?? align?.trim().toLowerCase() ?? '';
  return /^(?:left|center|right)$/.test(declared) ? declared : (ALIGNMENT_CLASS.exec(classes ?? '')?.[1] ?? null);
}

/** Returns the form in which the frame shows a time that is rendered from the data of a page; null for other times. */
function findTimeForm({ [MARKER]: form = '', datetime = '' }: Attributes): string | null {
  const time = datetime.replace(/^(?=\d\d:)/, '2024-01-01T');
  const isValid = /^\d{4}-\d\d-\d\d(?:T|$)/.test(time) && !Number.isNaN(Date.parse(time));
  return isValid && /^(?:moment|clock|weekday)$/.test(form) ? form : null;
}
