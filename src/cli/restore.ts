import '../node-version.ts';
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { requireSqlite } from '../store/database-url.ts';
import { restore } from '../store/sqlite/backup.ts';
import { contentsOf, stopSignal } from './copying.ts';
import { createProgram } from './program.ts';
import { requireNotDatabaseFile } from './protected-files.ts';
import { runCommand } from './run.ts';

const program = createProgram(
  'restore',
  'Puts a backup in the place of the database, which nobody may use. DATABASE_URL says of which database.',
)
  .argument('<file>', 'the backup')
  .action(async (name: string) => {
    const source = resolve(name);
    const { databaseUrl } = readConfig();
    requireNotDatabaseFile(source, databaseUrl);
    const databaseFile = requireSqlite(databaseUrl);
    const restored = await restore(databaseFile, source, new Date(), stopSignal());
    console.log(`Restored ${contentsOf(restored)} from ${source} to ${databaseFile}. Its integrity is checked.`);
    if (restored.kept) console.log(`What was there before is kept as ${restored.kept}.`);
    for (const migration of restored.pendingMigrations) console.log(`The next start will apply ${migration}.`);
  });

await runCommand(program);
