import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { expectParity } from '../contracts/parity.ts';
import { isOnCitus } from '../databases/database.ts';
import { type Client, isOnPostgresql, newDatabase, openApp, openRaw } from '../open-app.ts';
import { readDocument } from '../rest/conformance.ts';
import { openReceiver, verify } from './receiver.ts';

const LOCAL = { allowPrivatePages: true };
const EVENTS = ['embed.created', 'token.created'];
const LIST = `query($id: ID!, $after: String, $afterDelivery: String) {
  webhooks(after: $after) { nodes { id } pageInfo { hasPreviousPage } }
  node(id: $id) { ... on Webhook { deliveries(after: $afterDelivery) { nodes { id } pageInfo { hasPreviousPage } } } }
}`;

async function addWebhook(client: Client, url: string) {
  const { body } = await client.rest('POST', '/v1/webhooks', { url, events: EVENTS });
  return { id: body.webhook.id as string, secret: body.secret as string };
}

test('tests, lists, repeats, rotates, changes and deletes through REST, as the document says', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver();
  const { expectConforming } = await readDocument(ada);
  const call = async (method: string, path: string, body?: object) => {
    const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await ada.fetch(path, { method, ...json });
    const text = await response.text();
    expectConforming(method, path, response, text);
    expect([path, response.status, response.headers.get('cache-control')]).toEqual([
      path,
      expect.any(Number),
      'no-store',
    ]);
    return JSON.parse(text);
  };
  const { id, secret } = await addWebhook(ada, receiver.origin);
  expect((await call('GET', '/v1/webhooks')).webhooks[0]).not.toHaveProperty('secret');

  const { delivery } = await call('POST', `/v1/webhooks/${id}/test`);
  expect(delivery).toMatchObject({ type: 'webhook.test', state: 'delivered', attempts: 1, status: 204, due_at: null });
  expect(receiver.messages[0]?.body).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } });

  const rotated = await call('POST', `/v1/webhooks/${id}/rotate`);
  expect(rotated.secret).not.toBe(secret);
  const { delivery: again } = await call('POST', `/v1/deliveries/${delivery.id}/redeliver`);
  expect(again).toMatchObject({ id: delivery.id, attempts: 2, state: 'delivered' });
  const message = receiver.messages[1];
  if (!message) throw new Error('no message');
  expect([message.id, message.text]).toEqual([delivery.id, receiver.messages[0]?.text]);
  verify(message, secret);
  verify(message, rotated.secret);
  expect(message.signature.split(' ')).toHaveLength(2);

  const list = await call('GET', `/v1/webhooks/${id}/deliveries?first=1`);
  expect(list).toMatchObject({ deliveries: [again], total_count: 1, pagination: { has_next_page: false } });
  const { webhook } = await call('PATCH', `/v1/webhooks/${id}`, { events: ['embed.deleted'], enabled: false });
  expect(webhook).toMatchObject({ events: ['embed.deleted'], disabled_at: expect.any(String), disabled_reason: null });
  const { webhook: enabled } = await call('PATCH', `/v1/webhooks/${id}`, { enabled: true });
  expect(enabled).toMatchObject({ events: ['embed.deleted'], disabled_at: null, disabled_reason: null });
  expect((await call('GET', `/v1/webhooks/${id}`)).webhook).toEqual(enabled);
  await call('DELETE', `/v1/webhooks/${id}`);
  expect((await ada.rest('GET', `/v1/webhooks/${id}/deliveries`)).status).toBe(404);
  const { status, body } = await ada.rest('GET', `/v1/webhooks/${id}`);
  expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'There is no webhook with this id.']);
});

