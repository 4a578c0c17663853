import { DELIVERY_DESCRIPTIONS, WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { refuseIdempotencyKey } from '../../../domain/identity/token-input.ts';
import { parseId } from '../../../domain/input/input-reader.ts';
import {
  auditFactsOf,
  createWebhook,
  DELIVERY_LIST_PARAMETERS,
  DELIVERY_STATES,
  type Delivery,
  deliveryNotFound,
  deliveryStateOf,
  ENABLED_DESCRIPTION,
  MAX_WEBHOOKS,
  parseNewWebhook,
  parseWebhookUpdate,
  TEST_EVENT_TYPE,
  WEBHOOK_EVENTS,
  WEBHOOK_FIELDS,
  WEBHOOK_LIST_PARAMETERS,
  type Webhook,
  webhookNotFound,
} from '../../../domain/webhook.ts';
import type { WebhookAuditEvent } from '../../../store/audit/audit.ts';
import { type Context, recordChange } from '../../execution/context.ts';
import { builder, mutationOf } from '../builder.ts';
import { addAdminList, countedListOf } from '../cursor-lists.ts';
import { defineEnum, type InputFieldBuilder, type ObjectFieldBuilder, payloadOf, shownFields } from '../fields.ts';

const WebhookEventType = defineEnum('WebhookEvent', 'An event that webhooks can receive.', WEBHOOK_EVENTS);
const DeliveryStateType = defineEnum('DeliveryState', 'Whether an event has arrived.', DELIVERY_STATES);

const DeliveryType = builder.objectRef<Delivery>('Delivery').implement({
  description: DELIVERY_DESCRIPTIONS.object,
  fields: (t) => ({
    ...shownFields(t, DELIVERY_DESCRIPTIONS, { id: 'ID', type: 'String' }),
    state: t.field({
      type: DeliveryStateType,
      description: 'Whether the event has arrived.',
      resolve: deliveryStateOf,
    }),
    ...shownFields(t, DELIVERY_DESCRIPTIONS, {
      createdAt: 'DateTime',
      dueAt: 'DateTime?',
      attempts: 'Int',
      attemptedAt: 'DateTime?',
      deliveredAt: 'DateTime?',
      status: 'Int?',
      response: 'String?',
    }),
  }),
});

const DELIVERIES = countedListOf({
  type: DeliveryType,
  noun: 'a delivery',
  totalDescription: DELIVERY_DESCRIPTIONS.totalCount,
  parameters: DELIVERY_LIST_PARAMETERS,
});

const WebhookType = builder.objectRef<Webhook>('Webhook').implement({
  description: WEBHOOK_DESCRIPTIONS.object,
  interfaces: [builder.nodeInterfaceRef()],
  isTypeOf: (node) => 'events' in (node as object),
  fields: (t) => ({
    id: t.exposeID('id', { description: WEBHOOK_DESCRIPTIONS.id }),
    url: t.expose('url', { type: 'URL', description: WEBHOOK_FIELDS.url.description }),
    events: t.field({
      type: [WebhookEventType],
      description: 'The events that it receives.',
      resolve: ({ events }) => [...events],
    }),
    ...shownFields(t, WEBHOOK_DESCRIPTIONS, {
      createdAt: 'DateTime',
      disabledAt: 'DateTime?',
      disabledReason: 'String?',
      failingSince: 'DateTime?',
    }),
    deliveries: t.field({
      type: DELIVERIES.connection,
      description: 'The deliveries, newest first: those that wait, and about the last 100 others.',
      args: DELIVERIES.args(t.arg),
      extensions: { rule: DELIVERIES.rule, scopes: ['admin'] },
      resolve: async ({ accountId, id }, args, context, info) => {
        const { webhooks } = context;
        const page = await webhooks.findDeliveries(accountId, id, DELIVERIES.readPaging(args, context, info));
        return DELIVERIES.pageOf(page, () => webhooks.countDeliveries(accountId, id));
      },
    }),
  }),
});

addAdminList('webhooks', {
  type: WebhookType,
  noun: 'a webhook',
  description: 'The webhooks of the account, newest first.',
  totalDescription: WEBHOOK_DESCRIPTIONS.totalCount,
  parameters: WEBHOOK_LIST_PARAMETERS,
  count: ({ webhooks }, accountId) => webhooks.count(accountId),
  findPage: ({ webhooks }, accountId, paging) => webhooks.findPage(accountId, paging),
});

const idField = (t: InputFieldBuilder, noun = 'webhook') => ({
  id: t.id({ required: true, description: `The id of the ${noun}.` }),
});

function settingFields(t: InputFieldBuilder, required: boolean) {
  return {
    url: t.field({ type: 'URL', required, description: WEBHOOK_FIELDS.url.description }),
    events: t.field({ type: [WebhookEventType], required, description: WEBHOOK_FIELDS.events.description }),
  };
}

const SCOPES = ['admin'] as const;

function recordWebhook(event: WebhookAuditEvent, webhook: Webhook, context: Context, before?: Webhook | null): Webhook {
  recordChange(context, { event, ...auditFactsOf(webhook, before) });
  return webhook;
}

const withSecret = (description: string) => ({
  description,
  outputFields: (t: ObjectFieldBuilder<Webhook>) => ({
    webhook: t.field({ type: WebhookType, description: 'The webhook.', resolve: (webhook) => webhook }),
    secret: t.exposeString('secret', { description: WEBHOOK_DESCRIPTIONS.secret }),
  }),
});

function check(_facts: unknown, { idempotencyKey }: Context): void {
  refuseIdempotencyKey(idempotencyKey, 'webhooks');
}

builder.relayMutationField(
  'createWebhook',
  { description: 'The URL and the events of a new webhook.', inputFields: (t) => settingFields(t, true) },
  {
    description: `Creates a webhook of the account, which can have ${MAX_WEBHOOKS}. Needs the scope \`admin\`. An \`Idempotency-Key\` is rejected.`,
    ...mutationOf({ scopes: SCOPES, parse: parseNewWebhook, check }, async (facts, context) => {
      const webhook = createWebhook({ accountId: context.identity.accountId, ...facts });
      await context.webhooks.insert(webhook);
      return recordWebhook('webhook.created', webhook, context);
    }),
  },
  withSecret('The new webhook and its secret.'),
);

builder.relayMutationField(
  'updateWebhook',
  {
    description: 'The changes of a webhook. What is omitted stays as it is.',
    inputFields: (t) => ({
      ...idField(t),
      ...settingFields(t, false),
      enabled: t.boolean({ description: ENABLED_DESCRIPTION }),
    }),
  },
  {
    description: 'Changes a webhook. Needs the scope `admin`.',
    ...mutationOf({ scopes: SCOPES, parse: parseWebhookUpdate }, async ({ id, ...values }, context) => {
      const { webhook, before } = await context.webhooks.update(context.identity.accountId, id, values);
      return recordWebhook('webhook.updated', webhook, context, before);
    }),
  },
  payloadOf('webhook', WebhookType, 'The changed webhook.'),
);

builder.relayMutationField(
  'deleteWebhook',
  { description: 'The webhook to delete.', inputFields: (t) => idField(t) },
  {
    description: 'Deletes a webhook and its deliveries. Needs the scope `admin`.',
    ...mutationOf({ scopes: SCOPES, parse: parseId }, async (id, context) => {
      const webhook = await context.webhooks.delete(context.identity.accountId, id);
      return recordWebhook('webhook.deleted', webhook, context);
    }),
  },
  {
    description: 'The id of the deleted webhook.',
    outputFields: (t) => ({
      deletedWebhookId: t.exposeID('id', { description: 'The id of the deleted webhook.' }),
      message: t.string({
        description: 'A sentence that confirms the deletion.',
        resolve: ({ id }) => `The webhook ${id} was deleted successfully.`,
      }),
    }),
  },
);

builder.relayMutationField(
  'rotateWebhookSecret',
  { description: 'The webhook that gets a new secret.', inputFields: (t) => idField(t) },
  {
    description: 'Gives a webhook a new secret. For 24 hours, the one before signs too. Needs the scope `admin`.',
    ...mutationOf({ scopes: SCOPES, parse: parseId }, async (id, context) => {
      const webhook = await context.webhooks.rotateSecret(context.identity.accountId, id);
      return recordWebhook('webhook.secret_rotated', webhook, context);
    }),
  },
  withSecret('The webhook and its new secret.'),
);

const DELIVERY_PAYLOAD = payloadOf('delivery', DeliveryType, 'The delivery after the attempt.', 'The delivery.');

builder.relayMutationField(
  'testWebhook',
  { description: 'The webhook to test.', inputFields: (t) => idField(t) },
  {
    description:
      'Sends an event of the type `webhook.test` once, and waits up to 10 s for the response. Needs the scope `admin`.',
    ...mutationOf({ scopes: SCOPES, parse: parseId }, async (webhookId, context) => {
      const { accountId } = context.identity;
      const webhook = await context.webhooks.find(accountId, webhookId);
      if (!webhook) throw webhookNotFound();
      const event = { accountId, webhookId, type: TEST_EVENT_TYPE, createdAt: context.now(), dueAt: null };
      return context.sendDelivery(webhook, { ...event, subjectId: webhookId, sequence: 0, data: '{}' });
    }),
  },
  DELIVERY_PAYLOAD,
);

builder.relayMutationField(
  'redeliver',
  { description: 'The delivery to repeat.', inputFields: (t) => idField(t, 'delivery') },
  {
    description:
      'Sends an event again with the same `webhook-id`, and waits up to 10 s for the response. If it fails within three days of the event, attempts follow, unless the event has arrived before. Needs the scope `admin`.',
    ...mutationOf({ scopes: SCOPES, parse: parseId }, async (id, context) => {
      const delivery = await context.outbox.find({ accountId: context.identity.accountId, id });
      if (!delivery) throw deliveryNotFound();
      return context.sendDelivery(delivery.webhook, delivery);
    }),
  },
  DELIVERY_PAYLOAD,
);
