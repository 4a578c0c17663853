import type { Article } from '../domain/article.ts';

/** Language tags (BCP 47) that are written from right to left, unless they say that they are in Latin script. */
const RIGHT_TO_LEFT =
  /^(?:ar|arc|ckb|dv|fa|he|iw|ks|nqo|prs|ps|sd|syr|ug|ur|yi|[a-z]+-(?:arab|hebr|thaa|nkoo|syrc))(?:-(?!latn)|$)/i;

/** The language of the page as a valid tag; `und` where it does not say. */
export function languageOf({ language }: Pick<Article, 'language'>): string {
  try {
    return Intl.getCanonicalLocales(language ?? 'und')[0] ?? 'und';
  } catch {
    return 'und';
  }
}

/** The direction that the page says, else the one of its language. */
export function directionOf(article: Pick<Article, 'language' | 'direction'>): 'ltr' | 'rtl' {
  return article.direction ?? (RIGHT_TO_LEFT.test(languageOf(article)) ? 'rtl' : 'ltr');
}
