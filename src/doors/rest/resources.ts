import {
  CREATE_PARAMETERS,
  parseCreateValues,
  parseUpdateValues,
  SETTINGS_PARAMETERS,
  UPDATE_PARAMETERS,
} from '../../domain/embed/input.ts';
import { LIST_PARAMETERS, parseListQuery } from '../../domain/embed/listing.ts';
import { CHANGE_LIST_PARAMETERS } from '../../domain/embed-change.ts';
import { parseViewRange, VIEW_PARAMETERS } from '../../domain/views.ts';
import { ACCOUNT_RESOURCES } from './account-resources.ts';
import { createEmbed, deleteEmbed, listChanges, listEmbeds, retrieveEmbed, updateEmbed } from './embeds.ts';
import { refreshPage, retrieveArticle, retrievePage, TEXT_TYPES } from './pages.ts';
import { completeResources, type ResourceSpecs } from './resource.ts';
import { retrieveSettings, updateSettings } from './settings.ts';
import { retrieveViews } from './views.ts';
import { WEBHOOK_RESOURCES } from './webhook-resources.ts';

const SPECS: ResourceSpecs = {
  '/v1/embeds': {
    GET: {
      parameters: LIST_PARAMETERS,
      validate: (sent, policy) => ({ ...parseListQuery(sent, policy) }),
      scope: 'read',
      handle: listEmbeds,
      success: { description: 'A page of embeds.', body: 'EmbedList' },
      id: 'listEmbeds',
      summary: 'List embeds',
      description:
        'The embeds of the account, newest first. All given filters must match. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header. With several filters, a page can be shorter than requested, or empty, although there are more matches: the search for a page stops after 2,000 embeds.',
    },
    POST: {
      parameters: CREATE_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseCreateValues(sent, policy, 'rest') }),
      requestHeaders: ['Idempotency-Key'],
      scope: 'write',
      handle: createEmbed,
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
    },
  },
  '/v1/embeds/{id}': {
    GET: {
      requestHeaders: ['If-None-Match'],
      scope: 'read',
      handle: retrieveEmbed,
      success: { description: 'The embed.', body: 'EmbedAnswer', headers: ['ETag'] },
      id: 'retrieveEmbed',
      summary: 'Retrieve an embed',
      description:
        'Returns one embed with its `ETag`. With `If-None-Match`, the response is 304 without a body if the embed has not changed.',
    },
    PATCH: {
      parameters: UPDATE_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseUpdateValues(sent, policy, 'rest') }),
      requestHeaders: ['If-Match'],
      scope: 'write',
      handle: updateEmbed,
      success: { description: 'The updated embed.', body: 'EmbedAnswer', headers: ['ETag'] },
      id: 'updateEmbed',
      summary: 'Update an embed',
      description:
        'Changes the given fields and keeps the others. Change the source page by its URL or by its id, not by both. An update that changes nothing also needs a token with the scope `read`. With `If-Match`, the embed is changed only if it has not changed since you read it.',
    },
    DELETE: {
      requestHeaders: ['If-Match'],
      scope: 'write',
      handle: deleteEmbed,
      success: { description: 'The embed was deleted.', body: 'Deletion' },
      id: 'deleteEmbed',
      summary: 'Delete an embed',
      description: 'Deletes an embed permanently. With `If-Match`, only if it has not changed since you read it.',
    },
  },
  '/v1/embeds/{id}/page': {
    GET: {
      scope: 'read',
      handle: retrievePage,
      success: { description: 'What is known about the page.', body: 'PageAnswer' },
      id: 'retrievePage',
      summary: 'Retrieve the page of an embed',
      description:
        'Returns what is known about the source page of an embed: whether the embed shows a copy, or why it shows a card. Fetches nothing.',
    },
  },
  '/v1/embeds/{id}/article': {
    GET: {
      requestHeaders: ['If-None-Match'],
      scope: 'read',
      handle: retrieveArticle,
      success: {
        description: 'The article, in the form that `Accept` prefers.',
        body: 'ArticleAnswer',
        texts: TEXT_TYPES,
        headers: ['ETag'],
      },
      id: 'retrieveArticle',
      summary: 'Retrieve the article of an embed',
      description:
        'Returns the article that the embed shows: all of it as JSON, or its text as Markdown, HTML or plain text, whichever `Accept` prefers. Fetches nothing. If the embed shows a card, the response is 404 with the state of the page.',
    },
  },
  '/v1/embeds/{id}/refresh': {
    POST: {
      scope: 'write',
      handle: refreshPage,
      success: { description: 'What is now known about the page.', body: 'PageAnswer' },
      id: 'refreshPage',
      summary: 'Refresh the page of an embed',
      description:
        'Fetches the source page of an embed now, at most once every 10 s for an embed, and waits up to 5 s for the result. After that, the response has what is known, and the page continues to load.',
    },
  },
  '/v1/embeds/{id}/views': {
    GET: {
      parameters: VIEW_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseViewRange(sent, policy, 'rest') }),
      scope: 'read',
      handle: retrieveViews,
      success: { description: 'The views.', body: 'ViewsAnswer', texts: ['text/csv'] },
      id: 'retrieveViews',
      summary: 'Retrieve the views of an embed',
      description:
        'Returns how often an embed was seen and read, by day or by site that shows it. With `Accept: text/csv`, the response is CSV.',
    },
  },
  '/v1/embeds/{id}/settings': {
    GET: {
      requestHeaders: ['If-None-Match'],
      scope: 'read',
      handle: retrieveSettings,
      success: { description: 'The settings.', body: 'SettingsAnswer', headers: ['ETag'] },
      id: 'retrieveSettings',
      summary: 'Retrieve the settings of an embed',
      description:
        'Returns what is set for the embed itself. Where it has null, the account or the usual value applies.',
    },
    PATCH: {
      parameters: SETTINGS_PARAMETERS,
      requestHeaders: ['If-Match'],
      scope: 'write',
      handle: updateSettings,
      success: { description: 'The updated settings.', body: 'SettingsAnswer', headers: ['ETag'] },
      id: 'updateSettings',
      summary: 'Update the settings of an embed',
      description:
        'Changes the given settings and keeps the others; null, which only a body in JSON can express, removes one. An update that changes nothing also needs a token with the scope `read`. With `If-Match`, the settings are changed only if the embed has not changed since you read them.',
    },
  },
  '/v1/changes': {
    GET: {
      parameters: CHANGE_LIST_PARAMETERS.rest,
      scope: 'read',
      handle: listChanges,
      success: { description: 'A page of changes.', body: 'ChangeList' },
      id: 'listChanges',
      summary: 'List changes',
      description:
        "The changes of the account's embeds in the order of their commits, oldest first: creates, updates and deletes. `pagination.end_cursor` is never null: repeat the request with `after` set to it, at once while `pagination.has_next_page` is true, and later for the changes that follow. 410 says that changes after the cursor are not kept any more.",
    },
  },
  ...ACCOUNT_RESOURCES,
  ...WEBHOOK_RESOURCES,
};

export const RESOURCES = completeResources(SPECS);

export const OPERATIONS = RESOURCES.flatMap((resource) =>
  Object.entries(resource.operations).map(([method, operation]) => ({
    method,
    operation,
    path: resource.name,
    hasId: resource.name.includes('{id}'),
  })),
);
