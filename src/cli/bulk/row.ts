import type { PagePolicy } from '#reader/page-url';
import type { Draft, Embed } from '../../domain/embed/embed.ts';
import { inputFieldsOf, parseText, REST_FIELDS } from '../../domain/embed/fields.ts';
import { type CreateValues, createDraft, IMPORT_PARAMETERS } from '../../domain/embed/input.ts';
import { type EmbedHost, embedUrlOf } from '../../domain/embed/url.ts';
import { readValues } from '../../domain/input/input-reader.ts';
import { spellFields } from '../../domain/input/parameters.ts';
import { Refusal, shownFaults } from '../../errors.ts';

/** A row of a file, with the names of REST, or text that is not a row. */
export type Row = { readonly line: number } & (
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly text: string; readonly fault: string }
);

const PARAMETERS = IMPORT_PARAMETERS;
const CREATE_NAMES = new Set(inputFieldsOf('create').map(({ name }) => name));

export const IMPORTED_COLUMNS = PARAMETERS.all.map(({ path }) => path);

/** The fields that an import ignores, followed by those that it reads. */
const EXPORTED_FIELDS = [
  ...REST_FIELDS.filter(({ name }) => !CREATE_NAMES.has(name)),
  ...REST_FIELDS.filter(({ name }) => CREATE_NAMES.has(name)),
];
export const EXPORTED_COLUMNS = EXPORTED_FIELDS.map(({ restName }) => restName);

/** Ignored by an import of the corrected file. */
const REJECTION_COLUMNS = ['refused_line', 'refused_because', 'refused_text'] as const;

export const REJECTED_COLUMNS = [...REJECTION_COLUMNS, ...IMPORTED_COLUMNS];

const IGNORED_COLUMNS = new Set<string>([...EXPORTED_COLUMNS, ...REJECTION_COLUMNS]);
for (const column of IMPORTED_COLUMNS) IGNORED_COLUMNS.delete(column);

export function isKnownColumn(column: string): boolean {
  return PARAMETERS.byPath.has(column) || IGNORED_COLUMNS.has(column);
}

/** Spreadsheets write booleans in capital letters. */
export function readCell(column: string, cell: string): unknown {
  const type = PARAMETERS.byPath.get(column)?.type ?? 'text';
  return parseText(type, type === 'boolean' && /^(true|false)$/i.test(cell) ? cell.toLowerCase() : cell);
}

export type RowResult = { readonly draft: Draft } | { readonly reasons: readonly string[] };

/** Applies the rules of the API. */
export function validateRow(row: Row, policy: PagePolicy): RowResult {
  if ('fault' in row) return { reasons: [row.fault] };
  const values = Object.fromEntries(Object.entries(row.values).filter(([name]) => !IGNORED_COLUMNS.has(name)));
  try {
    return { draft: createDraft(readValues({ values }, PARAMETERS, policy) as unknown as CreateValues) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reasons: shownFaults(error.faults).map(({ path, message }) => `${path} ${message}`) };
  }
}

export function rejectedRowOf(row: Row, reasons: readonly string[]): Readonly<Record<string, unknown>> {
  const rejection = { refused_line: row.line, refused_because: reasons };
  if ('fault' in row) return { ...rejection, refused_text: row.text };
  return { ...rejection, ...row.values, ...rejection };
}

export function exportedRowOf(embed: Embed, host: EmbedHost): Readonly<Record<string, unknown>> {
  return spellFields(EXPORTED_FIELDS, { ...embed, embedUrl: embedUrlOf(embed, host) });
}
