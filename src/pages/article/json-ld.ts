import { plainText } from './plain-text.ts';

/** Schema.org types of things that are read from beginning to end. */
const READABLE = /(?:Article|Posting|Recipe|Report|Review|HowTo)$/;
const MAX_THINGS = 200;

/** What the structured data of a page (schema.org as JSON-LD) says about the article on it. */
export interface StructuredData {
  readonly isReadable: boolean;
  readonly headline: string | null;
  readonly description: string | null;
  readonly byline: string | null;
  readonly publisher: string | null;
  readonly image: string | null;
}

type Thing = Readonly<Record<string, unknown>>;

/** The structured data of the first thing to read among the scripts of a page, else of no thing at all. */
export function readStructuredData(scripts: readonly string[]): StructuredData {
  const thing = scripts.flatMap(thingsOf).find(isReadable);
  return {
    isReadable: thing !== undefined,
    headline: textOf(thing?.headline) ?? textOf(thing?.name),
    description: textOf(thing?.description),
    byline: namesOf(thing?.author),
    publisher: namesOf(thing?.publisher),
    image: urlOf(thing?.image),
  };
}

function thingsOf(script: string): readonly Thing[] {
  const things: Thing[] = [];
  const queue: unknown[] = [parse(script)];
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

function parse(script: string): unknown {
  try {
    return JSON.parse(script);
  } catch {
    return null;
  }
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isReadable(thing: Thing): boolean {
  const types = [thing['@type']].flat().slice(0, 10);
  return types.some((type) => typeof type === 'string' && type.length < 100 && READABLE.test(type));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The names of people or organisations, which may be given as texts, as things, or as lists of them. */
function namesOf(value: unknown): string | null {
  const entries = Array.isArray(value) ? value.slice(0, 5) : [value];
  const names = entries.map((entry) => plainText(textOf(isThing(entry) ? entry.name : entry), 120));
  return names.filter((name) => name !== null && !name.includes('://')).join(', ') || null;
}

function urlOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return textOf(isThing(first) ? first.url : first);
}
