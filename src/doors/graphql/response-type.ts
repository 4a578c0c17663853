import { Refusal } from '../../errors.ts';

export const RESPONSE_TYPE = 'application/graphql-response+json';

/** Of server-sent events: no cache keeps them, and no proxy gathers them (nginx's field). */
export const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** JSON whatever was asked for (RFC 9110 section 12.4.1), under GraphQL's own name where the caller knows it. */
export function jsonTypeOf({ headers }: Request): string {
  return headers.get('accept')?.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json';
}

/** Whether the caller wants server-sent events also where JSON would do: it names them, and no JSON. */
export function prefersEvents({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return /\btext\/event-stream\b/i.test(accept) && !/\bapplication\/(json|graphql-response\+json|\*)/i.test(accept);
}

/** @throws {Refusal} `malformed` when the caller does not take server-sent events, in which alone subscriptions are answered */
export function requireEvents({ headers }: Request): void {
  const accept = headers.get('accept') ?? '*/*';
  if (/\btext\/(event-stream\b|\*)|\*\/\*/i.test(accept)) return;
  throw new Refusal('malformed', 'Subscriptions are answered as server-sent events: send Accept: text/event-stream.');
}
