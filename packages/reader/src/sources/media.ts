import { imageSize } from 'image-size';
import type { PageReading } from '../article/article.ts';
import { escapeHtml } from '../html.ts';
import { isPictureType } from '../media-type.ts';
import { createFileReading, createReading, fileNameOf, renderMarkup, type SourceFile } from './file.ts';

const VIDEO_TYPES = /^video\/(?:mp4|webm|ogg|quicktime|x-m4v|3gpp)$/;
const AUDIO_TYPES =
  /^(?:audio\/(?:mpeg|mp3|mp4|x-m4a|aac|ogg|opus|webm|(?:x-|vnd\.)?wave?|(?:x-)?flac)|application\/ogg)$/;

/** EXIF orientations that turn a picture by 90 degrees. */
const FIRST_TURNED_ORIENTATION = 5;

export function isMediaType(mediaType: string): boolean {
  return isPictureType(mediaType) || VIDEO_TYPES.test(mediaType) || AUDIO_TYPES.test(mediaType);
}

/** Shows a picture, video or recording from its own site. */
export function readMedia(file: SourceFile): PageReading {
  const { url, mediaType } = file;
  const src = `src="${escapeHtml(url)}"`;
  if (isPictureType(mediaType)) {
    const size = findSize(file.content);
    const alt = `alt="${escapeHtml(fileNameOf(file))}"`;
    return show(file, `<img ${src} ${alt}${size && ` width="${size.width}" height="${size.height}"`}>`, url);
  }
  if (VIDEO_TYPES.test(mediaType)) return show(file, `<video ${src} preload="metadata"></video>`);
  return show(file, `<audio ${src} preload="metadata"></audio>`);
}

/** URLs that are too long for an article are dropped by the sanitiser, and then only the file is named. */
function show(file: SourceFile, html: string, image: string | null = null): PageReading {
  const content = renderMarkup(file, `<figure>${html}</figure>`);
  if (!content?.includes(' src="')) return createFileReading(file);
  return createReading(file, content, { image });
}

function findSize(content: string | Uint8Array): { readonly width: number; readonly height: number } | '' {
  if (typeof content === 'string') return '';
  try {
    const { width, height, orientation = 1 } = imageSize(content);
    if (![width, height].every((pixels) => Number.isInteger(pixels) && pixels > 0)) return '';
    return orientation < FIRST_TURNED_ORIENTATION ? { width, height } : { width: height, height: width };
  } catch {
    // the header is incomplete, or of another format
    return '';
  }
}
