import { expect, onTestFinished, test, vi } from 'vitest';
import { EmbedGateway, verifyWebhook, WebhookError } from '../../packages/client/src/index.ts';
import { openService } from '../open-service.ts';
import { openReceiver } from '../webhooks/receiver.ts';

async function receiveEvent() {
  const { origin, as } = await openService({ allowPrivatePages: true });
  const { authorization } = await as('ada');
  const client = new EmbedGateway({ baseUrl: origin, token: authorization.replace('Bearer ', '') });
  const receiver = await openReceiver();
  const url = `${receiver.origin}/hook`;
  const { webhook, secret } = await client.createWebhook({ url, events: ['embed.created'] });
  const { embed } = await client.createEmbed({ page_url: 'https://example.com/Brötchen' });
  const [message] = await receiver.take(1);
  if (!message) throw new Error('no message has arrived');
  return { client, receiver, webhook, secret, embed, message };
}

test('the client verifies the messages of a webhook, also while its secret is rotated', async () => {
  const { client, receiver, webhook, secret, embed, message } = await receiveEvent();
  const { text, headers } = message;
  const event = await verifyWebhook(text, headers, secret);
  expect(event).toEqual({ type: 'embed.created', timestamp: expect.any(String), data: { embed: expect.anything() } });
  expect(event.data.embed).toMatchObject({ id: embed.id, page_url: embed.page_url });
  expect(await verifyWebhook(new TextEncoder().encode(text), new Headers(headers), secret)).toEqual(event);

  const rotated = await client.rotateWebhookSecret(webhook.id);
  await client.testWebhook(webhook.id);
  const tested = (await receiver.take(2))[1];
  for (const current of [secret, rotated.secret]) {
    const { type, data } = await verifyWebhook(tested?.text ?? '', tested?.headers ?? {}, current);
    expect([type, data]).toEqual(['webhook.test', { webhook_id: webhook.id }]);
  }
});

test('the client refuses messages that are forged, changed or old', async () => {
  const { secret, message } = await receiveEvent();
  const { text, headers } = message;
  const other = `whsec_${btoa('x'.repeat(24))}`;
  await expect(verifyWebhook(text, headers, other)).rejects.toThrow(WebhookError);
  await expect(verifyWebhook(`${text} `, headers, secret)).rejects.toThrow('No signature');
  for (const changed of [
    { 'webhook-id': 'another' },
    { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
    { 'webhook-signature': '' },
    { 'webhook-signature': 'v1,' },
    { 'webhook-signature': `v1,${'_'.repeat(43)}=` },
    { 'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v2,') },
    { 'webhook-signature': headers['webhook-signature']?.slice(0, -5) },
    { 'webhook-signature': undefined },
  ]) {
    await expect(verifyWebhook(text, { ...headers, ...changed }, secret)).rejects.toThrow('No signature');
  }
  await expect(verifyWebhook(text, {}, secret)).rejects.toThrow(WebhookError);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
  onTestFinished(() => void vi.useRealTimers());
  await expect(verifyWebhook(text, headers, secret)).rejects.toThrow('more than 5 minutes');
});
