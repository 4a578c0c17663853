import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { migrateDatabase } from '../store/database.ts';
import { toStandardError } from '../store/open-options.ts';
import { createCommand } from './program.ts';

async function migrate({ contract = false }: { contract?: boolean }): Promise<void> {
  const applied = await migrateDatabase(readConfig().databaseUrl, toStandardError, contract);
  if (applied.length === 0) console.log('The database has all migrations.');
  else console.log(`Applied ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}.`);
}

export function createMigrateCommand(): Command {
  return createCommand(
    'migrate',
    'Brings the database of DATABASE_URL to the schema of this version. Gateways of the previous release go on serving on PostgreSQL. An interrupted run is continued by the next one.',
  )
    .summary('Brings a database to the schema of this version.')
    .option(
      '--contract',
      'also removes what only earlier releases use; for when no gateway of an earlier release runs any more',
    )
    .action(migrate);
}
