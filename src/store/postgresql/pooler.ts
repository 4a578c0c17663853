import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** A connection pooler between the gateway and the server, such as pgbouncer. Any statement may use another session. */
export interface Pooler {
  /** It prepares named statements in each session (pgbouncer 1.21 or newer, with `max_prepared_statements`). */
  readonly keepsStatements: boolean;
}

/** Returns null for a connection to the server itself. */
export async function findPooler(connection: pg.Client): Promise<Pooler | null> {
  const { rows } = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // a pooler makes up the process id of a connection, because its sessions change
  const { processID } = connection as unknown as { readonly processID: number | null };
  if (rows[0]?.pid === processID) return null;
  return { keepsStatements: await keepsStatements(connection) };
}

/** A pooler that keeps named statements gives them names of its own in the sessions. */
async function keepsStatements(connection: pg.Client): Promise<boolean> {
  const name = `embeds_probe_${randomUUID()}`;
  await connection.query('BEGIN');
  try {
    const { rows } = await connection.query({ name, text: 'SELECT name FROM pg_prepared_statements' });
    const isRenamed = !rows.some((row) => row.name === name);
    if (!isRenamed) await connection.query(`DEALLOCATE "${name}"`);
    return isRenamed;
  } finally {
    await connection.query('COMMIT');
  }
}

/** Returns a warning that names the settings with other values on the server, which a pooler does not pass; null if there is none. */
export async function describeDroppedSettings(
  connection: pg.Client,
  settings: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { rows } = await connection.query<{ name: string; value: string }>(
    'SELECT name, setting AS value FROM pg_settings WHERE name = ANY($1)',
    [Object.keys(settings)],
  );
  const dropped = rows.filter(({ name, value }) => value !== settings[name]);
  if (dropped.length === 0) return null;
  const sql = dropped.map(({ name }) => `SET ${name} = ${settings[name]}`);
  return `a connection pooler does not pass these settings, so queries on many embeds may be slow: add connect_query='${sql.join('; ')}' to the database in pgbouncer.ini, or set them with ALTER ROLE`;
}
