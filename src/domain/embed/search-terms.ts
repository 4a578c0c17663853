import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { findPageId, normalisePageUrl } from '#reader/page-url';
import type { Embed } from './embed.ts';

/** Words per embed. Further words are not indexed. */
export const MAX_WORDS = 16;
/** Code points per word. Further ones are not indexed. */
export const MAX_WORD_LENGTH = 40;

/**
 * Returns the words of title and page URL without the page id, and the URL term if the URL is not normalised. A change
 * needs a migration that empties `Embed.terms`; the next start fills it again.
 */
export function termsOf({ title, pageUrl }: Pick<Embed, 'title' | 'pageUrl'>): readonly string[] {
  const normal = normalisePageUrl(pageUrl);
  const words = wordsIn(`${title} ${readableTextOf(pageUrl, normal)}`).slice(0, MAX_WORDS);
  return pageUrl === normal ? words : [termOfPageUrl(normal), ...words];
}

export function wordsOfPageUrl(normal: string): readonly string[] {
  return wordsIn(readableTextOf(normal, normal));
}

function readableTextOf(pageUrl: string, normal: string): string {
  const url = new URL(pageUrl);
  const host = domainToUnicode(url.hostname) || url.hostname;
  const match = findPageId(normal);
  const path = url.pathname + url.search + url.hash;
  return `${host} ${decodePercentEncoding(match ? path.replaceAll(match.id, ' ') : path)}`;
}

/** Returns the term of a normalised page URL. The `=` keeps it apart from words. */
export function termOfPageUrl(normal: string): string {
  return `=${hash('sha256', normal, 'base64url').slice(0, 22)}`;
}

const WWW = /\bwww\.(?=[\p{L}\p{N}])/giu;

/** Returns the distinct words of a text: runs of letters and digits of any script, case-folded and normalised. */
export function wordsIn(text: string): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .replace(WWW, ' ')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(foldCase))];
}

/** Goes through upper case, where ß and ss, and σ and ς, become equal. */
function foldCase(word: string): string {
  const lower = word.toUpperCase().toLowerCase().normalize('NFKC');
  return lower.length > MAX_WORD_LENGTH ? [...lower].slice(0, MAX_WORD_LENGTH).join('') : lower;
}

/** Decodes each run on its own, so that an invalid one does not affect the others. */
function decodePercentEncoding(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return ' ';
    }
  });
}
