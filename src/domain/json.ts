import { visit } from 'jsonc-parser';
import { isObject, type JsonObject } from '#reader/json';
import { Refusal, refuseFaults } from '../errors.ts';

export { isObject, type JsonObject };

/** Quotes a value in a message. Objects and lists may be nested more deeply than `JSON.stringify` can follow. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : JSON.stringify(value);
}

/** The limit of names in an object of a request, each of which is validated. */
export const MAX_NAMES = 100;

/** Checks whether an object has more than {@link MAX_NAMES} names, at any depth of a value. */
export function hasTooManyNames(value: unknown): boolean {
  const found = [value];
  for (const each of found) {
    if (typeof each !== 'object' || each === null) continue;
    const inner: readonly unknown[] = Object.values(each);
    if (inner.length > MAX_NAMES && !Array.isArray(each)) return true;
    for (const one of inner) found.push(one);
  }
  return false;
}

/**
 * Parses the JSON object of a body, and finds the names that its objects repeat.
 * @param expected the object, for the message about any other JSON
 * @throws {Refusal} `malformed`
 */
export function parseJsonObject(text: string, expected = 'a JSON object') {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('malformed', `The body ${describeJsonError(text)}.`);
  }
  if (!isObject(value)) throw new Refusal('malformed', `The body must be ${expected}.`);
  return { value, repeated: findRepeatedNames(text) };
}

/** Parses the JSON object of a body whose objects repeat no name. @throws {Refusal} `malformed` */
export function requireJsonObject(text: string, expected?: string): JsonObject {
  const { value, repeated } = parseJsonObject(text, expected);
  if (repeated.length === 0) return value;
  const faults = repeated.map((path) => ({ path, message: 'must be sent once' }));
  throw refuseFaults(faults, 'malformed');
}

/** The braces and the strings of a valid JSON text, and the colon (RFC 8259 section 4) after a string that is a name. */
const TOKENS = /[{}]|"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\n\r]*:)?/g;

/**
 * Finds names that occur more than once in an object of a valid JSON text. RFC 8259 section 4 does not define the result
 * of parsing them, and `JSON.parse` silently uses the last value.
 */
export function findRepeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  /** The names of each open object. Arrays need no entry: no string in an array is followed by a colon. */
  const open: Set<string>[] = [];
  for (const [token, string = '', colon] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      // escapes let a name be written in several ways
      const name = string.includes('\\') ? (JSON.parse(`"${string}"`) as string) : string;
      const names = open.at(-1);
      if (names?.has(name)) repeated.add(name);
      names?.add(name);
    }
  }
  return [...repeated];
}

/** Returns a message for a text that `JSON.parse` rejects, with the line and column of the first error if it is found. */
export function describeJsonError(text: string): string {
  if (text.trim() === '') return 'is empty; it must be a JSON object';
  let offset = -1;
  const stop = (_code: unknown, at: number) => {
    offset = at;
    throw new Error('is not valid JSON');
  };
  try {
    visit(text, { onError: stop }, { disallowComments: true });
  } catch {
    // after the first error, or nested too deeply for the parser
  }
  if (offset < 0) return 'is not valid JSON';
  const before = text.slice(0, offset).split(/\r\n|[\r\n]/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `is not valid JSON: see line ${before.length}, column ${column}`;
}
