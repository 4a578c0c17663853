import { describeJsonError, findRepeatedNames, isObject } from '../../domain/json.ts';
import type { Lines } from './lines.ts';
import type { Row } from './row.ts';

/** Reads one JSON object per line. Empty lines are ignored. */
export async function* readNdjson(lines: AsyncIterable<Lines>): AsyncGenerator<Row> {
  for await (const { text, number } of lines) {
    let line = number;
    for (const each of text.split('\n')) {
      const trimmed = each.trim();
      if (trimmed !== '') yield rowOf(trimmed, line);
      line++;
    }
  }
}

export function writeNdjson(rows: readonly Readonly<Record<string, unknown>>[]): string {
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
