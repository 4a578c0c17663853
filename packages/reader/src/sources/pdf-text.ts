import type { PDFPageProxy } from 'unpdf/pdfjs';
import { directionOfText } from '../article/head/direction.ts';
import { escapeHtml } from '../html.ts';
import { findText, isObject } from '../json.ts';
import { renderMarkup, type SourceFile, wordsOfFrame } from './file.ts';

const MAX_PAGES = 200;
/** In characters. The rest of a document is not shown. */
const MAX_TEXT = 300_000;
/** Processor time after which no further page is read. The process ends if one page takes too long. */
const MAX_WORK_MS = 2_000;
/** Of the size of the letters: a larger distance between two lines begins a paragraph. */
const LINE_DISTANCE = 1.7;
/** Of the size of the text: larger and short paragraphs are headings. */
const HEADING_SIZE = 1.15;
const MAX_HEADING = 150;
// biome-ignore lint/suspicious/noControlCharactersInRegex: HTML does not allow them
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g;

export interface PdfText {
  readonly title: string | null;
  readonly byline: string | null;
  readonly direction: 'ltr' | 'rtl';
  /** Safe HTML. */
  readonly content: string;
}

interface Paragraph {
  text: string;
  /** The size of its letters. */
  readonly size: number;
}

type Page = readonly Paragraph[];

/** Reads the text of a PDF, page by page. Null for a PDF without text, with a password, or that is broken. */
export async function readPdfText(bytes: Uint8Array, file: SourceFile): Promise<PdfText | null> {
  // most pages are no PDF, and need not load the library
  const { getDocumentProxy } = await import('unpdf');
  try {
    // a copy, because the library takes the memory of its argument
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
    });
    const { info } = await document.getMetadata();
    const pages = await readPages(document.numPages, (number) => document.getPage(number));
    await document.loadingTask.destroy();
    const text = pages.flat().map((paragraph) => paragraph.text);
    const markup = renderPages(pages, document.numPages);
    const content = text.length === 0 ? null : renderMarkup(file, markup);
    if (content === null) return null;
    const direction = directionOfText(text.join(' ').slice(0, 10_000));
    const [title, byline] = ['Title', 'Author'].map((name) => (isObject(info) ? findText(info[name]) : null));
    return { title: title ?? null, byline: byline ?? null, direction, content };
  } catch {
    return null;
  }
}

async function readPages(count: number, getPage: (number: number) => Promise<PDFPageProxy>): Promise<Page[]> {
  const before = process.cpuUsage();
  const pages: Page[] = [];
  let length = 0;
  for (let number = 1; number <= Math.min(count, MAX_PAGES) && length < MAX_TEXT; number++) {
    if (process.cpuUsage(before).user / 1_000 > MAX_WORK_MS) break;
    const page = await getPage(number);
    const paragraphs = await readParagraphs(page, MAX_TEXT - length);
    page.cleanup();
    pages.push(paragraphs);
    length += paragraphs.reduce((sum, { text }) => sum + text.length, 0);
  }
  return pages;
}

async function readParagraphs(page: PDFPageProxy, maxLength: number): Promise<Page> {
  const { items } = await page.getTextContent();
  const paragraphs: Paragraph[] = [];
  let length = 0;
  let baseline: number | null = null;
  let isLineStart = true;
  for (const item of items) {
    if (!('str' in item) || length > maxLength) continue;
    const text = item.str.replace(CONTROLS, '').toWellFormed();
    const size = Number(item.height) || 0;
    const y = Number(item.transform[5]) || 0;
    if (text.trim() !== '') {
      const last = paragraphs.at(-1);
      const isFar = baseline === null || Math.abs(baseline - y) > LINE_DISTANCE * Math.max(size, last?.size ?? 0);
      const isOther = last !== undefined && Math.abs(last.size - size) > 0.15 * last.size && isLineStart;
      if (last === undefined || isFar || isOther) paragraphs.push({ text, size });
      else last.text = isLineStart ? joinLines(last.text, text) : last.text + text;
      baseline = y;
      isLineStart = false;
      length += text.length;
    } else if (!isLineStart) {
      const last = paragraphs.at(-1);
      if (last && text !== '' && !last.text.endsWith(' ')) last.text += ' ';
    }
    isLineStart ||= item.hasEOL;
  }
  return paragraphs;
}

/** Joins two lines, and the parts of a word that a hyphen divides. */
function joinLines(first: string, second: string): string {
  const isDivided = /\p{Ll}[-\u00ad\u2010]$/u.test(first) && /^\p{Ll}/u.test(second);
  return isDivided ? first.slice(0, -1) + second : `${first.trimEnd()} ${second}`;
}

function renderPages(pages: readonly Page[], pageCount: number): string {
  const size = findTextSize(pages);
  const count = `<p><small>PDF · ${wordsOfFrame(`Pages: ${pageCount}`)}</small></p>`;
  const shown = pages.map((page, i) => {
    const heading = pageCount === 1 ? '' : `<h2 id="page-${i + 1}">${wordsOfFrame(`Page ${i + 1}`)}</h2>`;
    return heading + page.map((paragraph) => renderParagraph(paragraph, size)).join('');
  });
  const isCut = pages.length < pageCount;
  return count + shown.join('') + (isCut ? `<p>${wordsOfFrame('Open the original for the other pages.')}</p>` : '');
}

function renderParagraph({ text, size }: Paragraph, textSize: number): string {
  const isHeading = size > textSize * HEADING_SIZE && text.length <= MAX_HEADING;
  const name = isHeading ? 'h3' : 'p';
  return `<${name}>${escapeHtml(text.trim())}</${name}>`;
}

/** Returns the size of most letters. */
function findTextSize(pages: readonly Page[]): number {
  const lengths = new Map<number, number>();
  for (const { size, text } of pages.flat()) lengths.set(size, (lengths.get(size) ?? 0) + text.length);
  return [...lengths].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}
