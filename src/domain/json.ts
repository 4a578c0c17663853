import { type ParseError, parse } from 'jsonc-parser';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 8259 section 2. */
const WHITESPACE = ' \t\n\r';

/**
 * Finds names that occur more than once in an object of a valid JSON text. RFC 8259 section 4 does not define the result
 * of parsing them, and `JSON.parse` silently uses the last value.
 */
export function findRepeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  /** The names of each open object. Arrays need no entry: no string in an array is followed by a colon. */
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      if (isColonNext(text, end)) {
        const names = open.at(-1);
        const name = nameOf(text.slice(at, end));
        if (names?.has(name)) repeated.add(name);
        names?.add(name);
      }
      at = end - 1;
    }
  }
  return [...repeated];
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function isColonNext(text: string, at: number): boolean {
  let next = at;
  while (WHITESPACE.includes(text[next] ?? ':')) next++;
  return text[next] === ':';
}

/** Parses escapes, because they let a name be written in several ways. */
function nameOf(string: string): string {
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1);
}

/** Returns a message for a text that `JSON.parse` rejects, with the line and column of the first error if it is found. */
export function describeJsonError(text: string): string {
  if (text.trim() === '') return 'is empty; it must be a JSON object';
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    // nested too deeply for the parser
  }
  const [first] = errors;
  if (!first) return 'is not valid JSON';
  const before = text.slice(0, first.offset).split(/\r\n|[\r\n]/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `is not valid JSON: see line ${before.length}, column ${column}`;
}
