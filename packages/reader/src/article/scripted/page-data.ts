import { escapeHtml } from '../../html.ts';
import { findText, parseJson } from '../../json.ts';
import { decodeReferences } from '../plain-text.ts';

/** Names under which sites keep the text of an article in their data. */
const TEXT_KEYS =
  /^(?:article_?body|body(?:_?html)?|content(?:_?html|_?rendered)?|html|html_?content|markup|rendered|text|post_?content|description_?html)$/i;
const MARKUP = /<(?:p|h[1-6]|ul|ol|blockquote|pre|figure|table|div)[\s>]/i;
/** In characters. Shorter texts are no articles. */
const MIN_TEXT_LENGTH = 500;
/** Values of all data of a page. The rest is ignored. */
const MAX_VALUES = 100_000;

/** `window.__NAME__ = {…}`, as Remix, Nuxt and Redux write it. */
const ASSIGNMENT = /^\s*(?:window|self|globalThis)?\.?[\w$]+(?:\[["'][\w$]+["']\])?\s*=\s*(?=[[{])/;

/** The same as JSON in a text. */
const PARSED_ASSIGNMENT =
  /^\s*(?:window|self|globalThis)?\.?[\w$]+(?:\[["'][\w$]+["']\])?\s*=\s*JSON\.parse\(("[\s\S]*")\)[\s;]*$/;

/** Detects JSON, and an assignment of an object. */
export function isPageData(script: string): boolean {
  return /^\s*[[{]/.test(script) || ASSIGNMENT.test(script) || PARSED_ASSIGNMENT.test(script);
}

interface Candidate {
  readonly key: string;
  readonly html: string;
  readonly length: number;
}

/**
 * Finds the article in the data from which the scripts of a page build it (`__NEXT_DATA__`, `__NUXT_DATA__`, streams and the like):
 * the longest text with markup or of a known name. Returns it as HTML. Null also if another text of the same name is
 * nearly as long: the page is then a list of articles.
 */
export function findArticleInData(values: readonly unknown[]): string | null {
  let visited = 0;
  const candidates: Candidate[] = [];
  const queue: { readonly key: string; readonly value: unknown }[] = values.map((value) => ({ key: '', value }));
  for (let entry = queue.pop(); entry && visited < MAX_VALUES; entry = queue.pop()) {
    visited++;
    const { key, value } = entry;
    if (typeof value === 'string') {
      const candidate = candidateOf(key, value);
      if (candidate) candidates.push(candidate);
    } else if (Array.isArray(value)) {
      for (const item of value) queue.push({ key, value: item });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) queue.push({ key: name, value: item });
    }
  }
  const [best, ...others] = candidates.sort((a, b) => b.length - a.length);
  if (!best || best.length < MIN_TEXT_LENGTH) return null;
  const isList = others.some(
    ({ key, html, length }) => key === best.key && html !== best.html && length * 2 > best.length,
  );
  return isList ? null : best.html;
}

/** Parses the data in a script; null if there is none. */
export function parseData(script: string): unknown {
  const inText = PARSED_ASSIGNMENT.exec(script)?.[1];
  if (inText !== undefined) return parseJson(findText(parseJson(inText)) ?? '');
  const text = script.replace(ASSIGNMENT, '').trim().replace(/;$/, '');
  return /^[[{]/.test(text) ? parseJson(text) : null;
}

function candidateOf(key: string, value: string): Candidate | null {
  if (value.length < MIN_TEXT_LENGTH) return null;
  if (MARKUP.test(value)) return { key, html: value, length: value.replace(/<[^>]{0,2000}>/g, '').length };
  return TEXT_KEYS.test(key) ? { key, html: toMarkup(value), length: value.length } : null;
}

/** Returns HTML as it is, and writes plain text as paragraphs. */
export function toMarkup(text: string): string {
  if (MARKUP.test(text)) return text;
  const decoded = decodeReferences(text);
  if (MARKUP.test(decoded)) return decoded;
  const paragraphs = decoded.split(/\r?\n/).map((line) => line.trim());
  return paragraphs.map((line) => (line === '' ? '' : `<p>${escapeHtml(line)}</p>`)).join('');
}
