import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EmbedGateway } from '../../packages/client/src/index.ts';
import { CACHE_BYTES } from '../../src/cache-bytes.ts';
import { createEmbedIdGenerator, idBoundAt } from '../../src/domain/embed/id.ts';
import { openDatabase } from '../../src/store/database.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { expectParity } from '../contracts/parity.ts';
import { type Client, MEAL_PLANNER, newDatabase, openApp, openRaw, shareApp, temporaryFolder } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { readDocument } from '../rest/conformance.ts';

const gateway = shareApp();

const LIST = `query($first: Int, $after: String) {
  auditEvents(first: $first, after: $after) {
    edges { cursor }
    nodes { id at action actor actorTokenId subjectId subjectName count changes { field before after } }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    totalCount
  }
}`;
const EVENT = 'INSERT INTO "AuditEvent" ("accountId", "id", "action", "actor", "count") VALUES ';
const DAY_MS = 24 * 60 * 60 * 1_000;

interface Event {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor: string;
  readonly actor_token_id: string | null;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly count: number;
}

const eventsOf = async (client: Client): Promise<readonly Event[]> =>
  (await client.rest('GET', '/v1/audit?first=100')).body.events;

test('lists who did what and when through both APIs, and nothing of other accounts', async () => {
  const app = gateway;
  const [ada, bob] = [await app.as('ada'), await app.as('bob')];
  const { expectConforming } = await readDocument(ada);
  const [{ id: adasToken }] = (await ada.rest('GET', '/v1/tokens')).body.tokens;
  expect((await ada.rest('GET', '/v1/audit')).body).toEqual({
    events: [],
    total_count: 0,
    pagination: { end_cursor: null, has_next_page: false, total_count: 0 },
  });

  const before = Date.now();
  const [first, second] = [await ada.create(), await ada.create()];
  await bob.create();
  const keyed = {
    method: 'POST',
    headers: { 'idempotency-key': 'a' },
    body: new URLSearchParams({ page_url: MEAL_PLANNER }),
  };
  for (let i = 0; i < 3; i++) expect((await ada.fetch('/v1/embeds', keyed)).status).toBe(201);
  const mode = (value: string) => ({ input: { id: first.id, mode: value } });
  const update = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { id } } }';
  await ada.graphql(update, mode('DARK'));
  await ada.graphql(update, mode('DARK'));
  expect((await ada.rest('PATCH', `/v1/embeds/${first.id}`, { mode: 'pink' })).status).toBe(422);
  expect((await bob.rest('DELETE', `/v1/embeds/${second.id}`)).status).toBe(404);
  await ada.rest('DELETE', `/v1/embeds/${second.id}`);
  const created = (await ada.rest('POST', '/v1/tokens', { name: 'ci', scopes: ['write'] })).body;
  const ci = app.withAuthorization(`Bearer ${created.secret}`);
  const byCi = await ci.create();
  for (let i = 0; i < 2; i++) await ada.rest('DELETE', `/v1/tokens/${created.token.id}`);

  const events = await eventsOf(ada);
  const line = (event: Event) => [event.action, event.actor, event.subject_id, event.subject_name, event.count];
  expect(events.map(line)).toEqual([
    ['token_revoked', 'test', created.token.id, 'ci', 1],
    ['embeds_created', 'ci', byCi.id, null, 1],
    ['token_created', 'test', created.token.id, 'ci', 1],
    ['embed_deleted', 'test', second.id, null, 1],
    ['embed_updated', 'test', first.id, 'Meal Planner', 1],
    ['embeds_created', 'test', first.id, null, 3],
  ]);
  expect(events.map((event) => event.actor_token_id)).toEqual([
    adasToken,
    created.token.id,
    ...Array.from({ length: 4 }, () => adasToken),
  ]);
  for (const { at } of events) expect([Date.parse(at) >= before, Date.parse(at) <= Date.now()]).toEqual([true, true]);
  expect((await eventsOf(bob)).map(line)).toEqual([['embeds_created', 'test', expect.any(String), null, 1]]);

  // the events of GraphQL are the same, and pages of both go together
  const { data } = await ada.graphql(LIST, { first: 100, after: null });
  expect(data.auditEvents.nodes.map((node: { id: string }) => node.id)).toEqual(events.map(({ id }) => id));
  expect(data.auditEvents.nodes[0]).toEqual({
    id: events[0]?.id,
    at: events[0]?.at,
    action: 'TOKEN_REVOKED',
    actor: 'test',
    actorTokenId: adasToken,
    subjectId: created.token.id,
    subjectName: 'ci',
    count: 1,
    changes: null,
  });
  expect(events[4]).toMatchObject({ changes: [{ field: 'mode', before: 'light', after: 'dark' }] });
  expect(data.auditEvents.nodes[4].changes).toEqual([{ field: 'mode', before: 'LIGHT', after: 'DARK' }]);
  const middle = await ada.graphql(LIST, { first: 2, after: events[1]?.id });
  expect(middle.data.auditEvents).toMatchObject({
    edges: [{ cursor: events[2]?.id }, { cursor: events[3]?.id }],
    pageInfo: { startCursor: events[2]?.id, endCursor: events[3]?.id, hasNextPage: true, hasPreviousPage: true },
    totalCount: 6,
  });
  const newest = await ada.graphql(LIST, { after: '7zzzzzzzzzzzzzzzzzzzzzzzzz' });
  expect(newest.data.auditEvents.pageInfo.hasPreviousPage).toBe(false);
  const response = await ada.fetch('/v1/audit?first=1');
  const text = await response.text();
  expectConforming('GET', '/v1/audit', response, text);
  expect([response.headers.get('cache-control'), response.headers.get('link')]).toEqual([
    'no-store',
    `</v1/audit?first=1&after=${events[0]?.id}>; rel="next"`,
  ]);

  const client = new EmbedGateway({
    baseUrl: 'http://localhost:4000',
    token: ada.authorization.replace('Bearer ', ''),
    fetch: (input, init) => app.app.fetch(new Request(input, init)),
  });
  const iterated: string[] = [];
  for await (const { id } of client.auditEvents({ first: 4 })) iterated.push(id);
  expect(iterated).toEqual(events.map(({ id }) => id));
  for (const secret of [created.secret, ada.authorization.slice(7)]) {
    expect(JSON.stringify([events, data])).not.toContain(secret.slice(4, 47));
  }
});

