import { type AtomicFile, openAtomicFile } from './atomic-file.ts';
import type { Format } from './format.ts';
import { REJECTED_COLUMNS, type Row, rejectedRowOf } from './row.ts';

const MAX_SHOWN = 20;

const BATCH_ROWS = 500;

/**
 * Opens the report of rejected rows: the first ones on standard error, all of them in a file if one is given.
 * @throws {InputError} if the file cannot be created
 */
export async function openRejects(name: string | undefined, format: Format) {
  const file: AtomicFile | null = name === undefined ? null : await openAtomicFile(name);
  let head = format.head(REJECTED_COLUMNS);
  const shown: string[] = [];
  let count = 0;
  let rows: Readonly<Record<string, unknown>>[] = [];

  async function flush(): Promise<void> {
    await file?.write(head + format.write(rows, REJECTED_COLUMNS));
    head = '';
    rows = [];
  }

  return {
    async add(row: Row, reasons: readonly string[]): Promise<void> {
      count++;
      if (count <= MAX_SHOWN) shown.push(`line ${row.line}: ${reasons.join('; ')}`);
      if (!file) return;
      rows.push(rejectedRowOf(row, reasons));
      if (rows.length === BATCH_ROWS) await flush();
    },
    async finish(): Promise<void> {
      await flush();
      await file?.finish();
      for (const line of shown) console.error(line);
      if (count <= MAX_SHOWN) return;
      const rest = `and ${count - MAX_SHOWN} more`;
      console.error(name === undefined ? `${rest}; --rejects FILE writes all of them` : `${rest}, all in ${name}`);
    },
    /** Removes an unfinished file. */
    async discard(): Promise<void> {
      await file?.discard();
    },
  };
}
