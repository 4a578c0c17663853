import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import type { PageStore } from '../../src/store/pages.ts';
import { withPageEvents } from '../../src/webhooks/page-events.ts';
import { type Client, newDatabase, openApp, openRaw } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { openReceiver } from './receiver.ts';

const LOCAL = { allowPrivatePages: true };

async function addWebhook(client: Client, url: string, events = ['embed.created']) {
  const { status, body } = await client.rest('POST', '/v1/webhooks', { url, events });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.webhook.id as string;
}

const listDeliveries = async (client: Client, id: string) =>
  (await client.rest('GET', `/v1/webhooks/${id}/deliveries?first=100`)).body.deliveries;

/** A receiver that responds when the test ends it. */
async function openHangingReceiver() {
  const { promise, resolve } = Promise.withResolvers<number>();
  return { ...(await openReceiver(() => promise)), end: () => resolve(204) };
}

test('a receiver that does not respond delays no other account', async () => {
  const { as } = await openApp(LOCAL);
  const [ada, bob] = [await as('ada'), await as('bob')];
  const hanging = await openHangingReceiver();
  const receiver = await openReceiver();
  await addWebhook(bob, receiver.origin);
  for (let i = 0; i < 3; i++) await addWebhook(ada, `${hanging.origin}/${i}`);
  await Promise.all(Array.from({ length: 70 }, () => ada.create()));
  await hanging.take(16);
  await bob.create();
  await vi.waitFor(() => expect(receiver.messages).toHaveLength(1), 60_000);
  expect(hanging.messages).toHaveLength(16);
  hanging.end();
  await hanging.take(210);
});

test('rejects more than four requested deliveries of an account at the same time, and adds none for them', async () => {
  const { as } = await openApp(LOCAL);
  const [ada, bob] = [await as('ada'), await as('bob')];
  const hanging = await openHangingReceiver();
  const receiver = await openReceiver();
  const id = await addWebhook(ada, hanging.origin);
  const other = await addWebhook(bob, receiver.origin);
  const sent = Array.from({ length: 4 }, () => ada.rest('POST', `/v1/webhooks/${id}/test`));
  await hanging.take(4);
  const response = await ada.fetch(`/v1/webhooks/${id}/test`, { method: 'POST' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
  expect((await bob.rest('POST', `/v1/webhooks/${other}/test`)).status).toBe(200);
  expect(await listDeliveries(ada, id)).toHaveLength(4);
  hanging.end();
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('other work runs while many deliveries are added', async () => {
  const { as, database } = await openApp(LOCAL);
  const ada = await as('ada');
  const webhookId = await addWebhook(ada, 'https://example.com/');
  const row = { accountId: 'ada', webhookId, type: 'page.changed', sequence: 2, data: '{}', dueAt: null };
  const rows = Array.from({ length: 1_200 }, (_, i) => ({ ...row, subjectId: `${i}`, createdAt: new Date() }));
  let [turns, isAdded] = [0, false];
  const added = database.outbox.add(rows).then((ids) => {
    isAdded = true;
    return ids;
  });
  while (!isAdded) {
    await nextTurn();
    turns++;
  }
  expect(new Set(await added).size).toBe(1_200);
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('sends the events of a page for the embeds of its parts', async () => {
  const { as, app } = await openApp(LOCAL);
  const ada = await as('ada');
  let title = 'Pantry';
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage(title));
  });
  const embed = await ada.create({ page_url: `${site.origin}/pantry#shelf` });
  const receiver = await openReceiver();
  await addWebhook(ada, receiver.origin, ['page.changed']);
  expect((await app.fetch(new Request(embed.embed_url))).status).toBe(200);
  title = 'Larder';
  await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`);
  const [message] = await receiver.take(1);
  expect([message?.body.type, message?.body.data.embed]).toEqual(['page.changed', embed]);
});

test('stores no copy of a page whose events the database did not take', async () => {
  const { database, as } = await openApp(LOCAL);
  const ada = await as('ada');
  const { page_url: pageUrl } = await ada.create();
  await addWebhook(ada, 'https://example.com/', ['page.state_changed']);
  const unavailable = new Refusal('unavailable', 'The database is unavailable.');
  const outbox = { ...database.outbox, add: () => Promise.reject(unavailable) };
  const pages = withPageEvents(database.pages, { ...database, outbox, onError: () => {} });
  const at = new Date();
  const attempt = { triedAt: at, freshUntil: at, failure: { state: 'GONE', reason: 'http-410' } as const };
  await expect(pages.recordFailure(pageUrl as string, attempt)).rejects.toBe(unavailable);
  expect(await database.pages.find(pageUrl as string)).toBeNull();
});

test('repeats an event of a page with its id, if a gateway was killed before it stored the copy', async () => {
  const { database, as } = await openApp(LOCAL);
  const ada = await as('ada');
  const { id: embedId, page_url: pageUrl } = await ada.create();
  const receiver = await openReceiver();
  const id = await addWebhook(ada, receiver.origin, ['page.state_changed']);
  const killed = { ...database.pages, recordFailure: () => Promise.reject(new Error('killed')) };
  const at = new Date();
  const attempt = { triedAt: at, freshUntil: at, failure: { state: 'GONE', reason: 'http-410' } as const };
  const record = (pages: PageStore) =>
    withPageEvents(pages, { ...database, onError: () => {} }).recordFailure(pageUrl as string, attempt);
  await expect(record(killed)).rejects.toThrow('killed');
  await expect(record(killed)).rejects.toThrow('killed');
  expect(await listDeliveries(ada, id)).toHaveLength(1);
  await receiver.take(1);
  await vi.waitFor(async () => expect((await listDeliveries(ada, id))[0].state).toBe('delivered'), 60_000);
  await record(database.pages);
  const [first, repeated] = await receiver.take(2);
  expect([repeated?.id, repeated?.text]).toEqual([first?.id, first?.text]);
  expect(first?.body.data).toMatchObject({ embed: { id: embedId }, page: { state: 'gone' } });

  const forbidden = { ...attempt, failure: { state: 'FORBIDDEN', reason: 'http-403' } as const };
  await withPageEvents(database.pages, { ...database, onError: () => {} }).recordFailure(pageUrl as string, forbidden);
  const [, , other] = await receiver.take(3);
  expect(other?.id).not.toBe(first?.id);
});

test('a delivery whose message cannot be made fails, and is not repeated', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ ...LOCAL, databaseUrl });
  const ada = await as('ada');
  const receiver = await openReceiver(() => 500);
  const id = await addWebhook(ada, receiver.origin);
  await ada.create();
  await vi.waitFor(async () => expect((await listDeliveries(ada, id))[0].status).toBe(500), 60_000);
  const raw = await openRaw(databaseUrl);
  await raw.query('UPDATE "WebhookDelivery" SET "data" = \'?\', "dueAt" = "attemptedAt"');
  await vi.waitFor(async () => {
    const [delivery] = await listDeliveries(ada, id);
    expect(delivery).toMatchObject({ state: 'failed', status: null, response: 'The message could not be made.' });
  }, 60_000);
  expect(receiver.messages).toHaveLength(1);
});