test('lists another title of a page with the same URL, and another end of a long URL', async () => {
  let title: string | null = null;
  const { origin } = await openSite((_request, response) => {
    if (title === null) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage(title));
  });
  const ada = await (await openApp({ allowPrivatePages: true })).as('ada');
  const short = `${origin}/about`;
  const { id } = await ada.create({ page_url: short });
  title = 'Pantry List';
  await ada.rest('POST', `/v1/embeds/${id}/refresh`);
  await ada.rest('PATCH', `/v1/embeds/${id}`, { page_url: short, mode: 'dark' });
  const long = `${origin}/${'x'.repeat(300)}-95747105f402490eba51d52e00496c1c`;
  for (const page_url of [long, `${long}#a`]) await ada.rest('PATCH', `/v1/embeds/${id}`, { page_url });
  const { events } = (await ada.rest('GET', '/v1/audit')).body;
  expect(events.map(({ action, changes }: { action: string; changes: unknown }) => [action, changes])).toEqual([
    ['embed_updated', [{ field: 'page_url', before: long.slice(0, 300), after: long.slice(0, 300) }]],
    ['embed_updated', [{ field: 'page_url', before: short, after: long.slice(0, 300) }]],
    [
      'embed_updated',
      [
        { field: 'mode', before: 'light', after: 'dark' },
        { field: 'title', before: 'about', after: 'Pantry List' },
      ],
    ],
    ['embeds_created', null],
  ]);
});

