import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { isOnPostgresql, MEAL_PLANNER, newDatabase, openApp, openRaw, shareApp } from '../../open-app.ts';

const gateway = shareApp();
const RECIPES = 'https://example.com/Recipes-38c85619110a5b04bf7c9117247991a6';
const EMBED = 'id createdAt updatedAt version externalId title mode font';
const CREATE = `mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { created replayed embed { ${EMBED} } } }`;

test('an external id is unique in its account until its embed is deleted', async () => {
  const [ada, bob] = [await gateway.as('ada'), await gateway.as('bob')];
  const create = { page_url: MEAL_PLANNER, external_id: 'cms/17 ✓' };
  const first = await ada.rest('POST', '/v1/embeds', create);
  expect(first.status).toBe(201);
  expect(first.body.embed).not.toHaveProperty('external_id');
  const again = await ada.rest('POST', '/v1/embeds', create);
  expect([again.status, again.body.code, again.body.detail]).toEqual([
    409,
    'conflict',
    expect.stringContaining('Send on_conflict'),
  ]);
  const inGraphQL = await ada.graphql(CREATE, { input: { pageUrl: MEAL_PLANNER, externalId: create.external_id } });
  expect(inGraphQL.errors[0]?.extensions.code).toBe('CONFLICT');
  expect((await bob.rest('POST', '/v1/embeds', create)).status).toBe(201);
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1);
  await ada.rest('DELETE', `/v1/embeds/${first.body.embed.id}`);
  expect((await ada.rest('POST', '/v1/embeds', create)).status).toBe(201);
});

test('a create with a known external id returns or replaces the embed, as on_conflict says', async () => {
  const ada = await gateway.as('ada');
  const path = async (id: string) => new URL((await ada.rest('GET', `/v1/embeds/${id}`)).body.embed.embed_url).pathname;
  const first = await ada.create({ page_url: MEAL_PLANNER, mode: 'dark', font: 'Lora', external_id: 'a' });
  expect(await path(first.id)).toContain('/Meal-Planner-');
  const send = (on_conflict: string, page_url = RECIPES) =>
    ada.rest('POST', '/v1/embeds', { page_url, font: 'Inter', external_id: 'a', on_conflict });
  const returned = await send('return');
  expect([returned.status, returned.body.embed]).toEqual([200, first]);
  const updated = await send('update');
  const { id, created_at } = first;
  expect([updated.status, updated.headers.get('location')]).toEqual([200, `/v1/embeds/${id}`]);
  expect(updated.body.embed).toMatchObject({ id, created_at, page_url: RECIPES, mode: 'light', font: 'Inter' });
  expect((await ada.rest('GET', `/v1/embeds/${id}`)).headers.get('etag')).toBe(updated.headers.get('etag'));
  expect(await path(id)).toContain('/Recipes-');
  const input = { pageUrl: RECIPES, font: 'Inter', externalId: 'a', onConflict: 'UPDATE' };
  const { createEmbed } = (await ada.graphql(CREATE, { input })).data;
  expect(createEmbed).toMatchObject({ created: false, embed: { id, version: 2, externalId: 'a' } });
  expect(createEmbed.embed.updatedAt > createEmbed.embed.createdAt).toBe(true);
  const events = '{ auditEvents(first: 5) { nodes { action } } }';
  await expect
    .poll(async () =>
      (await ada.graphql(events)).data.auditEvents.nodes.map(({ action }: { action: string }) => action),
    )
    .toEqual(['EMBED_UPDATED', 'EMBEDS_CREATED']);
});

test('an update by external id sets the sent settings, removes those that are null, and keeps the others', async () => {
  const ada = await gateway.as('ada');
  const create = `mutation($input: CreateEmbedInput!) {
    createEmbed(input: $input) { embed { version allowedSites expiresAt watch look { width radius } } }
  }`;
  const send = async (settings: object) => {
    const input = { pageUrl: MEAL_PLANNER, externalId: 'a', onConflict: 'UPDATE', ...settings };
    return (await ada.graphql(create, { input })).data.createEmbed.embed;
  };
  const first = {
    ...{ allowedSites: ['example.com'], expiresAt: '2036-01-01T00:00:00.000Z', watch: 'OFF' },
    look: { width: 400, radius: 2 },
  };
  const { watch: _, ...set } = first;
  expect(await send(set)).toEqual({ ...first, version: 1 });
  expect(await send({ watch: 'DAILY' })).toEqual({ ...first, watch: 'DAILY', version: 2 });
  expect(await send({ look: { width: null } })).toMatchObject({ watch: 'DAILY', look: { width: null, radius: 2 } });
  expect(await send({ allowedSites: null, expiresAt: null, watch: null, look: null })).toEqual({
    ...{ allowedSites: null, expiresAt: null, watch: 'OFF', look: null, version: 4 },
  });
  expect(await send({ watch: 'HOURLY' })).toMatchObject({ watch: 'HOURLY' });
  expect(await send({ watch: 'OFF' })).toMatchObject({ watch: 'OFF', version: 6 });
});

