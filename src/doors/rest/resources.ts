import {
  CREATE_PARAMETERS,
  parseCreateValues,
  parseUpdateValues,
  UPDATE_PARAMETERS,
} from '../../domain/embed/input.ts';
import { ParameterList, readValues, type SentParameters } from '../../domain/embed/input-reader.ts';
import { LIST_PARAMETERS, parseListQuery } from '../../domain/embed/listing.ts';
import { AUDIT_LIST_PARAMETERS } from '../../domain/identity/audit-event.ts';
import type { Scope } from '../../domain/identity/token.ts';
import { NEW_TOKEN_PARAMETERS, parseNewTokenValues, TOKEN_LIST_PARAMETERS } from '../../domain/identity/token-input.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import type { Reply } from '../../http/reply.ts';
import { listAuditEvents } from './audit.ts';
import { type Call, createEmbed, deleteEmbed, listEmbeds, retrieveEmbed, updateEmbed } from './embeds.ts';
import type { OperationId } from './openapi/examples.ts';
import type { RequestHeader, ResponseHeader } from './openapi/headers.ts';
import { refreshPage, retrievePage } from './pages.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** An operation of the specification, and its description in the OpenAPI document. */
export interface Operation {
  readonly parameters: ParameterList;
  /** If `body`, parameters in the query string are rejected. */
  readonly parametersIn: 'query' | 'body';
  /**
   * Validates the parameters, and translates them to the names of the schema.
   * @throws {Refusal} `invalid`, with all faults
   */
  readonly validate: (sent: SentParameters, policy: PagePolicy) => Variables;
  /** Headers that only some operations read. */
  readonly requestHeaders: readonly RequestHeader[];
  readonly scope: Scope;
  readonly answer: (call: Call) => Promise<Reply>;
  readonly success: Success;
  readonly id: OperationId;
  readonly summary: string;
  readonly description: string;
}

