import { analyse } from 'chardet';

/** The HTML standard looks for a declaration in this many bytes. */
const PRESCAN_BYTES = 1_024;

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const META = /<meta[\s/]([^>]*)/gi;
const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const CHARSET = /charset\s*=\s*["']?([^"';\s]+)/i;
const XML_DECLARATION = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/;

/** Bytes in which words are searched that are not ASCII. */
const SCANNED_BYTES = 1024 * 1024;
/** Bytes that are compared with the statistics of each charset, which takes about 4 ms. */
const DETECTION_BYTES = 8_192;
/** Of 100. Multi-byte charsets have 100 for any text, and single-byte ones about 65. */
const MIN_CONFIDENCE = 25;
/** With fewer bytes outside ASCII only multi-byte charsets are recognised. */
const MIN_FOREIGN_BYTES = 24;
const MULTI_BYTE_CHARSETS = ['UTF-8', 'Shift_JIS', 'EUC-JP', 'EUC-KR', 'GB18030', 'Big5'];
const WESTERN = 'windows-1252';
/** Hebrew of the web is in logical order; the label `iso-8859-8` stands for visual order. */
const LABELS: Readonly<Record<string, string>> = { 'ISO-8859-8': 'windows-1255' };
/** The delimiters cannot be part of a character in a multi-byte charset. */
const WORD = /[^\t\n\f\r <>"'=]+/g;
const FOREIGN = /[\x80-\xff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /[\x00-\x7f]+/g;

/** In bytes. */
const UTF16_PRESCAN = 512;
/** Share of ASCII characters; below it, the text may be another format with many zeros. */
const MIN_UTF16_ASCII = 0.3;

interface Encoded {
  readonly contentType: string | null;
  /** True if the text can declare its charset, in a meta element or an XML declaration. */
  readonly isMarkup: boolean;
  /** Otherwise the last character may be incomplete, and is then dropped. */
  readonly isWhole: boolean;
}

/**
 * Decodes a text by its byte order mark, else its `Content-Type`, else its own declaration (WHATWG HTML section 13.2.3).
 * Without a declaration the text is UTF-8 if it is valid UTF-8, or else in the charset of which it has the statistics,
 * or else in windows-1252.
 */
export function decodeText(bytes: Uint8Array, { contentType, isMarkup, isWhole }: Encoded): string {
  const options = { stream: !isWhole };
  const decoder =
    createDecoder(byteOrderMarkOf(bytes)) ??
    createDecoder(CHARSET.exec(contentType ?? '')?.[1]) ??
    (isMarkup ? createDecoder(findDeclaredCharset(bytes)) : null) ??
    createDecoder(findUtf16(bytes));
  if (decoder) return decoder.decode(bytes, options);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, options);
  } catch {
    return new TextDecoder(detectCharset(bytes)).decode(bytes, options);
  }
}

/** Detects UTF-16, with or without a byte order mark: about every third character of other text is ASCII, also in markup. */
export function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const mark = byteOrderMarkOf(bytes);
  if (mark !== undefined) return mark === 'utf-8' ? undefined : mark;
  const length = Math.min(bytes.length, UTF16_PRESCAN) & ~1;
  let little = 0;
  let big = 0;
  for (let at = 0; at < length; at += 2) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (first === 0 && second === 0) return undefined;
    if (second === 0 && isAsciiText(first)) little++;
    if (first === 0 && isAsciiText(second)) big++;
  }
  if (little > 0 && big > 0) return undefined;
  if (Math.max(little, big) * 2 < length * MIN_UTF16_ASCII || length === 0) return undefined;
  return little > 0 ? 'utf-16le' : 'utf-16be';
}

function isAsciiText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Compares the words that are not ASCII: all others, and markup, would look like a western language. */
function detectCharset(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, SCANNED_BYTES)).toString('latin1');
  let sample = '';
  for (const [word] of text.matchAll(WORD)) {
    if (FOREIGN.test(word)) sample += `${word} `;
    if (sample.length > DETECTION_BYTES) break;
  }
  const [match] = analyse(Buffer.from(sample.slice(0, DETECTION_BYTES), 'latin1'));
  if (!match || match.confidence < MIN_CONFIDENCE) return WESTERN;
  const isShort = sample.replace(ASCII, '').length < MIN_FOREIGN_BYTES;
  if (isShort && !MULTI_BYTE_CHARSETS.includes(match.name)) return WESTERN;
  const label = LABELS[match.name] ?? match.name;
  return createDecoder(label) ? label : WESTERN;
}

function createDecoder(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function byteOrderMarkOf([first, second, third]: Uint8Array): 'utf-8' | 'utf-16be' | 'utf-16le' | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

/** A declaration that is readable as ASCII cannot be in a UTF-16 page: the standard then assumes UTF-8. */
function findDeclaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1').replace(COMMENT, '');
  const label = findMetaCharset(start) ?? XML_DECLARATION.exec(start)?.[1];
  return label && /^utf-16/i.test(label) ? 'utf-8' : label;
}

function findMetaCharset(html: string): string | undefined {
  for (const [, text = ''] of html.matchAll(META)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
      attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    }
    const isContentType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
    const label =
      attributes.get('charset') ?? (isContentType ? CHARSET.exec(attributes.get('content') ?? '')?.[1] : undefined);
    if (label !== undefined && createDecoder(label)) return label;
  }
  return undefined;
}