test('REST spells settings, filters and members of the look as in its requests', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const look = { accent_color: '#b3261e', width: 'full', logo_url: `https://example.com/${'x'.repeat(300)}` };
  await ada.rest('PATCH', `/v1/embeds/${id}/settings`, { watch: 'daily', look });
  await ada.graphql('mutation($input: UpdateEmbedsInput!) { updateEmbeds(input: $input) { embeds { id } } }', {
    input: { filter: { pageState: ['PENDING', 'NOT_ALLOWED'], needsAttention: false, search: 'MEAL' }, font: 'DARK' },
  });
  const { events } = (await ada.rest('GET', '/v1/audit')).body;
  expect(events.slice(0, 2)).toMatchObject([
    {
      subject_name: '{"page_state":["pending","not_allowed"],"needs_attention":false,"search":"MEAL"}',
      changes: [{ field: 'font', before: null, after: 'DARK' }],
    },
    {
      subject_name: 'Meal Planner',
      changes: [
        { field: 'watch', before: null, after: 'daily' },
        { field: 'look', before: null, after: expect.stringContaining('"accent_color":"#b3261e","width":"full"') },
      ],
    },
  ]);
});

test('lists the events of all earlier changes, also those that are being written', async () => {
  const { database, as } = gateway;
  await as('ada');
  const { audit, auditEvents } = database;
  const [embedId, title] = [createEmbedIdGenerator()('ada').id, 'Meal Planner'];
  const changes = [{ field: 'font', before: 'Inter', after: 'Lora' }];
  for (let i = 0; i < 1_000; i++) {
    audit.record({ event: 'embed.updated', by: 'token:1', accountId: 'ada', embedId, title, changes });
  }
  const list = () => auditEvents.findPage('ada', { size: 1, after: undefined });
  const first = list();
  await new Promise(setImmediate);
  const second = await list();
  expect(second.rows).toHaveLength(1);
  expect(second).toEqual(await first);
});

test('needs the scope admin, and rejects the same requests with the same messages at both APIs', async () => {
  const { as } = gateway;
  const [admin, user] = [await as('ada', ['admin']), await as('ada', ['read', 'write'])];
  const rest = await user.rest('GET', '/v1/audit?first=x');
  expect([rest.status, rest.body.detail]).toEqual([403, 'This needs a token with the scope admin.']);
  expectParity('user', rest.body, (await user.graphql(LIST, { first: 'x' })).errors[0]);
  for (const variables of [{ first: 0 }, { first: 101 }, { after: 'x' }, { after: '000000000000' }]) {
    const query = new URLSearchParams(Object.entries(variables).map(([name, value]) => [name, String(value)]));
    const refused = await admin.rest('GET', `/v1/audit?${query}`);
    expect(refused.status).toBe(422);
    expectParity(variables, refused.body, (await admin.graphql(LIST, variables)).errors[0]);
  }
});

test('names the operator, the command line and the first start', async () => {
  const databaseUrl = await newDatabase();
  const app = await openApp({ databaseUrl, accessToken: 'the token of the operator' });
  const operator = app.withAuthorization('Bearer the token of the operator');
  const env = { DATABASE_URL: databaseUrl };
  const created = await runInProcess('tokens', ['create', '--account', 'default', '--name', 'ci'], env);
  const id = /Token (\w{12}) /.exec(created.stderr)?.[1] ?? '';
  await runInProcess('tokens', ['revoke', id], env);
  const file = join(temporaryFolder(), 'pages.csv');
  writeFileSync(file, `page_url\n${MEAL_PLANNER}\n${MEAL_PLANNER}\n`);
  expect((await runInProcess('import', [file, '--account', 'default'], env)).stderr).toBe('');
  await operator.create();
  app.database.audit.record({
    event: 'token.created',
    accountId: 'default',
    name: 'first',
    scopes: ['read'],
    expiresAt: null,
    tokenId: '000000000000',
    by: 'start',
  });
  expect(
    (await eventsOf(operator)).map(({ action, actor, actor_token_id, subject_name, count }) => {
      return [action, actor, actor_token_id, subject_name, count];
    }),
  ).toEqual([
    ['token_created', 'first start', null, 'first', 1],
    ['embeds_created', 'ACCESS_TOKEN', 'ACCESS_TOKEN', null, 1],
    ['embeds_imported', 'command line', null, null, 2],
    ['token_revoked', 'command line', null, 'ci', 1],
    ['token_created', 'command line', null, 'ci', 1],
  ]);
});

