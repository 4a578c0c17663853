import { setTimeout as pause } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { accountCodeOf, accountHashIn } from '../../src/domain/embed/id.ts';
import { hashText } from '../../src/domain/embed/text-hash.ts';
import { PrismaClient as PostgresqlClient } from '../../src/generated/postgresql/client.ts';
import { migrateDatabase, openDatabase, openEngine } from '../../src/store/database.ts';
import { openChangeRecords } from '../../src/store/postgresql/changes/change-records.ts';
import { createClusterSession } from '../../src/store/postgresql/citus/session.ts';
import { createShardMap } from '../../src/store/postgresql/citus/shard-map.ts';
import { COORDINATOR_TABLES, PLACED_TABLES } from '../../src/store/postgresql/citus/tables.ts';
import { CITUS } from '../../src/store/postgresql/sql.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { isOnCitus, newEmptyCluster, newEmptyPostgresql, newSqlite, type Raw } from '../databases/database.ts';
import { SILENT_LOG } from '../databases/server.ts';
import { MEAL_PLANNER, missingFile, newDatabase, openApp, openRaw } from '../open-app.ts';
import { embedOf } from '../store/embeds/embed-of.ts';
import { openStore } from '../store/embeds/open-store.ts';
import { type Query, queriesOf } from '../store/embeds/statements-of.ts';

const distribute = (url: string) => runInProcess('distribute', [], { DATABASE_URL: url });

test('the hash of a text is the one by which the database chooses its shard', async () => {
  const raw = await openRaw(await newEmptyPostgresql());
  const texts = Array.from({ length: 50 }, (_, length) => 'Ünï – 日本🍲 acme-42'.repeat(4).slice(0, length));
  const rows = await raw.query(`SELECT ${texts.map((text, i) => `hashtext('${text}') AS "${i}"`).join(', ')}`);
  expect(texts.map(hashText)).toEqual(texts.map((_, i) => Number(rows[0]?.[i]) >>> 0));
});

test('one insert writes embeds in the order of their accounts and external ids, as on one server', () => {
  const embeds = ['b', 'a'].flatMap((id) => ['bob', 'ada'].map((account) => embedOf(account, { externalId: id })));
  const { values } = CITUS.insert(embeds);
  const positions = ['ada a', 'ada b', 'bob a', 'bob b'].map((name) =>
    values.indexOf(embeds.find(({ accountId, externalId }) => `${accountId} ${externalId}` === name)?.id),
  );
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});

