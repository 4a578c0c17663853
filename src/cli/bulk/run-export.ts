import { readConfig } from '../../config.ts';
import type { EmbedHost } from '../../domain/embed/url.ts';
import { openDatabase } from '../../store/database.ts';
import { DatabaseError } from '../../store/database-errors.ts';
import type { EmbedList } from '../../store/embeds/lists.ts';
import { countOf } from '../program.ts';
import { requireNotDatabaseFile, requireReplaceable } from '../protected-files.ts';
import { InputError, requireAccount, retryWhileBusy, stopSignal } from '../run.ts';
import { openAtomicFile } from './atomic-file.ts';
import { FORMATS, type Format, type FormatName, formatOfName } from './format.ts';
import { createProgress, type Progress } from './progress.ts';
import { EXPORTED_COLUMNS, exportedRowOf } from './row.ts';

/** The number of embeds in one query. */
const PAGE_EMBEDS = 1_000;

export interface ExportOptions {
  readonly account: string;
  readonly format?: FormatName;
  readonly json?: boolean;
}

/** @param file `-` for standard output */
export async function runExport(file: string, { account: accountId, format, json }: ExportOptions) {
  const config = readConfig();
  const { databaseUrl } = config;
  const isDocument = json === true && file === '-';
  if (isDocument && format) throw new InputError('--json without a file writes JSON: omit --format, or name a file.');
  requireNotDatabaseFile(file === '-' ? 1 : file, databaseUrl);
  if (file !== '-') requireReplaceable(file);
  const signal = stopSignal();
  const progress = createProgress();
  const { createList, tokens, close } = await retryWhileBusy(() => openDatabase(databaseUrl, { poolSize: 1 }), {
    signal,
  });
  try {
    await requireAccount({ tokens }, accountId);
    const name = isDocument ? 'ndjson' : (format ?? formatOfName(file) ?? 'csv');
    const texts = exportEmbeds({
      list: createList(accountId, null),
      host: config,
      format: FORMATS[name],
      progress,
      signal,
    });
    if (file === '-') return await toStandardOutput(isDocument ? toDocument(texts) : texts);
    await toFile(file, texts);
    const exported = progress.end();
    if (json) console.log(JSON.stringify({ account: accountId, file, exported }));
    else console.error(`Exported ${countOf(exported, 'embed')} to ${file}.`);
  } finally {
    progress.end();
    await close();
  }
}

interface ExportSource {
  readonly host: EmbedHost;
  readonly list: EmbedList;
  readonly format: Format;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Yields an account's embeds as text, oldest first, so that an import assigns ids in the same order. */
async function* exportEmbeds(options: ExportSource): AsyncGenerator<string> {
  const { list, host, format, progress, signal } = options;
  progress.begin('exporting', (await list.count()).count);
  yield format.head(EXPORTED_COLUMNS);
  for (let newest: string | undefined, isCut = true; isCut; ) {
    if (signal.aborted) throw new DatabaseError('Stopped.');
    const page = await list.findPage({
      size: PAGE_EMBEDS,
      fromEnd: true,
      after: undefined,
      before: newest,
    });
    yield format.write(
      page.embeds.toReversed().map((embed) => exportedRowOf(embed, host)),
      EXPORTED_COLUMNS,
    );
    progress.advance(page.embeds.length, page.embeds.length);
    newest = page.embeds[0]?.id;
    isCut = page.isCut;
  }
}

/** Joins the lines of NDJSON to one document. */
async function* toDocument(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = '{"embeds":[\n';
  for await (const text of texts) {
    if (text === '') continue;
    yield separator + text.trimEnd().replaceAll('\n', ',\n');
    separator = ',\n';
  }
  yield separator.startsWith(',') ? '\n]}\n' : '{"embeds":[]}\n';
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

/** Ends at the first error, which {@link runCommand} prints. */
async function toStandardOutput(texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    const error = await new Promise<Error | null | undefined>((resolve) => {
      process.stdout.write(text, resolve);
    });
    if (error) return;
  }
}
