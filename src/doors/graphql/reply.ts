import type { Readable } from 'node:stream';
import { Refusal } from '../../errors.ts';
import type { IncomingRequest } from '../../http/exchange.ts';
import { etagOf } from '../../http/negotiation.ts';
import { type Reply, type ReplyOptions, reply } from '../../http/reply.ts';
import { unlessKnown } from '../../http/representation.ts';

const RESPONSE_TYPE = 'application/graphql-response+json';

/** Replies with JSON whatever the client accepts (RFC 9110 section 12.4.1), under GraphQL's media type if it accepts that. */
export function jsonReply(request: IncomingRequest, json: string, { headers, ...options }: ReplyOptions): Reply {
  const allHeaders = { 'content-type': contentTypeFor(request), 'cache-control': 'no-store', ...headers };
  return reply(json, { ...options, headers: allHeaders });
}

/**
 * Replies with a result that browsers and proxies may store. Each use of the stored result sends its ETag and the caller's
 * token, so nobody sees a stale result or that of another account (RFC 9111 section 3.5).
 */
export function cacheableReply(request: IncomingRequest, json: string): Reply {
  const type = contentTypeFor(request);
  const headers = {
    'content-type': type,
    'cache-control': 'no-cache, must-revalidate',
    etag: etagOf(type + json),
    vary: 'Accept, Authorization',
  };
  return unlessKnown(request.headers, reply(json, { headers }));
}

/** Returns 200 for application/json, whose errors have no status of their own (GraphQL over HTTP, section 6.4.1). */
export function statusFor(request: IncomingRequest, status: number): number {
  return acceptsResponseType(request) ? status : 200;
}

function contentTypeFor(request: IncomingRequest): string {
  return `${acceptsResponseType(request) ? RESPONSE_TYPE : 'application/json'}; charset=utf-8`;
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

function acceptsResponseType({ headers }: IncomingRequest): boolean {
  return headers.get('accept')?.includes(RESPONSE_TYPE) ?? false;
}

/** True if `Accept` names server-sent events and no JSON. */
export function prefersEvents({ headers }: IncomingRequest): boolean {
  const accept = headers.get('accept') ?? '';
  return /\btext\/event-stream\b/i.test(accept) && !/\bapplication\/(json|graphql-response\+json|\*)/i.test(accept);
}

/** @throws {Refusal} `malformed` if the client does not accept server-sent events */
export function requireAcceptsEvents({ headers }: IncomingRequest): void {
  const accept = headers.get('accept') ?? '*/*';
  if (/\btext\/(event-stream\b|\*)|\*\/\*/i.test(accept)) return;
  throw new Refusal('malformed', 'Subscriptions are sent as server-sent events: send Accept: text/event-stream.');
}
