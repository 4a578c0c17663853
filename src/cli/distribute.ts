import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { createCommand } from './program.ts';

async function distribute(): Promise<void> {
  const { distributeDatabase } = await import('../store/postgresql/citus/distribute.ts');
  const { isNew, placedTables, nodes } = await distributeDatabase(readConfig().databaseUrl);
  const holders = `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'} (${nodes.join(', ')})`;
  if (isNew) {
    console.log(`The tables are distributed over ${holders}. Start the service, or copy a database into it.`);
    return;
  }
  const added = placedTables.length > 0 ? `New tables are distributed: ${placedTables.join(', ')}. ` : '';
  console.log(
    `${added}The tables were distributed before. The database is set up on all nodes; ${holders} may hold shards.`,
  );
}

export function createDistributeCommand(): Command {
  return createCommand(
    'distribute',
    'Distributes the empty PostgreSQL database of DATABASE_URL over the nodes of its Citus cluster. Repeat it after an upgrade, and after adding a node.',
  )
    .summary('Distributes an empty database over a Citus cluster.')
    .action(distribute);
}