test('keeps the events of the last 90 days, and the last 10,000 of an account', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const raw = await openRaw(databaseUrl);
  const old = (accountId: string, days: number) => {
    return `('${accountId}', '${idBoundAt(Date.now() - days * DAY_MS)}zzzzzzzzzzzzzzzz', 'EMBED_DELETED', 'token:a', 1)`;
  };
  await raw.query(EVENT + [old('ada', 91), old('ada', 89), old('bob', 91)].join(', '));
  const newId = createEmbedIdGenerator();
  const stored = async (accountId: string) =>
    Number((await raw.query(`SELECT count(*) AS n FROM "AuditEvent" WHERE "accountId" = '${accountId}'`))[0]?.n);
  expect((await ada.rest('GET', '/v1/audit')).body.total_count).toBe(1);
  const older = await bob.graphql(LIST, { after: `${idBoundAt(Date.now() - 92 * DAY_MS)}${'z'.repeat(16)}` });
  expect(older.data.auditEvents).toMatchObject({ nodes: [], pageInfo: { hasPreviousPage: false } });
  for (let i = 0; i < 11; i++) {
    const rows = Array.from({ length: 1_000 }, () => `('ada', '${newId('ada').id}', 'EMBED_DELETED', 'token:a', 1)`);
    await raw.query(EVENT + rows.join(', '));
  }
  expect(await stored('ada')).toBe(11_002);
  // the first event of the account in this process removes the old ones, in batches
  await ada.create();
  expect((await ada.rest('GET', '/v1/audit')).body.total_count).toBe(10_000);
  expect([await stored('ada'), await stored('bob')]).toEqual([10_000, 1]);
  await bob.create();
  expect((await eventsOf(bob)).map(({ action }) => action)).toEqual(['embeds_created']);
  expect(await stored('bob')).toBe(1);
});

test('counts changes of several embeds together within their share of memory', async () => {
  const databaseUrl = await newDatabase();
  const { database, as } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const deleted = {
    accountId: 'ada',
    actor: 'token:a',
    action: 'EMBEDS_DELETED',
    subjectId: null,
    changes: null,
  } as const;
  const add = (subjectName: string) => database.auditEvents.addCounted({ ...deleted, subjectName }, 1, false);
  for (const name of ['first', 'first']) add(name);
  const filter = 'x'.repeat(2_000);
  for (let bytes = 0; bytes < CACHE_BYTES.countedEvents; bytes += filter.length) add(`${filter}${bytes}`);
  for (const name of ['last', 'last', 'first']) add(name);
  const counts = (await eventsOf(ada)).filter(({ subject_name: name }) => name === 'first').map(({ count }) => count);
  expect(counts).toEqual([1]);
  const query = (name: string) => `SELECT "count" FROM "AuditEvent" WHERE "subjectName" = '${name}' ORDER BY "id"`;
  const raw = await openRaw(databaseUrl);
  expect([await raw.query(query('first')), await raw.query(query('last'))]).toEqual([
    [{ count: 2 }, { count: 1 }],
    [{ count: 2 }],
  ]);
});

test('writes events that wait when the service stops', async () => {
  const databaseUrl = await newDatabase();
  const { database, as } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const { id } = await ada.create();
  await database.close();
  const reopened = await openDatabase(databaseUrl);
  try {
    const { rows: events } = await reopened.auditEvents.findPage('ada', { size: 10, after: undefined });
    expect(events).toMatchObject([{ action: 'EMBEDS_CREATED', subjectId: id, count: 1 }]);
  } finally {
    await reopened.close();
  }
});
