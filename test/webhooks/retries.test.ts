import { expect, onTestFinished, test, vi } from 'vitest';
import { ATTEMPT_LEASE_MS, createWebhook, type WebhookValues } from '../../src/domain/webhook.ts';
import { openDatabase, openEngine } from '../../src/store/database.ts';
import { openWebhooks } from '../../src/store/webhooks/webhooks.ts';
import { nextAttemptOf } from '../../src/webhooks/attempt.ts';
import { SILENT_LOG } from '../databases/server.ts';
import { type Client, isOnPostgresql, newDatabase, openApp, openRaw } from '../open-app.ts';
import { openReceiver } from './receiver.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-01-31T12:00:00Z');

const ENABLED = { disabledAt: null };
const FAILED = { type: 'embed.created', attempts: 1, createdAt: NOW, webhook: ENABLED };

test.each([
  [1, 5 * SECOND_MS],
  [2, 15 * SECOND_MS],
  [3, 45 * SECOND_MS],
  [8, 5 * SECOND_MS * 3 ** 7],
  [9, 6 * HOUR_MS],
  [20, 6 * HOUR_MS],
])('after %d attempts, the next one follows in %d ms, or up to a fifth later', (attempts, delayMs) => {
  const delays = Array.from({ length: 500 }, () => {
    const next = nextAttemptOf({ ...FAILED, attempts }, NOW);
    return Number(next) - NOW.getTime();
  });
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(delayMs);
  expect(Math.max(...delays)).toBeLessThanOrEqual(1.2 * delayMs);
  // they are spread
  expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(0.1 * delayMs);
});

test.each([
  ['a delivery of almost three days', { createdAt: new Date(NOW.getTime() - 3 * DAY_MS + 1) }, true],
  ['a delivery of three days', { createdAt: new Date(NOW.getTime() - 3 * DAY_MS) }, false],
  ['a test', { type: 'webhook.test' }, false],
  ['a delivery of a disabled webhook', { webhook: { disabledAt: NOW } }, false],
])('after a failed attempt of %s, another one follows: %s', (_what, facts, isRetried) => {
  expect(nextAttemptOf({ ...FAILED, ...facts }, NOW) !== null).toBe(isRetried);
});

async function addWebhook(client: Client, url: string): Promise<string> {
  return (await client.rest('POST', '/v1/webhooks', { url, events: ['embed.created'] })).body.webhook.id;
}

test('a repetition that fails does not begin the three days after which a webhook is disabled', async () => {
  const { as } = await openApp({ allowPrivatePages: true });
  const ada = await as('ada');
  let status = 204;
  const receiver = await openReceiver(() => status);
  const id = await addWebhook(ada, receiver.origin);
  await ada.create();
  const find = async () => (await ada.rest('GET', `/v1/webhooks/${id}`)).body.webhook;
  const read = async () => (await ada.rest('GET', `/v1/webhooks/${id}/deliveries`)).body.deliveries[0];
  await vi.waitFor(async () => expect((await read()).state).toBe('delivered'), 60_000);
  status = 503;
  const { body } = await ada.rest('POST', `/v1/deliveries/${(await read()).id}/redeliver`);
  expect(body.delivery).toMatchObject({ state: 'delivered', status: 503 });
  // no attempt follows that could end it
  expect((await find()).failing_since).toBeNull();
});

test('a webhook with another URL has not failed yet', async () => {
  const { as } = await openApp({ allowPrivatePages: true });
  const ada = await as('ada');
  const receiver = await openReceiver(() => 503);
  const url = `${receiver.origin}/hook`;
  const id = await addWebhook(ada, url);
  await ada.create();
  const find = async () => (await ada.rest('GET', `/v1/webhooks/${id}`)).body.webhook;
  await vi.waitFor(async () => expect((await find()).failing_since).not.toBeNull(), 60_000);
  const { failing_since: since } = await find();
  const change = async (sent: object) => (await ada.rest('PATCH', `/v1/webhooks/${id}`, sent)).body.webhook;
  expect(await change({ url, events: ['embed.deleted'] })).toMatchObject({ url, failing_since: since });
  expect(await change({ url: `${receiver.origin}/other` })).toMatchObject({ failing_since: null });
});

test('a delivery whose webhook is deleted while it is read is not found', async () => {
  const databaseUrl = await newDatabase();
  const { as, database } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const webhookId = await addWebhook(ada, 'https://example.com/');
  const at = new Date();
  const event = { accountId: 'ada', webhookId, type: 'embed.created', createdAt: at, dueAt: null };
  const [id = ''] = await database.outbox.add([{ ...event, subjectId: 'x', sequence: 0, data: '{}' }]);
  // what the second statement of a read finds
  const raw = await openRaw(databaseUrl);
  await raw.query(isOnPostgresql ? 'ALTER TABLE "Webhook" DISABLE TRIGGER ALL' : 'PRAGMA foreign_keys = OFF');
  await raw.query('DELETE FROM "Webhook"');
  expect(await database.outbox.find({ accountId: 'ada', id })).toBeNull();
});

