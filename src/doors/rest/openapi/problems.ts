import { MAX_WEBHOOKS } from '../../../domain/webhook.ts';
import type { ProblemCode } from '../../../http/problem.ts';
import type { Operation } from '../resource.ts';
import type { OperationId } from './examples.ts';
import type { ResponseHeader } from './headers.ts';

interface ProblemDescription {
  readonly when: string;
  /** Omitted if all operations have the problem. */
  readonly appliesTo?: (operation: Operation, hasId: boolean) => boolean;
  /** Of an example. */
  readonly detail?: string;
  readonly errors?: readonly { path: string; message: string }[];
  readonly headers?: readonly ResponseHeader[];
  /** The response is sent before the quota of the caller is known. */
  readonly isWithoutQuota?: true;
}

const never = () => false;
const CONFLICTING: readonly OperationId[] = [
  'createEmbed',
  'updateEmbed',
  'updateSettings',
  'updateAccount',
  'revokeToken',
  'createWebhook',
  'updateWebhook',
];
const hasBody = ({ parametersIn }: Operation) => parametersIn === 'body';

export const PROBLEM_DESCRIPTIONS: Readonly<Record<ProblemCode, ProblemDescription>> = {
  malformed: {
    when: 'The request cannot be parsed: invalid JSON or encoding, or a malformed header.',
    detail: 'The body is not valid JSON: see line 1, column 2.',
  },
  unauthenticated: {
    when: 'The request has no token.',
    detail: 'Send an access token in the header Authorization: Bearer <token>.',
    isWithoutQuota: true,
    headers: ['WWW-Authenticate'],
  },
  invalid_token: {
    when: 'The token is unknown, mistyped, expired or revoked.',
    detail: 'The token is unknown, expired or revoked.',
    isWithoutQuota: true,
    headers: ['WWW-Authenticate'],
  },
  insufficient_scope: {
    when: 'The token does not have the scope that the operation needs.',
    detail: 'This needs a token with the scope write.',
    headers: ['WWW-Authenticate'],
  },
  not_found: {
    when: 'There is no embed, token, webhook or delivery with this id in the account, or the embed shows a card and has no article.',
    appliesTo: (_operation, hasId) => hasId,
    detail: 'There is no embed with this id.',
  },
  method_not_allowed: {
    when: 'The path does not support this method. `Allow` lists the supported ones.',
    appliesTo: never,
  },
  not_acceptable: {
    when: '`Accept` allows none of the media types of the response.',
    appliesTo: ({ success }) => success.texts !== undefined,
    detail: 'Accept one of application/json, text/markdown, text/html, text/plain.',
  },
  request_timeout: {
    when: 'The headers took more than 5 s to arrive, or the whole request more than 8 s.',
    detail: 'The request did not arrive in time.',
    isWithoutQuota: true,
  },
  conflict: {
    when: `Too many concurrent writes to the same embed, webhook or account, or the first request with this \`Idempotency-Key\` is still in progress: try again after \`Retry-After\`. Or an embed of the account has the \`external_id\`: see \`on_conflict\`. If the process was killed during the first request, the key stays in progress for up to 10 seconds more. For a token: the account has no other one with the scope \`admin\` that is valid for 24 hours more. For a webhook: the account has ${MAX_WEBHOOKS} of them.`,
    appliesTo: ({ id }) => CONFLICTING.includes(id),
    detail: 'The first request with this Idempotency-Key is still in progress; try again in 10 s.',
    headers: ['Retry-After'],
  },
  gone: {
    when: 'The changes after this cursor are not kept any more. List the embeds anew.',
    appliesTo: ({ id }) => id === 'listChanges',
    detail:
      'The changes after this cursor are not kept any more, or it is none of this account: list the embeds anew, and read the changes without after.',
  },
  precondition_failed: {
    when: 'The embed does not have the version in `If-Match`.',
    appliesTo: ({ requestHeaders }) => requestHeaders.includes('If-Match'),
    detail:
      'The embed has changed since you read it: read it again, and send its current ETag in If-Match, or its version as expectedVersion.',
  },
  payload_too_large: {
    when: 'The body is larger than 100 kB.',
    appliesTo: hasBody,
    detail: 'The body must be at most 100000 bytes.',
  },
  uri_too_long: {
    when: 'The URL has more than 12,288 characters.',
    detail: 'The URL must be at most 12288 characters.',
    isWithoutQuota: true,
  },
  unsupported_media_type: {
    when: 'The body has another media type, or is compressed.',
    appliesTo: hasBody,
    detail: 'Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.',
    headers: ['Accept-Post', 'Accept-Patch'],
  },
  invalid: {
    when: 'Some parameters are not valid. `errors` lists all of them.',
    detail:
      '`page` is not a parameter of this operation; page with `after`, the `end_cursor` of the previous page. One more parameter is not valid.',
    errors: [
      {
        path: 'page',
        message: 'is not a parameter of this operation; page with `after`, the `end_cursor` of the previous page',
      },
      { path: 'first', message: 'must be a whole number from 1 to 100' },
    ],
  },
  rate_limited: {
    when: 'More requests in a minute than the quota allows, or a second refresh of an embed within 10 s. Try again after `Retry-After`.',
    detail: 'More than 6000 requests with this token in a minute; try again in 60 s.',
    headers: ['Retry-After'],
  },
  headers_too_large: {
    when: 'The headers are larger than 16 kB.',
    detail: 'The headers must be at most 16384 bytes in all.',
    isWithoutQuota: true,
  },
  internal: {
    when: 'An error of the service. Report the request id: the operator finds the cause in the log with it.',
    detail: 'Something went wrong on our side.',
  },
  not_implemented: {
    when: 'An oEmbed format other than JSON and XML. No operation of this document has this error.',
    appliesTo: never,
  },
  site_not_allowed: {
    when: 'An oEmbed request for a site that the settings of the embed do not allow, or a request to `/mcp` by a page whose origin the operator does not allow. No operation of this document has this error.',
    appliesTo: never,
  },
  unavailable: {
    when: 'The database is busy, its disk is full, or too many requests or fetches are in progress. Try again after `Retry-After`.',
    detail: 'Too many requests are in flight; try again.',
    headers: ['Retry-After'],
  },
};
