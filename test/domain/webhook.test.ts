import { expect, test } from 'vitest';
import { parseCursorPaging } from '../../src/domain/identity/cursor-paging.ts';
import {
  auditFactsOf,
  createDeliveryId,
  createSecret,
  createWebhook,
  DELIVERY_ID,
  DELIVERY_LIST_PARAMETERS,
  type Delivery,
  deliveryNotFound,
  deliveryStateOf,
  eventTypeOf,
  isWebhookId,
  markOf,
  parseNewWebhook,
  parseWebhookUpdate,
  parseWebhookValues,
  tooManyWebhooks,
  WEBHOOK_LIST_PARAMETERS,
  WEBHOOK_UPDATE_PARAMETERS,
  webhookNotFound,
} from '../../src/domain/webhook.ts';
import { faultsOf } from './faults.ts';

const POLICY = { allowPrivatePages: false };
const WEBHOOK_ID = 'wh_01arz3ndektsv4rrffq69g5fav';
const NOW = new Date('2026-01-31T12:00:00Z');
const URL_RULE = 'must be on a public host, not a local, private or reserved one';

test('a new webhook has a random secret of 256 bits and an id of its own, and is enabled', () => {
  const wish = { accountId: 'ada', url: 'https://example.com/', events: ['EMBED_CREATED'] } as const;
  const webhooks = Array.from({ length: 10 }, () => createWebhook(wish));
  expect(new Set(webhooks.flatMap(({ id, secret }) => [id, secret])).size).toBe(20);
  for (const { id, secret, createdAt, ...rest } of webhooks) {
    expect([isWebhookId(id), createdAt]).toEqual([true, expect.any(Date)]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const none = { disabledAt: null, disabledReason: null, previousSecret: null, previousSecretUntil: null };
    expect(rest).toEqual({ ...wish, ...none, failingSince: null });
  }
  expect(createSecret()).not.toBe(createSecret());
  expect([WEBHOOK_ID.slice(3), `x${WEBHOOK_ID}`, `${WEBHOOK_ID}0`, ''].some(isWebhookId)).toBe(false);
});

test('the id of a delivery begins with its time, so that ids are in order', () => {
  const id = createDeliveryId(NOW);
  expect(id).toMatch(DELIVERY_ID);
  expect(Number.parseInt(id.slice(0, 12), 16)).toBe(NOW.getTime());
  expect(createDeliveryId(NOW)).not.toBe(id);
  expect(createDeliveryId(NOW, markOf(id))).toBe(id);
});

test.each<[dueAt: Date | null, deliveredAt: Date | null, state: string]>([
  [NOW, null, 'WAITING'],
  [NOW, NOW, 'WAITING'],
  [null, NOW, 'DELIVERED'],
  [null, null, 'FAILED'],
])('a delivery that is due at %o and was delivered at %o is %s', (dueAt, deliveredAt, state) => {
  expect(deliveryStateOf({ dueAt, deliveredAt } as Delivery)).toBe(state);
});

test('types of events have a dot after the subject', () => {
  expect(['EMBED_CREATED', 'PAGE_STATE_CHANGED'].map(eventTypeOf)).toEqual(['embed.created', 'page.state_changed']);
});

test('a new webhook needs a public URL and at least one event, in the spelling of each API', () => {
  const valid = { url: 'https://bücher.example/ä', events: ['PAGE_STATE_CHANGED'] };
  expect(parseNewWebhook(valid, POLICY)).toEqual({ ...valid, url: 'https://xn--bcher-kva.example/%C3%A4' });
  const rest = { url: 'https://example.com/', events: ['page.state_changed', 'token.revoked'] };
  expect(parseWebhookValues({ values: rest }, POLICY, 'rest')).toEqual({
    ...rest,
    events: ['PAGE_STATE_CHANGED', 'TOKEN_REVOKED'],
  });
  const required = [
    { path: 'url', message: 'is required' },
    { path: 'events', message: 'is required' },
  ];
  expect(faultsOf(() => parseNewWebhook({}, POLICY))).toEqual(required);
  expect(faultsOf(() => parseWebhookValues({ values: {} }, POLICY, 'rest'))).toEqual(required);
  expect(faultsOf(() => parseNewWebhook({ ...valid, url: 'http://10.0.0.1/', events: [] }, POLICY))).toEqual([
    { path: 'url', message: URL_RULE },
    {
      path: 'events',
      message: expect.stringMatching(/^must be a list of one or more of EMBED_CREATED, .*, each once$/),
    },
  ]);
});

test('an update of a webhook changes what it names', () => {
  const id = WEBHOOK_ID;
  expect(parseWebhookUpdate({ id }, POLICY)).toStrictEqual({ id });
  expect(parseWebhookUpdate({ id: 7, enabled: false }, POLICY)).toEqual({ id: '7', enabled: false });
  const input = { id, url: 'https://bücher.example', events: ['TOKEN_CREATED'], enabled: true };
  expect(parseWebhookUpdate(input, POLICY)).toEqual({ ...input, url: 'https://xn--bcher-kva.example/' });
  expect(faultsOf(() => parseWebhookUpdate({ enabled: 'no', url: 'x' }, POLICY)).map(({ path }) => path)).toEqual([
    'id',
    'url',
    'enabled',
  ]);
  // in REST, the id is in the path
  const values = { enabled: true };
  expect(parseWebhookValues({ values }, POLICY, 'rest', WEBHOOK_UPDATE_PARAMETERS)).toEqual(values);
});

test.each([
  ['webhooks', WEBHOOK_LIST_PARAMETERS, WEBHOOK_ID, 'must be the id of a webhook'],
  ['deliveries', DELIVERY_LIST_PARAMETERS, createDeliveryId(NOW), 'must be the id of a delivery'],
] as const)('the list of %s is paged by its own ids', (_what, parameters, cursor, message) => {
  const parse = (args: object) => parseCursorPaging({ ...args }, parameters, POLICY);
  expect(parse({})).toEqual({ size: 10, after: undefined });
  expect(parse({ first: 3, after: cursor })).toEqual({ size: 3, after: cursor });
  for (const after of ['x', 7, [cursor], `${cursor}0`, `0${cursor}`]) {
    expect(faultsOf(() => parse({ after }))).toEqual([{ path: 'after', message }]);
  }
});

test('audit events name the host of a webhook, because its path can be a secret', () => {
  const webhook = createWebhook({ accountId: 'ada', url: 'https://example.com:8443/secret', events: [] });
  expect(auditFactsOf(webhook)).toEqual({ accountId: 'ada', webhookId: webhook.id, name: 'example.com:8443' });
});

test('the refusals of webhooks say what is missing', () => {
  expect(webhookNotFound()).toMatchObject({ code: 'not_found', message: 'There is no webhook with this id.' });
  expect(deliveryNotFound()).toMatchObject({ code: 'not_found', message: 'There is no delivery with this id.' });
  expect(tooManyWebhooks()).toMatchObject({
    code: 'conflict',
    message: 'The account has 20 webhooks, and cannot have more: delete one first.',
  });
});
