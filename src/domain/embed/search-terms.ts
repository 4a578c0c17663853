import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { findPageId, normalisePageUrl } from '../page/url.ts';
import type { Embed } from './embed.ts';

/** Words of one embed: past them it is not found. A bound on what it costs to write one. */
export const MAX_WORDS = 16;
/** Words are told apart by their first characters, so many code points. */
export const MAX_WORD_LENGTH = 40;

/**
 * What an embed is found by besides its columns, each once: the words of its title and of its page's URL, but its page's
 * id; and the URL where it is not in its normal form, since a column finds that.
 * A change here needs a migration that empties `Embed.terms`, which the next start fills again.
 */
export function termsOf({ title, pageUrl }: Pick<Embed, 'title' | 'pageUrl'>): readonly string[] {
  const normal = normalisePageUrl(pageUrl);
  const words = wordsIn(`${title} ${readableTextOf(pageUrl, normal)}`).slice(0, MAX_WORDS);
  return pageUrl === normal ? words : [termOfPageUrl(normal), ...words];
}

/** All words of a normalised URL of a page, as {@link termsOf} takes them. */
export function wordsOfPageUrl(normal: string): readonly string[] {
  return wordsIn(readableTextOf(normal, normal));
}

/** The readable part of a URL: host, path, query and fragment, without the page id that its normal form carries. */
function readableTextOf(pageUrl: string, normal: string): string {
  const url = new URL(pageUrl);
  const host = domainToUnicode(url.hostname) || url.hostname;
  const carried = findPageId(normal);
  const path = url.pathname + url.search + url.hash;
  return `${host} ${decodePercentEncoding(carried ? path.replaceAll(carried.id, ' ') : path)}`;
}

/** The term of a normalised URL of a page, for those that spell it otherwise. No word begins so. */
export function termOfPageUrl(normal: string): string {
  return `=${hash('sha256', normal, 'base64url').slice(0, 22)}`;
}

/** Says nothing of a host: no word where a name follows. */
const WWW = /\bwww\.(?=[\p{L}\p{N}])/giu;

/** The words of a text, each once: runs of letters and digits of any script, in one case and one normal form. */
export function wordsIn(text: string): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .replace(WWW, ' ')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(foldCase))];
}

/** By way of the upper case, in which letters are one that have several lower ones: ß and ss, σ and ς. */
function foldCase(word: string): string {
  const lower = word.toUpperCase().toLowerCase().normalize('NFKC');
  return lower.length > MAX_WORD_LENGTH ? [...lower].slice(0, MAX_WORD_LENGTH).join('') : lower;
}

/** Percent-encoding undone where it is of text, run by run: one that is not leaves the others readable. */
function decodePercentEncoding(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return ' ';
    }
  });
}
