import { InvalidArgumentError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { createBackupCommand, createRestoreCommand } from './backup.ts';
import { createExportCommand, createImportCommand, UNFINISHED } from './bulk/commands.ts';
import { createCompletionCommand } from './completion.ts';
import { createCopyCommand } from './copy.ts';
import { createDoctorCommand } from './doctor.ts';
import { createEmbedsCommand } from './embeds.ts';
import { createDistributeCommand, createMigrateCommand, createRecountCommand } from './migrate.ts';
import { createCommand, EXIT } from './program.ts';
import { runCommand } from './run.ts';
import { createTokensCommand } from './tokens.ts';
import { createWebhooksCommand } from './webhooks.ts';

/** Also accepted behind `embeds`, where they were before. */
const BULK_COMMANDS: readonly (string | undefined)[] = ['import', 'export'];

/**
 * Runs one command of `embed-gateway`, and sets the exit code.
 * @param args the name of the command, and its arguments
 * @param serve starts the service
 */
export async function runCommandLine(args: readonly string[], serve: () => Promise<void>): Promise<void> {
  const program = createCommand(manifest.name, `${manifest.description} Without a command, it starts the service.`, '')
    .version(manifest.version, '-V, --version', 'show the version')
    .addCommand(
      createCommand(
        'serve',
        'Starts the service. Environment variables configure it: PORT, HOST, DATABASE_URL, EMBED_HOST and others.',
      )
        .summary('Starts the service.')
        .addOption(refusedOption('port'))
        .addOption(refusedOption('host'))
        .action(serve),
    );
  const commands = [
    createMigrateCommand(),
    createTokensCommand(),
    createWebhooksCommand(),
    createImportCommand(),
    createExportCommand(),
    createBackupCommand(),
    createRestoreCommand(),
    createCopyCommand(),
    createDistributeCommand(),
    createRecountCommand(),
    createEmbedsCommand(),
    createDoctorCommand(),
    createCompletionCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  const given = args[0] === 'embeds' && BULK_COMMANDS.includes(args[1]) ? args.slice(1) : args;
  await runCommand(program, given, BULK_COMMANDS.includes(given[0]) ? UNFINISHED : EXIT.FAILED);
}

/** Creates an option that names the variable to set in its place. */
function refusedOption(name: string): Option {
  const variable = name.toUpperCase();
  return new Option(`--${name} <value>`).hideHelp().argParser((value) => {
    throw new InvalidArgumentError(
      `Set the environment variable ${variable}: ${variable}=${value} embed-gateway serve`,
    );
  });
}
