import { PART_MARKER } from './embedded/parts.ts';
import { MEDIA_QUERY } from './images.ts';

export const ALLOWED_ELEMENTS: readonly string[] =
  `a abbr aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details div dl dt em
  figcaption figure h2 h3 h4 h5 h6 hr i img input ins kbd label li mark ol p picture pre q rp rt ruby s samp section small source
  span strong sub summary sup table tbody td tfoot th thead time tr track u ul var video wbr`.split(/\s+/);

/** Elements that stand in a line of text. */
export const INLINE_ELEMENTS: readonly string[] =
  'a abbr b bdi cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(' ');

/** Replacements of elements that are obsolete, or have a meaning only in a whole page. */
export const REPLACEMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    h1: 'h2',
    strike: 's',
    tt: 'code',
    menu: 'ul',
    dfn: 'em',
    ...Object.fromEntries(
      'address article aside center fieldset footer form header legend main nav'
        .split(' ')
        .map((name) => [name, 'div']),
    ),
  }),
);

const SIZE = ['width', 'height'];
const MEDIA = [...SIZE, 'src', 'poster', 'controls', 'preload'];
export const SEMANTIC_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  abbr: ['title'],
  col: ['span'],
  colgroup: ['span'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  time: ['datetime'],
  del: ['datetime'],
  ins: ['datetime'],
  details: ['open', 'name'],
};

/** Attributes by element; `*` for all elements. */
export const ALLOWED_ATTRIBUTES = new Map<string, readonly string[]>(
  Object.entries({
    '*': ['lang', 'dir', 'id'],
    a: ['href', 'title', 'target', 'rel', 'aria-label'],
    aside: ['role'],
    input: ['type', 'disabled', 'checked'],
    ...SEMANTIC_ATTRIBUTES,
    img: [...SIZE, 'src', 'srcset', 'sizes', 'alt', 'loading', 'decoding', 'referrerpolicy'],
    source: ['src', 'srcset', 'sizes', 'media', 'type'],
    track: ['src', 'kind', 'srclang', 'label'],
    video: [...MEDIA, 'crossorigin'],
    audio: MEDIA,
    span: [PART_MARKER],
  }),
);

/** Classes of the hosted page, by element. They come from markers, never from the source. */
export const ALLOWED_CLASSES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    div: /^(?:embed-table(?: infobox)?|columns|views)$/,
    ...Object.fromEntries(['figure', 'ul'].map((name) => [name, /^gallery$/])),
    ...Object.fromEntries(['table', 'tr', 'td', 'th'].map((name) => [name, /^align-(?:left|center|right)$/])),
    aside: /^callout(?: (?:note|tip|important|warning|caution))?$/,
    p: /^(?:callout-title|kicker|standfirst|speaker|message-author)$/,
    blockquote: /^(?:pullquote|message)$/,
    section: /^footnotes$/,
    li: /^task$/,
    img: /^unsized$/,
    pre: /^embed-text$/,
    span: /^(?:embed-line|frame-words)$/,
    time: /^(?:date|moment|clock|weekday)$/,
  }),
);

/** Tests if browsers know a language tag. `Intl` rejects some that are in use, such as `zh-cmn-Hans`. */
function isLanguageTag(tag: string): boolean {
  try {
    return tag.length <= 35 && Boolean(new Intl.Locale(tag));
  } catch {
    return false;
  }
}

/** Attributes without a pattern take any text. */
export const VALUE_PATTERNS: Readonly<Record<string, Pick<RegExp, 'test'>>> = {
  dir: /^(?:ltr|rtl|auto)$/i,
  lang: { test: isLanguageTag },
  id: /^\S(?:.{0,298}\S)?$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/i,
  type: /^[\w/.+\-;=", ]{1,100}$/,
  name: /^[\w-]{1,60}$/,
  colspan: /^\d{1,3}$/,
  rowspan: /^\d{1,4}$/,
  span: /^\d{1,3}$/,
  start: /^-?\d{1,9}$/,
  value: /^-?\d{1,9}$/,
  // the parser drops it from pages, whose media are loaded on demand
  preload: /^metadata$/,
  kind: /^(?:subtitles|captions|descriptions|chapters)$/,
  srclang: /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,5}$/i,
  crossorigin: /^anonymous$/,
  width: /^\d{1,5}$/,
  height: /^\d{1,5}$/,
  sizes: MEDIA_QUERY,
  media: MEDIA_QUERY,
  datetime: /^[\w:.+\- ]{1,60}$/,
};
