import { DELIVERY_DESCRIPTIONS, WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { DELIVERY_ID, DELIVERY_STATES, WEBHOOK_FIELDS, WEBHOOK_ID } from '../../../domain/webhook.ts';
import { describeObject, describeProperties } from './field-schemas.ts';
import { EVENTS_SCHEMA } from './parameter-schemas.ts';
import {
  COUNT,
  enumOf,
  INSTANT,
  INSTANT_OR_NULL,
  listOf,
  requiredObject,
  type Schema,
  schemaRef,
  TEXT,
  TEXT_OR_NULL,
} from './schema.ts';

const WEBHOOK: Readonly<Record<string, Schema>> = {
  id: { type: 'string', pattern: WEBHOOK_ID.source },
  url: { type: 'string', format: 'uri', description: WEBHOOK_FIELDS.url.description },
  events: { ...EVENTS_SCHEMA, description: 'The events that it receives.' },
  createdAt: INSTANT,
  disabledAt: INSTANT_OR_NULL,
  disabledReason: TEXT_OR_NULL,
  failingSince: INSTANT_OR_NULL,
};
const SECRET: Schema = { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]+=*$' };

const DELIVERY: Readonly<Record<string, Schema>> = {
  id: { type: 'string', pattern: DELIVERY_ID.source },
  type: TEXT,
  state: enumOf(DELIVERY_STATES),
  createdAt: INSTANT,
  dueAt: INSTANT_OR_NULL,
  attempts: COUNT,
  attemptedAt: INSTANT_OR_NULL,
  deliveredAt: INSTANT_OR_NULL,
  status: { type: ['integer', 'null'] },
  response: TEXT_OR_NULL,
};

/** The schemas of webhooks and their deliveries, by name. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, Schema>> = {
  Webhook: describeObject(WEBHOOK, WEBHOOK_DESCRIPTIONS),
  WebhookAnswer: requiredObject({ webhook: schemaRef('Webhook') }),
  NewWebhook: requiredObject({
    webhook: schemaRef('Webhook'),
    ...describeProperties({ secret: SECRET }, WEBHOOK_DESCRIPTIONS),
  }),
  WebhookList: listOf('webhook', 'Webhook', WEBHOOK_ID, WEBHOOK_DESCRIPTIONS),
  Delivery: describeObject(DELIVERY, DELIVERY_DESCRIPTIONS),
  DeliveryAnswer: requiredObject({ delivery: schemaRef('Delivery') }),
  DeliveryList: listOf('delivery', 'Delivery', DELIVERY_ID, DELIVERY_DESCRIPTIONS),
};
