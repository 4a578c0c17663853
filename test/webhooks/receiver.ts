import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { openSite } from '../pages/site.ts';

export interface Message {
  readonly id: string;
  readonly signature: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: events have many shapes
  readonly body: any;
  /** The body as it was signed. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Response = number | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** Opens a receiver of webhooks. @param respond returns a status, and may wait */
export async function openReceiver(
  respond: (message: Message, count: number) => Response | Promise<Response> = () => 204,
) {
  const messages: Message[] = [];
  const site = await openSite(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    const { 'webhook-id': id = '', 'webhook-signature': signature = '' } = headers;
    const message = { id, signature, path: request.url ?? '', body: JSON.parse(text), text, headers };
    messages.push(message);
    const given = await respond(message, messages.length);
    const { status, headers: own } = typeof given === 'number' ? { status: given, headers: {} } : given;
    response.writeHead(status, { location: `${site.origin}/elsewhere`, ...own }).end('received');
  });
  return {
    origin: site.origin,
    messages,
    /** Resolves when at least so many messages have arrived. */
    async take(count: number): Promise<readonly Message[]> {
      await vi.waitFor(() => {
        if (messages.length < count) throw new Error(`${messages.length} of ${count} messages have arrived`);
      }, 60_000);
      return messages;
    },
  };
}

/** @throws if no signature fits the secret */
export function verify(message: Message, secret: string): void {
  new Webhook(secret).verify(message.text, { ...message.headers });
}
