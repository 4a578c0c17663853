import { findPlayer, type Player } from '../../players.ts';
import { resolveWebUrl } from '../links.ts';
import { escapeMarkup } from './subtree.ts';

/** A document that is not shown in a frame, but as a picture or by a link. */
export interface FramedDocument {
  readonly url: string;
  readonly title: string;
  readonly isImage: boolean;
}

export type Frame =
  | { readonly player: Player; readonly title: string | null }
  | ({ readonly player: null } & FramedDocument);

type Attributes = Readonly<Record<string, string>>;

/** Attributes from which lazy-loading scripts take the source of a frame. */
const LAZY_SOURCES = ['data-src', 'data-lazy-src', 'data-litespeed-src', 'data-lite', 'data-cmp-src', 'data-src-cmplz'];
const FRAMES = new Set(['iframe', 'amp-iframe', 'frame', 'embed']);

/** Elements that show a player, and the attributes with its id. */
const PLAYER_ELEMENTS = new Map<string, { readonly ids: readonly string[]; readonly prefix: string }>(
  Object.entries({
    'lite-youtube': { ids: ['videoid', 'video-id'], prefix: 'https://www.youtube.com/embed/' },
    'amp-youtube': { ids: ['data-videoid'], prefix: 'https://www.youtube.com/embed/' },
    'lite-vimeo': { ids: ['videoid', 'video-id'], prefix: 'https://player.vimeo.com/video/' },
    'amp-vimeo': { ids: ['data-videoid'], prefix: 'https://player.vimeo.com/video/' },
    'amp-soundcloud': {
      ids: ['data-trackid'],
      prefix: 'https://w.soundcloud.com/player/?url=https://api.soundcloud.com/tracks/',
    },
  }),
);
/** The URLs of players that scripts put in the place of elements, by a class of the element. */
const FACADES: Readonly<Record<string, (attributes: Attributes) => string | null>> = {
  ...Object.fromEntries(
    'rll-youtube-player lazy-youtube youtube-player lite-youtube js-lazy-youtube'
      .split(' ')
      .map((name) => [name, findVideo]),
  ),
  codepen: findPen,
  'tiktok-embed': ({ cite }) => cite || null,
  'calendly-inline-widget': (attributes) => attributes['data-url'] || null,
  'flourish-embed': ({ 'data-src': path }) => (path ? `https://flo.uri.sh/${path.replace(/\?.*$/s, '')}/embed` : null),
};
const FACADE = new RegExp(`(?:^|\\s)(${Object.keys(FACADES).join('|')})(?:\\s|$)`);
const GIST_SCRIPT = /^(?:https?:)?\/\/gist\.github\.com\/[\w-]{1,40}\/[\da-f]{20,32}\.js(?:\?|$)/;

const ADVERTS =
  /(?:^|\.)(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|recaptcha\.net|disqus\.com)$/;
