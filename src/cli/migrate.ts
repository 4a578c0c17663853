import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { migrateDatabase } from '../store/database.ts';
import { toStandardError } from '../store/open-options.ts';
import { countOf, createResultCommand, printResult, type ResultOptions } from './program.ts';

async function migrate({ contract = false, ...options }: ResultOptions & { contract?: boolean }): Promise<void> {
  const applied = await migrateDatabase(readConfig().databaseUrl, toStandardError, contract);
  const done = `Applied ${countOf(applied.length, 'migration')}.`;
  printResult(options, { applied }, [applied.length === 0 ? 'The database has all migrations.' : done]);
}

export function createMigrateCommand(): Command {
  return createResultCommand(
    'migrate',
    'Brings a database to the schema of this version.',
    'Brings the database of DATABASE_URL to the schema of this version. Gateways of the previous release go on serving on PostgreSQL. An interrupted run is continued by the next one.',
  )
    .option(
      '--contract',
      'also removes what only earlier releases use; for when no gateway of an earlier release runs any more',
    )
    .action(migrate);
}

async function distribute(options: ResultOptions): Promise<void> {
  const { distributeDatabase } = await import('../store/postgresql/citus/distribute.ts');
  const { isNew, placedTables, nodes } = await distributeDatabase(readConfig().databaseUrl);
  const holders = `${countOf(nodes.length, 'node')} (${nodes.join(', ')})`;
  const added = placedTables.length > 0 ? `New tables are distributed: ${placedTables.join(', ')}. ` : '';
  printResult(options, { isNew, placedTables, nodes }, [
    isNew
      ? `The tables are distributed over ${holders}. Start the service, or copy a database into it.`
      : `${added}The tables were distributed before. The database is set up on all nodes; ${holders} may hold shards.`,
  ]);
}

export function createDistributeCommand(): Command {
  return createResultCommand(
    'distribute',
    'Distributes an empty database over a Citus cluster.',
    'Distributes the empty PostgreSQL database of DATABASE_URL over the nodes of its Citus cluster. Repeat it after an upgrade, and after adding a node.',
  ).action(distribute);
}

async function recount(options: ResultOptions): Promise<void> {
  const { recountDatabase } = await import('../store/postgresql/totals.ts');
  const { accounts, wrongTotals } = await recountDatabase(readConfig().databaseUrl);
  printResult(options, { accounts, wrongTotals }, [
    `Counted and indexed the embeds of ${countOf(accounts, 'account')} again, and corrected ${countOf(wrongTotals, 'total')}.`,
  ]);
}

export function createRecountCommand(): Command {
  return createResultCommand(
    'recount',
    'Mends the totals of a PostgreSQL database after a partial restore.',
    'Counts the embeds of all accounts of the PostgreSQL database of DATABASE_URL again, and indexes their words again. A restore of rows alone makes it necessary: the start then names this command. Stop all gateways first.',
  ).action(recount);
}
