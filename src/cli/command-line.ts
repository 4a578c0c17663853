import manifest from '../../package.json' with { type: 'json' };
import { createBackupCommand, createRestoreCommand } from './backup.ts';
import { createCopyCommand } from './copy.ts';
import { createDistributeCommand } from './distribute.ts';
import { createEmbedsCommand, createExportCommand, createImportCommand, UNFINISHED } from './embeds.ts';
import { createMigrateCommand } from './migrate.ts';
import { createCommand, EXIT } from './program.ts';
import { createRecountCommand } from './recount.ts';
import { runCommand } from './run.ts';
import { createTokensCommand } from './tokens.ts';

const BULK_COMMANDS = ['import', 'export', 'embeds'];

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
        .action(serve),
    );
  const commands = [
    createMigrateCommand(),
    createTokensCommand(),
    createImportCommand(),
    createExportCommand(),
    createBackupCommand(),
    createRestoreCommand(),
    createCopyCommand(),
    createDistributeCommand(),
    createRecountCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  // the name before import and export were commands of their own
  program.addCommand(createEmbedsCommand(), { hidden: true });
  await runCommand(program, args, BULK_COMMANDS.includes(args[0] ?? '') ? UNFINISHED : EXIT.FAILED);
}