test('only a page after newer webhooks or deliveries has a previous one', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver();
  const [{ id: oldest }, { id: newest }] = [
    await addWebhook(ada, receiver.origin),
    await addWebhook(ada, receiver.origin),
  ];
  for (let i = 0; i < 2; i++) await ada.rest('POST', `/v1/webhooks/${oldest}/test`);
  const [newestDelivery] = (await ada.rest('GET', `/v1/webhooks/${oldest}/deliveries`)).body.deliveries;
  const read = async (after: string, afterDelivery: string) => {
    const { data } = await ada.graphql(LIST, { id: oldest, after, afterDelivery });
    const { webhooks, node } = data;
    return [webhooks, node.deliveries].map(({ nodes, pageInfo }) => [nodes.length, pageInfo.hasPreviousPage]);
  };
  expect(await read(newest, newestDelivery.id)).toEqual([
    [1, true],
    [1, true],
  ]);
  await ada.rest('DELETE', `/v1/webhooks/${newest}`);
  expect(await read(newest, 'f'.repeat(32))).toEqual([
    [1, false],
    [2, false],
  ]);
});

test('a repetition that fails does not undo the delivery, and no attempt follows', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver((_message, count) => (count === 1 ? 204 : 500));
  const { id } = await addWebhook(ada, receiver.origin);
  await ada.create();
  const list = async () => (await ada.rest('GET', `/v1/webhooks/${id}/deliveries`)).body.deliveries;
  await vi.waitFor(async () => expect((await list())[0].state).toBe('delivered'), 60_000);
  const [delivered] = await list();
  const { body } = await ada.rest('POST', `/v1/deliveries/${delivered.id}/redeliver`);
  const result = { attempts: 2, attempted_at: expect.any(String), status: 500, response: 'received' };
  expect(body.delivery).toEqual({ ...delivered, ...result });
});

test('returns a webhook to admins of its account only', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const { id } = await addWebhook(ada, 'https://example.com/');
  const get = async (client: Client, path: string) => (await client.rest('GET', path)).status;
  expect(await get(ada, `/v1/webhooks/${id}`)).toBe(200);
  expect(await get(await as('bob'), `/v1/webhooks/${id}`)).toBe(404);
  expect(await get(await as('ada', ['read', 'write']), `/v1/webhooks/${id}`)).toBe(403);
  const embed = await ada.create();
  expect(await get(ada, `/v1/webhooks/${embed.id}`)).toBe(404);
});

test('an operation without parameters takes an empty body of any type, and no other', async () => {
  const ada = await (await openApp()).as('ada');
  const { id } = await addWebhook(ada, 'https://receiver.example/');
  const rotate = (type: string, body: string) =>
    ada.fetch(`/v1/webhooks/${id}/rotate`, { method: 'POST', body, headers: { 'content-type': type } });
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain'])
    expect([type, (await rotate(type, '')).status]).toEqual([type, 200]);
  expect((await rotate('application/json', '{')).status).toBe(400);
  expect((await rotate('application/json', '{"now":true}')).status).toBe(422);
});

test('no account sees the webhooks of another one, and only the scope admin is enough', async () => {
  const { as } = await openApp(LOCAL);
  const [ada, bob, reader] = [await as('ada'), await as('bob'), await as('ada', ['read', 'write'])];
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, receiver.origin);
  const { body } = await ada.rest('POST', `/v1/webhooks/${id}/test`);
  const requests = [
    ['GET', `/v1/webhooks/${id}/deliveries`],
    ['PATCH', `/v1/webhooks/${id}`],
    ['POST', `/v1/webhooks/${id}/test`],
    ['POST', `/v1/webhooks/${id}/rotate`],
    ['POST', `/v1/deliveries/${body.delivery.id}/redeliver`],
    ['DELETE', `/v1/webhooks/${id}`],
  ] as const;
  for (const [method, path] of requests) {
    expect([path, (await bob.rest(method, path)).status]).toEqual([path, 404]);
    expect([path, (await reader.rest(method, path)).status]).toEqual([path, 403]);
  }
  expect((await bob.rest('GET', '/v1/webhooks')).body.total_count).toBe(0);
  expect((await bob.graphql(`{ node(id: "${id}") { id } }`)).data).toEqual({ node: null });
  expect((await ada.graphql(`{ node(id: "${id}") { id ... on Webhook { url } } }`)).data.node.url).toBe(
    receiver.origin,
  );
  expect(receiver.messages).toHaveLength(1);
});

