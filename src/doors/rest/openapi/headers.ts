import { KEY_PATTERN } from '../../../domain/embed/idempotency.ts';
import { REQUEST_ID } from '../../../http/request-id.ts';
import { MEDIA_TYPES } from '../parameters.ts';
import { EXAMPLE_ID } from './examples.ts';
import type { Schema } from './schema.ts';

interface HeaderField {
  readonly description: string;
  readonly schema: Schema;
  readonly example: string | number;
  readonly required?: true;
}

const EXAMPLE_TAG = '"n4bQgYhMfWWaL-qgxVrQFaO_Txs"';
export const EXAMPLE_REQUEST_ID = '5f4f2b8e53a54b0e9b0c0c5b6b0e5b0a';

/** A list of entity tags, or `*` (RFC 9110 section 13.1). */
const CONDITION: Schema = { type: 'string', minLength: 1 };

export const REQUEST_HEADERS = {
  'X-Request-Id': {
    description:
      'An id for this request, which the response and the log contain. If it is missing or has another form, the service creates one.',
    schema: { type: 'string', pattern: REQUEST_ID.source },
    example: EXAMPLE_REQUEST_ID,
  },
  'If-None-Match': {
    description: 'The `ETag` of your copy. If nothing has changed, the response is 304 without a body.',
    schema: CONDITION,
    example: EXAMPLE_TAG,
  },
  'If-Match': {
    description:
      'The `ETag` of your copy. If the embed has changed since, the request is rejected with 412 and changes nothing.',
    schema: CONDITION,
    example: EXAMPLE_TAG,
  },
  'Idempotency-Key': {
    description:
      'Makes the request safe to repeat for 24 hours. Use a new key for each embed: 1 to 255 visible ASCII characters, such as a UUID. Keys belong to the account. The same key with other parameters is rejected with 422. While the first request is in progress, the key is rejected with 409 and a `Retry-After` of at most 10 seconds.',
    schema: { type: 'string', pattern: KEY_PATTERN.source },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
} as const satisfies Record<string, HeaderField>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** The response headers, without those that are only for browsers (CORS, policies). */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request, which the log contains too.',
    schema: { type: 'string', pattern: REQUEST_ID.source },
    example: EXAMPLE_REQUEST_ID,
    required: true,
  },
  'Cache-Control': {
    description: 'Whether clients may cache the response (RFC 9111).',
    schema: { type: 'string', enum: ['private, no-cache', 'no-store'] },
    example: 'private, no-cache',
  },
  RateLimit: {
    description:
      'The rest of the quota: requests (`r`), and seconds until it is full again (`t`). Absent if there is no limit.',
    schema: { type: 'string', pattern: '^"(token|address)";r=\\d+;t=\\d+$' },
    example: '"token";r=5999;t=60',
  },
  'RateLimit-Policy': {
    description: 'The quota: requests (`q`) per window in seconds (`w`). Absent if there is no limit.',
    schema: { type: 'string', pattern: '^"(token|address)";q=\\d+;w=\\d+$' },
    example: '"token";q=6000;w=60',
  },
  ETag: {
    description: 'The version of the embed, for `If-None-Match` and `If-Match`, or that of the article.',
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
    description: 'Present if an earlier request with this `Idempotency-Key` created the embed.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  Link: {
    description: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page.',
    schema: {
      type: 'string',
      pattern: '^</v1/(embeds|changes|tokens|audit|webhooks(/[^/]+/deliveries)?)\\?[^>]+>; rel="next"$',
    },
    example: `</v1/embeds?first=1&after=${EXAMPLE_ID}>; rel="next"`,
  },
  'WWW-Authenticate': {
    description: 'The error of the credential (RFC 6750 section 3). Without `error` if the request has no credential.',
    schema: {
      type: 'string',
      pattern: '^Bearer realm="embed-gateway"(, error="(invalid_token|insufficient_scope)")?$',
    },
    example: 'Bearer realm="embed-gateway"',
    required: true,
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'Accept-Post': {
    description: 'The media types that a `POST` accepts. Absent if only the encoding is not supported.',
    schema: { type: 'string' },
    example: MEDIA_TYPES,
  },
  'Accept-Patch': {
    description: 'The media types that a `PATCH` accepts. Absent if only the encoding is not supported.',
    schema: { type: 'string' },
    example: MEDIA_TYPES,
  },
} as const satisfies Record<string, HeaderField>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

export const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'Cache-Control',
  'RateLimit',
  'RateLimit-Policy',
];

/** Returns references to headers, each once. */
export function headerRefs(names: readonly ResponseHeader[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
