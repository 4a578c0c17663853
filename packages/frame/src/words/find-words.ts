import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

export const LANGUAGES: readonly Words[] = [en, de, fr, es, pt, ar, ja, zh];

/** The words in Chinese are in simplified script. */
const TRADITIONAL_CHINESE = /^zh-(?:hant|tw|hk|mo)\b/i;

/** Returns the words in a language (BCP 47), whatever its region; null if there are none. */
export function findWords(language: string): Words | null {
  if (TRADITIONAL_CHINESE.test(language)) return null;
  const base = language.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((words) => words.language === base) ?? null;
}
