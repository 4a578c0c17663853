import type { Readable } from 'node:stream';
import { Refusal } from '../../errors.ts';
import { type Reply, reply } from '../../http/reply.ts';

const RESPONSE_TYPE = 'application/graphql-response+json';

interface JsonReply extends Partial<Pick<Reply, 'refusalCode'>> {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Replies with JSON whatever the client accepts (RFC 9110 section 12.4.1), under GraphQL's media type if it accepts that. */
export function jsonReply(request: Request, json: string, { status, headers, refusalCode }: JsonReply): Reply {
  const type = acceptsResponseType(request) ? RESPONSE_TYPE : 'application/json';
  const allHeaders = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers };
  return reply(json, { status, headers: allHeaders, refusalCode });
}

export function eventReply(events: string | Readable, refusalCode?: string): Reply {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // switches buffering off in nginx
    'x-accel-buffering': 'no',
  };
  return reply(events, { headers, refusalCode });
}

export function acceptsResponseType({ headers }: Request): boolean {
  return headers.get('accept')?.includes(RESPONSE_TYPE) ?? false;
}

/** True if `Accept` names server-sent events and no JSON. */
export function prefersEvents({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return /\btext\/event-stream\b/i.test(accept) && !/\bapplication\/(json|graphql-response\+json|\*)/i.test(accept);
}

/** @throws {Refusal} `malformed` if the client does not accept server-sent events */
export function requireAcceptsEvents({ headers }: Request): void {
  const accept = headers.get('accept') ?? '*/*';
  if (/\btext\/(event-stream\b|\*)|\*\/\*/i.test(accept)) return;
  throw new Refusal('malformed', 'Subscriptions are sent as server-sent events: send Accept: text/event-stream.');
}
