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
import { addAdminList, cursorListOf } from '../cursor-lists.ts';
import { defineEnum, shownFields } from '../fields.ts';
import { cursorConnectionOf } from '../page-info.ts';

const DELIVERIES = cursorListOf('deliveries', DELIVERY_LIST_PARAMETERS);

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

/** The parent of a connection of deliveries. */
interface DeliveriesOf {
  readonly webhookId: string;
}

const DeliveryConnectionType = builder.connectionObject(
  {
    type: DeliveryType,
    name: 'DeliveryConnection',
    description: 'A page of deliveries.',
    fields: (t) => ({
      totalCount: t.int({
        description: DELIVERY_DESCRIPTIONS.totalCount,
        resolve: (connection, _args, { webhooks, identity }) =>
          webhooks.countDeliveries(identity.accountId, (connection as unknown as DeliveriesOf).webhookId),
      }),
    }),
  },
  { name: 'DeliveryEdge', description: 'A delivery and its position in the list.' },
);

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
      type: DeliveryConnectionType,
      description: 'The deliveries, newest first: those that wait, and about the last 100 others.',
      args: DELIVERIES.args(t.arg),
      extensions: { rule: DELIVERIES.rule, scopes: ['admin'] },
      resolve: async ({ accountId, id: webhookId }, args, context, info) => {
        const paging = DELIVERIES.readPaging(args, context, info);
        const page = await context.webhooks.findDeliveries(accountId, webhookId, paging);
        return { webhookId, ...cursorConnectionOf(page) };
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
