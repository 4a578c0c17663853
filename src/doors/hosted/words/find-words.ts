import { en } from './en.ts';
import type { Words } from './words.ts';

const LANGUAGES: readonly Words[] = [en];

/** Finds the words in the language of a page, whatever its region, or else in English. */
export function findWords(language: string | null): Words {
  const base = language?.split('-')[0];
  return LANGUAGES.find((words) => words.language === base) ?? en;
}