test('a create that would only read the embed of an external id needs the scope read', async () => {
  const [ada, writer] = [await gateway.as('ada'), await gateway.as('ada', ['write'])];
  await ada.create({ external_id: 'a' });
  for (const on_conflict of ['return', 'update']) {
    const { status, body } = await writer.rest('POST', '/v1/embeds', {
      ...{ page_url: MEAL_PLANNER, external_id: 'a', on_conflict },
    });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  }
  const changed = { page_url: MEAL_PLANNER, font: 'Lora', external_id: 'a', on_conflict: 'update' };
  expect((await writer.rest('POST', '/v1/embeds', changed)).status).toBe(200);
});

test('simultaneous creates on two gateways make one embed of each external id, and all embeds without one', async () => {
  const databaseUrl = await newDatabase();
  const gateways = [await openApp({ databaseUrl }), await openApp({ databaseUrl })];
  const clients = await Promise.all(gateways.map((opened) => opened.as('ada')));
  const replies = await Promise.all(
    Array.from({ length: 180 }, async (_, i) => {
      // each gateway has an order of its own
      const external_id = `${((i * 7 + (i % 2) * 13) % 40) / 2}`;
      const external = i % 3 === 0 ? {} : { external_id, on_conflict: i % 4 === 1 ? 'return' : 'update' };
      const create = () =>
        clients[i % 2]?.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER, font: `Font ${i}`, ...external });
      let reply = await create();
      // like clients do: it waited too long for the database, and nothing was written
      while (reply?.status === 503) reply = await create();
      return reply;
    }),
  );
  expect(replies.filter((reply) => ![200, 201].includes(reply?.status ?? 0))).toEqual([]);
  expect(replies.filter((reply) => reply?.status === 201)).toHaveLength(60 + 20);
  const raw = await openRaw(databaseUrl);
  const rows = await raw.query('SELECT "externalId", count(*) AS n FROM "Embed" GROUP BY "externalId"');
  expect(new Map(rows.map(({ externalId, n }) => [externalId, Number(n)]))).toEqual(
    new Map<unknown, number>([[null, 60], ...Array.from({ length: 20 }, (_, i) => [`${i}`, 1] as const)]),
  );
});

test('a repeated key returns what the first request returned', async () => {
  const ada = await gateway.as('ada');
  const send = async (key: string, on_conflict: string, font = 'default') => {
    const body = JSON.stringify({ page_url: MEAL_PLANNER, font, external_id: 'a', on_conflict });
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const response = await ada.fetch('/v1/embeds', { method: 'POST', body, headers });
    return {
      status: response.status,
      replayed: response.headers.has('idempotent-replayed'),
      ...(await response.json()),
    };
  };
  const created = await send('1', 'error');
  expect(created.status).toBe(201);
  const updated = await send('2', 'update', 'Lora');
  expect([updated.status, updated.embed.id, updated.embed.font]).toEqual([200, created.embed.id, 'Lora']);
  await ada.rest('PATCH', `/v1/embeds/${created.embed.id}`, { font: 'Inter' });
  expect(await send('1', 'error')).toEqual({ ...created, replayed: true });
  expect(await send('2', 'update', 'Lora')).toEqual({ ...updated, replayed: true });
  expect((await send('2', 'return', 'Lora')).status).toBe(422);
  expect((await send('3', 'error')).status).toBe(409);
  expect((await send('3', 'error')).status).toBe(409);
  // as the refusal advises
  expect(await send('3', 'return')).toMatchObject({ status: 200, replayed: false, embed: { font: 'Inter' } });
});