test('refuses receivers inside the network, unknown events, and a 21st webhook', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const wrong = ['http://10.0.0.1/', 'https://localhost/', 'https://u:p@example.com/', 'ftp://example.com', 'x'];
  for (const url of [...wrong, 'https://example.com:8443/']) {
    const { status, body } = await ada.rest('POST', '/v1/webhooks', { url, events: ['embed.moved'], more: 1 });
    const paths = body.errors.map(({ path }: { path: string }) => path).sort();
    expect([url, status, paths]).toEqual([url, 422, ['events', 'more', 'url']]);
  }
  const rest = await ada.rest('POST', '/v1/webhooks', {});
  const create = 'mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }';
  const graphql = await ada.graphql(create, { input: {} });
  expectParity({}, rest.body, graphql.errors[0]);
  for (let i = 0; i < 20; i++) await addWebhook(ada, `https://example.com/${i}`);
  const { status } = await ada.rest('POST', '/v1/webhooks', { url: 'https://example.com/', events: EVENTS });
  expect(status).toBe(409);
});

test('simultaneous creates leave 20 webhooks', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const url = 'https://example.com/';
  const create = () => ada.rest('POST', '/v1/webhooks', { url, events: EVENTS });
  const statuses = (await Promise.all(Array.from({ length: 25 }, create))).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(409)]);
  expect((await ada.rest('GET', '/v1/webhooks')).body.total_count).toBe(20);
});

test('a form has the events of a webhook in one value, and a refusal names those that are wrong', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const create = async (events: string) => {
    const body = new URLSearchParams({ url: 'https://example.com/', events });
    const response = await ada.fetch('/v1/webhooks', { method: 'POST', body });
    return await response.json();
  };
  expect((await create('embed.created, embed.deleted')).webhook.events).toEqual(['embed.created', 'embed.deleted']);
  expect((await create('embed.create, embed.created')).errors[0].message).toMatch(/; not "embed\.create"$/);
  expect((await create('embed.created,embed.created')).errors[0].message).toMatch(/; embed\.created is there twice$/);
});

test('lists changes of webhooks as audit events, without the secret and the path', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const { id, secret } = await addWebhook(ada, 'https://example.com/private');
  await ada.rest('PATCH', `/v1/webhooks/${id}`, { enabled: false });
  const { body: rotated } = await ada.rest('POST', `/v1/webhooks/${id}/rotate`);
  await ada.rest('DELETE', `/v1/webhooks/${id}`);
  const { body } = await ada.rest('GET', '/v1/audit');
  type Event = { action: string; subject_id: string; subject_name: string };
  const events = body.events.filter(({ action }: Event) => action.startsWith('webhook_'));
  expect(events.map(({ action, subject_id, subject_name }: Event) => [action, subject_id, subject_name])).toEqual(
    ['webhook_deleted', 'webhook_secret_rotated', 'webhook_updated', 'webhook_created'].map((action) => [
      ...[action, id, 'example.com'],
    ]),
  );
  expect(events[2].changes).toEqual([{ field: 'enabled', before: 'true', after: 'false' }]);
  for (const text of [secret, rotated.secret, 'private']) expect(JSON.stringify(body)).not.toContain(text);
});

test('lists what an update of a webhook has changed, with the hosts of URLs', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const { id } = await addWebhook(ada, 'https://example.com/private');
  const values = { url: 'https://example.org/secret', events: ['embed.deleted'] };
  await ada.rest('PATCH', `/v1/webhooks/${id}`, values);
  // changes nothing
  await ada.rest('PATCH', `/v1/webhooks/${id}`, { ...values, enabled: true });
  const { body } = await ada.rest('GET', '/v1/audit?first=1');
  expect(body.events[0]).toMatchObject({
    action: 'webhook_updated',
    changes: [
      { field: 'url', before: 'example.com', after: 'example.org' },
      { field: 'events', after: 'embed.deleted' },
    ],
  });
  expect(JSON.stringify(body)).not.toMatch(/private|secret"/);
});

