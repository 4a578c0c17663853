import { expect, test, vi } from 'vitest';
import { createToken } from '../../src/domain/identity/token.ts';
import type { PageVersion, StoredPage } from '../../src/domain/page-copy.ts';
import { Refusal } from '../../src/errors.ts';
import { pageDuringRendering } from '../../src/pages/rendering.ts';
import type { PageStore } from '../../src/store/pages.ts';
import { withPageEvents } from '../../src/webhooks/page-events.ts';
import { type Client, MEAL_PLANNER, newDatabase, openApp, openRaw } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { type Message, openReceiver, verify } from './receiver.ts';

const ALL = ['embed.created', 'embed.updated', 'embed.deleted', 'page.changed', 'page.state_changed'];
const LOCAL = { allowPrivatePages: true };

async function addWebhook(client: Client, url: string, events: readonly string[] = ALL) {
  const { status, body } = await client.rest('POST', '/v1/webhooks', { url, events });
  expect([status, body.errors]).toEqual([201, undefined]);
  return { id: body.webhook.id as string, secret: body.secret as string };
}

const listDeliveries = async (client: Client, id: string) =>
  (await client.rest('GET', `/v1/webhooks/${id}/deliveries?first=100`)).body.deliveries;

const typesOf = (messages: readonly Message[]) => messages.map(({ body }) => body.type);

test('sends the changes of an embed in their order, signed, with the embed of REST', async () => {
  const { as } = await openApp(LOCAL);
  const [ada, bob] = [await as('ada'), await as('bob')];
  const receiver = await openReceiver();
  const { secret } = await addWebhook(ada, `${receiver.origin}/hook?a=1`);

  await bob.create();
  const embed = await ada.create({ page_url: MEAL_PLANNER, mode: 'dark' });
  const { body: updated } = await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { mode: 'light', show_top_bar: false });
  await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { mode: 'light' });
  await ada.rest('DELETE', `/v1/embeds/${embed.id}`);

  const messages = await receiver.take(3);
  expect(messages.map(({ body, path }) => [path, body.type, body.data])).toEqual([
    ['/hook?a=1', 'embed.created', { embed }],
    ['/hook?a=1', 'embed.updated', { embed: updated.embed }],
    ['/hook?a=1', 'embed.deleted', { embed: updated.embed }],
  ]);
  for (const message of messages) {
    verify(message, secret);
    expect(Math.abs(Date.parse(message.body.timestamp) - Date.now())).toBeLessThan(60_000);
  }
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
});

test('sends each webhook only the events that it has chosen', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver();
  await addWebhook(ada, `${receiver.origin}/created`, ['embed.created']);
  await addWebhook(ada, `${receiver.origin}/deleted`, ['embed.deleted']);
  const { id } = await ada.create();
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  const messages = await receiver.take(2);
  expect(messages.map(({ path, body }) => [path, body.type]).sort()).toEqual([
    ['/created', 'embed.created'],
    ['/deleted', 'embed.deleted'],
  ]);
});

test('sends the creation and the revocation of tokens, of the API and of the command line', async () => {
  const { as, database } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver();
  await addWebhook(ada, receiver.origin, ['token.created', 'token.revoked']);
  const { body: created } = await ada.rest('POST', '/v1/tokens', { name: 'ci', scopes: ['read', 'write'] });
  const { body: revoked } = await ada.rest('DELETE', `/v1/tokens/${created.token.id}`);
  const wish = { accountId: 'ada', name: 'cli', scopes: ['read'] as const, expiresAt: null };
  await database.tokens.insert(createToken(wish, new Date()).token);
  const messages = await receiver.take(3);
  const ofFirst = messages.filter(({ body }) => body.data.token.name === 'ci');
  expect(ofFirst.map(({ body }) => [body.type, body.data])).toEqual([
    ['token.created', { token: created.token }],
    ['token.revoked', { token: revoked.token }],
  ]);
  expect(messages.filter(({ body }) => body.data.token.name === 'cli')).toHaveLength(1);
});

