import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { accountCodeIn, accountCodeOf } from '../../src/domain/embed/id.ts';
import { hashText } from '../../src/domain/embed/text-hash.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { isOnCitus, newEmptyCluster, newEmptyPostgresql } from '../databases/database.ts';
import { missingFile, newDatabase, openApp, openRaw } from '../open-app.ts';
import { embedOf } from '../store/embed-of.ts';
import { openStore } from '../store/open-store.ts';
import { type Query, queriesOf } from '../store/statements-of.ts';

const distribute = (url: string) => runInProcess('distribute', [], { DATABASE_URL: url });

test('the hash of a text is the one by which the database chooses its shard', async () => {
  const raw = await openRaw(await newEmptyPostgresql());
  const texts = Array.from({ length: 50 }, (_, length) => 'Ünï – 日本🍲 acme-42'.repeat(4).slice(0, length));
  const rows = await raw.query(`SELECT ${texts.map((text, i) => `hashtext('${text}') AS "${i}"`).join(', ')}`);
  expect(texts.map(hashText)).toEqual(texts.map((_, i) => Number(rows[0]?.[i]) >>> 0));
});

test('distribute names the reason why it cannot distribute a database', async () => {
  const file = missingFile();
  expect(await distribute(file)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A SQLite file cannot be/) });
  const { code, stderr } = await distribute(await newEmptyPostgresql());
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The database \w+ at [\w.:]+ lacks the extension citus\. Run CREATE EXTENSION [^\n]*\n$/),
  ]);
});

const noCluster = isOnCitus ? null : 'skipped: TEST_DATABASE_URL does not name a database of a Citus cluster';
if (noCluster) console.warn(`Tests of Citus are ${noCluster}.`);

describe.skipIf(noCluster)('on a Citus cluster', () => {
  test('distribute prepares an empty database, may be repeated, and refuses one with data', {
    timeout: 60_000,
  }, async () => {
    const url = await newEmptyCluster();
    expect(await distribute(url)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The tables are dist.*2 no/),
    });
    expect(await distribute(url)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The tables were dist/) });
    const raw = await openRaw(url);
    const tables = await raw.query(
      'SELECT table_name::text AS name, distribution_column AS column, colocation_id AS group FROM citus_tables',
    );
    const columns = new Map(tables.map(({ name, column }) => [name.replaceAll('"', ''), column]));
    expect(Object.fromEntries(columns)).toEqual({
      Account: 'id',
      AuditEvent: 'accountId',
      ChangeFeed: 'accountId',
      Embed: 'accountId',
      EmbedChange: 'accountId',
      EmbedTerm: 'accountId',
      IdempotentCreate: 'accountId',
      Import: 'accountId',
      Page: 'pageUrl',
      Token: '<none>',
    });
    const groups = tables.filter(({ column }) => ['id', 'accountId'].includes(column)).map(({ group }) => group);
    expect(new Set(groups).size).toBe(1);

    const filled = await newEmptyCluster();
    await (await openApp({ databaseUrl: filled })).as('ada');
    expect(await distribute(filled)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ holds data \(the table Account has rows\): distribute an empty database, then/),
    });
  });

  test('a hosted page asks one shard, also for an account that has many neighbours', async () => {
    const { embeds, url, tokens, raw } = await openStore();
    const neighbours = Array.from({ length: 20_000 }, (_, i) => `account-${i}`).filter(
      (name) => accountCodeOf(name) === accountCodeOf('ada'),
    );
    expect(neighbours.length).toBeGreaterThan(1);
    for (const name of neighbours) await tokens.ensureAccount(name, new Date());
    const written = [embedOf('ada'), ...neighbours.map((name) => embedOf(name))];
    for (const embed of written) await embeds.insert(embed);
    expect(new Set(written.map(({ id }) => accountCodeIn(id))).size).toBe(1);

    const { app, database } = await openApp({ databaseUrl: url });
    const read = async () => {
      for (const embed of written) expect(await database.embeds.findForAnyone(embed.id)).toEqual(embed);
      const response = await app.fetch(new Request(`http://${written[0]?.id}.embeds.localhost:4000/`));
      expect([200, 307, 308]).toContain(response.status);
    };
    const queries = (await queriesOf(read)).filter(({ text }) => text.includes('"Embed"'));
    expect(queries.length).toBeGreaterThan(written.length);
    for (const query of queries) expect(await taskCount(url, query)).toBe(1);
    expect(await raw.query('SELECT count(*)::int AS count FROM "Embed"')).toEqual([{ count: written.length }]);
  });

  test('ids of older versions, of other processes and of nobody are answered by all shards', async () => {
    const { embeds, url } = await openStore();
    const { database: other } = await openApp({ databaseUrl: url });
    await other.tokens.ensureAccount('carol', new Date());
    const old = { ...embedOf('ada'), id: `${embedOf('ada').id.slice(0, -2)}zz` } satisfies Embed;
    const unknown = embedOf('carol');
    for (const embed of [old, unknown]) await other.embeds.insert(embed);
    const find = (id: string) => embeds.findForAnyone(id);
    expect(await Promise.all([find(old.id), find(unknown.id), find(embedOf('ada').id)])).toEqual([old, unknown, null]);
    // by now the account is known
    const [query] = await queriesOf(async () => expect(await find(unknown.id)).toEqual(unknown));
    expect(query && (await taskCount(url, query))).toBe(1);
  });

  test('each statement of an account asks one shard', async () => {
    const url = await newDatabase();
    const ada = await (await openApp({ databaseUrl: url })).as('ada');
    const queries = await queriesOf(async () => {
      const embed = await ada.create({ page_url: 'https://example.com/Soup', mode: 'dark' });
      const headers = { 'idempotency-key': 'key', 'content-type': 'application/json' };
      const body = JSON.stringify({ page_url: 'https://example.com/Soup' });
      expect((await ada.fetch('/v1/embeds', { method: 'POST', headers, body })).status).toBe(201);
      for (const query of [
        '',
        '?first=1',
        '?search=soup',
        '?search=soup&mode=dark',
        '?page_url=https://example.com/Soup&mode=dark',
      ]) {
        expect((await ada.rest('GET', `/v1/embeds${query}`)).body.total_count).toBeGreaterThan(0);
      }
      expect((await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { font: 'Lora' })).status).toBe(200);
      expect((await ada.rest('GET', `/v1/embeds/${embed.id}`)).body.embed.font).toBe('Lora');
      expect((await ada.rest('DELETE', `/v1/embeds/${embed.id}`)).status).toBe(200);
    });
    const ofAccounts = queries.filter(({ text }) => /"(Embed|EmbedTerm|IdempotentCreate|Account)"/.test(text));
    expect(ofAccounts.length).toBeGreaterThan(10);
    for (const query of ofAccounts) {
      // removes expired keys of all accounts, once a minute
      if (/^DELETE FROM .*"IdempotentCreate"/.test(query.text)) continue;
      expect([query.text, await taskCount(url, query)]).toEqual([query.text, 1]);
    }
  });
});

/** Returns how many shards a statement asks. */
async function taskCount(url: string, { text, values }: Query): Promise<number> {
  const connection = new pg.Client(url);
  await connection.connect();
  onTestFinished(() => connection.end());
  const { rows } = await connection.query<Record<string, string>>(`EXPLAIN ${text}`, [...values]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return [...plan.matchAll(/Task Count: (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}
