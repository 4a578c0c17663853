import type { Reply } from '../../http/reply.ts';
import { type Call, createEmbed, deleteEmbed, listEmbeds, retrieveEmbed, updateEmbed } from './embeds.ts';
import type { OperationId } from './openapi/examples.ts';
import type { RequestHeader, ResponseHeader } from './openapi/headers.ts';
import type { Name } from './parameters.ts';

/** One operation of the specification: what it takes, from where, what answers it, and what the document says of it. */
export interface Operation {
  readonly parameters: readonly Name[];
  /** Those that cannot be left out. */
  readonly requiredParameters: readonly Name[];
  /** Where they stand. Parameters in the query are read in any case, so that none is silently ignored. */
  readonly parametersIn: 'query' | 'body';
  /** Besides those that all operations heed. */
  readonly requestHeaders: readonly RequestHeader[];
  /** What a token must allow. */
  readonly scope: 'read' | 'write';
  readonly answer: (call: Call) => Promise<Reply>;
  readonly success: Success;
  readonly id: OperationId;
  readonly summary: string;
  readonly description: string;
}

interface Success {
  readonly status: number;
  readonly description: string;
  readonly body: 'EmbedAnswer' | 'EmbedList' | 'Deletion';
  /** Besides those that all answers bear. */
  readonly headers: readonly ResponseHeader[];
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Resource {
  readonly name: '/v1/embeds' | '/v1/embeds/{id}';
  /** The path; its one group, if any, is the id. */
  readonly path: RegExp;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

const SETTINGS = ['mode', 'font', 'show_top_bar'] as const;
const FINDING = [
  'page_id',
  'page_url',
  'mode',
  'font',
  'created_after',
  'created_before',
  'search',
  'order_by',
  'direction',
] as const;

export const RESOURCES: readonly Resource[] = [
  {
    name: '/v1/embeds',
    path: /^\/v1\/embeds$/,
    operations: {
      GET: {
        parameters: ['first', 'limit', 'after', ...FINDING],
        requiredParameters: [],
        parametersIn: 'query',
        requestHeaders: [],
        scope: 'read',
        answer: listEmbeds,
        success: { status: 200, description: 'A page of embeds.', body: 'EmbedList', headers: ['Link'] },
        id: 'listEmbeds',
        summary: 'List embeds',
        description:
          "The account's embeds, newest first: all of them, or those for which every filter holds. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header. A list that several filters are on may give a search up after 2,000 embeds: its page is shorter than asked for then, or empty, and goes on in the same way.",
      },
      POST: {
        parameters: ['page_url', ...SETTINGS],
        requiredParameters: ['page_url'],
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
          'Makes an embed of a public page. A page that cannot be fetched never fails a create. With an `Idempotency-Key` it can be repeated safely for 24 hours: the repetition gets the embed that the first one made, and `Idempotent-Replayed: true`.',
      },
    },
  },
  {
    name: '/v1/embeds/{id}',
    path: /^\/v1\/embeds\/([^/]+)$/,
    operations: {
      GET: {
        parameters: [],
        requiredParameters: [],
        parametersIn: 'query',
        requestHeaders: ['If-None-Match'],
        scope: 'read',
        answer: retrieveEmbed,
        success: { status: 200, description: 'The embed.', body: 'EmbedAnswer', headers: ['ETag'] },
        id: 'retrieveEmbed',
        summary: 'Retrieve an embed',
        description: 'One embed, with an `ETag`. With `If-None-Match` it is sent only when it has changed.',
      },
      PATCH: {
        parameters: ['page_url', 'page_id', ...SETTINGS],
        requiredParameters: [],
        parametersIn: 'body',
        requestHeaders: ['If-Match'],
        scope: 'write',
        answer: updateEmbed,
        success: { status: 200, description: 'The embed as it is now.', body: 'EmbedAnswer', headers: ['ETag'] },
        id: 'updateEmbed',
        summary: 'Update an embed',
        description:
          'Changes what is sent and keeps the rest. The source page is changed by its URL or by its id, not by both. An update that changes nothing needs a token with the scope `read` too. With `If-Match` the embed is changed only if it still is what you read.',
      },
      DELETE: {
        parameters: [],
        requiredParameters: [],
        parametersIn: 'query',
        requestHeaders: ['If-Match'],
        scope: 'write',
        answer: deleteEmbed,
        success: { status: 200, description: 'The embed is gone.', body: 'Deletion', headers: [] },
        id: 'deleteEmbed',
        summary: 'Delete an embed',
        description: 'Deletes an embed for ever. With `If-Match` only if it still is what you read.',
      },
    },
  },
];

/** Every operation with the place that it stands at. */
export const OPERATIONS = RESOURCES.flatMap((resource) =>
  Object.entries(resource.operations).map(([method, operation]) => ({
    method,
    operation,
    path: resource.name,
    hasId: resource.name.includes('{id}'),
  })),
);
