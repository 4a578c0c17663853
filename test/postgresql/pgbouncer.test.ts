import { describe, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { knownMigrations } from '../../src/store/prisma/migrate.ts';
import { newEmptyPostgresql, openRaw } from '../databases/database.ts';
import { findPgbouncers, KEEPS_STATEMENTS, openPgbouncer, versionOf } from '../databases/pgbouncer.ts';
import { MEAL_PLANNER, openApp } from '../open-app.ts';

const programs = findPgbouncers();
if (programs.length === 0) console.log('Skipped: pgbouncer is not installed, and TEST_PGBOUNCER does not name it.');

async function openPooled(program: string, parameters?: string) {
  const direct = await newEmptyPostgresql();
  const pooler = await openPgbouncer(program, direct, parameters);
  onTestFinished(() => pooler.close());
  return { direct, pooled: pooler.through(direct) };
}

async function openAt(url: string, options: Parameters<typeof openDatabase>[1] = {}): Promise<Database> {
  const database = await openDatabase(url, options);
  onTestFinished(() => database.close());
  return database;
}

describe.each(programs.map((program) => [versionOf(program), program] as const))('pgbouncer %i', (version, program) => {
  test('gateways that start at once migrate once, write and read, and leave no lock', { timeout: 60_000 }, async () => {
    const { direct, pooled } = await openPooled(program);
    const opened = await Promise.all(Array.from({ length: 4 }, () => openAt(pooled)));
    expect(opened.flatMap(({ appliedMigrations }) => appliedMigrations)).toEqual(knownMigrations('postgres'));
    const raw = await openRaw(direct);
    const locks = `SELECT 1 FROM pg_locks JOIN pg_database AS d ON d.oid = database
      WHERE locktype = 'advisory' AND datname = current_database()`;
    await expect.poll(() => raw.query(locks)).toEqual([]);

    const { as } = await openApp({ databaseUrl: pooled });
    const ada = await as('ada');
    const replies = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
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
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(60);
    // one of the sessions of the pooler
    const [session] = await (await openRaw(pooled)).query(
      'SELECT count(*) > 0 AS "hasNames" FROM pg_prepared_statements',
    );
    expect(session).toEqual({ hasNames: version >= KEEPS_STATEMENTS });
  });

  test('subscriptions receive the changes of all gateways, without a session that listens', {
    timeout: 60_000,
  }, async () => {
    const { direct, pooled } = await openPooled(program);
    const { as, database } = await openApp({ databaseUrl: pooled });
    const ada = await as('ada');
    const other = await openAt(direct);
    const [changes, others] = [await database.changes.follow('ada'), await other.changes.follow('ada')];
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { id } = await ada.create();
      ids.push(id);
      await other.embeds.update('ada', id, (embed) => ({ ...embed, font: `Font ${i}` }));
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
    const { pooled, direct } = await openPooled(program);
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
    const { pooled } = await openPooled(program);
    await expect(openDatabase(`${pooled}?schema=embeds`)).rejects.toThrow(
      /is behind a connection pooler that rejects a parameter of the URL: .*Remove options and schema.*ALTER ROLE\.$/,
    );
  });
});

test.skipIf(programs.length > 0)('pgbouncer is not installed', () => {});