interface Success {
  readonly status: number;
  readonly description: string;
  readonly body:
    | 'EmbedAnswer'
    | 'EmbedList'
    | 'Deletion'
    | 'PageAnswer'
    | 'TokenList'
    | 'NewToken'
    | 'TokenAnswer'
    | 'AuditEventList';
  /** Headers that only some responses have. */
  readonly headers: readonly ResponseHeader[];
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Resource {
  readonly name:
    | '/v1/embeds'
    | `/v1/embeds/{id}${'' | '/page' | '/refresh'}`
    | '/v1/tokens'
    | '/v1/tokens/{id}'
    | '/v1/audit';
  /** The group, if any, is the id. */
  readonly path: RegExp;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

const NO_PARAMETERS = new ParameterList([], 'rest');

function readAll(list: ParameterList): Operation['validate'] {
  return (sent, policy) => readValues(sent, list, policy);
}

const requireNone = readAll(NO_PARAMETERS);

export const RESOURCES: readonly Resource[] = [
  {
    name: '/v1/embeds',
    path: /^\/v1\/embeds$/,
    operations: {
      GET: {
        parameters: LIST_PARAMETERS,
        validate: (sent, policy) => ({ ...parseListQuery(sent, policy) }),
        parametersIn: 'query',
        requestHeaders: [],
        scope: 'read',
        answer: listEmbeds,
        success: { status: 200, description: 'A page of embeds.', body: 'EmbedList', headers: ['Link'] },
        id: 'listEmbeds',
        summary: 'List embeds',
        description:
          'The embeds of the account, newest first. All given filters must match. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header. With several filters, a page can be shorter than requested, or empty, although there are more matches: the search for a page stops after 2,000 embeds.',
      },
      POST: {
        parameters: CREATE_PARAMETERS.rest,
        validate: (sent, policy) => ({ ...parseCreateValues(sent, policy, 'rest') }),
        parametersIn: 'body',
        requestHeaders: ['Idempotency-Key'],
        scope: 'write',
        answer: createEmbed,
        success: {
          status: 201,
          description: 'The new embed.',
          body: 'EmbedAnswer',
          headers: ['ETag', 'Location', 'Idempotent-Replayed'],
        },
        id: 'createEmbed',
        summary: 'Create an embed',
        description:
          'Creates an embed of a public page, whether or not the page can be fetched. With an `Idempotency-Key` the request can be repeated safely for 24 hours: a repetition returns the embed of the first request, with `Idempotent-Replayed: true`.',
      },
    },
  },
  {
    name: '/v1/embeds/{id}',
    path: /^\/v1\/embeds\/([^/]+)$/,
    operations: {
      GET: {
        parameters: NO_PARAMETERS,
        validate: requireNone,
        parametersIn: 'query',
        requestHeaders: ['If-None-Match'],
        scope: 'read',
        answer: retrieveEmbed,
        success: { status: 200, description: 'The embed.', body: 'EmbedAnswer', headers: ['ETag'] },
        id: 'retrieveEmbed',
        summary: 'Retrieve an embed',
        description:
          'Returns one embed with its `ETag`. With `If-None-Match`, the response is 304 without a body if the embed has not changed.',
      },
      PATCH: {
        parameters: UPDATE_PARAMETERS.rest,
        validate: (sent, policy) => ({ ...parseUpdateValues(sent, policy, 'rest') }),
        parametersIn: 'body',
        requestHeaders: ['If-Match'],
        scope: 'write',
        answer: updateEmbed,
        success: { status: 200, description: 'The updated embed.', body: 'EmbedAnswer', headers: ['ETag'] },
        id: 'updateEmbed',
        summary: 'Update an embed',
        description:
          'Changes the given fields and keeps the others. Change the source page by its URL or by its id, not by both. An update that changes nothing also needs a token with the scope `read`. With `If-Match`, the embed is changed only if it has not changed since you read it.',
      },
      DELETE: {
        parameters: NO_PARAMETERS,
        validate: requireNone,
        parametersIn: 'query',
        requestHeaders: ['If-Match'],
        scope: 'write',
        answer: deleteEmbed,
        success: { status: 200, description: 'The embed was deleted.', body: 'Deletion', headers: [] },
        id: 'deleteEmbed',
        summary: 'Delete an embed',
        description: 'Deletes an embed permanently. With `If-Match`, only if it has not changed since you read it.',
      },
    },
  },
  {
    name: '/v1/embeds/{id}/page',
    path: /^\/v1\/embeds\/([^/]+)\/page$/,
    operations: {
      GET: {
        parameters: NO_PARAMETERS,
        validate: requireNone,
        parametersIn: 'query',
        requestHeaders: [],
        scope: 'read',
        answer: retrievePage,
        success: { status: 200, description: 'What is known about the page.', body: 'PageAnswer', headers: [] },
        id: 'retrievePage',
        summary: 'Retrieve the page of an embed',
        description:
          'Returns what is known about the source page of an embed: whether the embed shows a copy, or why it shows a card. Fetches nothing.',
      },
    },
  },
  {
    name: '/v1/embeds/{id}/refresh',
    path: /^\/v1\/embeds\/([^/]+)\/refresh$/,
    operations: {
      POST: {
        parameters: NO_PARAMETERS,
        validate: requireNone,
        parametersIn: 'body',
        requestHeaders: [],
        scope: 'write',
        answer: refreshPage,
        success: { status: 200, description: 'What is now known about the page.', body: 'PageAnswer', headers: [] },
        id: 'refreshPage',
        summary: 'Refresh the page of an embed',
        description:
          'Fetches the source page of an embed now, at most once every 10 s for an embed, and waits up to 5 s for the result. After that, the response has what is known, and the page continues to load.',
      },
    },
  },
  {
    name: '/v1/tokens',
    path: /^\/v1\/tokens$/,
    operations: {
      GET: {
        parameters: TOKEN_LIST_PARAMETERS.rest,
        validate: readAll(TOKEN_LIST_PARAMETERS.rest),
        parametersIn: 'query',
        requestHeaders: [],
        scope: 'admin',
        answer: listTokens,
        success: { status: 200, description: 'A page of tokens.', body: 'TokenList', headers: ['Link'] },
        id: 'listTokens',
        summary: 'List tokens',
        description:
          'The tokens of the account, newest first, including expired and revoked ones. `ACCESS_TOKEN` of the operator is not in the list. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header.',
      },
      POST: {
        parameters: NEW_TOKEN_PARAMETERS.rest,
        validate: (sent, policy) => ({ ...parseNewTokenValues(sent, policy, 'rest') }),
        parametersIn: 'body',
        requestHeaders: [],
        scope: 'admin',
        answer: createToken,
        success: { status: 201, description: 'The new token and its secret.', body: 'NewToken', headers: [] },
        id: 'createToken',
        summary: 'Create a token',
        description:
          'Creates a token of the account. `secret` is the text to send as a bearer token. It is stored nowhere and shown only in this response. Scopes that the calling token does not have are rejected with 403. An `Idempotency-Key` is rejected with 422.',
      },
    },
  },
  {
    name: '/v1/tokens/{id}',
    path: /^\/v1\/tokens\/([^/]+)$/,
    operations: {
      DELETE: {
        parameters: NO_PARAMETERS,
        validate: requireNone,
        parametersIn: 'query',
        requestHeaders: [],
        scope: 'admin',
        answer: revokeToken,
        success: { status: 200, description: 'The revoked token.', body: 'TokenAnswer', headers: [] },
        id: 'revokeToken',
        summary: 'Revoke a token',
        description:
          'Revokes a token of the account, which stops working within 5 s. Revoking it again changes nothing. The last valid token of the account with the scope `admin` is rejected with 409.',
      },
    },
  },
  {
    name: '/v1/audit',
    path: /^\/v1\/audit$/,
    operations: {
      GET: {
        parameters: AUDIT_LIST_PARAMETERS.rest,
        validate: readAll(AUDIT_LIST_PARAMETERS.rest),
        parametersIn: 'query',
        requestHeaders: [],
        scope: 'admin',
        answer: listAuditEvents,
        success: { status: 200, description: 'A page of audit events.', body: 'AuditEventList', headers: ['Link'] },
        id: 'listAuditEvents',
        summary: 'List audit events',
        description:
          'The changes in the account, newest first: who did what, and when. Lists those of the last 90 days, and about 10,000 at most. After a crash, those of its last second can be missing. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header.',
      },
    },
  },
];

export const OPERATIONS = RESOURCES.flatMap((resource) =>
  Object.entries(resource.operations).map(([method, operation]) => ({
    method,
    operation,
    path: resource.name,
    hasId: resource.name.includes('{id}'),
  })),
);
