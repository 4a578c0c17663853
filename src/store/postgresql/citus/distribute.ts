import type pg from 'pg';
import { DatabaseError } from '../../database-errors.ts';
import { locationOf } from '../../database-url.ts';
import { createUrlFinder } from '../hosts.ts';
import { DISABLED_PLANS, sessionSettings } from '../pool.ts';
import { connectToServer, nameOf, preparePostgresql } from '../server.ts';
import { AFTER_PLACING, BEFORE_PLACING, DATA_TABLES, isDistributed, PLACED_TABLES } from './tables.ts';

export interface Distribution {
  /** False if the tables were distributed before. */
  readonly isNew: boolean;
  /** `host:port` of the nodes that hold shards. */
  readonly nodes: readonly string[];
}

/**
 * Creates the tables in an empty database of a Citus cluster, and distributes them. Does nothing to tables that are
 * distributed. Sets the database up on all nodes, also on those that were added since.
 * @throws {DatabaseError} if it is no such database
 */
export async function distributeDatabase(url: string): Promise<Distribution> {
  const place = locationOf(url);
  if ('file' in place) {
    throw new DatabaseError('A SQLite file cannot be distributed: set DATABASE_URL to a database of a Citus cluster.');
  }
  const findUrl = createUrlFinder(place);
  return connectToServer(place, findUrl, async (connection) => {
    await requireCoordinator(connection, nameOf(place));
    const isNew = !(await isDistributed(connection));
    if (isNew) await requireUnused(connection, nameOf(place));
    await preparePostgresql(place, { findUrl, settings: sessionSettings('full') });
    if (isNew) {
      await requireNoData(connection, nameOf(place));
      await placeTables(connection);
    }
    await configureNodes(connection, place.server.database);
    return { isNew, nodes: await readNodes(connection) };
  });
}

async function requireCoordinator(connection: pg.Client, name: string): Promise<void> {
  const { rows } = await connection.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  if (rows.length === 0) {
    throw new DatabaseError(
      `${name} lacks the extension citus. Run CREATE EXTENSION citus in this database on all nodes, add the workers with citus_add_node, and repeat the command.`,
    );
  }
  const { rows: coordinators } = await connection.query<{ is: boolean }>('SELECT citus_is_coordinator() AS is');
  if (!coordinators[0]?.is) throw new DatabaseError(`${name} is on a worker: use the URL of the coordinator.`);
}

/** Refuses tables of an earlier version before a migration would change them. */
async function requireUnused(connection: pg.Client, name: string): Promise<void> {
  const { rows } = await connection.query(`SELECT 1 WHERE to_regclass('"Account"') IS NOT NULL`);
  if (rows.length > 0) await requireNoData(connection, name);
}

async function requireNoData(connection: pg.Client, name: string): Promise<void> {
  for (const table of DATA_TABLES) {
    const { rows } = await connection.query(`SELECT 1 FROM "${table}" LIMIT 1`);
    if (rows.length === 0) continue;
    throw new DatabaseError(
      `${name} holds data (the table ${table} has rows): distribute an empty database, then copy into it with "embed-gateway copy".`,
    );
  }
}

async function placeTables(connection: pg.Client): Promise<void> {
  await connection.query('BEGIN');
  try {
    // a trigger that writes another table is safe only because both rows have the same shard
    await connection.query('SET LOCAL citus.enable_unsafe_triggers = on');
    for (const statement of BEFORE_PLACING) await connection.query(statement);
    for (const { name, column, colocatedWith } of PLACED_TABLES) {
      const table = `"${name}"`;
      if (column === null) await connection.query('SELECT create_reference_table($1)', [table]);
      else {
        const companion = colocatedWith ? `"${colocatedWith}"` : 'none';
        await connection.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
          table,
          column,
          companion,
        ]);
      }
    }
    for (const statement of AFTER_PLACING) await connection.query(statement);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK');
    throw error;
  }
}

/** Citus runs these statements on all nodes. The settings of a gateway's connection do not reach the workers. */
async function configureNodes(connection: pg.Client, database: string): Promise<void> {
  const name = `"${database.replaceAll('"', '""')}"`;
  for (const setting of [...DISABLED_PLANS, 'jit']) {
    await connection.query(`ALTER DATABASE ${name} SET ${setting} = off`);
  }
}

async function readNodes(connection: pg.Client): Promise<readonly string[]> {
  const { rows } = await connection.query<{ node: string }>(
    `SELECT nodename || ':' || nodeport AS node FROM pg_dist_node
      WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY node`,
  );
  return rows.map(({ node }) => node);
}
