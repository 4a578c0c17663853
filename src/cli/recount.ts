import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { createCommand } from './program.ts';

async function recount(): Promise<void> {
  const { recountDatabase } = await import('../store/postgresql/totals.ts');
  const { accounts, wrongTotals } = await recountDatabase(readConfig().databaseUrl);
  console.log(`The embeds of ${accounts} accounts were counted and indexed again: ${wrongTotals} totals were wrong.`);
}

export function createRecountCommand(): Command {
  return createCommand(
    'recount',
    'Counts the embeds of all accounts of the PostgreSQL database of DATABASE_URL again, and indexes their words again. A restore of rows alone makes it necessary: the start then names this command. Stop all gateways first.',
  )
    .summary('Mends the totals of a PostgreSQL database after a partial restore.')
    .action(recount);
}
