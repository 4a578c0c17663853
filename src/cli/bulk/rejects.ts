import { type AtomicFile, openAtomicFile } from './atomic-file.ts';
import type { Format } from './format.ts';
import { REFUSED_COLUMNS, type Row, refusedOf } from './row.ts';

/** What happens to refused rows: the first are shown in the end, and all are written to a file where there is one. */
export interface Rejects {
  add(row: Row, reasons: readonly string[]): Promise<void>;
  finish(): Promise<void>;
  /** Leaves no trace; does nothing when it is finished. */
  discard(): Promise<void>;
}

const MAX_SHOWN = 20;

/** Written together. */
const BATCH_ROWS = 500;

/** @throws {InputError} when the file cannot be written */
export async function openRejects(name: string | undefined, format: Format): Promise<Rejects> {
  const file: AtomicFile | null = name === undefined ? null : await openAtomicFile(name);
  await file?.write(format.head(REFUSED_COLUMNS));
  const shown: string[] = [];
  let count = 0;
  let rows: Readonly<Record<string, unknown>>[] = [];

  async function flush(): Promise<void> {
    await file?.write(format.write(rows, REFUSED_COLUMNS));
    rows = [];
  }

  return {
    async add(row, reasons) {
      count++;
      if (count <= MAX_SHOWN) shown.push(`line ${row.line}: ${reasons.join('; ')}`);
      if (!file) return;
      rows.push(refusedOf(row, reasons));
      if (rows.length === BATCH_ROWS) await flush();
    },
    async finish() {
      await flush();
      await file?.finish();
      for (const line of shown) console.error(line);
      if (count <= MAX_SHOWN) return;
      const rest = `and ${count - MAX_SHOWN} more`;
      console.error(name === undefined ? `${rest}; --rejects FILE writes all of them` : `${rest}, all in ${name}`);
    },
    async discard() {
      await file?.discard();
    },
  };
}
