import { DELIVERY_DESCRIPTIONS, WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import {
  DELIVERY_LIST_PARAMETERS,
  DELIVERY_STATES,
  type Delivery,
  deliveryStateOf,
  WEBHOOK_EVENTS,
  WEBHOOK_FIELDS,
  WEBHOOK_LIST_PARAMETERS,
  type Webhook,
} from '../../../domain/webhook.ts';
import { builder } from '../builder.ts';
import { addAdminList, countedListOf } from '../cursor-lists.ts';
import { defineEnum, shownFields } from '../fields.ts';

export const WebhookEventType = defineEnum('WebhookEvent', 'An event that webhooks can receive.', WEBHOOK_EVENTS);
const DeliveryStateType = defineEnum('DeliveryState', 'Whether an event has arrived.', DELIVERY_STATES);

export const DeliveryType = builder.objectRef<Delivery>('Delivery').implement({
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

export const WebhookType = builder.objectRef<Webhook>('Webhook').implement({
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
