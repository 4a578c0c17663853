import '../node-version.ts';
import { Option } from 'commander';
import { DEFAULT_ACCOUNT } from '../domain/identity/account.ts';
import { FORMAT_NAMES } from './bulk/format.ts';
import { type ExportOptions, runExport } from './bulk/run-export.ts';
import { type ImportOptions, runImport } from './bulk/run-import.ts';
import { createProgram, once, parseName } from './program.ts';
import { runCommand } from './run.ts';

const SOME_REFUSED = 1;
/** The database or the disk failed, or a signal came. Some of the rows may be imported. */
const UNFINISHED = 3;

const EXIT_CODES = `
Exit codes:
  0  done
  1  done, but some rows were refused
  2  the command line, the configuration or the input is not valid; nothing was written
  3  not finished: the database or the disk failed, or it was stopped; the same command goes on`;

const program = createProgram(
  'embeds',
  'Imports and exports embeds. DATABASE_URL says of which database, which may be in use.',
  EXIT_CODES,
);

const account = (whose: string) =>
  new Option('--account <name>', `${whose}; ${DEFAULT_ACCOUNT} when omitted`).argParser(once(parseName));
const format = (otherwise: string) =>
  new Option('--format <format>', `csv or ndjson; ${otherwise} when omitted`).choices(FORMAT_NAMES);

program
  .command('import')
  .description(
    'Create an embed for each row of a file. Columns, or the names of each JSON object, are page_url, mode, font and ' +
      'show_top_bar; what else an export has is passed over. The same content is imported once: interrupted, the ' +
      'same command goes on. No page is fetched: titles come from the URLs.',
  )
  .argument('<file>', 'what to import, or - for standard input, which is read to its end first')
  .addOption(account('whose embeds they become; made if it is not there'))
  .addOption(format('what the name of the file or its first character says'))
  .option('--rejects <file>', 'write the refused rows there with the reasons, to be mended and imported')
  .option('--dry-run', 'only check')
  .option('--again', 'import once more what was imported before')
  .action(async (file: string, options: Partial<ImportOptions>) => {
    const refused = await runImport(file, { account: DEFAULT_ACCOUNT, ...options });
    if (refused > 0) process.exitCode = SOME_REFUSED;
  });

program
  .command('export')
  .description('Write all embeds of an account, oldest first, so that an import keeps their order.')
  .argument('[file]', 'where to, whole or not at all; standard output when omitted or -', '-')
  .addOption(account('whose embeds'))
  .addOption(format('what the name of the file says, else csv'))
  .action((file: string, options: Partial<ExportOptions>) => runExport(file, { account: DEFAULT_ACCOUNT, ...options }));

await runCommand(program, UNFINISHED);
