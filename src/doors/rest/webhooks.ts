import { spellValue, withRestNames } from '../../domain/input/parameters.ts';
import { eventTypeOf, isWebhookId, webhookNotFound } from '../../domain/webhook.ts';
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
import { type Call, connectionReply, json, NO_STORE } from './embeds.ts';

/** `GET /v1/webhooks` */
export async function listWebhooks({ run, variables, url }: Call): Promise<Reply> {
  return connectionReply(url, 'webhooks', (await run(ListWebhooksDocument, variables)).webhooks, toRest);
}

/** `POST /v1/webhooks` */
export async function createWebhook({ run, variables }: Call): Promise<Reply> {
  const { createWebhook } = await run(CreateWebhookDocument, { input: variables });
  return webhookReply(createWebhook, 201);
}

/** `GET /v1/webhooks/{id}` */
export async function retrieveWebhook({ run, id }: Call): Promise<Reply> {
  // the id of an embed would need another scope
  const node = isWebhookId(id) ? (await run(RetrieveWebhookDocument, { id })).node : null;
  if (!node) throw webhookNotFound();
  return webhookReply({ webhook: node as WebhookPartsFragment });
}

/** `PATCH /v1/webhooks/{id}` */
export async function updateWebhook({ run, id, variables }: Call): Promise<Reply> {
  const { updateWebhook } = await run(UpdateWebhookDocument, { input: { ...variables, id } });
  return webhookReply(updateWebhook);
}

/** `DELETE /v1/webhooks/{id}` */
export async function deleteWebhook({ run, id }: Call): Promise<Reply> {
  const { deleteWebhook } = await run(DeleteWebhookDocument, { input: { id } });
  return json(200, JSON.stringify({ message: deleteWebhook.message }), NO_STORE);
}

/** `POST /v1/webhooks/{id}/rotate` */
export async function rotateWebhookSecret({ run, id }: Call): Promise<Reply> {
  const { rotateWebhookSecret } = await run(RotateWebhookSecretDocument, { input: { id } });
  return webhookReply(rotateWebhookSecret);
}

/** `POST /v1/webhooks/{id}/test` */
export async function testWebhook({ run, id }: Call): Promise<Reply> {
  const { testWebhook } = await run(TestWebhookDocument, { input: { id } });
  return deliveryReply(testWebhook.delivery);
}

/** `GET /v1/webhooks/{id}/deliveries` */
export async function listDeliveries({ run, id, variables, url }: Call): Promise<Reply> {
  // the id of an embed would need another scope
  const found = isWebhookId(id) ? (await run(ListDeliveriesDocument, { ...variables, id })).node?.deliveries : null;
  if (!found) throw webhookNotFound();
  return connectionReply(url, 'deliveries', found, deliveryToRest);
}

/** `POST /v1/deliveries/{id}/redeliver` */
export async function redeliver({ run, id }: Call): Promise<Reply> {
  const { redeliver } = await run(RedeliverDocument, { input: { id } });
  return deliveryReply(redeliver.delivery);
}

interface WebhookAnswer {
  readonly webhook: WebhookPartsFragment;
  /** Present after a create and a rotation. */
  readonly secret?: string;
}

function webhookReply({ webhook, secret }: WebhookAnswer, status = 200): Reply {
  return json(status, JSON.stringify({ webhook: toRest(webhook), secret }), NO_STORE);
}

function deliveryReply(delivery: DeliveryPartsFragment): Reply {
  return json(200, JSON.stringify({ delivery: deliveryToRest(delivery) }), NO_STORE);
}

function toRest(webhook: WebhookPartsFragment) {
  return withRestNames({ ...webhook, events: webhook.events.map(eventTypeOf) });
}

function deliveryToRest(delivery: DeliveryPartsFragment) {
  return withRestNames({ ...delivery, state: spellValue(delivery.state, 'rest') });
}