test('every table of the schema has a place in a cluster', async () => {
  const url = await newEmptyPostgresql();
  await migrateDatabase(url, SILENT_LOG);
  const tables = await (await openRaw(url)).query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
  const names = [...PLACED_TABLES.map(({ name }) => name), ...COORDINATOR_TABLES];
  expect(tables.map(({ tablename }) => tablename).sort()).toEqual(names.sort());
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

test('a session that is closed during a check of a node leaves no connection open', async () => {
  const url = await newDatabase();
  const raw = await openRaw(url);
  const findSessions = () =>
    raw.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'embed-gateway workers' AND datname = current_database()`,
    );
  for (const delayMs of [0, 0, 2, 4, 8, 16]) {
    const session = createClusterSession(url, async () => url);
    const check = session.findFault('8').then(String, String);
    await pause(delayMs);
    session.close();
    await check;
    await expect(session.findFault('8')).rejects.toThrow('after calling end');
  }
  await expect.poll(findSessions).toEqual([]);
});

/** The shards that Citus makes: equal parts of the hashes from -2^31 to 2^31 - 1. */
function shardsOf(count: number) {
  const width = 2 ** 32 / count;
  return Array.from({ length: count }, (_, i) => ({
    lowest: Math.ceil(i * width) - 2 ** 31,
    highest: Math.ceil((i + 1) * width) - 2 ** 31 - 1,
    node: `worker-${i % 3}:5432`,
  }));
}

test.each([1, 2, 32, 1_024])('with %i shards, an id names the shard of its account', (count) => {
  const rows = shardsOf(count);
  const map = createShardMap(rows);
  const shardOf = (account: string) => rows.find(({ highest }) => (hashText(account) | 0) <= highest);
  for (const account of Array.from({ length: 40 }, (_, i) => `account-${i}`)) {
    const shard = map.find(hashText(account));
    expect(shard).toEqual({ lowestHash: shardOf(account)?.lowest, node: shardOf(account)?.node, place: shard.place });
    expect(shardOf(shard.place ?? '')).toEqual(shardOf(account));
    expect(map.find(accountHashIn(embedOf(account).id))).toBe(shard);
  }
  expect([map.isByCode, map.placesOfNodes.size]).toEqual([true, Math.min(count, 3)]);
});

test('ids name no shard if accounts with the same end of ids are on several', () => {
  const [first, ...others] = shardsOf(4);
  if (!first) throw new Error('no shards');
  const tenant = first.lowest + 12_345;
  const split = [
    { ...first, highest: tenant - 1 },
    { ...first, lowest: tenant, highest: tenant },
    { ...first, lowest: tenant + 1 },
  ];
  expect(createShardMap([...split, ...others]).isByCode).toBe(false);
  expect(createShardMap(shardsOf(3)).isByCode).toBe(false);
  expect(createShardMap(shardsOf(2_048)).isByCode).toBe(false);
});

const noCluster = isOnCitus ? null : 'skipped: TEST_DATABASE_URL does not name a database of a Citus cluster';
if (noCluster) console.warn(`Tests of Citus are ${noCluster}.`);

describe.skipIf(noCluster)('on a Citus cluster', () => {
  test('distribute prepares an empty database, may be repeated, and refuses one with data', async () => {
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
      ViewCount: 'accountId',
      Watch: 'accountId',
      Webhook: 'accountId',
      WebhookDelivery: 'accountId',
    });
    const groups = tables.filter(({ column }) => ['id', 'accountId'].includes(column)).map(({ group }) => group);
    expect(new Set(groups).size).toBe(1);

    const filled = await newEmptyCluster();
    await migrateDatabase(filled, SILENT_LOG);
    await (await openApp({ databaseUrl: filled })).as('ada');
    expect(await distribute(filled)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ holds data \(the table Account has rows\): distribute an empty database, then/),
    });
  });

  test('a start warns that a database with workers is not distributed', async () => {
    const url = await newEmptyCluster();
    await migrateDatabase(url, SILENT_LOG);
    const warnings = async () => {
      const logged: string[] = [];
      const warn = (_fields: object, message: string) => void logged.push(message);
      await (await openDatabase(url, { log: { ...SILENT_LOG, warn } })).close();
      return logged;
    };
    expect(await warnings()).toEqual([expect.stringMatching(/^the tables are not distributed: .* "npx embed-gateway/)]);
    const copied = await runInProcess('copy', ['--from', url, '--to', await newEmptyPostgresql()], {});
    expect(copied).toMatchObject({ code: 0, stderr: expect.not.stringContaining('not distributed') });
    const raw = await openRaw(url);
    const setUse = (isUsed: boolean) =>
      raw.query(
        `SELECT citus_set_node_property(nodename, nodeport, 'shouldhaveshards', ${isUsed}) FROM pg_dist_node WHERE groupid > 0`,
      );
    await setUse(false);
    expect(await warnings()).toEqual([]);
    await setUse(true);
    await runInProcess('distribute', [], { DATABASE_URL: url });
    expect(await warnings()).toEqual([]);
  });

  test('a migration places its tables, so that writes never miss one, and a gateway can start', async () => {
    const url = await newEmptyCluster();
    expect((await distribute(url)).code).toBe(0);
    await forgetWebhooks(await openRaw(url));
    expect(await migrateDatabase(url, SILENT_LOG)).toEqual([
      expect.stringMatching(/_webhooks$/),
      expect.stringMatching(/_webhook_queue$/),
      expect.stringMatching(/_lock_webhooks$/),
    ]);
    const ada = await (await openApp({ databaseUrl: url })).as('ada');
    await ada.create();
  });

  test('the start refuses a table that is not placed, until distribute has placed it', async () => {
    const url = await newEmptyCluster();
    expect((await distribute(url)).code).toBe(0);
    const raw = await openRaw(url);
    await forgetAuditEvents(raw);
    await expect(openDatabase(url)).rejects.toThrow(
      /lacks the migrations? \d+_audit_events[^:]*: run "npx embed-gateway distribute"\./,
    );
    await migrateDatabase(url, SILENT_LOG);
    // as migrations of earlier versions left it
    await raw.query(`SELECT undistribute_table('"AuditEvent"')`);
    for (let start = 0; start < 2; start++) {
      await expect(openDatabase(url)).rejects.toThrow(
        /^The database \w+ at [\w.:]+ is distributed, but its new tables are not \(AuditEvent\): run "npx embed-gateway distribute"\.$/,
      );
    }
    // a table that a failed upgrade has filled
    await raw.query(
      `INSERT INTO "AuditEvent" VALUES ('ada', '${embedOf('ada').id}', 'EMBED_DELETED', 'cli', 'x', NULL, 1)`,
    );
    expect(await distribute(url)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^New tables are distributed: AuditEvent\. The tables were distributed before\./),
    });
    expect((await distribute(url)).stdout).toMatch(/^The tables were distributed before/);

    const ada = await (await openApp({ databaseUrl: url })).as('ada');
    await ada.create();
    const { events } = (await ada.rest('GET', '/v1/audit')).body;
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['embeds_created', 'embed_deleted']);
  });

  test('distribute upgrades an empty database of an earlier version', async () => {
    const url = await newEmptyCluster();
    await migrateDatabase(url, SILENT_LOG);
    await forgetAuditEvents(await openRaw(url));
    expect(await distribute(url)).toMatchObject({ code: 0 });
    await (await openDatabase(url)).close();
  });

  test('a hosted page asks one shard, also for an account that this process does not know', async () => {
    const { embeds, url } = await openStore();
    const { app, database } = await openApp({ databaseUrl: url });
    const neighbours = Array.from({ length: 20_000 }, (_, i) => `account-${i}`).filter(
      (name) => accountCodeOf(name) === accountCodeOf('ada'),
    );
    expect(neighbours.length).toBeGreaterThan(1);
    const names = ['ada', 'bob', ...neighbours];
    for (const name of neighbours) await database.tokens.ensureAccount(name, new Date());
    const written = names.map((name) => embedOf(name));
    for (const embed of written) await embeds.insert(embed);

    const read = async () => {
      const found = await Promise.all(written.map(({ id }) => database.embeds.findForAnyone(id)));
      expect(found).toEqual(written);
      const response = await app.fetch(new Request(`http://${written[0]?.id}.embeds.localhost:4000/`));
      expect([200, 307, 308]).toContain(response.status);
    };
    const queries = (await queriesOf(read)).filter(({ text }) => text.includes('embeds_of_shard'));
    // one for each shard, and one for the page
    expect(queries.length).toBeLessThanOrEqual(3);
    for (const query of queries) expect(await taskCount(url, query)).toBe(1);
  });

  test('an unknown id asks one shard, and no shard again within a second', async () => {
    const { embeds, url } = await openStore();
    const { id } = embedOf('carol');
    const find = async () => expect(await embeds.findForAnyone(id)).toBeNull();
    const queries = await queriesOf(async () => {
      for (let i = 0; i < 5; i++) await find();
    });
    const ofEmbeds = queries.filter(({ text }) => /"Embed"|embeds_of_shard/.test(text) && !isProbe(text));
    expect(ofEmbeds).toHaveLength(1);
    for (const query of ofEmbeds) expect(await taskCount(url, query)).toBe(1);
    await expect.poll(() => queriesOf(find)).not.toEqual([]);
  });

  test('an id of an older version that was copied asks the shard of its end, and then that of its account', async () => {
    const [from, to] = [await newSqlite(), await newDatabase()];
    const old = oldEmbedOf('ada');
    const source = await openDatabase(from);
    await source.tokens.ensureAccount('ada', new Date());
    for (const embed of [old, embedOf('ada')]) await source.embeds.insert(embed);
    await source.close();
    const copied = await runInProcess('copy', ['--from', from, '--to', to], {});
    expect(copied).toMatchObject({ code: 0, stderr: expect.not.stringContaining('rror') });

    const { database } = await openApp({ databaseUrl: to });
    const queries = await queriesOf(async () => expect(await database.embeds.findForAnyone(old.id)).toEqual(old));
    const ofEmbeds = queries.filter(({ text }) => /"Embed"|embeds_of_shard/.test(text) && !isProbe(text));
    expect(ofEmbeds).toHaveLength(2);
    for (const query of ofEmbeds) expect(await taskCount(to, query)).toBe(1);
    expect(await (await openRaw(to)).query('SELECT "id" FROM "OldEmbedId"')).toEqual([{ id: old.id }]);
  });

  test('a database that an earlier version has distributed is refused until distribute has changed it', async () => {
    const url = await newEmptyCluster();
    expect((await distribute(url)).code).toBe(0);
    const first = await openApp({ databaseUrl: url });
    const { authorization } = await first.as('ada');
    const old = oldEmbedOf('ada');
    await first.database.embeds.insert(old);
    await first.database.close();
    const raw = await openRaw(url);
    await raw.query('DROP TABLE "OldEmbedId"');
    await raw.query('DROP FUNCTION embeds_of_shard(text, text[])');
    // the migration of webhooks came later
    const triggers = ['insert', 'update'].map((name) => `"Token_webhook_${name}"`);
    const definitions = await raw.query(`SELECT pg_get_triggerdef(oid) AS sql FROM pg_trigger
      WHERE tgname IN (${triggers.map((name) => name.replaceAll('"', "'"))})`);
    for (const name of triggers) await raw.query(`DROP TRIGGER ${name} ON "Token"`);
    await raw.query(`SELECT create_reference_table('"Token"')`);
    for (const { sql } of definitions) await raw.query(String(sql));
    await raw.query(`SELECT create_distributed_table('"Page"', 'pageUrl', colocate_with => 'none')`);
    await expect(openDatabase(url)).rejects.toThrow(
      /is distributed, but Token and Page must move to the coordinator, it lacks what finds embeds by their ids, it lacks functions that run on one shard: run "npx embed-gateway distribute"\.$/,
    );

    expect(await distribute(url)).toMatchObject({ code: 0, stderr: '' });
    const { withAuthorization, database } = await openApp({ databaseUrl: url });
    expect((await withAuthorization(authorization).rest('GET', `/v1/embeds/${old.id}`)).status).toBe(200);
    expect(await database.embeds.findForAnyone(old.id)).toEqual(old);
  });

  test('statements of several accounts ask one shard each', async () => {
    const url = await newDatabase();
    const [{ database }, { database: other }] = [
      await openApp({ databaseUrl: url }),
      await openApp({ databaseUrl: url }),
    ];
    const names = Array.from({ length: 8 }, (_, i) => `account-${i}`);
    for (const name of names) await database.tokens.ensureAccount(name, new Date());
    const embeds = names.map((name) => embedOf(name));
    const streams = await Promise.all(names.map((name) => database.changes.follow(name)));
    const queries = await queriesOf(async () => {
      await Promise.all(embeds.map((embed) => database.embeds.insert(embed)));
      await Promise.all(embeds.map(({ accountId, id }) => database.embeds.find(accountId, id)));
      await Promise.all(names.map((name) => database.createList(name, null).count()));
      await Promise.all(
        names.map((name) =>
          database.createList(name, null).findPage({ size: 2, fromEnd: false, after: undefined, before: undefined }),
        ),
      );
      // pages of one account share a statement
      await Promise.all(
        embeds.map(({ id }) =>
          database.createList('account-0', null).findPage({ size: 2, fromEnd: false, after: id, before: undefined }),
        ),
      );
      for (const { accountId, id } of embeds) database.auditEvents.addCreated(accountId, 'cli', id);
      await Promise.all(names.map((name) => database.auditEvents.count(name)));
      await database.auditEvents.findPage('account-0', { size: 2, after: undefined });
      // polls read the changes of the other process
      await other.embeds.delete('account-0', embeds[0]?.id ?? '');
      for (let kind = ''; kind !== 'DELETED'; ) kind = (await streams[0]?.next())?.value?.kind ?? 'DELETED';
    });
    for (const stream of streams) await stream.return?.();
    expect(queries.filter(({ text }) => text.includes('WHERE "accountId" = ANY')).length).toBeGreaterThan(0);
    expect(queries.filter(({ text }) => text.includes('LATERAL'))).toHaveLength(1);
    const ofAccounts = queries.filter(({ text }) => /"(Embed|Account|AuditEvent|ChangeFeed)"/.test(text));
    for (const query of ofAccounts.filter(({ text }) => !isProbe(text))) {
      expect([query.text, await taskCount(url, query)]).toEqual([query.text, 1]);
    }
  });

  test('watched pages of all accounts are found, scheduled and made due again by statements that ask one shard each', async () => {
    const url = await newDatabase();
    // without an app, which would check the pages
    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    const names = Array.from({ length: 8 }, (_, i) => `account-${i}`);
    for (const name of names) {
      await database.tokens.ensureAccount(name, new Date());
      await database.embeds.insert(embedOf(name, { settings: '{"watch":"HOURLY"}' }));
    }
    const raw = await openRaw(url);
    const setDueAt = (day: string) => raw.query(`UPDATE "Watch" SET "dueAt" = '${day}', "host" = ''`);
    await setDueAt('2026-01-01');
    const { watches } = database;
    const accountsOf = async () => (await watches.findDue(20)).map(({ accountId }) => accountId).sort();
    const pageUrl = 'https://example.com/watched';
    const queries = await queriesOf(async () => {
      for (const watch of await watches.findDue(20)) await watches.place(watch, pageUrl, 'example.com');
      expect(await accountsOf()).toEqual(names);
      expect(await watches.findDue(3)).toHaveLength(3);
      expect(await watches.leaseHost('example.com')).toBe(true);
      expect(await accountsOf()).toEqual([]);
      await watches.freeHosts(['example.com'], 0);
      await expect.poll(accountsOf).toEqual(names);
      await watches.schedule(pageUrl, { digest: 'x', isUnreachable: false, refusal: null });
      expect(await accountsOf()).toEqual([]);
      await watches.trim();
      expect(await accountsOf()).toEqual([]);
    });
    await setDueAt('2999-01-01');
    const trimming = await queriesOf(watches.trim);
    expect(await accountsOf()).toEqual(names);
    const ofWatches = [...queries, ...trimming].filter(({ text }) => /"Watch"|watches_of/.test(text));
    expect(ofWatches.length).toBeGreaterThan(16);
    for (const query of ofWatches) expect([query.text, await taskCount(url, query)]).toEqual([query.text, 1]);
  });

  test('expired idempotency keys and changes of all accounts are deleted by statements that ask one shard each', async () => {
    const url = await newDatabase();
    const gateway = await openApp({ databaseUrl: url });
    const clients = await Promise.all(Array.from({ length: 8 }, (_, i) => gateway.as(`account-${i}`)));
    const createOnce = async (client: (typeof clients)[number]) => {
      const headers = { 'idempotency-key': 'key', 'content-type': 'application/json' };
      const body = JSON.stringify({ page_url: MEAL_PLANNER });
      expect((await client.fetch('/v1/embeds', { method: 'POST', headers, body })).status).toBe(201);
    };
    for (const client of clients) await createOnce(client);
    const raw = await openRaw(url);
    const tables = ['IdempotentCreate', 'EmbedChange'];
    for (const table of tables) await raw.query(`UPDATE "${table}" SET "createdAt" = "createdAt" - interval '8 days'`);
    // each process deletes keys at its first one
    const other = await (await openApp({ databaseUrl: url })).as('account-8');
    const engine = await openEngine(url, { durability: 'full', poolSize: 10, log: SILENT_LOG, auditLog: SILENT_LOG });
    const client = new PostgresqlClient({ adapter: new PrismaPg(url) });
    onTestFinished(async () => {
      await engine.close();
      await client.$disconnect();
    });
    const queries = await queriesOf(async () => {
      await createOnce(other);
      await openChangeRecords({ ...engine, client }).trim();
      const left = async () =>
        await raw.query(tables.map((name) => `SELECT "accountId" FROM "${name}"`).join(' UNION ALL '));
      await expect.poll(left).toEqual(Array(2).fill({ accountId: 'account-8' }));
    });
    const deletions = queries.filter(({ text }) => /DELETE FROM "(Idemp|EmbedCh)|delete_/.test(text));
    expect(deletions.length).toBe(16);
    for (const query of deletions) expect([query.text, await taskCount(url, query)]).toEqual([query.text, 1]);
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
      expect((await ada.rest('GET', '/v1/audit')).body.events).toHaveLength(3);
    });
    const ofAccounts = queries.filter(
      ({ text }) => /"(Embed|EmbedTerm|IdempotentCreate|Account|AuditEvent)"/.test(text) && !isProbe(text),
    );
    expect(ofAccounts.filter(({ text }) => text.includes('"AuditEvent"')).length).toBeGreaterThan(3);
    expect(ofAccounts.length).toBeGreaterThan(15);
    for (const query of ofAccounts) {
      expect([query.text, await taskCount(url, query)]).toEqual([query.text, 1]);
    }
  });
});