test('sends that a page has changed, is gone, and is back', async () => {
  const { as, app } = await openApp(LOCAL);
  const ada = await as('ada');
  let [status, title] = [200, 'Pantry'];
  const site = await openSite((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(articlePage(title));
  });
  const embed = await ada.create({ page_url: `${site.origin}/pantry` });
  const receiver = await openReceiver();
  await addWebhook(ada, receiver.origin, ['page.changed', 'page.state_changed']);
  /** Each page of an embed has an interval between two refreshes, so each time another embed refreshes it. */
  const refresh = async () => {
    const { id } = await ada.create({ page_url: `${site.origin}/pantry` });
    const { body } = await ada.rest('POST', `/v1/embeds/${id}/refresh`);
    await ada.rest('DELETE', `/v1/embeds/${id}`);
    return body.page;
  };
  expect((await app.fetch(new Request(embed.embed_url))).status).toBe(200);
  title = 'Larder';
  const changed = await refresh();
  await receiver.take(2);
  status = 410;
  const gone = await refresh();
  await receiver.take(4);
  status = 200;
  await refresh();
  const messages = (await receiver.take(6)).filter(({ body }) => body.data.embed.id === embed.id);
  expect(messages.map(({ body }) => [body.type, body.data.page.title, body.data.page.state])).toEqual([
    ['page.changed', 'Larder', 'shown'],
    ['page.state_changed', null, 'gone'],
    ['page.state_changed', 'Larder', 'shown'],
  ]);
  expect(messages[0]?.body.data).toEqual({ embed, page: changed });
  expect(messages[1]?.body.data).toEqual({ embed, page: gone });
});

test('sends once that a page is unreachable, when its copy is too old to be shown, and once that it is back', async () => {
  const { as, app, database } = await openApp(LOCAL);
  const ada = await as('ada');
  const site = await openSite((_request, response) => {
    response.setHeader('content-type', 'text/html').end(articlePage('Pantry'));
  });
  const { embed_url, page_url: pageUrl } = await ada.create({ page_url: `${site.origin}/pantry` });
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, receiver.origin, ['page.changed', 'page.state_changed']);
  expect((await app.fetch(new Request(embed_url))).status).toBe(200);
  const { version } = (await database.pages.find(pageUrl)) as StoredPage;
  const startMs = Date.now() - 30 * 3_600_000;
  let now = new Date(startMs);
  const onError = (error: unknown) => expect.unreachable(String(error));
  const pages = withPageEvents(database.pages, { ...database, now: () => now, onError });
  const failure = { state: 'UNREACHABLE', reason: 'timeout' } as const;
  const sent: [hours: number, deliveries: number][] = [];
  for (const hours of [0, 22, 23, 24.5, 26, 27, 28]) {
    now = new Date(startMs + hours * 3_600_000);
    const attempt = { triedAt: now, freshUntil: now };
    const page = { pageUrl, ...attempt, failure: null, version: version && { ...version, fetchedAt: now } };
    if (hours === 0 || hours > 26) await pages.save(page);
    else await pages.recordFailure(pageUrl, { ...attempt, failure });
    sent.push([hours, (await listDeliveries(ada, id)).length]);
  }
  expect(sent.map(String)).toEqual(['0,0', '22,0', '23,0', '24.5,1', '26,1', '27,2', '28,2']);
  const messages = await receiver.take(2);
  expect(messages.map(({ body }) => [body.type, body.data.page.state])).toEqual([
    ['page.state_changed', 'unreachable'],
    ['page.state_changed', 'shown'],
  ]);
});

test('loses no event of a page whose gateways are killed while a browser renders it, and repeats them with their ids', async () => {
  const { as, app, database } = await openApp(LOCAL);
  const ada = await as('ada');
  const site = await openSite((_request, response) => {
    response.setHeader('content-type', 'text/html').end(articlePage('Pantry'));
  });
  const { embed_url, page_url: pageUrl } = await ada.create({ page_url: `${site.origin}/pantry` });
  const { page_url: newUrl } = await ada.create({ page_url: site.origin + new URL(MEAL_PLANNER).pathname });
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, receiver.origin, ['page.changed', 'page.state_changed']);
  expect((await app.fetch(new Request(embed_url))).status).toBe(200);
  const version = (await database.pages.find(pageUrl))?.version as PageVersion;
  let now = new Date();
  const onError = (error: unknown) => expect.unreachable(String(error));
  const open = (pages: PageStore) => withPageEvents(pages, { ...database, now: () => now, onError });
  const save = async () => Promise.reject(new Refusal('unavailable', 'killed'));
  const [pages, killed] = [open(database.pages), open({ ...database.pages, save })];
  const shown = (title: string, url = pageUrl): StoredPage => ({
    ...{ pageUrl: url, triedAt: now, freshUntil: now, failure: null },
    version: { ...version, fetchedAt: now, article: { ...version.article, title } },
  });
  /** Stores what is shown while a browser renders the page. */
  const render = async (url = pageUrl) =>
    pages.save(pageDuringRendering(shown('App', url), await pages.find(url), now));
  const sent: string[] = [];
  /** Expects the types of further events. The copy is too old to be shown afterwards. */
  async function expectSent(...types: string[]): Promise<void> {
    sent.unshift(...types);
    const deliveries = (await listDeliveries(ada, id)) as readonly { type: string }[];
    expect(deliveries.map(({ type }) => type)).toEqual(sent);
    now = new Date(now.getTime() + 25 * 3_600_000);
  }

  await render();
  await pages.save(shown('Larder'));
  await expectSent('page.changed');
  await render();
  await render();
  await pages.save(shown('Cellar'));
  await expectSent('page.changed');
  await pages.save({ ...shown(''), version: null, failure: { state: 'GONE', reason: null } });
  await expectSent('page.state_changed');
  await render();
  await expectSent();
  await render();
  await expect(killed.save(shown('Cellar'))).rejects.toThrow('killed');
  await expectSent('page.state_changed');
  await render();
  await pages.save(shown('Cellar'));
  await expectSent();
  for (let i = 0; i < 2; i++) await render(newUrl);
  await pages.save(shown('New', newUrl));
  await expectSent();
});

