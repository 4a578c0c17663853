import { type Command, Option } from 'commander';
import { accountOption, createCommand } from '../program.ts';
import { FORMAT_NAMES } from './format.ts';
import { type ExportOptions, runExport } from './run-export.ts';
import { type ImportOptions, runImport } from './run-import.ts';

const SOME_REJECTED = 1;
/** The exit code after a failure of the database or the disk, or a signal. Some rows may have been imported. */
export const UNFINISHED = 3;

const EXIT_CODES = `
Exit codes:
  0  done
  1  done, but some rows were rejected
  2  the command line, the configuration or the input is not valid; nothing was written
  3  not finished: the database or the disk failed, or the command was stopped; the same command continues`;

const format = (otherwise: string) =>
  new Option('--format <format>', `csv or ndjson; ${otherwise} if omitted`).choices(FORMAT_NAMES);

export function createImportCommand(): Command {
  return createCommand(
    'import',
    'Creates an embed for each row of a file, in the database of DATABASE_URL, which may be in use. The columns, or the ' +
      'names in each JSON object, are page_url, mode, font and show_top_bar; the other columns of an export are ignored. ' +
      'The same content is imported once: after an interruption, the same command continues. No page is fetched: titles ' +
      'come from the URLs.',
    EXIT_CODES,
  )
    .summary('Creates an embed for each row of a file.')
    .argument('<file>', 'the rows, or - for standard input, which is read to its end first')
    .addOption(accountOption('the account that owns the embeds; created if it does not exist'))
    .addOption(format('by the name of the file or its first character'))
    .option('--rejects <file>', 'write the rejected rows with the reasons to this file, to be corrected and imported')
    .option('--dry-run', 'only validate')
    .option('--again', 'import content again that was imported before')
    .option('--json', 'print the result as one JSON document')
    .action(async (file: string, options: ImportOptions) => {
      const rejected = await runImport(file, options);
      if (rejected > 0) process.exitCode = SOME_REJECTED;
    });
}

export function createExportCommand(): Command {
  return createCommand(
    'export',
    'Writes all embeds of an account, oldest first, so that an import keeps their order. DATABASE_URL selects the ' +
      'database, which may be in use.',
    EXIT_CODES,
  )
    .summary('Writes all embeds of an account.')
    .argument('[file]', 'the target, replaced only when the export is complete; - is standard output', '-')
    .addOption(accountOption('the account that owns the embeds'))
    .addOption(format('by the name of the file, else csv'))
    .option('--json', 'print the result as one JSON document; without a file, that is the embeds')
    .action((file: string, options: ExportOptions) => runExport(file, options));
}
