import { expect, test } from 'vitest';
import { createEmbedIdGenerator } from '../../src/domain/embed/id.ts';
import { ALL_EMBEDS, addDays } from '../../src/domain/views.ts';
import { openDatabase } from '../../src/store/database.ts';
import { isOnPostgresql, newDatabase, openApp, openRaw, shareApp } from '../open-app.ts';
import { readDocument } from '../rest/conformance.ts';

const gateway = shareApp();

const TODAY = new Date().toISOString().slice(0, 10);
const [EARLIER, LATER] = [addDays(TODAY, -30), addDays(TODAY, -29)];
/** Two months of the last 400 days. */
const [MARCH, APRIL] = ['03', '04'].map((month) => `${addDays(TODAY, -130).slice(0, 4)}-${month}`);
const newId = createEmbedIdGenerator();
const YEAR = { from: addDays(TODAY, -365), to: TODAY };

const VIEWS = `query($id: ID!, $from: Date!, $to: Date!, $by: ViewGrouping! = DAY) {
  embed(id: $id) { views(from: $from, to: $to, by: $by) { views reads groups { key views reads } } }
  viewer { account { views(from: $from, to: $to, by: $by) { views reads groups { key views reads } } } }
}`;

test('returns the views of an embed and of its account through both APIs, in JSON and in CSV', async () => {
  const [ada, bob] = [await gateway.as('ada'), await gateway.as('bob')];
  const [first, second] = [await ada.create(), await ada.create()];
  const { views } = gateway.database;
  const { accountId } = (await ada.graphql('{ viewer { accountId } }')).data.viewer;
  const add = (embedId: string, day: string, site: string, count: number, reads: number) =>
    views.add({ accountId, embedId, day, site, views: count, reads });
  add(first.id, EARLIER, 'a.example', 3, 1);
  add(first.id, EARLIER, 'b.example', 5, 0);
  add(first.id, LATER, 'a.example', 4, 2);
  add(second.id, LATER, 'c.example', 9, 9);
  const range = `from=${EARLIER}&to=${TODAY}`;
  const ofFirst = {
    views: 12,
    reads: 3,
    groups: [
      { key: EARLIER, views: 8, reads: 1 },
      { key: LATER, views: 4, reads: 2 },
    ],
  };
  const { expectConforming } = await readDocument(ada);
  const response = await ada.fetch(`/v1/embeds/${first.id}/views?${range}`);
  const text = await response.text();
  expectConforming('GET', '/v1/embeds/{id}/views', response, text);
  expect(JSON.parse(text)).toEqual({ views: ofFirst });
  const bySite = await ada.rest('GET', `/v1/account/views?${range}&by=site`);
  expect(bySite.body.views).toEqual({
    views: 21,
    reads: 12,
    groups: [
      { key: 'c.example', views: 9, reads: 9 },
      { key: 'a.example', views: 7, reads: 3 },
      { key: 'b.example', views: 5, reads: 0 },
    ],
  });
  const oneDay = await ada.rest('GET', `/v1/embeds/${first.id}/views?from=${LATER}&to=${LATER}`);
  expect(oneDay.body.views).toMatchObject({ views: 4, reads: 2 });
  const { data } = await ada.graphql(VIEWS, { id: first.id, from: EARLIER, to: TODAY });
  expect([data.embed.views, data.viewer.account.views.views]).toEqual([ofFirst, 21]);
  const csv = await ada.fetch(`/v1/embeds/${first.id}/views?${range}&by=site`, { headers: { accept: 'text/csv' } });
  expect([csv.headers.get('content-type'), await csv.text()]).toEqual([
    'text/csv; charset=utf-8',
    'site,views,reads\r\na.example,7,3\r\nb.example,5,0\r\n',
  ]);

  expect((await bob.rest('GET', `/v1/embeds/${first.id}/views?${range}`)).status).toBe(404);
  expect((await bob.rest('GET', `/v1/account/views?${range}`)).body.views).toEqual({ views: 0, reads: 0, groups: [] });
});

