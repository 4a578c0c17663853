import {
  DELIVERY_LIST_PARAMETERS,
  MAX_WEBHOOKS,
  NEW_WEBHOOK_PARAMETERS,
  WEBHOOK_LIST_PARAMETERS,
  WEBHOOK_UPDATE_PARAMETERS,
} from '../../domain/webhook.ts';
import type { ResourceSpecs } from './resource.ts';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  retrieveWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhooks.ts';

/** Webhooks and their deliveries. */
export const WEBHOOK_RESOURCES: ResourceSpecs = {
  '/v1/webhooks': {
    GET: {
      parameters: WEBHOOK_LIST_PARAMETERS.rest,
      scope: 'admin',
      handle: listWebhooks,
      success: { description: 'A page of webhooks.', body: 'WebhookList' },
      id: 'listWebhooks',
      summary: 'List webhooks',
      description: 'The webhooks of the account, newest first.',
    },
    POST: {
      parameters: NEW_WEBHOOK_PARAMETERS.rest,
      scope: 'admin',
      handle: createWebhook,
      success: { status: 201, description: 'The new webhook and its secret.', body: 'NewWebhook' },
      id: 'createWebhook',
      summary: 'Create a webhook',
      description: `Creates a webhook of the account, which can have ${MAX_WEBHOOKS}: a further one is rejected with 409. \`secret\` signs the events. It is shown only in this response and in that of a rotation. An \`Idempotency-Key\` is rejected with 422.`,
    },
  },
  '/v1/webhooks/{id}': {
    GET: {
      scope: 'admin',
      handle: retrieveWebhook,
      success: { description: 'The webhook.', body: 'WebhookAnswer' },
      id: 'retrieveWebhook',
      summary: 'Retrieve a webhook',
      description: 'Returns one webhook, without its secret.',
    },
    PATCH: {
      parameters: WEBHOOK_UPDATE_PARAMETERS.rest,
      scope: 'admin',
      handle: updateWebhook,
      success: { description: 'The changed webhook.', body: 'WebhookAnswer' },
      id: 'updateWebhook',
      summary: 'Update a webhook',
      description: 'Changes the given properties and keeps the others. `enabled` ends or resumes the deliveries.',
    },
    DELETE: {
      scope: 'admin',
      handle: deleteWebhook,
      success: { description: 'The webhook was deleted.', body: 'Deletion' },
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes a webhook and its deliveries, also those that wait.',
    },
  },
  '/v1/webhooks/{id}/rotate': {
    POST: {
      scope: 'admin',
      handle: rotateWebhookSecret,
      success: { description: 'The webhook and its new secret.', body: 'NewWebhook' },
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description: 'Gives a webhook a new secret. For 24 hours, the one before signs too.',
    },
  },
  '/v1/webhooks/{id}/test': {
    POST: {
      scope: 'admin',
      handle: testWebhook,
      success: { description: 'The delivery after the attempt.', body: 'DeliveryAnswer' },
      id: 'testWebhook',
      summary: 'Test a webhook',
      description: 'Sends an event of the type `webhook.test` once, and waits up to 10 s for the response.',
    },
  },
  '/v1/webhooks/{id}/deliveries': {
    GET: {
      parameters: DELIVERY_LIST_PARAMETERS.rest,
      scope: 'admin',
      handle: listDeliveries,
      success: { description: 'A page of deliveries.', body: 'DeliveryList' },
      id: 'listDeliveries',
      summary: 'List the deliveries of a webhook',
      description: 'The deliveries of a webhook, newest first: those that wait, and about the last 100 others.',
    },
  },
  '/v1/deliveries/{id}/redeliver': {
    POST: {
      scope: 'admin',
      handle: redeliver,
      success: { description: 'The delivery after the attempt.', body: 'DeliveryAnswer' },
      id: 'redeliver',
      summary: 'Repeat a delivery',
      description:
        'Sends an event again with the same `webhook-id`, and waits up to 10 s for the response. If it fails within three days of the event, attempts follow, unless the event has arrived before.',
    },
  },
};
