import type pg from 'pg';
import { DatabaseError } from '../../database-errors.ts';
import { locationOf } from '../../database-url.ts';
import { toStandardError } from '../../open-options.ts';
import { hasRelation, hasRows, transact } from '../connection.ts';
import { migratePostgresql } from '../migration/migrate.ts';
import { DISABLED_PLANS } from '../pool.ts';
import { connectToServer, nameOf } from '../server.ts';
import { installIdLookup } from './id-lookup.ts';
import { installShardFunctions } from './shard-functions.ts';
import {
  DATA_TABLES,
  findMisplacedTables,
  hasCitus,
  PLACED_TABLES,
  type PlacedTable,
  placeNewTables,
  readPlacedNames,
} from './tables.ts';

/**
 * Creates the tables in an empty database of a Citus cluster, and distributes them. Does nothing to tables that are
 * distributed; distributes those that a later version adds, and moves others to the coordinator. Sets the database up on all
 * nodes, also on those that were added since.
 * @returns `isNew` is false if the database was distributed before
 * @throws {DatabaseError} if it is no such database
 */
export async function distributeDatabase(url: string) {
  const place = locationOf(url);
  if ('file' in place) {
    throw new DatabaseError('A SQLite file cannot be distributed: set DATABASE_URL to a database of a Citus cluster.');
  }
  return connectToServer(place, async (connection) => {
    await requireCoordinator(connection, nameOf(place));
    const before = await readPlacedNames(connection);
    const isNew = !before.has('Embed');
    // before a migration would change tables of an earlier version
    if (isNew) await requireNoData(connection, nameOf(place));
    await migratePostgresql(place, { log: toStandardError });
    await placeLeftovers(connection);
    const placed = await readPlacedNames(connection);
    const { onWorkers } = await findMisplacedTables(connection);
    for (const name of onWorkers) await connection.query('SELECT undistribute_table($1)', [`"${name}"`]);
    await installIdLookup(connection);
    await installShardFunctions(connection);
    await configureNodes(connection, place.server.database);
    const isAdded = ({ name }: PlacedTable) => placed.has(name) && !before.has(name);
    const placedTables = PLACED_TABLES.filter(isAdded).map(({ name }) => name);
    return { isNew, placedTables, nodes: await readNodes(connection) };
  });
}

async function requireCoordinator(connection: pg.Client, name: string): Promise<void> {
  if (!(await hasCitus(connection))) {
    throw new DatabaseError(
      `${name} lacks the extension citus. Run CREATE EXTENSION citus in this database on all nodes, add the workers with citus_add_node, and repeat the command.`,
    );
  }
  if (await hasRows(connection, 'SELECT 1 WHERE citus_is_coordinator()')) return;
  throw new DatabaseError(`${name} is on a worker: use the URL of the coordinator.`);
}

async function requireNoData(connection: pg.Client, name: string): Promise<void> {
  for (const table of DATA_TABLES) {
    if (!(await hasRelation(connection, table))) continue;
    if (!(await hasRows(connection, `SELECT 1 FROM "${table}" LIMIT 1`))) continue;
    throw new DatabaseError(
      `${name} holds data (the table ${table} has rows): distribute an empty database, then copy into it with "embed-gateway copy".`,
    );
  }
}

/** Places the tables that no migration has placed: all of a new database, and what an earlier version left behind. */
async function placeLeftovers(connection: pg.Client): Promise<void> {
  await transact(connection, 'BEGIN', async () => {
    // a trigger that writes another table is safe only because both rows have the same shard
    await connection.query('SET LOCAL citus.enable_unsafe_triggers = on');
    await placeNewTables(connection);
  });
}

/** Citus runs these statements on all nodes. The settings of a gateway's connection do not reach the workers. */
async function configureNodes(connection: pg.Client, database: string): Promise<void> {
  for (const setting of [...DISABLED_PLANS, 'jit']) {
    await connection.query(`ALTER DATABASE ${connection.escapeIdentifier(database)} SET ${setting} = off`);
  }
}

/** Returns `host:port` of the nodes that hold shards. */
async function readNodes(connection: pg.Client): Promise<readonly string[]> {
  const { rows } = await connection.query<{ node: string }>(
    `SELECT nodename || ':' || nodeport AS node FROM pg_dist_node
      WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY node`,
  );
  return rows.map(({ node }) => node);
}
