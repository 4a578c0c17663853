import { isObject, type JsonObject, parseJson } from '../json.ts';

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;
/** Deeper levels are not indented further. */
const MAX_INDENT = 20;

/**
 * Puts each member of a JSON text on a line of its own. Keeps the spelling of all values, the order and the faults of the
 * text. Texts with line breaks, and what exceeds `maxLength` characters, are returned as they are.
 */
export function indentJson(text: string, maxLength: number): string {
  const trimmed = text.trim();
  if (trimmed.includes('\n') || trimmed.length > maxLength) return text;
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  let previous = '';
  for (const [token] of trimmed.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth--;
    const isEmpty = (token === '}' && previous === '{') || (token === ']' && previous === '[');
    const startsLine = /^[{[,]$/.test(previous) || /^[}\]]$/.test(token);
    const space = startsLine && !isEmpty ? `\n${'  '.repeat(Math.min(Math.max(depth, 0), MAX_INDENT))}` : '';
    const part = space + (token === ':' ? ': ' : token);
    parts.push(part);
    length += part.length;
    if (length > maxLength) return text;
    if (token === '{' || token === '[') depth++;
    previous = token;
  }
  return parts.join('');
}

/** Of the values of a list of records. The others are longer lists and deeper objects, which a cell shows as JSON. */
const MIN_PLAIN = 0.8;
/** Values of a list in a cell, such as tags. Longer ones are data of their own. */
const MAX_LISTED = 20;
const MAX_DEPTH = 3;
const MAX_MEMBERS = 50;

export interface Rows {
  /** The first one has the names of the columns. */
  readonly rows: readonly (readonly string[])[];
  /** The number of all rows below it; null if it is unknown. */
  readonly count: number | null;
}

/** Reads up to `maxRows` of a JSON list of records as rows, after one with the names of the members. Null for another text. */
export function findRecords(text: string, maxRows: number): Rows | null {
  const list = parseJson(text);
  if (!Array.isArray(list) || list.length < 2 || !list.every(isObject)) return null;
  const members = list.map((record) => flatten(record));
  const records = members.map((entries) => new Map(entries));
  // the names of a member and of one of an object in it may be the same
  if (records.some(({ size }, i) => size !== members[i]?.length)) return null;
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const values = records.flatMap((record) => [...record.values()]);
  const plain = values.filter((value) => isPlain(value) || isShortList(value));
  // JSON.parse has changed other numbers
  const isExact = (value: unknown) => !Number.isInteger(value) || Number.isSafeInteger(value);
  if (names.length < 2 || names.length > MAX_MEMBERS || plain.length < values.length * MIN_PLAIN) return null;
  if (!plain.flat().every(isExact)) return null;
  const textOf = (value: unknown): string => {
    if (isShortList(value)) return value.map(textOf).join(', ');
    return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
  };
  const rows = records.slice(0, maxRows).map((record) => names.map((name) => textOf(record.get(name))));
  return { rows: [names, ...rows], count: list.length };
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function isShortList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_LISTED && value.every(isPlain);
}

/** Returns the members of a record, with those of objects in it, such as `place.city`. */
function flatten(record: JsonObject, prefix = '', depth = 1): [name: string, value: unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) && depth < MAX_DEPTH ? flatten(value, `${prefix}${name}.`, depth + 1) : [[prefix + name, value]],
  );
}
