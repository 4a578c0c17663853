import { MEANINGFUL } from './allow-list.ts';
import { imageAttributes, isLazyImage, sourceAttributes } from './images.ts';
import { linkUrl, webUrl } from './links.ts';

/** Elements that an article may be made of, or that tell where it is. All others are transparent: only their content counts. */
export const KEPT = new Set(
  `a abbr address article aside audio b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn
  div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd legend li main mark
  menu nav ol p picture pre q rb rp rt ruby s samp section small source span strike strong sub summary sup table tbody td
  tfoot th thead time tr tt u ul var video wbr`.split(/\s+/),
);

/** Elements of which nothing is kept, whatever they hold. */
export const SKIPPED = new Set(
  `applet area base button canvas command datalist dialog embed frame frameset iframe keygen link map math meta
  meter noembed noframes object option output param plaintext progress script select style svg template textarea title
  track xmp`.split(/\s+/),
);

/** What Readability judges elements by, and what every element may keep. */
const COMMON = ['class', 'id', 'role', 'lang', 'dir', 'itemprop', 'rel', 'aria-modal'];
const SPECIFIC: Readonly<Record<string, readonly string[]>> = {
  a: ['title'],
  ...MEANINGFUL,
  dfn: ['title'],
  input: ['type'],
  video: ['width', 'height'],
};
const MAX_ATTRIBUTE_LENGTH = 300;
const MAX_STYLE_LENGTH = 1_000;

type Attributes = Readonly<Record<string, string>>;

/** Where an element stands. */
interface Place {
  /** What its references are relative to. */
  readonly base: string;
  readonly parentName: string;
}

/**
 * Whether a page hides an element with all its content, by the rules of Readability, and so of Firefox's Reader View:
 * `hidden`, `aria-hidden="true"`, and `display` or `visibility` in `style`. Style sheets are not read. Scripts of the page
 * do not run here, so three things count as visible that they usually reveal: the whole body, images with their source in
 * a data attribute, and what fades in from `opacity: 0`.
 */
export function isHidden(name: string, attributes: Attributes): boolean {
  if (name === 'html' || name === 'body') return false;
  if (attributes.hidden !== undefined) return true;
  // screen readers get MathML instead of the image of a formula
  if (attributes['aria-hidden'] === 'true' && !attributes.class?.includes('fallback-image')) return true;
  return isHiddenByStyle(attributes.style ?? '') && !(name === 'img' && isLazyImage(attributes));
}

/** Of several declarations of a property, the last one counts. */
function isHiddenByStyle(style: string): boolean {
  const declared = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE_LENGTH).toLowerCase().split(';')) {
    const [property = '', value = ''] = declaration.split(':', 2);
    declared.set(property.trim(), value.replace('!important', '').trim());
  }
  const visibility = declared.get('visibility');
  return declared.get('display') === 'none' || visibility === 'hidden' || visibility === 'collapse';
}

/** The attributes that an element keeps, with absolute URLs; null for one that is left out. */
export function keptAttributes(name: string, attributes: Attributes, place: Place): Record<string, string> | null {
  const { base, parentName } = place;
  if (name === 'img') return imageAttributes(attributes, base);
  if (name === 'source' && parentName === 'picture') return sourceAttributes(attributes, base);
  const kept: Record<string, string> = {};
  for (const key of [...COMMON, ...(SPECIFIC[name] ?? [])]) {
    const value = attributes[key];
    if (value !== undefined) kept[key] = value.slice(0, MAX_ATTRIBUTE_LENGTH);
  }
  if (name === 'a') {
    if (attributes.name && !kept.id) kept.id = attributes.name.slice(0, MAX_ATTRIBUTE_LENGTH);
    const href = attributes.href?.trim() ?? '';
    const url = href.startsWith('#') ? href.slice(0, MAX_ATTRIBUTE_LENGTH) : linkUrl(href || null, base);
    if (url) kept.href = url;
  }
  if (name === 'video' || name === 'audio' || name === 'source') {
    for (const key of ['src', 'poster']) {
      const url = webUrl(attributes[key] || null, base);
      if (url) kept[key] = url;
    }
  }
  return kept;
}
