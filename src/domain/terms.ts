import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import type { Embed } from './embed.ts';
import { normalisePageUrl } from './page.ts';

/** Words of one embed: past them it is not found. A bound on what it costs to write one. */
export const MAX_WORDS = 24;
/** Words are told apart by their first characters, so many code points. */
export const MAX_WORD_LENGTH = 40;

/**
 * What an embed is found by besides its columns, each once: the words of its title and of its page's URL, and the URL.
 * A change here needs a migration that empties `Embed.terms`, which the next start fills again.
 */
export function termsOf({ title, pageUrl }: Pick<Embed, 'title' | 'pageUrl'>): readonly string[] {
  const url = new URL(pageUrl);
  const host = domainToUnicode(url.hostname) || url.hostname;
  const rest = decoded(url.pathname + url.search + url.hash);
  return [termOfPageUrl(pageUrl), ...wordsIn(`${title} ${host} ${rest}`).slice(0, MAX_WORDS)];
}

/** The term of a page's URL, whatever its spelling. No word begins so. */
export function termOfPageUrl(pageUrl: string): string {
  return `=${hash('sha256', normalisePageUrl(pageUrl), 'base64url').slice(0, 22)}`;
}

/** The words of a text, each once: runs of letters and digits of any script, in one case and one normal form. */
export function wordsIn(text: string): readonly string[] {
  const words = text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(folded))];
}

/** By way of the upper case, in which letters are one that have several lower ones: ß and ss, σ and ς. */
function folded(word: string): string {
  const lower = word.toUpperCase().toLowerCase().normalize('NFKC');
  return lower.length > MAX_WORD_LENGTH ? [...lower].slice(0, MAX_WORD_LENGTH).join('') : lower;
}

/** Percent-encoding undone where it is of text, run by run: one that is not leaves the others readable. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return ' ';
    }
  });
}
