import { type Config, readConfig } from '../../config.ts';
import { openImports } from '../../store/imports.ts';
import { toStandardError } from '../../store/open-options.ts';
import { stopSignal } from '../copying.ts';
import { isSame, requireNotOfDatabase, requireReplaceable } from '../protected-files.ts';
import { InputError } from '../run.ts';
import { FORMATS, type FormatName, formatOfName, formatOfText } from './format.ts';
import { type Input, type ValidationSummary, validateAll, writeEmbeds } from './import.ts';
import { createProgress } from './progress.ts';
import { openRejects } from './rejects.ts';
import { openSource } from './source.ts';

export interface ImportOptions {
  readonly account: string;
  readonly format?: FormatName;
  readonly rejects?: string;
  readonly dryRun?: true;
  readonly again?: true;
}

/**
 * @param file or `-` for standard input
 * @returns how many rows were refused
 */
export async function runImport(file: string, options: ImportOptions): Promise<number> {
  const config = readConfig();
  const signal = stopSignal();
  if (options.rejects !== undefined) requireRejectsApart(options.rejects, file, config);
  const source = await openSource(file, signal);
  const progress = createProgress();
  try {
    const name = options.format ?? formatOfName(file) ?? formatOfText(source.beginning);
    const input: Input = { source, format: FORMATS[name], policy: config, progress, signal };
    const found = await surveyWithRejects(input, options.rejects);
    const told = options.dryRun
      ? toldOf('Would import', found, `account ${options.account}`)
      : await write(input, found, config, options);
    progress.end();
    console.log(told);
    return found.refused;
  } finally {
    progress.end();
    await source.close();
  }
}

function requireRejectsApart(rejects: string, file: string, { databaseUrl }: Config): void {
  if (isSame(rejects, file === '-' ? 0 : file)) {
    throw new InputError('--rejects must name another file than the one that is imported.');
  }
  requireNotOfDatabase(rejects, databaseUrl);
  requireReplaceable(rejects);
}

async function surveyWithRejects(input: Input, file: string | undefined): Promise<ValidationSummary> {
  const rejects = await openRejects(file, input.format);
  try {
    const found = await validateAll(input, rejects.add);
    input.progress.end();
    await rejects.finish();
    return found;
  } finally {
    await rejects.discard();
  }
}

/** @returns what there is to tell */
async function write(input: Input, found: ValidationSummary, config: Config, options: ImportOptions): Promise<string> {
  const { account: accountId, again = false } = options;
  const { databaseUrl, durability } = config;
  const store = await openImports(databaseUrl, {
    durability,
    poolSize: 1,
    log: toStandardError,
    auditLog: toStandardError,
  });
  try {
    const key = { accountId, content: found.content };
    const { checkpoint, isNewAccount } = await store.begin(key, again);
    if (checkpoint.finishedAt) {
      return `Nothing to do: this was imported into the account ${accountId} at ${checkpoint.finishedAt.toISOString()}. --again imports it once more.`;
    }
    await writeEmbeds(input, key, checkpoint, store);
    const earlier = checkpoint.rows > 0 ? ` ${checkpoint.embeds} were there from an interrupted import.` : '';
    return toldOf('Imported', found, `${isNewAccount ? 'new ' : ''}account ${accountId}`) + earlier;
  } finally {
    await store.close();
  }
}

function toldOf(deed: string, { rows, refused }: ValidationSummary, target: string): string {
  return `${deed} ${rows - refused} of ${rows} rows into the ${target}; refused ${refused}.`;
}
