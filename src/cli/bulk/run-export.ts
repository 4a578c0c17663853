import { readConfig } from '../../config.ts';
import { openDatabase } from '../../store/database.ts';
import { DatabaseError } from '../../store/database-errors.ts';
import { stopSignal } from '../copying.ts';
import { requireNotOfDatabase, requireReplaceable } from '../protected-files.ts';
import { InputError } from '../run.ts';
import { openAtomicFile } from './atomic-file.ts';
import { exportEmbeds } from './export.ts';
import { FORMATS, type FormatName, formatOfName } from './format.ts';
import { createProgress, type Progress } from './progress.ts';

export interface ExportOptions {
  readonly account: string;
  readonly format?: FormatName;
}

/** @param file or `-` for standard output */
export async function runExport(file: string, { account: accountId, format }: ExportOptions) {
  const { databaseUrl, embedHost } = readConfig();
  requireNotOfDatabase(file === '-' ? 1 : file, databaseUrl);
  if (file !== '-') requireReplaceable(file);
  const signal = stopSignal();
  const progress = createProgress();
  const { embeds, tokens, close } = await openDatabase(databaseUrl, { poolSize: 1 });
  try {
    if (!(await tokens.hasAccount(accountId))) throw new InputError(`There is no account ${accountId}.`);
    const name = format ?? formatOfName(file) ?? 'csv';
    let exported = 0;
    const counting: Progress = {
      ...progress,
      advance(by) {
        exported += by;
        progress.advance(by);
      },
    };
    const texts = exportEmbeds({ accountId, embeds, embedHost, format: FORMATS[name], progress: counting, signal });
    if (file === '-') return await toStandardOutput(texts);
    await toFile(file, texts);
    progress.end();
    console.error(`Exported ${exported} ${exported === 1 ? 'embed' : 'embeds'} to ${file}.`);
  } finally {
    progress.end();
    await close();
  }
}

async function toFile(name: string, texts: AsyncIterable<string>): Promise<void> {
  const file = await openAtomicFile(name);
  try {
    for await (const text of texts) await file.write(text);
    await file.finish();
  } finally {
    await file.discard();
  }
}

/** Whoever reads may stop when they have enough. */
async function toStandardOutput(texts: AsyncIterable<string>): Promise<void> {
  // told to the write below as well
  process.stdout.on('error', () => {});
  for await (const text of texts) {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
      process.stdout.write(text, resolve);
    });
    if (error?.code === 'EPIPE') return;
    if (error) throw new DatabaseError(`Standard output cannot be written: ${error.message}.`);
  }
}
