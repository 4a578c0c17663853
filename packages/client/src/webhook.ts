import type { Embed, Page, Token } from './generated/rest.ts';

/** An event of a webhook, with the objects of REST. `webhook_id` is that of a test. */
export interface WebhookEvent {
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly embed?: Embed;
    readonly page?: Page;
    readonly token?: Token;
    readonly webhook_id?: string;
  };
}

/** A message that does not come from the webhook, or is older than 5 minutes. Respond with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

const TOLERANCE_S = 300;

/**
 * Returns the event in a message of a webhook, as the Standard Webhooks specification says.
 * @param body as it arrived, not parsed
 * @param headers those of `fetch` or of `node:http`
 * @param secret begins with `whsec_`
 * @throws {WebhookError} if no signature fits the secret, or the clocks differ by more than 5 minutes
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<WebhookEvent> {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((part) => {
    const name = `webhook-${part}`;
    return String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  }) as [string, string, string];
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const content = new TextEncoder().encode(`${id}.${time}.${text}`);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace('whsec_', '')), algorithm, false, ['verify']);
  for (const [, base64 = ''] of signatures.matchAll(/v1,([A-Za-z\d+/]{43}=)/g)) {
    if (!(await crypto.subtle.verify('HMAC', key, bytesOf(base64), content))) continue;
    if (Math.abs(Date.now() / 1_000 - Number(time)) <= TOLERANCE_S) return JSON.parse(text);
    throw new WebhookError('The message is more than 5 minutes old, or a clock is wrong.');
  }
  throw new WebhookError('No signature fits the secret and the body as it arrived.');
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
