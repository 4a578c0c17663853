import type { Article } from '../../../domain/page/article.ts';
import { findWords } from '../words/find-words.ts';
import type { Words } from '../words/words.ts';
import { html, type Markup } from './markup.ts';

export interface FrameWords {
  readonly words: Words;
  /** Language and direction of the words, for elements that contain only words; null if they are those of the page. */
  readonly attributes: Markup | null;
}

/** Finds the words for the frame of an article. */
export function frameWordsOf({ language, direction }: Pick<Article, 'language' | 'direction'>): FrameWords {
  const words = findWords(language);
  const isSame = language?.split('-')[0] === words.language && direction === words.direction;
  return { words, attributes: isSame ? null : html` lang="${words.language}" dir="${words.direction}"` };
}
