import { DELIVERY_DESCRIPTIONS, WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import {
  DELIVERY_LIST_PARAMETERS,
  DELIVERY_STATES,
  type Delivery,
  deliveryStateOf,
  WEBHOOK_EVENTS,
  WEBHOOK_FIELDS,
  type Webhook,
} from '../../../domain/webhook.ts';
import { builder } from '../builder.ts';
import { cursorListOf } from '../cursor-lists.ts';
import { defineEnum } from '../fields.ts';
import { cursorConnectionOf } from '../page-info.ts';

const DELIVERIES = cursorListOf('deliveries', DELIVERY_LIST_PARAMETERS);

export const WebhookEventType = defineEnum('WebhookEvent', 'An event that webhooks can receive.', WEBHOOK_EVENTS);
const DeliveryStateType = defineEnum('DeliveryState', 'Whether an event has arrived.', DELIVERY_STATES);

export const DeliveryType = builder.objectRef<Delivery>('Delivery').implement({
  description: DELIVERY_DESCRIPTIONS.object,
  fields: (t) => {
    const time = (name: 'dueAt' | 'attemptedAt' | 'deliveredAt') =>
      t.expose(name, { type: 'DateTime', nullable: true, description: DELIVERY_DESCRIPTIONS[name] });
    return {
      id: t.exposeID('id', { description: DELIVERY_DESCRIPTIONS.id }),
      type: t.exposeString('type', { description: DELIVERY_DESCRIPTIONS.type }),
      state: t.field({
        type: DeliveryStateType,
        description: 'Whether the event has arrived.',
        resolve: deliveryStateOf,
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: DELIVERY_DESCRIPTIONS.createdAt }),
      dueAt: time('dueAt'),
      attempts: t.exposeInt('attempts', { description: DELIVERY_DESCRIPTIONS.attempts }),
      attemptedAt: time('attemptedAt'),
      deliveredAt: time('deliveredAt'),
      status: t.exposeInt('status', { nullable: true, description: DELIVERY_DESCRIPTIONS.status }),
      response: t.exposeString('response', { nullable: true, description: DELIVERY_DESCRIPTIONS.response }),
    };
  },
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

export const WebhookType = builder.node(builder.objectRef<Webhook>('Webhook'), {
  name: 'Webhook',
  description: WEBHOOK_DESCRIPTIONS.object,
  id: { description: WEBHOOK_DESCRIPTIONS.id, resolve: ({ id }) => id },
  isTypeOf: (node) => 'events' in (node as object),
  fields: (t) => {
    const time = (name: 'disabledAt' | 'failingSince') =>
      t.expose(name, { type: 'DateTime', nullable: true, description: WEBHOOK_DESCRIPTIONS[name] });
    return {
      url: t.expose('url', { type: 'URL', description: WEBHOOK_FIELDS.url.description }),
      events: t.field({
        type: [WebhookEventType],
        description: 'The events that it receives.',
        resolve: ({ events }) => [...events],
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: WEBHOOK_DESCRIPTIONS.createdAt }),
      disabledAt: time('disabledAt'),
      disabledReason: t.exposeString('disabledReason', {
        nullable: true,
        description: WEBHOOK_DESCRIPTIONS.disabledReason,
      }),
      failingSince: time('failingSince'),
      deliveries: t.field({
        type: DeliveryConnectionType,
        description: 'The deliveries, newest first: those that wait, and about the last 100 others.',
        args: DELIVERIES.args(t.arg),
        extensions: { rule: DELIVERIES.rule, scope: 'admin' },
        resolve: async ({ accountId, id: webhookId }, args, context, info) => {
          const paging = DELIVERIES.readPaging(args, context, info);
          const { rows, isCut } = await context.webhooks.findDeliveries(accountId, webhookId, paging);
          return { webhookId, ...cursorConnectionOf(rows, { isCut, hasNewer: paging.after !== undefined }) };
        },
      }),
    };
  },
});
