import type { PageReading } from '../article/article.ts';
import { MAX_BYLINE_LENGTH } from '../article/head/byline.ts';
import { MAX_TITLE } from '../article/metadata.ts';
import { plainText } from '../article/plain-text.ts';
import { createFileReading, createReading, type SourceFile } from './file.ts';
import { readPdfText } from './pdf-text.ts';

/** In characters, for a title with its escapes. */
const MAX_STRING_LENGTH = 2_000;
const MAX_OBJECT_LENGTH = 20_000;

const XMP_TITLE = /<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]{0,100}>([^<]{1,2000})</;
const INFO_REFERENCE = /\/Info\s{1,9}(\d{1,9})\s{1,9}(\d{1,5})\s{1,9}R/g;
const XML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Shows the text of a PDF by page. A PDF without text, or whose end is missing, can only be opened. */
export async function readPdf(file: SourceFile, bytes: Uint8Array): Promise<PageReading> {
  const text = file.isWhole ? await readPdfText(bytes, file) : null;
  const headTitle = findOwnTitle(findPdfTitle(bytes) ?? plainText(text?.title, MAX_TITLE));
  if (text === null) return createFileReading(file, { headTitle });
  const { content, direction } = text;
  return createReading(file, content, { headTitle, direction, byline: plainText(text.byline, MAX_BYLINE_LENGTH) });
}

/** Programs write the name of the file, or a word of their own, in place of a title. */
function findOwnTitle(title: string | null): string | null {
  const own = title?.replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, '') ?? '';
  return /^(?:untitled|unbenannt|sans titre|sin título|senza titolo|document\d*|dokument\d*|slide 1|print|[^\p{L}\p{N}]*)$|^\S{1,100}\.(?:docx?|dvi|indd|odt|pages|pdf|pptx?|qxd|rtf|tex|tmp|txt|xlsx?)$/iu.test(
    own,
  )
    ? null
    : own;
}

/**
 * Finds the title of a PDF in the beginning of the file that was read: in its XMP metadata, else in the document
 * information dictionary (ISO 32000-1 section 14.3). Compressed and encrypted metadata is not read.
 */
function findPdfTitle(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString('latin1');
  return findXmpTitle(text) ?? (text.includes('/Encrypt ') ? null : findInfoTitle(text));
}

function findXmpTitle(text: string): string | null {
  // the packet of the whole document is the last one; those before may be of its pictures
  const start = text.lastIndexOf('<dc:title>');
  const [, escaped] = XMP_TITLE.exec(text.slice(start, start < 0 ? 0 : start + MAX_STRING_LENGTH * 2)) ?? [];
  if (escaped === undefined) return null;
  const title = Buffer.from(escaped, 'latin1').toString();
  return plainText(
    title.replace(/&(\w{2,4});/g, (entity, name: string) => XML_ENTITIES[name] ?? entity),
    MAX_TITLE,
  );
}

function findInfoTitle(text: string): string | null {
  // each update of the file appends a trailer
  const [, number, generation] = [...text.matchAll(INFO_REFERENCE)].at(-1) ?? [];
  if (number === undefined) return null;
  const header = new RegExp(`(?:^|[\\r\\n\\s])${number} ${generation} obj`, 'g');
  const start = [...text.matchAll(header)].at(-1)?.index;
  if (start === undefined) return null;
  const object = text.slice(start, start + MAX_OBJECT_LENGTH).split('endobj')[0] ?? '';
  const title = /\/Title\s{0,9}(?=[(<])/.exec(object);
  return title && plainText(decodeString(readString(object.slice(title.index + title[0].length))), MAX_TITLE);
}

/** Reads a literal or hexadecimal string as bytes (ISO 32000-1 section 7.3.4). */
function readString(text: string): Buffer {
  if (text.startsWith('<')) {
    const digits = /^<([\da-f\s]*)/i.exec(text.slice(0, MAX_STRING_LENGTH * 2))?.[1] ?? '';
    return Buffer.from(digits.replace(/\s/g, ''), 'hex');
  }
  let result = '';
  let depth = 0;
  for (const [token] of text.slice(0, MAX_STRING_LENGTH * 4).matchAll(/\\(?:[0-7]{1,3}|\r\n|.)|./gs)) {
    if (token === '(' && depth++ === 0) continue;
    if (token === ')' && --depth === 0) break;
    result += token.startsWith('\\') ? decodeEscape(token.slice(1)) : token;
  }
  return Buffer.from(result, 'latin1');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '' };

function decodeEscape(sequence: string): string {
  if (/^[0-7]/.test(sequence)) return String.fromCharCode(Number.parseInt(sequence, 8) & 0xff);
  return sequence === '\r\n' ? '' : (ESCAPES[sequence] ?? sequence);
}

/** Text strings are UTF-16BE or UTF-8 with a byte order mark, or PDFDocEncoding, of which Latin-1 is the larger part. */
function decodeString(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  return bytes.toString('latin1');
}
