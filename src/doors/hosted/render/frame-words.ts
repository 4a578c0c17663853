import type { Article } from '#reader/article';
import { html, type Markup } from '#reader/html';
import { en } from '../words/en.ts';
import { findAcceptedWords, findWords } from '../words/find-words.ts';
import type { Words } from '../words/words.ts';

export interface FrameWords {
  readonly words: Words;
  /** Language and direction of the words, for elements that contain only words; null if they are those of the page. */
  readonly attributes: Markup | null;
}

const ENGLISH_LABEL = /<p lang="en" class="callout-title">(\w+)<\/p>/g;

/**
 * Finds the words for the frame of an article: in the language of its page, or else in English.
 *
 * @param acceptLanguage header of the reader, for a page of an unknown language that no cache stores
 */
export function frameWordsOf(
  { language, direction }: Pick<Article, 'language' | 'direction'>,
  acceptLanguage: string | null,
): FrameWords {
  const found = language === null ? acceptLanguage && findAcceptedWords(acceptLanguage) : findWords(language);
  const words = found || en;
  const isSame = language !== null && found === words && direction === words.direction;
  return { words, attributes: isSame ? null : html` lang="${words.language}" dir="${words.direction}"` };
}

/** Translates the titles that call-outs got from their kinds. */
export function translateCallouts(content: string, { words, attributes }: FrameWords): string {
  if (words.language === 'en') return content;
  return content.replace(ENGLISH_LABEL, (label: string, title: string) => {
    const translated = Object.entries(words.callouts).find(([kind]) => kind === title.toLowerCase())?.[1];
    return translated ? html`<p class="callout-title"${attributes}>${translated}</p>`.text : label;
  });
}