/** An embed whose id an older version has made. */
function oldEmbedOf(accountId: string): Embed {
  const embed = embedOf(accountId);
  const end = accountCodeOf(accountId) === 'zz' ? 'yy' : 'zz';
  return { ...embed, id: `${embed.id.slice(0, -2)}${end}` };
}

/** Leaves the database as a version without audit events does. */
async function forgetAuditEvents(raw: Raw): Promise<void> {
  await raw.query('DROP TABLE "AuditEvent"');
  await raw.query(`DELETE FROM _prisma_migrations WHERE migration_name ~ '_(audit_events|add_audit_changes)$'`);
}

/** Leaves the database as a version without webhooks does. */
async function forgetWebhooks(raw: Raw): Promise<void> {
  for (const kind of ['insert', 'update', 'delete']) await raw.query(`DROP TRIGGER "Embed_webhook_${kind}" ON "Embed"`);
  for (const kind of ['insert', 'update']) await raw.query(`DROP TRIGGER "Token_webhook_${kind}" ON "Token"`);
  for (const name of ['Embed_webhook', 'Token_webhook']) await raw.query(`DROP FUNCTION "${name}"`);
  await raw.query('DROP FUNCTION IF EXISTS "webhooks_of_shard"(text)');
  await raw.query('DROP TABLE "WebhookDelivery", "Webhook"');
  await raw.query(`DELETE FROM _prisma_migrations WHERE migration_name ~ '_(webhooks|webhook_queue)$'`);
}

/** Recognises the statements that a gateway sends every second, whatever its requests are. */
function isProbe(text: string): boolean {
  return text.includes('pg_dist_shard') || /SELECT count\(\*\) FROM "Account" WHERE "id" = '\d+'; COMMIT$/.test(text);
}

/** Returns how many shards a statement asks. */
async function taskCount(url: string, { text, values }: Query): Promise<number> {
  const connection = new pg.Client(url);
  await connection.connect();
  onTestFinished(() => connection.end());
  const { rows } = await connection.query<Record<string, string>>(`EXPLAIN ${text}`, [...values]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return [...plan.matchAll(/Task Count: (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}
