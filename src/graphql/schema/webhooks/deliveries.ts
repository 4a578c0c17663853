import { parseId } from '../../../domain/input/input-reader.ts';
import { type Delivery, deliveryNotFound, TEST_EVENT_TYPE, webhookNotFound } from '../../../domain/webhook.ts';
import { builder, mutationOf } from '../builder.ts';
import type { ObjectFieldBuilder } from '../fields.ts';
import { idField } from './mutations.ts';
import { DeliveryType } from './webhook.ts';

const RULES = { scopes: ['admin'], parse: parseId } as const;
const payload = {
  description: 'The delivery after the attempt.',
  outputFields: (t: ObjectFieldBuilder<Delivery>) => ({
    delivery: t.field({ type: DeliveryType, description: 'The delivery.', resolve: (delivery) => delivery }),
  }),
};

builder.relayMutationField(
  'testWebhook',
  { description: 'The webhook to test.', inputFields: (t) => idField(t) },
  {
    description:
      'Sends an event of the type `webhook.test` once, and waits up to 10 s for the response. Needs the scope `admin`.',
    ...mutationOf(RULES, async (webhookId, context) => {
      const { accountId } = context.identity;
      const webhook = await context.webhooks.find(accountId, webhookId);
      if (!webhook) throw webhookNotFound();
      const event = { accountId, webhookId, type: TEST_EVENT_TYPE, createdAt: context.now(), dueAt: null };
      return context.sendDelivery(webhook, { ...event, subjectId: webhookId, sequence: 0, data: '{}' });
    }),
  },
  payload,
);

builder.relayMutationField(
  'redeliver',
  { description: 'The delivery to repeat.', inputFields: (t) => idField(t, 'delivery') },
  {
    description:
      'Sends an event again with the same `webhook-id`, and waits up to 10 s for the response. If it fails within three days of the event, attempts follow, unless the event has arrived before. Needs the scope `admin`.',
    ...mutationOf(RULES, async (id, context) => {
      const delivery = await context.outbox.find({ accountId: context.identity.accountId, id });
      if (!delivery) throw deliveryNotFound();
      return context.sendDelivery(delivery.webhook, delivery);
    }),
  },
  payload,
);
