/**
 * Writes the next migration of each database: what leads from the existing ones to its model. PostgreSQL's is found with a
 * server that is started for it, and ends with it.
 *
 *   npm run migration -- add_title_index
 */

import { writeMigration } from '../src/store/prisma/migrate.ts';
import { MigratingPostgresql } from '../src/store/prisma/postgresql-migration-adapter.ts';
import { DurableSqlite } from '../src/store/sqlite/connection.ts';
import { openPostgresqlServer } from '../test/databases/embedded.ts';

const [name = ''] = process.argv.slice(2);
if (!/^[a-z0-9_]{1,60}$/.test(name)) {
  console.error('Name it: 1 to 60 lower-case letters, digits and underscores, such as add_title_index.');
  process.exit(1);
}

const server = await openPostgresqlServer();
try {
  for (const scratch of [new DurableSqlite(':memory:'), new MigratingPostgresql(server.urlOf('postgres'))]) {
    const folder = await writeMigration(scratch, name);
    console.log(folder ? `Wrote ${folder}: read it before you commit it.` : `Nothing to do for ${scratch.provider}.`);
  }
} finally {
  await server.close();
}
