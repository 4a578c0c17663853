import { extname } from 'node:path';
import { describeJsonError, findRepeatedNames, isObject } from '../../domain/json.ts';
import { readCsv, writeCsv } from './csv.ts';
import type { Lines } from './lines.ts';
import type { Row } from './row.ts';

export const FORMAT_NAMES = ['csv', 'ndjson'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export interface Format {
  read(lines: AsyncIterable<Lines>): AsyncGenerator<Row>;
  /** Returns the text before the first row. */
  head(columns: readonly string[]): string;
  write(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string;
}

export const FORMATS: Record<FormatName, Format> = {
  csv: { read: readCsv, head: (columns) => `${columns.join(',')}\n`, write: writeCsv },
  ndjson: { read: readNdjson, head: () => '', write: writeNdjson },
};

const BY_EXTENSION: Readonly<Record<string, FormatName>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

export function formatOfName(name: string): FormatName | null {
  return BY_EXTENSION[extname(name).toLowerCase()] ?? null;
}

/** Detects the format of a file from its beginning. No column of a CSV begins with a brace or bracket. */
export function formatOfText(beginning: string): FormatName {
  return /^\ufeff?\s*[{[]/.test(beginning) ? 'ndjson' : 'csv';
}

/** Reads one JSON object per line. Empty lines are ignored. */
async function* readNdjson(lines: AsyncIterable<Lines>): AsyncGenerator<Row> {
  for await (const { text, number } of lines) {
    let line = number;
    for (const each of text.split('\n')) {
      const trimmed = each.trim();
      if (trimmed !== '') yield rowOf(trimmed, line);
      line++;
    }
  }
}

function writeNdjson(rows: readonly Readonly<Record<string, unknown>>[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function rowOf(text: string, line: number): Row {
  try {
    const values: unknown = JSON.parse(text);
    if (isObject(values)) {
      const [repeated] = findRepeatedNames(text);
      if (repeated !== undefined) return { line, text, fault: `has the name ${JSON.stringify(repeated)} twice` };
      return { line, values };
    }
  } catch {
    return { line, text, fault: describeJsonError(text) };
  }
  return { line, text, fault: 'is not a JSON object' };
}