test('simultaneous updates of a webhook are listed with what each has replaced', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const { id } = await addWebhook(ada, 'https://example.com/');
  const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}.example.com`);
  const updates = hosts.map((host) => ada.rest('PATCH', `/v1/webhooks/${id}`, { url: `https://${host}/` }));
  const hostOf = ({ body }: { body: { webhook: { url: string } } }) => new URL(body.webhook.url).host;
  expect((await Promise.all(updates)).map(hostOf)).toEqual(hosts);
  const last = hostOf(await ada.rest('GET', `/v1/webhooks/${id}`));
  const { body } = await ada.rest('GET', '/v1/audit?first=4');
  const replaced = body.events.map(({ changes }: { changes: { before: string }[] }) => changes[0]?.before);
  expect([...replaced, last].sort()).toEqual([...hosts, 'example.com']);
});

test('says which part of the URL of a webhook changed on the same host, without its text', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  const { id } = await addWebhook(ada, 'https://example.com/private?key=one');
  const urls = {
    'https://example.com/secret?key=one': 'path',
    'https://example.com/other?key=two': 'path and query',
    'http://example.com/other?key=two': 'scheme',
  };
  for (const [url, part] of Object.entries(urls)) {
    await ada.rest('PATCH', `/v1/webhooks/${id}`, { url });
    const { body } = await ada.rest('GET', '/v1/audit?first=1');
    const after = `example.com (another ${part})`;
    expect(body.events[0].changes).toEqual([{ field: 'url', before: 'example.com', after }]);
  }
});

test('connects to no private address that a public name has', async () => {
  const { as } = await openApp({}, undefined, { resolve: async () => ['10.0.0.1'] });
  const ada = await as('ada');
  const { id } = await addWebhook(ada, 'http://receiver.example/');
  const { body } = await ada.rest('POST', `/v1/webhooks/${id}/test`);
  expect(body.delivery).toMatchObject({ state: 'failed', status: null, response: 'blocked-address' });
});

test('follows no redirect, keeps the first 1,000 bytes of a response, and survives one without an end', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const redirecting = await openReceiver(() => 307);
  const { id } = await addWebhook(ada, redirecting.origin);
  const { body } = await ada.rest('POST', `/v1/webhooks/${id}/test`);
  expect(body.delivery).toMatchObject({ state: 'failed', status: 307, response: 'received' });
  expect(redirecting.messages).toHaveLength(1);

  const endless = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n\0${'é'.repeat(100_000)}`);
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void endless.close());
  const { port } = endless.address() as { port: number };
  await ada.rest('PATCH', `/v1/webhooks/${id}`, { url: `http://127.0.0.1:${port}/` });
  const { body: second } = await ada.rest('POST', `/v1/webhooks/${id}/test`);
  expect(second.delivery).toMatchObject({ state: 'delivered', status: 200 });
  expect(second.delivery.response).toMatch(/^\ufffdé{499}/);
});

test('the secret before a rotation signs for 24 hours', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ ...LOCAL, databaseUrl });
  const ada = await as('ada');
  const receiver = await openReceiver();
  const { id, secret: first } = await addWebhook(ada, receiver.origin);
  const startedAt = Date.now();
  const { body: rotated } = await ada.rest('POST', `/v1/webhooks/${id}/rotate`);
  const raw = await openRaw(databaseUrl);
  const [row] = (await raw.query('SELECT "previousSecretUntil" FROM "Webhook"')) as { previousSecretUntil: string }[];
  const endsAt = new Date(row?.previousSecretUntil ?? 0).getTime();
  const dayMs = 24 * 3_600_000;
  expect([endsAt >= startedAt + dayMs, endsAt <= Date.now() + dayMs]).toEqual([true, true]);

  const past = new Date(Date.now() - 1_000).toISOString().replace('Z', '+00:00');
  await raw.query(`UPDATE "Webhook" SET "previousSecretUntil" = '${past}'`);
  await ada.rest('POST', `/v1/webhooks/${id}/test`);
  const [message] = await receiver.take(1);
  if (!message) throw new Error('no message');
  verify(message, rotated.secret);
  expect(() => verify(message, first)).toThrow();
  expect(message.signature.split(' ')).toHaveLength(1);
});

