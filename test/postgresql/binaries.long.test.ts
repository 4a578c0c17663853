import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrateDatabase } from '../../src/store/database.ts';
import { findDebianBinaries, requireDefaultBinaries } from '../databases/binaries.ts';
import { openPostgresqlServer, WITHOUT_SYNC } from '../databases/embedded.ts';
import { SILENT_LOG } from '../databases/server.ts';
import { MEAL_PLANNER, openApp, openRaw } from '../open-app.ts';

const debianBinaries = findDebianBinaries();
if (!debianBinaries) console.warn('A test on Debian’s PostgreSQL is skipped: there is none in /usr/lib/postgresql.');
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('A test of folders that only root may enter is skipped: this user is not root.');

test.skipIf(!debianBinaries)('a server with JIT compiles no statement of the gateway', async () => {
  const counting = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=all'];
  const flags = [...WITHOUT_SYNC, ...counting.flatMap((setting) => ['-c', setting])];
  const server = await openPostgresqlServer(flags, undefined, debianBinaries ?? '');
  onTestFinished(() => server.close());
  const databaseUrl = server.urlOf('postgres');
  await migrateDatabase(databaseUrl, SILENT_LOG);
  const raw = await openRaw(databaseUrl);
  await raw.query('CREATE EXTENSION pg_stat_statements');
  expect(await raw.query(`SELECT setting FROM pg_settings WHERE name = 'jit'`)).toEqual([{ setting: 'on' }]);

  const ada = await (await openApp({ databaseUrl })).as('ada');
  const { id } = await ada.create();
  expect((await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' })).status).toBe(200);
  expect((await ada.rest('GET', `/v1/embeds?search=meal&page_url=${MEAL_PLANNER}`)).body.total_count).toBe(1);
  expect((await ada.rest('DELETE', `/v1/embeds/${id}`)).status).toBe(200);
  const compiled = await raw.query('SELECT query FROM pg_stat_statements WHERE jit_functions > 0');
  expect(compiled).toEqual([]);
});

test.skipIf(!isRoot)('root can start a server from a folder that only root may enter', async () => {
  const closed = mkdtempSync(join(tmpdir(), 'embed-gateway-closed-'));
  onTestFinished(() => rmSync(closed, { recursive: true }));
  execFileSync('cp', ['-R', '-P', `${dirname(await requireDefaultBinaries())}/.`, closed]);
  const server = await openPostgresqlServer(WITHOUT_SYNC, undefined, join(closed, 'bin'));
  onTestFinished(() => server.close());
  const raw = await openRaw(server.urlOf('postgres'));
  expect(await raw.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
