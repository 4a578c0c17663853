import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findSystemUser, temporaryFolderOf } from './binaries.ts';
import { openPostgresqlServer, type PostgresqlServer } from './embedded.ts';

const START_TIMEOUT_MS = 120_000;

export const portOf = (server: PostgresqlServer) => Number(new URL(server.urlOf('postgres')).port);

export async function administer(server: PostgresqlServer, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client(server.urlOf('postgres'));
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Adds a standby that every commit waits for. It begins as a copy of the primary, which is stopped meanwhile. */
export async function addStandby(primary: PostgresqlServer, flags: readonly string[] = []): Promise<PostgresqlServer> {
  await administer(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await primary.stop();
  const folder = mkdtempSync(join(temporaryFolderOf(findSystemUser()), 'embed-gateway-standby-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // preserves the owner: PostgreSQL does not run as root
  execFileSync('cp', ['-a', `${primary.folder}/.`, folder]);
  writeFileSync(join(folder, 'standby.signal'), '');
  await primary.start();
  const upstream = `primary_conninfo=host=127.0.0.1 port=${portOf(primary)} user=postgres password=password`;
  const standby = await openPostgresqlServer([...flags, '-c', upstream], folder);
  const deadline = Date.now() + START_TIMEOUT_MS;
  const isSynchronous = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
  while ((await administer(primary, isSynchronous)).length === 0) {
    if (Date.now() > deadline) throw new Error('the standby does not follow the primary');
    await pause(50);
  }
  return standby;
}

/** Makes the standby of a primary that has ended the new primary. */
export async function promote(standby: PostgresqlServer): Promise<void> {
  await administer(standby, `ALTER SYSTEM SET synchronous_standby_names = ''`);
  await administer(standby, 'SELECT pg_reload_conf(), pg_promote()');
}
