import { expect, onTestFinished, test } from 'vitest';
import { migrateDatabase, openDatabase } from '../../../src/store/database.ts';
import { openPostgresqlServer, type PostgresqlServer } from '../../databases/embedded.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { addStandby, administer, portOf, promote } from '../../databases/standby.ts';
import { openApp } from '../../open-app.ts';

/** Commits wait for the standby, but no file is synced. */
const FLAGS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=remote_apply'];

async function openServer(flags: readonly string[] = FLAGS): Promise<PostgresqlServer> {
  const server = await openPostgresqlServer(flags);
  onTestFinished(() => server.close());
  return server;
}

function urlOf(ports: readonly number[], parameters = '?target_session_attrs=read-write'): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `postgresql://postgres:password@${hosts}/postgres${parameters}`;
}

test('every connection goes to the host that accepts writes, and streams survive a failover without a loss', async () => {
  const primary = await openServer();
  await migrateDatabase(primary.urlOf('postgres'), SILENT_LOG);
  const standby = await addStandby(primary, FLAGS);
  onTestFinished(() => standby.close());
  // the standby comes first
  const databaseUrl = urlOf([portOf(standby), portOf(primary)]);
  const { as, database } = await openApp({ databaseUrl, durability: 'full' });
  const ada = await as('ada');
  const changes = await database.changes.follow('ada');
  const created = (await Promise.all(Array.from({ length: 20 }, () => ada.create()))).map(({ id }) => id);
  const readOnly = await administer(standby, 'SELECT pg_is_in_recovery() AS "isStandby"');
  expect(readOnly).toEqual([{ isStandby: true }]);
  const sessions = `SELECT 1 FROM pg_stat_activity WHERE application_name IN ('embed-gateway', 'embed-gateway changes')`;
  await expect.poll(() => administer(standby, sessions)).toEqual([]);

  await primary.kill();
  await promote(standby);
  await expect.poll(async () => (await ada.rest('GET', '/v1/embeds')).status).toBe(200);
  const afterwards = await ada.create();
  created.push(afterwards.id);
  const received: string[] = [];
  while (received.length < created.length) received.push((await changes.next()).value?.embedId ?? '');
  expect(received.toSorted()).toEqual(created.toSorted());
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(21);
});

test('of several hosts, the start finds the one that accepts writes', async () => {
  const readOnly = await openServer([...FLAGS, '-c', 'default_transaction_read_only=on']);
  const writable = await openServer();
  const list = `?host=127.0.0.1,127.0.0.1&port=${portOf(readOnly)},${portOf(writable)}`;
  const url = `postgresql://postgres:password@ignored/postgres${list}`;
  await migrateDatabase(url, SILENT_LOG);
  const database = await openDatabase(url);
  await database.tokens.ensureAccount('ada', new Date());
  await database.close();
});
