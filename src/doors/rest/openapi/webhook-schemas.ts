import { DELIVERY_DESCRIPTIONS, WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { DELIVERY_ID, DELIVERY_STATES, WEBHOOK_FIELDS, WEBHOOK_ID } from '../../../domain/webhook.ts';
import { EVENTS_SCHEMA } from './parameter-schemas.ts';
import { count, instant, instantOrNull, listOf, requiredObject, type Schema, schemaRef, textOrNull } from './schema.ts';

const SECRET: Schema = {
  type: 'string',
  pattern: '^whsec_[A-Za-z0-9+/]+=*$',
  description: WEBHOOK_DESCRIPTIONS.secret,
};

/** The schemas of webhooks and their deliveries, by name. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, Schema>> = {
  Webhook: {
    ...requiredObject({
      id: { type: 'string', pattern: WEBHOOK_ID.source, description: WEBHOOK_DESCRIPTIONS.id },
      url: { type: 'string', format: 'uri', description: WEBHOOK_FIELDS.url.description },
      events: { ...EVENTS_SCHEMA, description: 'The events that it receives.' },
      created_at: instant(WEBHOOK_DESCRIPTIONS.createdAt),
      disabled_at: instantOrNull(WEBHOOK_DESCRIPTIONS.disabledAt),
      disabled_reason: textOrNull(WEBHOOK_DESCRIPTIONS.disabledReason),
      failing_since: instantOrNull(WEBHOOK_DESCRIPTIONS.failingSince),
    }),
    description: WEBHOOK_DESCRIPTIONS.object,
  },
  WebhookAnswer: requiredObject({ webhook: schemaRef('Webhook') }),
  NewWebhook: requiredObject({ webhook: schemaRef('Webhook'), secret: SECRET }),
  WebhookList: listOf('webhooks', {
    ...{ item: 'Webhook', noun: 'webhook', idPattern: WEBHOOK_ID },
    total: count(WEBHOOK_DESCRIPTIONS.totalCount),
  }),
  Delivery: {
    ...requiredObject({
      id: { type: 'string', pattern: DELIVERY_ID.source, description: DELIVERY_DESCRIPTIONS.id },
      type: { type: 'string', description: DELIVERY_DESCRIPTIONS.type },
      state: {
        type: 'string',
        enum: Object.keys(DELIVERY_STATES).map((state) => state.toLowerCase()),
        description: Object.entries(DELIVERY_STATES)
          .map(([state, description]) => `- \`${state.toLowerCase()}\`: ${description.replace('`dueAt`', '`due_at`')}`)
          .join('\n'),
      },
      created_at: instant(DELIVERY_DESCRIPTIONS.createdAt),
      due_at: instantOrNull(DELIVERY_DESCRIPTIONS.dueAt),
      attempts: count(DELIVERY_DESCRIPTIONS.attempts),
      attempted_at: instantOrNull(DELIVERY_DESCRIPTIONS.attemptedAt),
      delivered_at: instantOrNull(DELIVERY_DESCRIPTIONS.deliveredAt),
      status: { type: ['integer', 'null'], description: DELIVERY_DESCRIPTIONS.status },
      response: textOrNull(DELIVERY_DESCRIPTIONS.response),
    }),
    description: DELIVERY_DESCRIPTIONS.object,
  },
  DeliveryAnswer: requiredObject({ delivery: schemaRef('Delivery') }),
  DeliveryList: listOf('deliveries', {
    ...{ item: 'Delivery', noun: 'delivery', idPattern: DELIVERY_ID },
    total: count(DELIVERY_DESCRIPTIONS.totalCount),
  }),
};
