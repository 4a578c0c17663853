import { type Awaitable, andThen } from '../../awaitable.ts';
import { FIELDS } from '../../domain/embed/fields.ts';
import {
  CREATE_PARAMETERS,
  parseCreateValues,
  parseUpdateValues,
  UPDATE_PARAMETERS,
} from '../../domain/embed/input.ts';
import { LIST_PARAMETERS, parseListQuery } from '../../domain/embed/listing.ts';
import { CHANGE_LIST_PARAMETERS } from '../../domain/embed-change.ts';
import { spellValue } from '../../domain/input/parameters.ts';
import { Refusal, refuseFaults } from '../../errors.ts';
import {
  CreateEmbedDocument,
  DeleteEmbedDocument,
  type EmbedPartsFragment,
  ListChangesDocument,
  ListEmbedsDocument,
  RetrieveEmbedDocument,
  UpdateEmbedDocument,
  type UpdateEmbedMutation,
} from '../../generated/operations.ts';
import { toRest } from '../../generated/rest-embed.ts';
import type { Reply } from '../../http/reply.ts';
import { json, listReply, matchedInput, requireEmbed, resourceReply, taggedReply, type Versioned } from './replies.ts';
import type { Call, ResourceSpecs } from './resource.ts';

export const EMBED_RESOURCES: ResourceSpecs = {
  '/v1/embeds': {
    GET: {
      parameters: LIST_PARAMETERS,
      validate: (sent, policy) => ({ ...parseListQuery(sent, policy) }),
      scope: 'read',
      success: { description: 'A page of embeds.', body: 'EmbedList' },
      id: 'listEmbeds',
      summary: 'List embeds',
      description:
        'The embeds of the account, newest first. All given filters must match. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header. With several filters, a page can be shorter than requested, or empty, although there are more matches: the search for a page stops after 2,000 embeds.',
      handle: async ({ run, variables, url }) => {
        const { embeds } = await run(ListEmbedsDocument, variables);
        const exactness = variables.filter ? { total_count_is_exact: embeds.totalCountIsExact } : {};
        const total = { total_count: embeds.totalCount, ...exactness };
        return listReply(url, { embeds: embeds.nodes.map(toRest) }, embeds.pageInfo, total);
      },
    },
    POST: {
      parameters: CREATE_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseCreateValues(sent, policy, 'rest') }),
      requestHeaders: ['Idempotency-Key'],
      scope: 'write',
      success: {
        status: 201,
        description: 'The new embed.',
        body: 'EmbedAnswer',
        headers: ['ETag', 'Location', 'Idempotent-Replayed'],
        otherStatus: { status: 200, description: 'The embed that had the `external_id`, as `on_conflict` says.' },
      },
      id: 'createEmbed',
      summary: 'Create an embed',
      description:
        'Creates an embed of a public page, whether or not the page can be fetched. With an `Idempotency-Key` the request can be repeated safely for 24 hours: a repetition returns the embed of the first request, with `Idempotent-Replayed: true`. If an embed of the account has the `external_id`, the response is 409, or, with `on_conflict`, 200 with that embed.',
      handle: async ({ run, variables }) => {
        const { createEmbed } = await run(CreateEmbedDocument, { input: variables });
        const location = `/v1/embeds/${createEmbed.embed.id}`;
        const replayed = createEmbed.replayed && { 'idempotent-replayed': 'true' };
        return changeReply(createEmbed, { location, ...replayed }, createEmbed.created ? 201 : 200);
      },
    },
  },
  '/v1/embeds/{id}': {
    GET: {
      requestHeaders: ['If-None-Match'],
      scope: 'read',
      success: { description: 'The embed.', body: 'EmbedAnswer', headers: ['ETag'] },
      id: 'retrieveEmbed',
      summary: 'Retrieve an embed',
      description:
        'Returns one embed with its `ETag`. With `If-None-Match`, the response is 304 without a body if the embed has not changed.',
      handle: (call) => resourceReply(call, readEmbed),
    },
    PATCH: {
      parameters: UPDATE_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseUpdateValues(sent, policy, 'rest') }),
      requestHeaders: ['If-Match'],
      scope: 'write',
      success: { description: 'The updated embed.', body: 'EmbedAnswer', headers: ['ETag'] },
      id: 'updateEmbed',
      summary: 'Update an embed',
      description:
        'Changes the given fields and keeps the others. Change the source page by its URL or by its id, not by both. An update that changes nothing also needs a token with the scope `read`. With `If-Match`, the embed is changed only if it has not changed since you read it.',
      handle: async (call) => {
        const input = await matchedInput(call, readEmbed);
        try {
          return changeReply((await call.run(UpdateEmbedDocument, { input })).updateEmbed);
        } catch (error) {
          throw withRestName(error);
        }
      },
    },
    DELETE: {
      requestHeaders: ['If-Match'],
      scope: 'write',
      success: { description: 'The embed was deleted.', body: 'Deletion' },
      id: 'deleteEmbed',
      summary: 'Delete an embed',
      description: 'Deletes an embed permanently. With `If-Match`, only if it has not changed since you read it.',
      handle: async (call) => {
        const input = await matchedInput(call, readEmbed);
        return json((await call.run(DeleteEmbedDocument, { input })).deleteEmbed);
      },
    },
  },
};

export const CHANGE_RESOURCES: ResourceSpecs = {
  '/v1/changes': {
    GET: {
      parameters: CHANGE_LIST_PARAMETERS.rest,
      scope: 'read',
      success: { description: 'A page of changes.', body: 'ChangeList' },
      id: 'listChanges',
      summary: 'List changes',
      description:
        "The changes of the account's embeds in the order of their commits, oldest first: creates, updates and deletes. `pagination.end_cursor` is never null: repeat the request with `after` set to it, at once while `pagination.has_next_page` is true, and later for the changes that follow. 410 says that changes after the cursor are not kept any more.",
      handle: async ({ run, variables, url }) => {
        const { edges, pageInfo } = (await run(ListChangesDocument, variables)).changes;
        const changes = edges.map(({ cursor, node: { kind, embedId, at, embed } }) => ({
          cursor,
          kind: spellValue(kind),
          embed_id: embedId,
          at,
          embed: embed && toRest(embed),
        }));
        return listReply(url, { changes }, pageInfo);
      },
    },
  },
};

/** Only the stored embed shows whether its page id can be replaced, so this one fault is found after validation. */
function withRestName(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.faults[0]?.path !== 'pageId') return error;
  return refuseFaults(error.faults.map((fault) => ({ ...fault, path: FIELDS.pageId.restName })));
}

function readEmbed({ run, id }: Call): Awaitable<Versioned> {
  return andThen(run(RetrieveEmbedDocument, { id }), (found) => versionedOf(requireEmbed(found)));
}

function versionedOf(embed: EmbedPartsFragment & Pick<Versioned, 'version'>): Versioned {
  return { version: embed.version, representation: JSON.stringify({ embed: toRest(embed) }) };
}

/** Adds the warnings, if there are some. The tag is that of the embed alone, which a later GET returns. */
function changeReply({ embed, warnings }: UpdateEmbedMutation['updateEmbed'], headers = {}, status = 200): Reply {
  const plain = taggedReply(versionedOf(embed), headers, status);
  return warnings.length === 0 ? plain : { ...plain, body: JSON.stringify({ embed: toRest(embed), warnings }) };
}
