import type { Article } from '../../../reader/src/article.ts';
import { html, Markup } from '../../../reader/src/html.ts';
import { en, type Words } from '../words/en.ts';
import { findWords, LANGUAGES } from '../words/find-words.ts';

export interface FrameWords {
  readonly words: Words;
  /** Language and direction of the words; null if they are those of the page. */
  readonly language: Markup | null;
  /** The same, for elements that contain only words, which a script puts into the reader's language. */
  readonly attributes: Markup;
}

const ENGLISH_LABEL = /<p lang="en" class="callout-title">(\w+)<\/p>/g;

/** Finds the words for the frame of an article: in the language of its page, or else in English. */
export function frameWordsOf({ language, direction }: Pick<Article, 'language' | 'direction'>): FrameWords {
  const found = language === null ? null : findWords(language);
  const words = found ?? en;
  const isSame = found !== null && direction === words.direction;
  const own = isSame ? null : html` lang="${words.language}" dir="${words.direction}"`;
  return { words, language: own, attributes: html` data-words${own}` };
}

/** Translates the titles that call-outs got from their kinds. */
export function translateCallouts(content: string, { words, language }: FrameWords): string {
  if (words.language === 'en') return content;
  return content.replace(ENGLISH_LABEL, (label: string, title: string) => {
    const translated = Object.entries(words.callouts).find(([kind]) => kind === title.toLowerCase())?.[1];
    return translated ? html`<p class="callout-title"${language}>${translated}</p>`.text : label;
  });
}

/**
 * Renders the words of a page in all languages, for the script that takes those of the reader. One page for all readers is one
 * entry in each cache.
 */
export function renderAllWords(own: Words, textsIn: (words: Words) => readonly string[]): Markup {
  const all = LANGUAGES.map((words) => [words.language, { direction: words.direction, texts: textsIn(words) }]);
  const json = new Markup(JSON.stringify(Object.fromEntries(all)));
  return html`<script type="application/json" id="words" data-own="${own.language}">${json}</script>`;
}