test('a delivery whose time was set before the clock was moved back is due', async () => {
  const { tokens, webhooks, outbox, close } = await openDatabase(await newDatabase());
  onTestFinished(close);
  const at = new Date();
  await tokens.ensureAccount('ada', at);
  const webhook = createWebhook({ accountId: 'ada', url: 'https://example.com/', events: ['EMBED_CREATED'] });
  await webhooks.insert(webhook);
  const event = { accountId: 'ada', webhookId: webhook.id, type: 'embed.created', sequence: 0, data: '{}' };
  const dueTimes = [7, 8, ...Array<number>(501).fill(24 * 365)].map(
    (hours) => new Date(at.getTime() + hours * HOUR_MS),
  );
  const ids = await outbox.add(dueTimes.map((dueAt) => ({ ...event, subjectId: 'x', createdAt: at, dueAt })));
  await outbox.makeLateDue(at);
  const { rows } = await webhooks.findDeliveries('ada', webhook.id, { size: 1_000, after: undefined });
  const dueAt = new Map(rows.map((row) => [row.id, row.dueAt]));
  expect(ids.map((id) => dueAt.get(id))).toEqual([dueTimes[0], ...dueTimes.slice(1).map(() => at)]);
});

test.each<[string, WebhookValues]>([
  ['another URL', { url: 'https://example.org/' }],
  ['no failure any more', { enabled: true }],
])('deliveries of a webhook that gets %s are due at once, except for the attempts that run', async (_what, values) => {
  const { tokens, webhooks, outbox, close } = await openDatabase(await newDatabase());
  onTestFinished(close);
  await tokens.ensureAccount('ada', new Date());
  const webhook = createWebhook({ accountId: 'ada', url: 'https://example.com/', events: ['EMBED_CREATED'] });
  await webhooks.insert(webhook);
  const { id: webhookId } = webhook;
  const event = { accountId: 'ada', webhookId, type: 'embed.created', subjectId: 'x', sequence: 0, data: '{}' };
  const now = new Date();
  const running = new Date(now.getTime() + ATTEMPT_LEASE_MS);
  const later = Array<Date>(501).fill(new Date(now.getTime() + HOUR_MS));
  await outbox.add([null, running, ...later].map((dueAt) => ({ ...event, createdAt: now, dueAt })));
  const findTimes = async () => {
    const { rows } = await webhooks.findDeliveries('ada', webhookId, { size: 1_000, after: undefined });
    return rows.map(({ dueAt }) => dueAt && (dueAt <= new Date() ? 'now' : dueAt.getTime())).toSorted();
  };
  await webhooks.update('ada', webhookId, { url: webhook.url });
  expect(await findTimes()).toEqual([running.getTime(), ...later.map(Number), null]);
  await webhooks.update('ada', webhookId, values);
  expect(await findTimes()).toEqual([running.getTime(), ...later.map(() => 'now'), null]);
});

test('a webhook with another URL gets all its deliveries at once, while a client repeats one of them', async () => {
  const databaseUrl = await newDatabase();
  const { tokens, webhooks, outbox, close } = await openDatabase(databaseUrl);
  onTestFinished(close);
  const now = new Date();
  await tokens.ensureAccount('ada', now);
  const webhook = createWebhook({ accountId: 'ada', url: 'https://example.com/', events: ['EMBED_CREATED'] });
  await webhooks.insert(webhook);
  const later = new Date(now.getTime() + HOUR_MS);
  const event = { accountId: 'ada', webhookId: webhook.id, type: 'embed.created', sequence: 0, data: '{}' };
  await outbox.add(Array.from({ length: 501 }, () => ({ ...event, subjectId: 'x', createdAt: now, dueAt: later })));
  const options = { durability: 'full', poolSize: 2, log: SILENT_LOG, auditLog: SILENT_LOG } as const;
  const engine = await openEngine(databaseUrl, options);
  onTestFinished(engine.close);
  let isRepeated = false;
  const client = engine.client.$extends({
    query: {
      webhookDelivery: {
        async updateMany({ args, query }) {
          const found = args.where?.id as { in: string[] };
          if (!isRepeated) await outbox.makeDue([{ accountId: 'ada', id: found.in[0] ?? '' }], now);
          isRepeated = true;
          return query(args);
        },
      },
    },
  });
  await openWebhooks({ ...engine, client: client as never }).update('ada', webhook.id, { url: 'https://example.org/' });
  const { rows } = await webhooks.findDeliveries('ada', webhook.id, { size: 1_000, after: undefined });
  expect(rows.filter(({ dueAt }) => dueAt && dueAt >= later)).toEqual([]);
});
