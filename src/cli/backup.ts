import '../node-version.ts';
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { requireSqlite } from '../store/database-url.ts';
import { backUp } from '../store/sqlite/backup.ts';
import { contentsOf, stopSignal } from './copying.ts';
import { createProgram } from './program.ts';
import { requireNotDatabaseFile } from './protected-files.ts';
import { runCommand } from './run.ts';

const program = createProgram(
  'backup',
  'Copies the database, which may be in use, and checks the copy. DATABASE_URL says which database.',
)
  .argument('<file>', 'where to; a file that does not exist')
  .action(async (name: string) => {
    const target = resolve(name);
    const { databaseUrl } = readConfig();
    requireNotDatabaseFile(target, databaseUrl);
    const copy = await backUp(requireSqlite(databaseUrl), target, stopSignal());
    console.log(`Copied ${contentsOf(copy)} to ${target}. The integrity of the copy is checked.`);
  });

await runCommand(program);