test('lists find embeds by external id and by the time of their last change', async () => {
  const ada = await gateway.as('ada');
  const made = [];
  for (const external_id of ['a', 'b', 'c']) made.push(await ada.create({ external_id }));
  const [a, , c] = made.map(({ id }) => id);
  const idsOf = async (query: string) => {
    const { body } = await ada.rest('GET', `/v1/embeds?${query}`);
    if (!query.includes('after=0'))
      expect([body.total_count, body.total_count_is_exact]).toEqual([body.embeds.length, true]);
    return body.embeds.map(({ id }: { id: string }) => id);
  };
  expect(await idsOf('external_id=a')).toEqual([a]);
  expect(await idsOf('external_id=A')).toEqual([]);
  expect(await idsOf('external_id=a&mode=dark')).toEqual([]);
  expect(await idsOf(`external_id=a&after=${c}`)).toEqual([a]);
  expect(await idsOf(`external_id=c&after=${c}`)).toEqual([]);
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(made[2]?.created_at ?? ''));
  const patched = '{ embeds(filter: { externalId: "a" }) { nodes { updatedAt } } }';
  await ada.rest('PATCH', `/v1/embeds/${a}`, { mode: 'dark' });
  const { updatedAt } = (await ada.graphql(patched)).data.embeds.nodes[0];
  const before = new Date(Date.parse(updatedAt) - 1).toISOString();
  expect(await idsOf(`updated_after=${before}`)).toEqual([a]);
  expect(await idsOf(`updated_after=${updatedAt}`)).toEqual([]);
  expect(await idsOf('updated_after=2020-01-01T00:00:00Z')).toEqual([c, made[1]?.id, a]);
  expect(await idsOf('updated_after=0000-01-01T00:00:00Z')).toEqual([c, made[1]?.id, a]);
  expect(await idsOf('updated_after=9999-12-31T23:59:59.999Z')).toEqual([]);
  expect(await idsOf('updated_after=2020-01-01T00:00:00Z&mode=dark')).toEqual([a]);
});

test('an invalid external id or rule is refused with all faults', async () => {
  const ada = await gateway.as('ada');
  const message = 'must be 1 to 200 characters, without control characters, in well-formed Unicode';
  for (const external_id of ['', 'x'.repeat(201), 'a\nb', '\ud800x', 1]) {
    const { status, body } = await ada.rest('POST', '/v1/embeds', {
      ...{ page_url: MEAL_PLANNER, external_id, on_conflict: 'replace' },
    });
    const rule = { path: 'on_conflict', message: 'must be one of error, return, update' };
    expect([status, body.errors]).toEqual([422, [{ path: 'external_id', message }, rule]]);
  }
  expect((await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER, external_id: '🍲'.repeat(200) })).status).toBe(
    201,
  );
  const { id } = await ada.create();
  expect((await ada.rest('PATCH', `/v1/embeds/${id}`, { external_id: 'a' })).status).toBe(422);
});

test('on_conflict needs an external id, which must not be null', async () => {
  const ada = await gateway.as('ada');
  const faultsOf = async (body: object) => {
    const reply = await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER, ...body });
    return reply.status === 201 ? [] : reply.body.errors;
  };
  const missing = [{ path: 'on_conflict', message: 'needs external_id' }];
  expect(await faultsOf({ on_conflict: 'update' })).toEqual(missing);
  expect(await faultsOf({ on_conflict: 'return' })).toEqual(missing);
  expect(await faultsOf({ on_conflict: 'error' })).toEqual([]);
  const isNull = [{ path: 'external_id', message: 'must not be null; leave it out instead' }];
  expect(await faultsOf({ external_id: null })).toEqual(isNull);
  expect(await faultsOf({ external_id: null, on_conflict: 'update' })).toEqual(isNull);
  for (const input of ['onConflict: UPDATE', 'externalId: null']) {
    const { errors } = await ada.graphql(
      `mutation { createEmbed(input: { pageUrl: "${MEAL_PLANNER}", ${input} }) { created } }`,
    );
    const fault = input.startsWith('on') ? { path: 'onConflict', message: 'needs externalId' } : { path: 'externalId' };
    expect(errors[0]?.extensions.errors).toMatchObject([fault]);
  }
  const filtered = await ada.graphql('{ embeds(filter: { externalId: null }) { totalCount } }');
  expect(filtered.errors[0]?.extensions.errors).toMatchObject([{ path: 'externalId' }]);
});

test.skipIf(isOnPostgresql)('a look-up by external id uses its index', async () => {
  const url = await newDatabase();
  await (await openDatabase(url)).close();
  const raw = await openRaw(url);
  const plan = await raw.query(
    `EXPLAIN QUERY PLAN SELECT * FROM "Embed" AS e WHERE e."accountId" = 'a' AND e."externalId" = 'b'`,
  );
  expect(JSON.stringify(plan)).toContain('USING INDEX Embed_accountId_externalId_key');
});