test('needs the scope read, also for the embed that a mutation returns', async () => {
  const writer = await gateway.as('ada', ['write']);
  const embed = await writer.create();
  expect((await writer.rest('GET', `/v1/embeds/${embed.id}/views?from=${TODAY}&to=${TODAY}`)).status).toBe(403);
  const update = `mutation($id: ID!, $day: Date!) {
    updateEmbed(input: { id: $id, mode: DARK }) { embed { views(from: $day, to: $day) { views } } }
  }`;
  const { errors } = await writer.graphql(update, { id: embed.id, day: TODAY });
  expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
});

test.each([
  [{}, { from: 'is required', to: 'is required' }],
  [
    { from: '2026-02-30', to: 'today' },
    { from: 'must be a date', to: 'must be a date' },
  ],
  [{ from: '2026-02-01', to: '2026-01-31' }, { to: 'must not be before from' }],
  [{ from: '2025-01-01', to: '2026-02-05' }, { to: 'must be at most 399 days after from' }],
  [
    { from: '20260101', to: '+002026-01-01' },
    { from: 'must be a date', to: 'must be a date' },
  ],
  [{ from: TODAY, to: TODAY, by: 'hour' }, { by: 'must be one of day, site' }],
  [{ from: TODAY, to: TODAY, unit: 'px' }, { unit: 'is not a parameter' }],
])('names all faults of the range %o', async (sent, faults) => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  for (const path of [`/v1/embeds/${id}/views`, '/v1/account/views']) {
    const { status, body } = await ada.rest('GET', `${path}?${new URLSearchParams(sent)}`);
    expect(status).toBe(422);
    const found = body.errors.map((fault: { path: string; message: string }) => [fault.path, fault.message]);
    expect(found.toSorted()).toEqual(
      Object.entries(faults)
        .map(([name, message]) => [name, expect.stringContaining(message)])
        .toSorted(),
    );
  }
  const { from, to } = sent as { from?: string; to?: string };
  if ('by' in sent || 'unit' in sent || !from) return;
  const { errors } = await ada.graphql(VIEWS, { id, from, to });
  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('one request reads the views of a list of embeds, up to 4,000 days', async () => {
  const ada = await gateway.as('ada');
  await Promise.all(Array.from({ length: 20 }, () => ada.create()));
  const list =
    'query($from: Date!, $to: Date!) { embeds(first: 20) { nodes { views(from: $from, to: $to) { views } } } }';
  const month = await ada.graphql(list, { from: addDays(TODAY, -29), to: TODAY });
  expect(month.data.embeds.nodes).toEqual(Array(20).fill({ views: { views: 0 } }));
  const { errors } = await ada.graphql(list, YEAR);
  expect(errors[0]?.extensions.errors?.[0]?.path).toBe('from');
});

test('counts at most 100 sites of an embed in a month, and the others together', async () => {
  const databaseUrl = await newDatabase();
  const accountId = 'ada';
  const { id: embedId } = newId(accountId);
  const one = await openDatabase(databaseUrl);
  // a file has one gateway
  const two = isOnPostgresql ? await openDatabase(databaseUrl) : one;
  const add = ({ views }: typeof one, day: string, i: number) =>
    views.add({ accountId, embedId, day, site: `site-${i}.example`, views: 2, reads: 1 });
  for (let i = 0; i < 60; i++) add(one, `${MARCH}-01`, i);
  await one.views.find(accountId, embedId, { ...YEAR, by: 'SITE' });
  for (let i = 40; i < 150; i++) add(two, `${MARCH}-31`, i);
  await two.views.find(accountId, embedId, { ...YEAR, by: 'SITE' });
  for (let i = 0; i < 150; i++) add(one, `${MARCH}-31`, i);
  for (let i = 200; i < 220; i++) add(one, `${APRIL}-01`, i);
  const range = { from: `${MARCH}-01`, to: `${MARCH}-31`, by: 'SITE' } as const;
  for (const subject of [embedId, ALL_EMBEDS]) {
    const march = await one.views.find(accountId, subject, range);
    expect([march.views, march.reads, march.groups.length]).toEqual([640, 320, 101]);
    expect(march.groups.at(-1)).toMatchObject({ key: 'other', views: 200, reads: 100 });
    const april = await one.views.find(accountId, subject, { ...range, from: `${APRIL}-01`, to: `${APRIL}-30` });
    expect([april.groups.length, april.groups.some(({ key }) => key === 'other')]).toEqual([20, false]);
    const both = await one.views.find(accountId, subject, { ...range, to: `${APRIL}-30` });
    expect([both.views, both.groups.length, both.groups.at(-1)?.views]).toEqual([680, 101, 240]);
  }
  await Promise.all([one.close(), isOnPostgresql && two.close()]);
});

test('deletes the views of a day after 400 days, and those of an embed with it', async () => {
  const databaseUrl = await newDatabase();
  const app = await openApp({ databaseUrl });
  const ada = await app.as('ada');
  const [kept, deleted] = [await ada.create(), await ada.create()];
  const raw = await openRaw(databaseUrl);
  const countRows = async () =>
    (await raw.query('SELECT "embedId", "day" FROM "ViewCount"')) as readonly { embedId: string }[];
  const old = Array.from(
    { length: 1_200 },
    (_, i) => `('ada', '${kept.id}', '${addDays(TODAY, -400)}', 's${i}', 1, 0)`,
  );
  await raw.query(
    `INSERT INTO "ViewCount" ("accountId", "embedId", "day", "site", "views", "reads") VALUES ${old.join(', ')}`,
  );
  const add = (embedId: string, day: string) =>
    app.database.views.add({ accountId: 'ada', embedId, day, site: 'a.example', views: 1, reads: 0 });
  add(kept.id, addDays(TODAY, -399));
  add(deleted.id, TODAY);
  await app.database.views.find('ada', kept.id, { ...YEAR, by: 'DAY' });
  await expect.poll(async () => (await countRows()).length).toBe(4);
  await ada.rest('DELETE', `/v1/embeds/${deleted.id}`);
  await expect
    .poll(async () => (await countRows()).map(({ embedId }) => embedId).toSorted())
    .toEqual([ALL_EMBEDS, ALL_EMBEDS, kept.id]);
});

test('shows no views of a day after 400 days, and deletes them when an account that nobody views is read', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const { id } = await ada.create();
  const raw = await openRaw(databaseUrl);
  const [gone, kept] = [addDays(TODAY, -402), addDays(TODAY, -398)];
  const rows = [gone, kept].map((day) => `('ada', '${id}', '${day}', 'a.example', 1, 0)`);
  await raw.query(
    `INSERT INTO "ViewCount" ("accountId", "embedId", "day", "site", "views", "reads") VALUES ${rows.join(', ')}`,
  );
  const read = async (from: string, to: string) =>
    (await ada.rest('GET', `/v1/embeds/${id}/views?from=${from}&to=${to}`)).body.views;
  expect(await read(gone, kept)).toEqual({ views: 1, reads: 0, groups: [{ key: kept, views: 1, reads: 0 }] });
  expect(await read(gone, gone)).toEqual({ views: 0, reads: 0, groups: [] });
  await expect.poll(async () => (await raw.query('SELECT "day" FROM "ViewCount"')).length).toBe(1);
});

test('a graceful stop writes what was counted', async () => {
  const databaseUrl = await newDatabase();
  const { id: embedId } = newId('ada');
  const range = { from: TODAY, to: TODAY, by: 'DAY' } as const;
  for (const views of [1, 2]) {
    const database = await openDatabase(databaseUrl);
    database.views.add({ accountId: 'ada', embedId, day: TODAY, site: 'a.example', views, reads: 0 });
    await database.close();
  }
  const database = await openDatabase(databaseUrl);
  expect((await database.views.find('ada', embedId, range)).views).toBe(3);
  await database.close();
});
