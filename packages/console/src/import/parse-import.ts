import { dsvFormat } from 'd3-dsv';
import { EMPTY_FIELDS, type EmbedFields } from '../editor/draft.ts';
import { COLUMNS } from '../generated/fields.ts';

/** Larger files are rejected as a whole. The command `embed-gateway import` has no such bound. */
export const MAX_IMPORT_BYTES = 5_000_000;
export const MAX_IMPORT_ROWS = 10_000;

export const IMPORTED = COLUMNS.filter(({ isImported }) => isImported);
export const IMPORTED_COLUMNS = IMPORTED.map(({ column }) => column);

/** Columns that reports of rejected rows add. */
export const REJECTION_COLUMNS = ['refused_line', 'refused_because'] as const;
const IGNORED_COLUMNS: readonly string[] = [
  ...COLUMNS.filter(({ isImported }) => !isImported).map(({ column }) => column),
  ...REJECTION_COLUMNS,
  'refused_text',
];

export interface ImportRow {
  /** The number of the row in a spreadsheet: the names of the columns are row 1. */
  readonly row: number;
  /** The cells of {@link IMPORTED_COLUMNS}. */
  readonly cells: readonly string[];
  readonly draft: EmbedFields;
  /** The same for the same row in a file that was corrected elsewhere. */
  readonly idempotencyKey: string;
}

export interface RejectedRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly reason: string;
}

export interface ParsedImport {
  readonly name: string;
  readonly rows: readonly ImportRow[];
  readonly rejected: readonly RejectedRow[];
}

/**
 * Reads CSV, also with semicolons or tabs, with the columns of the command `embed-gateway import`. Rejects rows whose cells have not the form of their
 * type. The API applies its rules when a row is sent.
 * @returns the reason if the file is rejected as a whole
 */
export function parseImport(name: string, bytes: BufferSource): ParsedImport | { readonly fault: string } {
  const content = decode(bytes);
  if (content === null) return { fault: 'It is not UTF-8. In a spreadsheet, save it as “CSV UTF-8”.' };
  if (content.split('"').length % 2 === 0) return { fault: 'A quote is not closed.' };
  const [head = [], ...records] = dsvFormat(delimiterOf(content)).parseRows(content);
  const columns = head.map((column) => column.trim());
  const fault = columnFaultOf(columns);
  if (fault) return { fault };

  const rows: ImportRow[] = [];
  const rejected: RejectedRow[] = [];
  const occurrences = new Map<string, number>();
  for (const [i, record] of records.entries()) {
    if (record.length === 1 && record[0]?.trim() === '') continue;
    const row = i + 2;
    const cells = IMPORTED_COLUMNS.map((column) => record[columns.indexOf(column)]?.trim() ?? '');
    const reason =
      record.length === columns.length
        ? cells.flatMap((cell, i) => cellFaultOf(cell, i) ?? []).join(' ')
        : `The row has ${record.length} cells, but row 1 names ${columns.length} columns.`;
    if (reason) {
      rejected.push({ row, cells, reason });
      continue;
    }
    const key = JSON.stringify(cells);
    const occurrence = (occurrences.get(key) ?? 0) + 1;
    occurrences.set(key, occurrence);
    rows.push({ row, cells, draft: draftOfCells(cells), idempotencyKey: `import-${hashOf(key)}-${occurrence}` });
  }
  if (rows.length + rejected.length === 0) return { fault: 'The file has no rows below the names of the columns.' };
  if (rows.length > MAX_IMPORT_ROWS) {
    const bound = MAX_IMPORT_ROWS.toLocaleString('en');
    return {
      fault: `The file has ${rows.length.toLocaleString('en')} rows. The console imports at most ${bound}: split the file, or use the command “embed-gateway import”.`,
    };
  }
  return { name, rows, rejected };
}

/** Returns the first character that cannot be in the name of a column; in a file with one column, a comma. */
function delimiterOf(text: string): string {
  return /^[\w" ]+([,;\t])/.exec(text)?.[1] ?? ',';
}

/** Finds the column that contains a name, or begins like it: `url`, `pageURL`, `fonts`. */
function similarColumnOf(name: string): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const sent = plain(name);
  const isSimilar = (column: string) => column.includes(sent) || sent.includes(column);
  return sent.length < 3 ? undefined : IMPORTED_COLUMNS.find((column) => isSimilar(plain(column)));
}

function columnFaultOf(columns: readonly string[]): string | null {
  const allowed = `The columns are ${IMPORTED_COLUMNS.join(', ')}.`;
  const unknown = columns.find((column) => !IMPORTED_COLUMNS.includes(column) && !IGNORED_COLUMNS.includes(column));
  const duplicate = columns.find((column, i) => columns.indexOf(column) !== i);
  if (unknown !== undefined) {
    const similar = similarColumnOf(unknown);
    const advice = similar === undefined ? '' : ` Did you mean ${similar}?`;
    return `Row 1 must name the columns: “${unknown.slice(0, 100)}” is not a column.${advice} ${allowed}`;
  }
  if (duplicate !== undefined) return `Row 1 names the column ${duplicate} twice.`;
  return columns.includes('page_url') ? null : `Row 1 does not name the column page_url. ${allowed}`;
}

/** Returns null unless it is UTF-8. A byte order mark is left out. */
function decode(bytes: BufferSource): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns the fault of a cell that has no form of its type, so that it cannot be sent. */
function cellFaultOf(cell: string, i: number): string | null {
  const { column, type, values = [] } = IMPORTED[i] ?? { column: '', type: 'text' };
  if (column === 'page_url' && !/^https?:\/\/[^/]/i.test(cell))
    return 'page_url must be an absolute http or https URL.';
  if (cell === '') return null;
  if (type === 'enum' && !values.some((value) => value.toLowerCase() === cell))
    return `${column} must be one of ${values.join(', ').toLowerCase()}.`;
  if (type === 'boolean' && !/^(true|false)$/i.test(cell)) return `${column} must be true or false.`;
  if (type === 'integer' && !/^\d{1,15}$/.test(cell)) return `${column} must be a whole number.`;
  return null;
}

/** Empty cells have the default. */
function draftOfCells(cells: readonly string[]): EmbedFields {
  const entries = IMPORTED.map(({ name, type }, i) => [name, cellValueOf(type, cells[i] ?? '')] as const);
  return { ...EMPTY_FIELDS, ...Object.fromEntries(entries.filter(([, value]) => value !== '')) };
}

function cellValueOf(type: string, cell: string): unknown {
  if (cell === '') return '';
  if (type === 'enum') return cell.toUpperCase();
  if (type === 'boolean') return cell.toLowerCase() === 'true';
  return type === 'integer' ? Number(cell) : cell;
}

/**
 * Returns a hash of 64 bits, by FNV-1a in two lanes. The hashes of browsers need TLS. If two rows had the same hash, the
 * API would reject the second one, because its parameters differ.
 */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}
