import { type Config, readConfig } from '../../config.ts';
import { openImports } from '../../store/imports.ts';
import { toStandardError } from '../../store/open-options.ts';
import { printResult } from '../program.ts';
import { isSameFileOrStream, requireNotDatabaseFile, requireReplaceable } from '../protected-files.ts';
import { InputError, retryWhileBusy, stopSignal } from '../run.ts';
import { FORMATS, type FormatName, formatOfName, formatOfText } from './format.ts';
import { type Input, type ValidationSummary, validateAll, writeEmbeds } from './import.ts';
import { createProgress } from './progress.ts';
import { openRejects } from './rejects.ts';
import { openSource } from './source.ts';

/** Time for which a busy database is opened again. The statements of the import are retried for the same time. */
const RETRY_OPENING_FOR_MS = 30_000;

export interface ImportOptions {
  readonly account: string;
  readonly format?: FormatName;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly again?: true;
  readonly json?: boolean;
}

/**
 * @param file `-` for standard input
 * @returns the number of rejected rows
 */
export async function runImport(file: string, options: ImportOptions): Promise<number> {
  const config = readConfig();
  const signal = stopSignal();
  if (options.rejects !== undefined) requireUsableRejects(options.rejects, file, config);
  const source = await openSource(file, signal);
  const progress = createProgress();
  try {
    const name = options.format ?? formatOfName(file) ?? formatOfText(source.beginning);
    const input: Input = { source, format: FORMATS[name], policy: config, progress, signal };
    const summary = await validateWithRejects(input, options.rejects);
    const message = options.dryRun
      ? describeResult('Would import', summary, `account ${options.account}`)
      : await write(input, summary, config, options);
    progress.end();
    const { rows, rejected } = summary;
    printResult(options, { account: options.account, rows, rejected, message }, [message]);
    return summary.rejected;
  } finally {
    progress.end();
    await source.close();
  }
}

function requireUsableRejects(rejects: string, file: string, { databaseUrl }: Config): void {
  if (isSameFileOrStream(rejects, file === '-' ? 0 : file)) {
    throw new InputError('--rejects must name another file than the one that is imported.');
  }
  requireNotDatabaseFile(rejects, databaseUrl);
  requireReplaceable(rejects);
}

async function validateWithRejects(input: Input, file: string | undefined): Promise<ValidationSummary> {
  const rejects = await openRejects(file, input.format);
  try {
    const summary = await validateAll(input, rejects.add);
    input.progress.end();
    await rejects.finish();
    return summary;
  } finally {
    await rejects.discard();
  }
}

/** @returns the message for the operator */
async function write(
  input: Input,
  summary: ValidationSummary,
  config: Config,
  options: ImportOptions,
): Promise<string> {
  const { account: accountId, again = false } = options;
  const { databaseUrl, durability } = config;
  const opening = { durability, poolSize: 1, log: toStandardError, auditLog: toStandardError };
  const store = await retryWhileBusy(() => openImports(databaseUrl, opening), {
    forMs: RETRY_OPENING_FOR_MS,
    signal: input.signal,
  });
  try {
    const key = { accountId, content: summary.content };
    const { checkpoint, isNewAccount } = await store.begin(key, again);
    if (checkpoint.finishedAt) {
      return `Nothing to do: this was imported into the account ${accountId} at ${checkpoint.finishedAt.toISOString()}. --again imports it once more.`;
    }
    await writeEmbeds(input, key, checkpoint, store);
    const earlier = checkpoint.rows > 0 ? ` ${checkpoint.embeds} were there from an interrupted import.` : '';
    return describeResult('Imported', summary, `${isNewAccount ? 'new ' : ''}account ${accountId}`) + earlier;
  } finally {
    await store.close();
  }
}

function describeResult(action: string, { rows, rejected }: ValidationSummary, target: string): string {
  return `${action} ${rows - rejected} of ${rows} rows into the ${target}; rejected ${rejected}.`;
}
