import { csvFormatRows } from 'd3-dsv';
import { COLUMNS } from '../generated/fields.ts';
import type { EmbedContentFragment } from '../generated/operations.ts';

/** Writes the columns of the command `embed-gateway export`. */
export function writeEmbeds(embeds: readonly EmbedContentFragment[]): string {
  const rows = embeds.map((embed) =>
    COLUMNS.map(({ name, type }) => cellOf(type, { ...embed }[name as keyof typeof embed])),
  );
  return writeCsv(
    COLUMNS.map(({ column }) => column),
    rows,
  );
}

export function writeCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${csvFormatRows([columns, ...rows] as string[][])}\n`;
}

function cellOf(type: string, value: unknown): string {
  return type === 'enum' ? String(value).toLowerCase() : String(value);
}

/** Offers a text to the user as a file. */
export function downloadCsv(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(URL.revokeObjectURL, 10_000, url);
}
