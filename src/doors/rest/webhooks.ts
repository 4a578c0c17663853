import { spellValue, withRestNames } from '../../domain/input/parameters.ts';
import {
  DELIVERY_LIST_PARAMETERS,
  eventTypeOf,
  isWebhookId,
  MAX_WEBHOOKS,
  NEW_WEBHOOK_PARAMETERS,
  WEBHOOK_LIST_PARAMETERS,
  WEBHOOK_UPDATE_PARAMETERS,
  webhookNotFound,
} from '../../domain/webhook.ts';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  type DeliveryPartsFragment,
  ListDeliveriesDocument,
  ListWebhooksDocument,
  RedeliverDocument,
  RetrieveWebhookDocument,
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  UpdateWebhookDocument,
  type WebhookPartsFragment,
} from '../../generated/operations.ts';
import type { Reply } from '../../http/reply.ts';
import { connectionReply, json, NO_STORE } from './replies.ts';
import type { ResourceSpecs } from './resource.ts';

export const WEBHOOK_RESOURCES: ResourceSpecs = {
  '/v1/webhooks': {
    GET: {
      parameters: WEBHOOK_LIST_PARAMETERS.rest,
      scope: 'admin',
      success: { description: 'A page of webhooks.', body: 'WebhookList' },
      id: 'listWebhooks',
      summary: 'List webhooks',
      description: 'The webhooks of the account, newest first.',
      handle: async ({ run, variables, url }) =>
        connectionReply(url, 'webhooks', (await run(ListWebhooksDocument, variables)).webhooks, toRest),
    },
    POST: {
      parameters: NEW_WEBHOOK_PARAMETERS.rest,
      scope: 'admin',
      success: { status: 201, description: 'The new webhook and its secret.', body: 'NewWebhook' },
      id: 'createWebhook',
      summary: 'Create a webhook',
      description: `Creates a webhook of the account, which can have ${MAX_WEBHOOKS}: a further one is rejected with 409. \`secret\` signs the events. It is shown only in this response and in that of a rotation. An \`Idempotency-Key\` is rejected with 422.`,
      handle: async ({ run, variables }) =>
        webhookReply((await run(CreateWebhookDocument, { input: variables })).createWebhook, 201),
    },
  },
  '/v1/webhooks/{id}': {
    GET: {
      scope: 'admin',
      success: { description: 'The webhook.', body: 'WebhookAnswer' },
      id: 'retrieveWebhook',
      summary: 'Retrieve a webhook',
      description: 'Returns one webhook, without its secret.',
      handle: async ({ run, id }) => {
        // the id of an embed would need another scope
        const node = isWebhookId(id) ? (await run(RetrieveWebhookDocument, { id })).node : null;
        if (!node) throw webhookNotFound();
        return webhookReply({ webhook: node as WebhookPartsFragment });
      },
    },
    PATCH: {
      parameters: WEBHOOK_UPDATE_PARAMETERS.rest,
      scope: 'admin',
      success: { description: 'The changed webhook.', body: 'WebhookAnswer' },
      id: 'updateWebhook',
      summary: 'Update a webhook',
      description: 'Changes the given properties and keeps the others. `enabled` ends or resumes the deliveries.',
      handle: async ({ run, id, variables }) =>
        webhookReply((await run(UpdateWebhookDocument, { input: { ...variables, id } })).updateWebhook),
    },
    DELETE: {
      scope: 'admin',
      success: { description: 'The webhook was deleted.', body: 'Deletion' },
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes a webhook and its deliveries, also those that wait.',
      handle: async ({ run, id }) =>
        json((await run(DeleteWebhookDocument, { input: { id } })).deleteWebhook, NO_STORE),
    },
  },
  '/v1/webhooks/{id}/rotate': {
    POST: {
      scope: 'admin',
      success: { description: 'The webhook and its new secret.', body: 'NewWebhook' },
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description: 'Gives a webhook a new secret. For 24 hours, the one before signs too.',
      handle: async ({ run, id }) =>
        webhookReply((await run(RotateWebhookSecretDocument, { input: { id } })).rotateWebhookSecret),
    },
  },
  '/v1/webhooks/{id}/test': {
    POST: {
      scope: 'admin',
      success: { description: 'The delivery after the attempt.', body: 'DeliveryAnswer' },
      id: 'testWebhook',
      summary: 'Test a webhook',
      description: 'Sends an event of the type `webhook.test` once, and waits up to 10 s for the response.',
      handle: async ({ run, id }) => deliveryReply((await run(TestWebhookDocument, { input: { id } })).testWebhook),
    },
  },
  '/v1/webhooks/{id}/deliveries': {
    GET: {
      parameters: DELIVERY_LIST_PARAMETERS.rest,
      scope: 'admin',
      success: { description: 'A page of deliveries.', body: 'DeliveryList' },
      id: 'listDeliveries',
      summary: 'List the deliveries of a webhook',
      description: 'The deliveries of a webhook, newest first: those that wait, and about the last 100 others.',
      handle: async ({ run, id, variables, url }) => {
        // the id of an embed would need another scope
        const found = isWebhookId(id)
          ? (await run(ListDeliveriesDocument, { ...variables, id })).node?.deliveries
          : null;
        if (!found) throw webhookNotFound();
        return connectionReply(url, 'deliveries', found, deliveryToRest);
      },
    },
  },
  '/v1/deliveries/{id}/redeliver': {
    POST: {
      scope: 'admin',
      success: { description: 'The delivery after the attempt.', body: 'DeliveryAnswer' },
      id: 'redeliver',
      summary: 'Repeat a delivery',
      description:
        'Sends an event again with the same `webhook-id`, and waits up to 10 s for the response. If it fails within three days of the event, attempts follow, unless the event has arrived before.',
      handle: async ({ run, id }) => deliveryReply((await run(RedeliverDocument, { input: { id } })).redeliver),
    },
  },
};

interface WebhookAnswer {
  readonly webhook: WebhookPartsFragment;
  /** Present after a create and a rotation. */
  readonly secret?: string;
}

function webhookReply({ webhook, secret }: WebhookAnswer, status = 200): Reply {
  return json({ webhook: toRest(webhook), secret }, NO_STORE, status);
}

function deliveryReply({ delivery }: { readonly delivery: DeliveryPartsFragment }): Reply {
  return json({ delivery: deliveryToRest(delivery) }, NO_STORE);
}

function toRest(webhook: WebhookPartsFragment) {
  return withRestNames({ ...webhook, events: webhook.events.map(eventTypeOf) });
}

function deliveryToRest(delivery: DeliveryPartsFragment) {
  return withRestNames({ ...delivery, state: spellValue(delivery.state) });
}
