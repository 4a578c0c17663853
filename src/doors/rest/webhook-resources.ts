import type { ParameterList } from '../../domain/input/parameters.ts';
import {
  DELIVERY_LIST_PARAMETERS,
  MAX_WEBHOOKS,
  NEW_WEBHOOK_PARAMETERS,
  WEBHOOK_LIST_PARAMETERS,
  WEBHOOK_UPDATE_PARAMETERS,
} from '../../domain/webhook.ts';
import { NO_PARAMETERS, type Operation, type Resource, readAll } from './resource.ts';
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

type Described = Pick<Operation, 'id' | 'handle' | 'summary' | 'description'> & { readonly success: SuccessOf };
type SuccessOf = Pick<Operation['success'], 'description' | 'body'> & { readonly status?: number };

/** Completes an operation that needs the scope `admin` and reads no headers of its own. */
function operation(
  parametersIn: Operation['parametersIn'],
  parameters: ParameterList,
  { success, ...described }: Described,
): Operation {
  const headers = success.body.endsWith('List') ? (['Link'] as const) : [];
  return {
    ...{ parameters, validate: readAll(parameters), parametersIn, requestHeaders: [], scope: 'admin', ...described },
    success: { status: 200, headers, ...success },
  };
}

/** Webhooks and their deliveries. */
export const WEBHOOK_RESOURCES: readonly Resource[] = [
  {
    name: '/v1/webhooks',
    path: /^\/v1\/webhooks$/,
    operations: {
      GET: operation('query', WEBHOOK_LIST_PARAMETERS.rest, {
        handle: listWebhooks,
        success: { description: 'A page of webhooks.', body: 'WebhookList' },
        id: 'listWebhooks',
        summary: 'List webhooks',
        description: 'The webhooks of the account, newest first.',
      }),
      POST: operation('body', NEW_WEBHOOK_PARAMETERS.rest, {
        handle: createWebhook,
        success: { status: 201, description: 'The new webhook and its secret.', body: 'NewWebhook' },
        id: 'createWebhook',
        summary: 'Create a webhook',
        description: `Creates a webhook of the account, which can have ${MAX_WEBHOOKS}: a further one is rejected with 409. \`secret\` signs the events. It is shown only in this response and in that of a rotation. An \`Idempotency-Key\` is rejected with 422.`,
      }),
    },
  },
  {
    name: '/v1/webhooks/{id}',
    path: /^\/v1\/webhooks\/([^/]+)$/,
    operations: {
      GET: operation('query', NO_PARAMETERS, {
        handle: retrieveWebhook,
        success: { description: 'The webhook.', body: 'WebhookAnswer' },
        id: 'retrieveWebhook',
        summary: 'Retrieve a webhook',
        description: 'Returns one webhook, without its secret.',
      }),
      PATCH: operation('body', WEBHOOK_UPDATE_PARAMETERS.rest, {
        handle: updateWebhook,
        success: { description: 'The changed webhook.', body: 'WebhookAnswer' },
        id: 'updateWebhook',
        summary: 'Update a webhook',
        description: 'Changes the given properties and keeps the others. `enabled` ends or resumes the deliveries.',
      }),
      DELETE: operation('query', NO_PARAMETERS, {
        handle: deleteWebhook,
        success: { description: 'The webhook was deleted.', body: 'Deletion' },
        id: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Deletes a webhook and its deliveries, also those that wait.',
      }),
    },
  },
  {
    name: '/v1/webhooks/{id}/rotate',
    path: /^\/v1\/webhooks\/([^/]+)\/rotate$/,
    operations: {
      POST: operation('body', NO_PARAMETERS, {
        handle: rotateWebhookSecret,
        success: { description: 'The webhook and its new secret.', body: 'NewWebhook' },
        id: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook',
        description: 'Gives a webhook a new secret. For 24 hours, the one before signs too.',
      }),
    },
  },
  {
    name: '/v1/webhooks/{id}/test',
    path: /^\/v1\/webhooks\/([^/]+)\/test$/,
    operations: {
      POST: operation('body', NO_PARAMETERS, {
        handle: testWebhook,
        success: { description: 'The delivery after the attempt.', body: 'DeliveryAnswer' },
        id: 'testWebhook',
        summary: 'Test a webhook',
        description: 'Sends an event of the type `webhook.test` once, and waits up to 10 s for the response.',
      }),
    },
  },
  {
    name: '/v1/webhooks/{id}/deliveries',
    path: /^\/v1\/webhooks\/([^/]+)\/deliveries$/,
    operations: {
      GET: operation('query', DELIVERY_LIST_PARAMETERS.rest, {
        handle: listDeliveries,
        success: { description: 'A page of deliveries.', body: 'DeliveryList' },
        id: 'listDeliveries',
        summary: 'List the deliveries of a webhook',
        description: 'The deliveries of a webhook, newest first: those that wait, and about the last 100 others.',
      }),
    },
  },
  {
    name: '/v1/deliveries/{id}/redeliver',
    path: /^\/v1\/deliveries\/([^/]+)\/redeliver$/,
    operations: {
      POST: operation('body', NO_PARAMETERS, {
        handle: redeliver,
        success: { description: 'The delivery after the attempt.', body: 'DeliveryAnswer' },
        id: 'redeliver',
        summary: 'Repeat a delivery',
        description:
          'Sends an event again with the same `webhook-id`, and waits up to 10 s for the response. If it fails within three days of the event, attempts follow, unless the event has arrived before.',
      }),
    },
  },
];
