import { plainText } from './plain-text.ts';

const SCHEMA_ORG_ARTICLE_TYPES = /(?:Article|Posting|Recipe|Report|Review|HowTo)$/;
const MAX_THINGS = 200;

export interface StructuredData {
  readonly isArticle: boolean;
  readonly headline: string | null;
  readonly description: string | null;
  readonly byline: string | null;
  readonly publisher: string | null;
  readonly image: string | null;
  /** The whole text, unless it is behind a paywall. */
  readonly articleBody: string | null;
}

type Thing = Readonly<Record<string, unknown>>;

export function readStructuredData(scripts: readonly string[]): StructuredData {
  const thing = scripts.flatMap(collectThings).find(isArticle);
  return {
    isArticle: thing !== undefined,
    headline: textOf(thing?.headline) ?? textOf(thing?.name),
    description: textOf(thing?.description),
    byline: namesOf(thing?.author),
    publisher: namesOf(thing?.publisher),
    image: urlOf(thing?.image),
    articleBody: isFree(thing?.isAccessibleForFree) ? textOf(thing?.articleBody) : null,
  };
}

function collectThings(script: string): readonly Thing[] {
  const things: Thing[] = [];
  const queue: unknown[] = [readJson(script)];
  for (let i = 0; i < queue.length && i < MAX_THINGS; i++) {
    const value = queue[i];
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_THINGS));
    else if (isThing(value)) {
      things.push(value);
      queue.push(value['@graph'], value.mainEntity);
    }
  }
  return things;
}

function readJson(script: string): unknown {
  try {
    return JSON.parse(script);
  } catch {
    return null;
  }
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isArticle(thing: Thing): boolean {
  const types = [thing['@type']].flat().slice(0, 10);
  return types.some((type) => typeof type === 'string' && type.length < 100 && SCHEMA_ORG_ARTICLE_TYPES.test(type));
}

/** Sites write the boolean as a text, too. */
function isFree(isAccessibleForFree: unknown): boolean {
  return !/^false$/i.test(String(isAccessibleForFree));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Joins names of people or organisations, given as a text, as a thing, or as a list of both. */
function namesOf(value: unknown): string | null {
  const entries = Array.isArray(value) ? value.slice(0, 5) : [value];
  const names = entries.map((entry) => plainText(textOf(isThing(entry) ? entry.name : entry), 120));
  return names.filter((name) => name !== null && !name.includes('://')).join(', ') || null;
}

function urlOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return textOf(isThing(first) ? first.url : first);
}