test('sends the events of a page in their order when the clock is moved back between them', async () => {
  const { as, database } = await openApp(LOCAL);
  const ada = await as('ada');
  const { page_url: pageUrl } = await ada.create();
  const receiver = await openReceiver();
  await addWebhook(ada, receiver.origin, ['page.state_changed']);
  let now = new Date();
  const onError = (error: unknown) => expect.unreachable(String(error));
  const pages = withPageEvents(database.pages, { ...database, now: () => now, onError });
  for (const state of ['GONE', 'FORBIDDEN', 'UNREACHABLE'] as const) {
    await pages.recordFailure(pageUrl, { triedAt: now, freshUntil: now, failure: { state, reason: null } });
    now = new Date(now.getTime() - 5 * 60_000);
  }
  const states = (await receiver.take(3)).map(({ body }) => body.data.page.state);
  expect(states).toEqual(['gone', 'forbidden', 'unreachable']);
});

test('sends that a page has moved for good to the URL to which it redirected, but not at its first fetch', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  let status = 302;
  const site = await openSite(({ url }, response) => {
    if (url === '/new') response.setHeader('content-type', 'text/html').end(articlePage('Pantry'));
    else response.writeHead(url === '/moved' ? 301 : status, { location: '/new' }).end();
  });
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, receiver.origin, ['page.changed', 'page.state_changed']);
  const refresh = async (path: string) => {
    const embed = await ada.create({ page_url: site.origin + path });
    return (await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`)).body.page;
  };
  expect(await refresh('/moved')).toMatchObject({ state: 'shown', moved_to: `${site.origin}/new` });
  expect(await refresh('/old')).toMatchObject({ state: 'shown', moved_to: null });
  expect(await listDeliveries(ada, id)).toEqual([]);
  status = 301;
  const page = await refresh('/old');
  expect(page.moved_to).toBe(`${site.origin}/new`);
  const messages = await receiver.take(2);
  expect(messages.map(({ body }) => [body.type, body.data.page])).toEqual(Array(2).fill(['page.changed', page]));
});

test('repeats a failed delivery with the same id, and sends later events of the embed after it', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ ...LOCAL, databaseUrl });
  const ada = await as('ada');
  const receiver = await openReceiver((_message, count) => (count === 1 ? 500 : 200));
  const { id: webhookId, secret } = await addWebhook(ada, receiver.origin);
  const { id } = await ada.create();
  await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
  await receiver.take(1);
  await vi.waitFor(async () => expect((await listDeliveries(ada, webhookId))[1].status).toBe(500), 60_000);

  const [later, failed] = await listDeliveries(ada, webhookId);
  expect(failed).toMatchObject({ type: 'embed.created', state: 'waiting', attempts: 1, response: 'received' });
  expect(later).toMatchObject({ type: 'embed.updated', state: 'waiting', attempts: 0, status: null });
  const delayMs = Date.parse(failed.due_at) - Date.parse(failed.attempted_at);
  expect(delayMs).toBeGreaterThan(4_900);
  expect(delayMs).toBeLessThan(7_500);
  const { body } = await ada.rest('GET', '/v1/webhooks');
  expect(body.webhooks[0].failing_since).toMatch(/Z$/);

  const messages = await receiver.take(3);
  expect(typesOf(messages)).toEqual(['embed.created', 'embed.created', 'embed.updated']);
  expect(messages.map((message) => message.id)).toEqual([failed.id, failed.id, later.id]);
  expect(messages[1]?.text).toBe(messages[0]?.text);
  for (const message of messages) verify(message, secret);
  await vi.waitFor(async () => {
    const { body } = await ada.rest('GET', '/v1/webhooks');
    expect(body.webhooks[0].failing_since).toBeNull();
  }, 60_000);
});

test('waits with all events of a webhook for as long as its receiver asks', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver((_message, count) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '8' } } : 204,
  );
  const { id: webhookId } = await addWebhook(ada, receiver.origin);
  await ada.create();
  await vi.waitFor(async () => expect((await listDeliveries(ada, webhookId))[0].status).toBe(429), 60_000);
  const [failed] = await listDeliveries(ada, webhookId);
  expect(Date.parse(failed.due_at) - Date.parse(failed.attempted_at)).toBeGreaterThanOrEqual(8_000);

  await ada.create();
  const [first, ...later] = (await receiver.take(3)).map(({ headers }) => Number(headers['webhook-timestamp']));
  // whole seconds
  expect(Math.min(...later) - Number(first)).toBeGreaterThanOrEqual(7);
});

test('a pause that a receiver asked for ends when the URL of the webhook changes', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const busy = await openReceiver(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, busy.origin);
  await ada.create();
  await vi.waitFor(async () => expect((await listDeliveries(ada, id))[0].status).toBe(503), 60_000);
  await ada.rest('PATCH', `/v1/webhooks/${id}`, { url: receiver.origin });
  await ada.create();
  expect((await receiver.take(2)).map(({ body }) => body.type)).toEqual(['embed.created', 'embed.created']);
});

test('a pause that a receiver asked for does not come back after a success', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver((_message, count) => {
    if (count === 1) return { status: 503, headers: { 'retry-after': '3600' } };
    return count === 3 ? 503 : 204;
  });
  const { id } = await addWebhook(ada, receiver.origin);
  await ada.create();
  await vi.waitFor(async () => expect((await listDeliveries(ada, id))[0].status).toBe(503), 60_000);
  const [failed] = await listDeliveries(ada, id);
  await ada.rest('POST', `/v1/deliveries/${failed.id}/redeliver`);
  await ada.create();
  // the second event fails, and is repeated
  const messages = await receiver.take(4);
  expect(messages[3]?.id).toBe(messages[2]?.id);
});

test('disables no webhook that has worked at another gateway while a delivery failed', async () => {
  const { as, database } = await openApp(LOCAL);
  const ada = await as('ada');
  const mark = async (since: Date | null) => {
    const webhook = await database.webhooks.find('ada', id);
    if (webhook) await database.outbox.markFailing(webhook, since);
  };
  const receiver = await openReceiver(async (_message, count) => {
    if (count === 1) await mark(null);
    return 500;
  });
  const { id } = await addWebhook(ada, receiver.origin);
  await mark(new Date(Date.now() - 4 * 24 * 3_600_000));
  await ada.create();
  await receiver.take(2);
  expect((await ada.rest('GET', `/v1/webhooks/${id}`)).body.webhook).toMatchObject({ disabled_at: null });
});

test('two gateways on one database send each event once', async () => {
  const databaseUrl = await newDatabase();
  const [first, second] = [await openApp({ ...LOCAL, databaseUrl }), await openApp({ ...LOCAL, databaseUrl })];
  const ada = await first.as('ada');
  const receiver = await openReceiver(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 200;
  });
  const { id } = await addWebhook(ada, receiver.origin);
  await Promise.all(Array.from({ length: 40 }, () => ada.create()));
  await vi.waitFor(async () => {
    const deliveries = await listDeliveries(ada, id);
    expect(deliveries.filter(({ state }: { state: string }) => state === 'delivered')).toHaveLength(40);
  }, 60_000);
  expect(receiver.messages).toHaveLength(40);
  expect(second.logged).toEqual([]);
});

test('continues after a gateway that was killed while it sent, with the same id', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ ...LOCAL, databaseUrl });
  const ada = await as('ada');
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, receiver.origin);
  await ada.create();
  const [message] = await receiver.take(1);
  await vi.waitFor(async () => expect((await listDeliveries(ada, id))[0].state).toBe('delivered'), 60_000);
  // what a gateway leaves that is killed between the response and its record
  const raw = await openRaw(databaseUrl);
  await raw.query('UPDATE "WebhookDelivery" SET "deliveredAt" = NULL, "dueAt" = "attemptedAt"');
  await receiver.take(2);
  expect(receiver.messages.map((each) => each.id)).toEqual([message?.id, message?.id]);
});

test('keeps the last 100 deliveries', async () => {
  const { as } = await openApp(LOCAL);
  const ada = await as('ada');
  const receiver = await openReceiver();
  const { id } = await addWebhook(ada, receiver.origin);
  await Promise.all(Array.from({ length: 120 }, () => ada.create()));
  await receiver.take(120);
  await vi.waitFor(async () => {
    const { body } = await ada.rest('GET', `/v1/webhooks/${id}/deliveries`);
    expect(body.total_count).toBe(100);
  }, 60_000);
});
