/** Directional formatting (UAX #9): unbalanced, it would turn around what stands beside the text. */
const DIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const BLANKS = /[\p{Cc}\p{Z}]+/gu;

/** A text of a page as one plain line: well-formed, without control characters, at most `max` characters, or null. */
export function plainText(text: string | null | undefined, max: number): string | null {
  if (typeof text !== 'string') return null;
  // cut before and after: a text of megabytes is not worth a look, and blanks are not worth counting
  const line = text
    .slice(0, max * 8)
    .toWellFormed()
    .replace(DIRECTIONAL, '')
    .replace(BLANKS, ' ')
    .trim();
  return [...line].slice(0, max).join('').trim() || null;
}
