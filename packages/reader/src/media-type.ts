// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters identify formats
import { findUtf16 } from './charset.ts';

/** The resource header of WHATWG MIME Sniffing section 5.2, in bytes. */
export const SNIFFED_BYTES = 1_445;

const XHTML = 'application/xhtml+xml';
const UNKNOWN = 'application/octet-stream';

/** Signatures of WHATWG MIME Sniffing section 6, and of AVIF, HEIC and FLAC, in Latin-1. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^\0\0[\x01\x02]\0/, 'image/x-icon'],
  [/^BM.{4}\0\0\0\0/s, 'image/bmp'],
  [/^\0\0.{2}ftypavi[fs]/s, 'image/avif'],
  [/^\0\0.{2}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/s, 'image/heic'],
  [/^\0\0.{2}ftypqt/s, 'video/quicktime'],
  [/^\0\0.{2}ftypM4[AB]/s, 'audio/mp4'],
  [/^\0\0.{2}ftyp/s, 'video/mp4'],
  [/^\x1aE\xdf\xa3.{0,60}webm/s, 'video/webm'],
  [/^OggS\0/, 'application/ogg'],
  [/^ID3[\x02-\x04]/, 'audio/mpeg'],
  [/^fLaC\0/, 'audio/flac'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^RIFF.{4}AVI /s, 'video/x-msvideo'],
  [/^FORM.{4}AIFF/s, 'audio/aiff'],
  [/^MThd\0\0\0\x06/, 'audio/midi'],
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^\{\\rtf/, 'application/rtf'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^\x1f\x8b\x08/, 'application/gzip'],
  [/^Rar!\x1a\x07/, 'application/vnd.rar'],
];

/** A subset of WHATWG MIME Sniffing section 7.1. */
const HTML_START =
  /^\s*<(?:!--|!doctype html|(?:html|head|body|title|meta|script|style|iframe|table|div|font|br|a|b|p|h1)[\s/>])/i;
/** Text that may precede the first element of an XML document. */
const XML_PROLOG = /\s*<(?:\?[^>]*|!--(?:(?!-->).)*--|!doctype[^>[]*(?:\[[^\]]*\]\s*)?)>/isy;
const XML_ROOT = /\s*<([\w:.-]+)/y;
/** The binary data bytes of WHATWG MIME Sniffing section 3. */
const BINARY_DATA = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Formats that all current browsers show. */
const PICTURE_TYPES = /^image\/(?:a?png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon)$/;
/** Pictures that are shown only if they have their signature: browsers ignore their declared type. */
const RASTER_TYPES = /^image\/(?:a?png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/;
const XML_TYPES = /^(?:(?:text|application)\/xml|[^/]+\/.+\+xml)$/;
const TEXT_TYPES =
  /^(?:text\/(?!rtf|richtext).+|application\/(?:(?:.+\+)?json|(?:x-)?(?:javascript|ecmascript|yaml|ndjson)|jsonl|graphql|toml|sql))$/;
/** Types that say nothing about a file, and the one that servers give to TypeScript. */
const GENERIC_TYPES =
  /^(?:application\/(?:octet-stream|unknown|(?:x-|force-)?download)|binary\/octet-stream|unknown\/unknown|\*\/\*|video\/mp2t)$/;

interface DeclaredType {
  readonly contentType: string | null;
  /** `X-Content-Type-Options: nosniff`: the declared type is right. */
  readonly noSniff: boolean;
}

/**
 * Returns the media type of a resource by its declared type and its first bytes (WHATWG MIME Sniffing section 7). Unlike
 * a browser, it also finds pictures, media and documents that are declared as HTML, and feeds under other types.
 */
export function mediaTypeOf(start: Uint8Array, { contentType, noSniff }: DeclaredType): string {
  const bytes = start.subarray(0, SNIFFED_BYTES);
  const declared = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const text = decodeStart(bytes);
  const isText = !BINARY_DATA.test(text);
  const signature = findSignature(bytes);
  if (!/^[\w.+*-]+\/[\w.+*-]+$/.test(declared)) {
    if (signature) return signature;
    if (!noSniff && HTML_START.test(text)) return 'text/html';
    return isText ? textTypeOf(text) : UNKNOWN;
  }
  if (RASTER_TYPES.test(declared)) return signature?.startsWith('image/') ? signature : UNKNOWN;
  if (XML_TYPES.test(declared)) return xmlTypeOf(text) ?? declared;
  if (noSniff) return declared;
  if (declared === 'text/html') return signature ?? findFeedType(text) ?? declared;
  if (TEXT_TYPES.test(declared)) return isText ? declared : (signature ?? UNKNOWN);
  if (GENERIC_TYPES.test(declared)) return signature ?? (isText ? textTypeOf(text) : declared);
  // also names of scripts, playlists and other texts
  return declared.startsWith('application/') && signature === null && isText ? textTypeOf(text) : declared;
}

export function isHtmlType(mediaType: string): boolean {
  return mediaType === 'text/html' || mediaType === XHTML;
}

/** Checks for the type of a picture that all current browsers show. */
export function isPictureType(mediaType: string): boolean {
  return PICTURE_TYPES.test(mediaType);
}

/** Checks for a type whose resources are characters, SVG excepted. */
export function isTextType(mediaType: string): boolean {
  return TEXT_TYPES.test(mediaType) || (XML_TYPES.test(mediaType) && mediaType !== 'image/svg+xml');
}

function decodeStart(bytes: Uint8Array): string {
  const utf16 = findUtf16(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes.subarray(0, bytes.length & ~1));
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
}

function findSignature(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes).toString('latin1');
  return SIGNATURES.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}

function textTypeOf(text: string): string {
  return xmlTypeOf(text) ?? (/^\s*<\?xml\s/.test(text) ? 'text/xml' : 'text/plain');
}

function xmlTypeOf(text: string): string | null {
  const root = findRoot(text);
  return root === 'html' ? XHTML : findFeedType(text);
}

function findFeedType(text: string): string | null {
  switch (findRoot(text)) {
    case 'rss':
      return 'application/rss+xml';
    case 'feed':
      return text.includes('http://www.w3.org/2005/Atom') ? 'application/atom+xml' : null;
    case 'rdf:rdf':
      return text.includes('http://purl.org/rss/1.0/') ? 'application/rss+xml' : null;
    default:
      return null;
  }
}

/** Returns the name of the first element of an XML document, in lower case. */
function findRoot(text: string): string | null {
  let at = 0;
  for (;;) {
    XML_PROLOG.lastIndex = at;
    if (!XML_PROLOG.test(text)) break;
    at = XML_PROLOG.lastIndex;
  }
  XML_ROOT.lastIndex = at;
  return XML_ROOT.exec(text)?.[1]?.toLowerCase() ?? null;
}
