import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Database, migrateDatabase, openDatabase } from '../../../src/store/database.ts';
import { knownMigrations } from '../../../src/store/prisma/migrations.ts';
import { newEmptyPostgresql, openRaw } from '../../databases/database.ts';
import { findPgbouncers, KEEPS_STATEMENTS, openPgbouncer, versionOf } from '../../databases/pgbouncer.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { MEAL_PLANNER, openApp } from '../../open-app.ts';

const programs = findPgbouncers();
if (programs.length === 0) console.log('Skipped: pgbouncer is not installed, and TEST_PGBOUNCER does not name it.');

async function openAt(url: string, options: Parameters<typeof openDatabase>[1] = {}): Promise<Database> {
  const database = await openDatabase(url, options);
  onTestFinished(() => database.close());
  return database;
}

describe.each(programs.map((program) => [versionOf(program), program] as const))('pgbouncer %i', (version, program) => {
  let direct: string;
  let pooled: string;

  beforeAll(async () => {
    direct = await newEmptyPostgresql();
    const pooler = await openPgbouncer(program, direct);
    pooled = pooler.through(direct);
    return () => pooler.close();
  });

  test('processes that migrate at once do it once, and gateways write and read, and leave no lock', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(pooled, SILENT_LOG)));
    expect(applied.flat()).toEqual(knownMigrations('postgres'));
    await Promise.all(Array.from({ length: 4 }, () => openAt(pooled)));
    const raw = await openRaw(direct);
    const locks = `SELECT 1 FROM pg_locks JOIN pg_database AS d ON d.oid = database
      WHERE locktype = 'advisory' AND datname = current_database()`;
    await expect.poll(() => raw.query(locks)).toEqual([]);

    const { as } = await openApp({ databaseUrl: pooled });
    const ada = await as('ada');
    const replies = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const { id } = await ada.create();
        const patched = await ada.rest('PATCH', `/v1/embeds/${id}`, { font: `Font ${i}` });
        const key = { 'idempotency-key': String(i), 'content-type': 'application/json' };
        const body = JSON.stringify({ page_url: MEAL_PLANNER });
        const created = await ada.fetch('/v1/embeds', { method: 'POST', headers: key, body });
        const read = await ada.rest('GET', `/v1/embeds?first=100&search=font&after=${id}`);
        const deleted = await ada.rest('DELETE', `/v1/embeds/${id}`);
        return [patched.status, created.status, read.status, deleted.status];
      }),
    );
    expect(new Set(replies.map(String))).toEqual(new Set(['200,201,200,200']));
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(30);
    // one of the sessions of the pooler
    const [session] = await (await openRaw(pooled)).query(
      'SELECT count(*) > 0 AS "hasNames" FROM pg_prepared_statements',
    );
    expect(session).toEqual({ hasNames: version >= KEEPS_STATEMENTS });
  });

  test('subscriptions receive the changes of all gateways, without a session that listens', async () => {
    const { as, database } = await openApp({ databaseUrl: pooled });
    const bob = await as('bob');
    const other = await openAt(direct);
    const [changes, others] = [await database.changes.follow('bob'), await other.changes.follow('bob')];
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { id } = await bob.create();
      ids.push(id);
      await other.embeds.update('bob', id, (embed) => ({ ...embed, font: `Font ${i}` }));
    }
    const expected = ids.flatMap((id) => [`CREATED ${id}`, `UPDATED ${id}`]);
    for (const stream of [changes, others]) {
      const received: string[] = [];
      while (received.length < expected.length) {
        const { value } = await stream.next();
        received.push(`${value?.kind} ${value?.embedId}`);
      }
      expect(received).toEqual(expected);
    }
    // the pooler forwards the names of its clients
    const raw = await openRaw(direct);
    expect(
      await raw.query(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%'
      AND datname = current_database() AND application_name <> 'embed-gateway changes'`),
    ).toEqual([]);
  });

  test('the start warns in one line of settings that the pooler does not pass, and names the cure', async () => {
    const warnings: string[] = [];
    const log = { info() {}, error() {}, warn: (_fields: object, message: string) => void warnings.push(message) };
    await openAt(pooled, { log });
    expect(warnings).toEqual([
      expect.stringMatching(/^a connection pooler does not pass these settings.*connect_query='SET .*'/),
    ]);
    const [cure] = /connect_query='.*'/.exec(warnings[0] ?? '') ?? [];
    const cured = await openPgbouncer(program, direct, cure);
    onTestFinished(() => cured.close());
    await openAt(cured.through(direct), { log });
    expect(warnings).toHaveLength(1);
  });

  test('parameters of the URL that the pooler rejects end the start with one line that names the cure', async () => {
    await expect(openDatabase(`${pooled}?schema=embeds`)).rejects.toThrow(
      /is behind a connection pooler that rejects a parameter of the URL: .*Remove options and schema.*ALTER ROLE\.$/,
    );
  });
});

test.skipIf(programs.length > 0)('pgbouncer is not installed', () => {});
