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

/** Returns those of the settings that have other values on the server: poolers do not pass them. */
export async function findDroppedSettings(
  connection: pg.Client,
  settings: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { rows } = await connection.query<{ name: string; value: string }>(
    'SELECT name, setting AS value FROM pg_settings WHERE name = ANY($1)',
    [Object.keys(settings)],
  );
  const dropped = rows.filter(({ name, value }) => value !== settings[name]);
  return Object.fromEntries(dropped.map(({ name }) => [name, settings[name] ?? '']));
}

export function describeDroppedSettings(settings: Readonly<Record<string, string>>): string {
  const sql = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  return `a connection pooler does not pass these settings, so queries on many embeds may be slow: add connect_query='${sql.join('; ')}' to the database in pgbouncer.ini, or set them with ALTER ROLE`;
}