const FRAMED_POST = /^https:\/\/platform\.twitter\.com\/embed\/Tweet\.html\?(?:[^#]*&)?id=(\d{1,25})(?:[&#]|$)/;
const BUTTONS =
  /^https:\/\/(?:(?:www\.)?facebook\.com\/(?:v[\d.]+\/)?plugins\/(?:like|share|page)|platform\.twitter\.com\/widgets\/|www\.google\.com\/recaptcha\/)/;
const GENERIC_TITLE = /^(?:(?:youtube|vimeo)?\s?(?:video\s?)?(?:player|frame|embed|video)|iframe|embedded content)$/i;
const MAX_TITLE_LENGTH = 200;

/** Finds the frame that an element shows, whether or not a script must load it; null if the element is none. */
export function findFrame(name: string, attributes: Attributes, base: string): Frame | null {
  const reference = referenceOf(name, attributes);
  const framed = resolveWebUrl(reference, base);
  if (framed === null || isTiny(attributes)) return null;
  const post = FRAMED_POST.exec(framed)?.[1];
  const url = post === undefined ? framed : `https://x.com/i/status/${post}`;
  const player = findPlayer(url);
  const title = titleOf(attributes);
  if (player) return { player, title };
  const { hostname } = new URL(url);
  if (!FRAMES.has(name) || ADVERTS.test(hostname) || BUTTONS.test(url)) return null;
  return { player: null, ...describeDocument(url, attributes) };
}

/** Finds the document of an `object`. */
export function findObject(attributes: Attributes, base: string): FramedDocument | null {
  const url = resolveWebUrl(attributes.data || null, base);
  return url === null || isTiny(attributes) ? null : describeDocument(url, attributes);
}

/** Without a title, the name of a file is better than that of its host. */
function describeDocument(url: string, attributes: Attributes): FramedDocument {
  const { hostname, pathname } = new URL(url);
  const isImage = /^image\//.test(attributes.type ?? '') || /\.(?:svg|png|jpe?g|gif|webp|avif)$/i.test(pathname);
  const title = titleOf(attributes) ?? '';
  const file = /\/([\w-]{1,60}\.(?:pdf|docx?|xlsx?|csv|pptx?))$/i.exec(pathname)?.[1];
  return { url, title: isImage ? title : title || (file ?? hostname.replace(/^www\./, '')), isImage };
}

function referenceOf(name: string, attributes: Attributes): string | null {
  if (FRAMES.has(name)) {
    const lazy = LAZY_SOURCES.map((key) => attributes[key]).find((value) => value);
    return lazy ?? (attributes.src || null);
  }
  if (name === 'object') return attributes.data || null;
  const element = PLAYER_ELEMENTS.get(name);
  if (element) {
    const id = element.ids.map((key) => attributes[key]).find((value) => value);
    return id ? element.prefix + encodeURIComponent(id) : null;
  }
  if (isPlayerScript(name, attributes)) return attributes.src || null;
  const form = attributes['data-tf-widget'] || attributes['data-tf-live'];
  if (form) return `https://form.typeform.com/to/${encodeURIComponent(form)}`;
  const facade = FACADE.exec(attributes.class ?? '')?.[1];
  return facade === undefined ? null : (FACADES[facade]?.(attributes) ?? null);
}

/** Checks for a script that writes what a frame of its provider shows. */
export function isPlayerScript(name: string, { src = '' }: Attributes): boolean {
  return name === 'script' && GIST_SCRIPT.test(src);
}

function findPen({ 'data-user': user, 'data-slug-hash': pen }: Attributes): string | null {
  return user && pen ? `https://codepen.io/${encodeURIComponent(user)}/pen/${encodeURIComponent(pen)}` : null;
}

function findVideo(attributes: Attributes): string | null {
  const id =
    attributes['data-id'] ?? attributes['data-youtube-id'] ?? attributes['data-video-id'] ?? attributes['data-embed'];
  return attributes['data-src'] || (id ? `https://www.youtube.com/embed/${encodeURIComponent(id)}` : null);
}

/** Frames without a visible size count or synchronise something. */
function isTiny({ width, height }: Attributes): boolean {
  return [width, height].some((size) => size !== undefined && /^\s{0,9}[01](?:px)?\s{0,9}$/.test(size));
}

function titleOf(attributes: Attributes): string | null {
  const title = attributes.title || attributes['aria-label'] || attributes.playlabel || attributes['data-title'] || '';
  const line = title
    .replace(/^(?:play|watch):/i, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH);
  return line === '' || GENERIC_TITLE.test(line) ? null : line;
}

/**
 * Renders a player as a link to its page. The script of the embed puts the frame in its place on a click; the frame gets
 * the text of the link as its name.
 */
export function renderPlayer(
  { provider, playUrl, pageUrl, posterUrl, width, height }: Player,
  title: string | null,
): string {
  const poster = posterUrl
    ? `<img src="${escapeMarkup(posterUrl)}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
    : '';
  const heading = title ? `<strong>${escapeMarkup(title)}</strong> ` : '';
  return (
    `<a class="embed-player" href="${escapeMarkup(pageUrl)}" target="_blank" rel="noopener noreferrer nofollow ugc" ` +
    `data-frame="${escapeMarkup(playUrl)}" data-width="${width}" data-height="${height}">` +
    `${poster}<span>${heading}<span>${provider}</span></span></a>`
  );
}
