import { KEY_PATTERN } from '../../../domain/embed/idempotency.ts';
import { REQUEST_ID } from '../../../http/pipeline.ts';
import { EXAMPLE_ID } from './examples.ts';
import type { Schema } from './schema.ts';

/** A header as the document describes it. */
interface HeaderField {
  readonly description: string;
  readonly schema: Schema;
  readonly example: string | number;
  readonly required?: true;
}

const EXAMPLE_TAG = '"n4bQgYhMfWWaL-qgxVrQFaO_Txs"';
export const EXAMPLE_REQUEST_ID = '5f4f2b8e-53a5-4b0e-9b0c-0c5b6b0e5b0a';

/** A list of entity tags, or `*` (RFC 9110 section 13.1). */
const CONDITION: Schema = { type: 'string', minLength: 1 };

/** What callers may send besides credentials and content types. */
export const REQUEST_HEADERS = {
  'X-Request-Id': {
    description:
      'A name for this request, which the answer and the log of the service bear. Without one, or with one of another form, the service gives it one.',
    schema: { type: 'string', pattern: REQUEST_ID.source },
    example: EXAMPLE_REQUEST_ID,
  },
  'If-None-Match': {
    description: 'The `ETag` of what you have. If the embed has not changed, the answer is 304 without a body.',
    schema: CONDITION,
    example: EXAMPLE_TAG,
  },
  'If-Match': {
    description: 'The `ETag` of what you read. If the embed has changed since, nothing is done and the answer is 412.',
    schema: CONDITION,
    example: EXAMPLE_TAG,
  },
  'Idempotency-Key': {
    description:
      'Makes the request safe to repeat for 24 hours: any 1 to 255 visible ASCII characters, new for each embed, such as a UUID. It belongs to the account. With other parameters the same key is refused with 422; while the first request is at work, with 409 and a `Retry-After` of at most 10 seconds.',
    schema: { type: 'string', pattern: KEY_PATTERN.source },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
} as const satisfies Record<string, HeaderField>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** What answers bear that callers can use. What browsers alone heed (CORS, policies) is not listed. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The name of this request, in the log of the service too.',
    schema: { type: 'string', pattern: REQUEST_ID.source },
    example: EXAMPLE_REQUEST_ID,
    required: true,
  },
  'Cache-Control': {
    description: 'Whether a client may keep the answer (RFC 9111).',
    schema: { type: 'string', enum: ['private, no-cache', 'no-store'] },
    example: 'private, no-cache',
  },
  RateLimit: {
    description:
      'What is left of the quota: requests (`r`) and seconds until it is full again (`t`). Absent where there is no limit.',
    schema: { type: 'string', pattern: '^"(token|address)";r=\\d+;t=\\d+$' },
    example: '"token";r=5999;t=60',
  },
  'RateLimit-Policy': {
    description: 'The quota: requests (`q`) in a window of seconds (`w`). Absent where there is no limit.',
    schema: { type: 'string', pattern: '^"(token|address)";q=\\d+;w=\\d+$' },
    example: '"token";q=6000;w=60',
  },
  ETag: {
    description: 'The version of the embed, for `If-None-Match` and `If-Match`.',
    schema: { type: 'string', pattern: '^"[\\w-]{27}"$' },
    example: EXAMPLE_TAG,
    required: true,
  },
  Location: {
    description: 'The path of the new embed.',
    schema: { type: 'string', format: 'uri-reference' },
    example: `/v1/embeds/${EXAMPLE_ID}`,
    required: true,
  },
  'Idempotent-Replayed': {
    description: 'Present when the embed is the one that an earlier request with this `Idempotency-Key` made.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  Link: {
    description: 'The next page, as `rel="next"` (RFC 8288); absent on the last one.',
    schema: { type: 'string', pattern: '^</v1/embeds\\?[^>]+>; rel="next"$' },
    example: `</v1/embeds?first=1&after=${EXAMPLE_ID}>; rel="next"`,
  },
  'WWW-Authenticate': {
    description: 'What is wrong with the credential (RFC 6750 section 3); without `error` when there was none.',
    schema: {
      type: 'string',
      pattern: '^Bearer realm="embed-gateway"(, error="(invalid_token|insufficient_scope)")?$',
    },
    example: 'Bearer realm="embed-gateway"',
    required: true,
  },
  'Retry-After': {
    description: 'In how many seconds to try again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'Accept-Post': {
    description: 'The types of bodies that are taken; absent where only the encoding was wrong.',
    schema: { type: 'string' },
    example: 'application/json, application/x-www-form-urlencoded, multipart/form-data',
  },
} as const satisfies Record<string, HeaderField>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** What every answer bears. */
export const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'Cache-Control',
  'RateLimit',
  'RateLimit-Policy',
];

/** Headers as an answer refers to them, each once. */
export function headerRefs(names: readonly ResponseHeader[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
