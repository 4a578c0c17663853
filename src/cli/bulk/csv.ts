import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { findSimilarName } from '../../domain/input/unknown-parameter.ts';
import { InputError } from '../run.ts';
import { countLines, type Lines, MAX_LINE_BYTES } from './lines.ts';
import { IMPORTED_COLUMNS, isKnownColumn, type Row, readCell } from './row.ts';

interface CsvRecord {
  readonly record: readonly string[];
  /** `lines` is the line on which the record ends. */
  readonly info: { readonly lines: number };
}

/**
 * Reads comma-separated values (RFC 4180), also with the semicolons or tabs that spreadsheets write in some countries. The
 * first line names the columns, in any order. Empty cells are omitted.
 * @throws {InputError} with the number of the invalid line
 */
export async function* readCsv(lines: AsyncIterable<Lines>): AsyncGenerator<Row> {
  let columns: readonly string[] | null = null;
  for await (const { record, info } of readRecords(lines)) {
    const line = info.lines - countLines(record.join(''));
    if (columns) yield rowOf(record, columns, line);
    else columns = requireColumns(record, line);
  }
  if (columns === null) throw new InputError('The file has no line that names the columns.');
}

/** Joins lists in one cell. */
export function writeCsv(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  const cellOf = (value: unknown) => (Array.isArray(value) ? value.join('; ') : value);
  const records = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return stringify(records, { cast: { boolean: String } });
}

async function* readRecords(lines: AsyncIterable<Lines>): AsyncGenerator<CsvRecord> {
  const texts = textOf(lines);
  const { value: beginning = '' } = await texts.next();
  const parser = parse({
    info: true,
    delimiter: delimiterOf(beginning),
    record_delimiter: beginning.includes('\n') ? ['\r\n', '\n'] : '\r',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
  });
  parser.write(beginning);
  // errors destroy the parser, whose iterator throws them below
  pipeline(texts, parser, () => {});
  try {
    yield* parser as AsyncIterable<CsvRecord>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InputError(`The CSV cannot be read: ${error.message}.`);
  }
}

async function* textOf(lines: AsyncIterable<Lines>): AsyncGenerator<string> {
  for await (const { text } of lines) yield text;
}

/** Returns the first character that cannot be in the name of a column; in a file with one column, a comma. */
function delimiterOf(beginning: string): string {
  return /^\s*[\w"][\w" ]*([,;\t])/.exec(beginning)?.[1] ?? ',';
}

function requireColumns(record: readonly string[], line: number): readonly string[] {
  const columns = record.map((name) => name.trim());
  const unknown = columns.find((name) => !isKnownColumn(name));
  const duplicate = columns.find((name, i) => columns.indexOf(name) !== i);
  const allowed = `The columns are ${IMPORTED_COLUMNS.join(', ')}`;
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.slice(0, 100).toWellFormed());
    const similar = findSimilarName(unknown, IMPORTED_COLUMNS);
    const advice = similar === undefined ? '' : ` Did you mean ${similar}?`;
    throw new InputError(`Line ${line} must name the columns: ${shown} is not a column.${advice} ${allowed}.`);
  }
  if (duplicate !== undefined) throw new InputError(`Line ${line} names the column ${duplicate} twice.`);
  if (!columns.includes('page_url'))
    throw new InputError(`Line ${line} does not name the column page_url. ${allowed}.`);
  return columns;
}

function rowOf(record: readonly string[], columns: readonly string[], line: number): Row {
  if (record.length !== columns.length) {
    const fault = `has ${record.length} cells, but the first line names ${columns.length} columns`;
    return { line, text: stringify([[...record]]).trimEnd(), fault };
  }
  const cells = columns.map((column, i) => [column, readCell(column, record[i] ?? '')] as const);
  return { line, values: Object.fromEntries(cells.filter(([, value]) => value !== '')) };
}
