import { parseFragment } from 'parse5';
import { selectAll } from './tree/select.ts';

/** Directional formatting (UAX #9): if unbalanced, it would reverse the surrounding text. */
const DIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const GLUED = /^(?:(?![年月년월]\d)[\p{Ll}\p{Lo}][\p{Lu}\d]|\d\p{Lu})/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const BLANKS = /[\p{Cc}\p{Z}]+/gu;

/** Converts text of a page into one well-formed line of at most `max` characters; null if nothing is left. */
export function plainText(text: string | null | undefined, max: number): string | null {
  if (typeof text !== 'string') return null;
  // cut before and after: the text may have megabytes
  const line = text
    .slice(0, max * 8)
    .toWellFormed()
    .replace(DIRECTIONAL, '')
    .replace(BLANKS, ' ')
    .trim();
  return [...line].slice(0, max).join('').trim() || null;
}

/** Like {@link plainText}, for a text that people read: one that is cut ends with `…`, after a whole word if possible. */
export function shortText(text: string | null | undefined, max: number): string | null {
  const line = plainText(text, max + 2);
  if (line === null || [...line].length <= max) return line;
  return `${(plainText(line, max - 1) ?? '').replace(/[\s,;:–—-]+\S{0,30}$/, '')}…`;
}

/** Joins the lines of a text, without repeated blanks. */
export function toLine(text: string | null | undefined): string {
  return text?.replace(/\s+/g, ' ').trim() ?? '';
}

/** Counts the characters of a text without repeated blanks. A CJK character carries as much as 2.5 Latin ones. */
export function measureText(text: string | null): number {
  const line = toLine(text);
  return line.length + 1.5 * (line.match(CJK)?.length ?? 0);
}

/** Measures the text of the links in an element, like {@link measureText}. */
export function measureLinks(element: Element): number {
  return selectAll(element, 'a[href]').reduce((sum, link) => sum + measureText(link.textContent), 0);
}

/** Counts the characters of a node without the blanks around them. */
export function lengthOf(node: Node | null): number {
  return node?.textContent?.trim().length ?? 0;
}

/** Reduces a text to its letters and digits, for comparisons. */
export function compact(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Replaces the character references of a text (HTML, section 13.5). */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  const { childNodes } = parseFragment(text.replaceAll('<', '&lt;'));
  return childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

/** Returns the text of a line, with a sign between parts that only their styles separate, such as "Ada Holm" and "May 14". */
export function joinParts({ childNodes }: Element): string {
  return [...childNodes].reduce((text, { textContent }) => {
    const isGlued = GLUED.test(`${text.slice(-1)}${textContent?.slice(0, 2)}`);
    return `${text}${isGlued ? ' · ' : ''}${textContent}`;
  }, '');
}