test('disables a webhook that is gone, and one that has failed for three days', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ ...LOCAL, databaseUrl });
  const ada = await as('ada');
  const receiver = await openReceiver(({ path }) => (path === '/gone' ? 410 : 503));
  const gone = await addWebhook(ada, `${receiver.origin}/gone`);
  const failing = await addWebhook(ada, `${receiver.origin}/failing`);
  await ada.create();
  const find = async (id: string) => {
    const { body } = await ada.rest('GET', '/v1/webhooks');
    return body.webhooks.find((webhook: { id: string }) => webhook.id === id);
  };
  await vi.waitFor(async () => expect((await find(gone.id)).disabled_reason).toMatch(/gone.*410/), 60_000);
  await vi.waitFor(async () => expect((await find(failing.id)).failing_since).not.toBeNull(), 60_000);
  expect((await find(failing.id)).disabled_at).toBeNull();

  const raw = await openRaw(databaseUrl);
  const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3_600_000 - 1_000).toISOString().replace('Z', '+00:00');
  await raw.query(`UPDATE "Webhook" SET "failingSince" = '${threeDaysAgo}' WHERE "id" = '${failing.id}'`);
  await raw.query(`UPDATE "WebhookDelivery" SET "dueAt" = "attemptedAt" WHERE "webhookId" = '${failing.id}'`);
  await vi.waitFor(async () => expect((await find(failing.id)).disabled_reason).toMatch(/failed since .*503/), 60_000);
  const count = receiver.messages.length;
  await ada.create();
  await ada.rest('PATCH', `/v1/webhooks/${failing.id}`, { enabled: true });
  const { body } = await ada.rest('GET', `/v1/webhooks/${failing.id}/deliveries`);
  expect(body.deliveries).toEqual([expect.objectContaining({ state: 'failed', status: 503 })]);
  expect(receiver.messages).toHaveLength(count);
});

test('each of two simultaneous rotations returns a secret that signs', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, receiver.origin);
  const rotations = await Promise.all([1, 2].map(() => ada.rest('POST', `/v1/webhooks/${id}/rotate`)));
  await ada.rest('POST', `/v1/webhooks/${id}/test`);
  const [message] = await receiver.take(1);
  if (!message) throw new Error('no message');
  for (const { body } of rotations) verify(message, body.secret);
});

test.skipIf(!isOnPostgresql)(
  'a webhook that is deleted meanwhile does not fail the creates of embeds and tokens',
  async () => {
    const databaseUrl = await newDatabase();
    const { as } = await openApp({ databaseUrl });
    const ada = await as('ada');
    const [deleting, raw] = [await openRaw(databaseUrl), await openRaw(databaseUrl)];
    const waiting = isOnCitus
      ? 'SELECT 1 FROM citus_lock_waits'
      : `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    for (const path of ['embeds', 'tokens']) {
      await addWebhook(ada, 'https://example.com/');
      await deleting.query('BEGIN');
      await deleting.query('DELETE FROM "Webhook"');
      const body = path === 'embeds' ? { page_url: 'https://example.com/page' } : { name: 'ci', scopes: ['read'] };
      const created = ada.rest('POST', `/v1/${path}`, body);
      while ((await raw.query(waiting)).length === 0) await nextTurn();
      await deleting.query('COMMIT');
      expect([path, (await created).status]).toEqual([path, 201]);
    }
  },
);
