import type { Draft, Embed } from '../../domain/embed/embed.ts';
import { inputFieldsOf, parseText, REST_FIELDS, type RestField, type ValueType } from '../../domain/embed/fields.ts';
import { CREATE_PARAMETERS, createDraft, parseCreateValues } from '../../domain/embed/input.ts';
import { spellValue } from '../../domain/embed/input-reader.ts';
import { type EmbedHost, embedUrlOf } from '../../domain/embed/url.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import { Refusal, shownFaults } from '../../errors.ts';

/** A row of a file, with the names of REST, or text that is not a row. */
export type Row = { readonly line: number } & (
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly text: string; readonly fault: string }
);

const PARAMETERS = CREATE_PARAMETERS.rest;
const CREATED = new Set(inputFieldsOf('create').map(({ name }) => name));

/** The columns that an import reads. */
export const IMPORTED_COLUMNS = PARAMETERS.all.map(({ path }) => path);

/** The fields of an export: first those that an import derives again, then those that it reads. */
const EXPORTED_FIELDS = [
  ...REST_FIELDS.filter(({ name }) => !CREATED.has(name)),
  ...REST_FIELDS.filter(({ name }) => CREATED.has(name)),
];
export const EXPORTED_COLUMNS = EXPORTED_FIELDS.map(({ restName }) => restName);

/** The columns that describe a rejected row. An import of the corrected file ignores them. */
const REJECTION_COLUMNS = ['refused_line', 'refused_because', 'refused_text'] as const;

/** The columns of the file of rejected rows. */
export const REFUSED_COLUMNS = [...REJECTION_COLUMNS, ...IMPORTED_COLUMNS];

const IGNORED = new Set<string>([...EXPORTED_COLUMNS, ...REJECTION_COLUMNS]);
for (const column of IMPORTED_COLUMNS) IGNORED.delete(column);

export function isKnown(column: string): boolean {
  return PARAMETERS.byPath.has(column) || IGNORED.has(column);
}

/** Reads a value from a cell of CSV. */
export function readCell(column: string, cell: string): unknown {
  return parseText(PARAMETERS.byPath.get(column)?.type ?? 'text', cell);
}

/** A row after validation. */
export type RowResult = { readonly draft: Draft } | { readonly reasons: readonly string[] };

/** Validates a row by the rules of the API, and collects all its faults. */
export function validateRow(row: Row, policy: PagePolicy): RowResult {
  if ('fault' in row) return { reasons: [row.fault] };
  const values = Object.fromEntries(Object.entries(row.values).filter(([name]) => !IGNORED.has(name)));
  try {
    return { draft: createDraft(parseCreateValues({ values }, policy, 'rest')) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reasons: shownFaults(error.faults).map(({ path, message }) => `${path} ${message}`) };
  }
}

/** Returns a rejected row with the reasons, as it is written for correction. */
export function refusedOf(row: Row, reasons: readonly string[]): Readonly<Record<string, unknown>> {
  const refused = { refused_line: row.line, refused_because: reasons };
  if ('fault' in row) return { ...refused, refused_text: row.text };
  return { ...refused, ...row.values, ...refused };
}

/** Returns an embed as a row, with the names of REST. */
export function exportedRowOf(embed: Embed, host: EmbedHost): Readonly<Record<string, unknown>> {
  const values: Readonly<Record<string, unknown>> = { ...embed, embedUrl: embedUrlOf(embed, host) };
  return Object.fromEntries(
    EXPORTED_FIELDS.map(({ name, restName, type }: RestField) => [restName, exportedValueOf(type, values[name])]),
  );
}

function exportedValueOf(type: ValueType, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return type === 'enum' ? spellValue(String(value), 'rest') : value;
}
