import type { HeroImage } from '../../article.ts';
import { decodeSegment } from '../../page-url.ts';
import { textLengthBefore } from '../blocks/tree.ts';
import { selectAll } from '../tree/select.ts';

/** Characters of text before the first picture of an article up to which it counts as its own hero picture. */
const MAX_TEXT_BEFORE_PICTURE = 700;
/** In pixels. Smaller pictures are icons of the article's site. */
const MIN_WIDTH = 400;
/** Names of pictures that stand for a site, or that repeat the title for link previews. */
const NOT_A_PICTURE =
  /(?:^|[^a-z])(?:logo|logos|icon|icons|favicon|avatar|gravatar|placeholder|default|fallback|sprite|badge|blank|opengraph|og|social|share|sharing|card|twitter|facebook)(?:[^a-z]|$)/i;

/** Returns the picture to show above an article, unless the article has it already or begins with another one. */
export function selectHero(candidate: HeroImage | null, root: Element): HeroImage | null {
  if (candidate === null || (candidate.width ?? MIN_WIDTH) < MIN_WIDTH) return null;
  const { hostname, pathname, search } = new URL(candidate.url);
  const name = pathname.split('/').slice(-2).join('/');
  if (NOT_A_PICTURE.test(name) || /\.svg$/i.test(pathname) || /^(?:og|opengraph)[.-]/.test(hostname)) return null;
  if (/[?&]title=/.test(search)) return null;
  const media = selectAll(root, 'img, picture, video, iframe');
  const key = pictureKeyOf(candidate.url);
  if (media.some((element) => pictureUrlsOf(element).some((url) => pictureKeyOf(url) === key))) return null;
  const first = media.find((element) => !isSmall(element));
  return first && textLengthBefore(first, root, MAX_TEXT_BEFORE_PICTURE) <= MAX_TEXT_BEFORE_PICTURE ? null : candidate;
}

function isSmall(element: Element): boolean {
  return Number(element.getAttribute('width') ?? MIN_WIDTH) < MIN_WIDTH / 2;
}

function pictureUrlsOf(element: Element): readonly string[] {
  const srcset = element.getAttribute('srcset') ?? '';
  return [element.getAttribute('src') ?? '', ...srcset.split(', ').map((candidate) => candidate.split(' ')[0] ?? '')];
}

/** Returns the file name of a picture without its size, which is the same for all renditions of it. */
function pictureKeyOf(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {};
  // an image server has the address of the picture in its own
  const nested = /https?%3A%2F%2F[^&]+/i.exec(pathname + search)?.[0];
  const path = nested ? decodeSegment(nested).split(/[?#]/)[0] : pathname;
  const name = path?.split('/').at(-1)?.toLowerCase() ?? '';
  return name.replace(/(?:[-_]\d{2,4}x\d{2,4}|-scaled|@\dx|[-_]\d{3,4}w?)*(?:\.[a-z]{3,4})*$/, '') || url;
}
