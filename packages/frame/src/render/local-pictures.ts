import { hash } from 'node:crypto';
import type { Article } from '../../../reader/src/article.ts';
import { FRAME_PATHS } from '../frame-paths.ts';

/** URLs of pictures at their sites, by their names in the folder of pictures. */
export type PictureUrls = ReadonlyMap<string, string>;

/** 128 bits. */
const NAME_LENGTH = 22;
/** Tags in the forms in which parse5 and the sanitiser write them. */
const MEDIA_TAG = /<(?:img|source|video|audio)(?: [^\s"'<>=/]+(?:="[^"]*")?)+(?: ?\/)?>/g;
const ATTRIBUTE = / ([^\s"'<>=]+)="([^"]*)"/g;
/** Extensions by which the style sheet tells photos from drawings. */
const PHOTO = /\.(?:jpe?g|avif)/i;

/** Replaces the URLs of all pictures that a page shows by paths on the host of the embed. Videos and recordings stay. */
export function createLocalPictures(article: Article) {
  const pictures = new Map<string, string>();

  function pathOf(url: string): string {
    if (url.startsWith('data:')) return url;
    const extension = PHOTO.exec(url)?.[0].toLowerCase() ?? '';
    const name = hash('sha256', url, 'base64url').slice(0, NAME_LENGTH) + extension;
    // a copy, because V8 would keep the whole article for this part of it
    pictures.set(name, Buffer.from(url).toString());
    return FRAME_PATHS.pictures + name;
  }

  function localise(attribute: string, value: string, isPicture: boolean): string {
    if (attribute === 'poster' || (attribute === 'src' && isPicture)) return pathOf(value);
    if (attribute === 'srcset') return value.split(', ').map(localiseCandidate).join(', ');
    // otherwise the browser would ask the site of a video before the reader plays it
    return attribute === 'preload' ? 'none' : value;
  }

  function localiseCandidate(candidate: string): string {
    const [url = '', ...descriptor] = candidate.split(' ');
    return [pathOf(url), ...descriptor].join(' ');
  }

  function localiseTag(tag: string): string {
    const isPicture = tag.startsWith('<img');
    return tag.replace(
      ATTRIBUTE,
      (_, name: string, text: string) => ` ${name}="${encodeText(localise(name, decodeText(text), isPicture))}"`,
    );
  }

  const { icon, image, hero, content } = article;
  const localised: Article = {
    ...article,
    icon: icon && pathOf(icon),
    image: content === null && image ? pathOf(image) : image,
    hero: hero && { ...hero, url: pathOf(hero.url) },
    content: content?.replace(MEDIA_TAG, localiseTag) ?? null,
  };
  return { article: localised, pictures };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u00a0',
};

/** Decodes what a serialiser of HTML encodes in attributes (HTML section 13.3). */
export function decodeText(text: string): string {
  return text.replace(/&(?:amp|quot|lt|gt|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function encodeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
