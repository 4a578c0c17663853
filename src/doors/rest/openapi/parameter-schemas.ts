import { PAGE_STATES } from '#reader/page-state';
import { MAX_URL_LENGTH } from '#reader/page-url';
import { LIST_DESCRIPTIONS, VIEW_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { CONFLICT_DESCRIPTION, CONFLICT_RULES } from '../../../domain/embed/embed.ts';
import { inputFieldsOf } from '../../../domain/embed/fields.ts';
import { DIRECTIONS, ORDER_FIELDS } from '../../../domain/embed/listing.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { ACCOUNT_SETTINGS, EMBED_SETTINGS } from '../../../domain/embed/settings.ts';
import { NAME_PATTERN } from '../../../domain/identity/account.ts';
import { NEW_TOKEN_FIELDS } from '../../../domain/identity/token-input.ts';
import { VIEW_GROUPINGS } from '../../../domain/views.ts';
import { ENABLED_DESCRIPTION, eventTypeOf, WEBHOOK_EVENTS, WEBHOOK_FIELDS } from '../../../domain/webhook.ts';
import type { Operation } from '../resource.ts';
import {
  EXAMPLE_ACCOUNT_PATCH,
  EXAMPLE_DRAFT,
  EXAMPLE_EXTERNAL_ID,
  EXAMPLE_PAGE_ID,
  EXAMPLE_PATCH,
  EXAMPLE_SETTINGS_PATCH,
  EXAMPLE_TOKEN_DRAFT,
  EXAMPLE_WEBHOOK_DRAFT,
  type OperationId,
} from './examples.ts';
import {
  CHANGE_CURSOR_SCHEMA,
  componentNameOf,
  DELIVERY_ID_SCHEMA,
  defaultOf,
  ID_SCHEMA,
  INSTANT_SCHEMA,
  inputSchemaOf,
  SCOPES_SCHEMA,
  settingsSchema,
  TOKEN_ID_SCHEMA,
  WEBHOOK_ID_SCHEMA,
} from './field-schemas.ts';
import { describeForRest, describeValues, pluralOf, type Schema, schemaRef, valuesInRest } from './schema.ts';

const pageSize: Schema = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE };

const pageStates = valuesInRest(PAGE_STATES);

/** The filter `page_state` in JSON. */
export const PAGE_STATE_LIST: Schema = {
  type: 'array',
  items: { type: 'string', enum: pageStates },
  minItems: 1,
  uniqueItems: true,
  examples: [['gone', 'forbidden']],
  description: LIST_DESCRIPTIONS.pageState,
};

const LIST_SCHEMAS: Readonly<Record<string, Schema>> = {
  first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'The number of embeds to return.' },
  limit: {
    ...pageSize,
    examples: [DEFAULT_PAGE_SIZE],
    description: 'Another name for `first`; send one of them.',
  },
  after: {
    ...ID_SCHEMA,
    description:
      'The id of the last embed of the previous page: the page starts after it. It stays valid when that embed is deleted.',
  },
  created_after: { ...INSTANT_SCHEMA, description: LIST_DESCRIPTIONS.createdAfter },
  created_before: {
    ...INSTANT_SCHEMA,
    examples: ['2026-12-31T12:00:00.000Z'],
    description: LIST_DESCRIPTIONS.createdBefore,
  },
  updated_after: {
    ...INSTANT_SCHEMA,
    description: describeForRest(LIST_DESCRIPTIONS.updatedAfter, { changes: 'GET /v1/changes' }),
  },
  page_state: {
    type: 'string',
    pattern: `^((${pageStates.join('|')})(,(?!$)|$))+$`,
    examples: ['gone,forbidden'],
    description: `${LIST_DESCRIPTIONS.pageState} One or more, separated by commas.`,
  },
  needs_attention: {
    type: 'boolean',
    examples: [true],
    description: describeForRest(LIST_DESCRIPTIONS.needsAttention),
  },
  search: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
    description: LIST_DESCRIPTIONS.search,
    examples: ['meal planner'],
  },
  order_by: {
    type: 'string',
    enum: valuesInRest(ORDER_FIELDS),
    default: 'created_at',
    description: LIST_DESCRIPTIONS.field,
  },
  direction: {
    type: 'string',
    enum: valuesInRest(DIRECTIONS),
    default: 'desc',
    description: describeForRest(LIST_DESCRIPTIONS.direction),
  },
};

/** Describes the parameters of a list without filters. @param id the schema of the ids, which are cursors */
function listSchemas(
  noun: string,
  id: Schema,
  after = `The id of the last ${noun} of the previous page: the page starts after it.`,
): Readonly<Record<string, Schema>> {
  return {
    first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: `The number of ${pluralOf(noun)} to return.` },
    after: { ...id, description: after },
  };
}

const LISTS: Readonly<Partial<Record<OperationId, Readonly<Record<string, Schema>>>>> = {
  listTokens: listSchemas(
    'token',
    TOKEN_ID_SCHEMA,
    'The id of the last token of the previous page: the page starts after it. An id that does not belong to the account, such as that in the example, is rejected with 422.',
  ),
  listAuditEvents: listSchemas('event', ID_SCHEMA),
  listWebhooks: listSchemas('webhook', WEBHOOK_ID_SCHEMA),
  listDeliveries: listSchemas('delivery', DELIVERY_ID_SCHEMA),
  listChanges: listSchemas(
    'change',
    CHANGE_CURSOR_SCHEMA,
    'The `end_cursor` of the previous response, the `cursor` of a change, or the id of an event of a stream. Without it, the list begins with the oldest change that is kept. A cursor that does not belong to the account, such as that in the example, is rejected with 410.',
  ),
};

/** The body of `POST` and `PATCH` of webhooks. In forms, the events are separated by commas. */
function webhookSchema(isNew: boolean): Schema {
  const { url, events } = WEBHOOK_FIELDS;
  return {
    type: 'object',
    properties: {
      url: { ...inputSchemaOf(url), examples: [EXAMPLE_WEBHOOK_DRAFT.url], description: url.description },
      events: { ...EVENTS_SCHEMA, description: events.description },
      ...(!isNew && { enabled: { type: 'boolean', description: ENABLED_DESCRIPTION } }),
    },
    ...(isNew && { required: ['url', 'events'] }),
    additionalProperties: false,
  };
}

export const EVENTS_SCHEMA: Schema = {
  type: 'array',
  items: { type: 'string', enum: Object.keys(WEBHOOK_EVENTS).map(eventTypeOf) },
  minItems: 1,
  uniqueItems: true,
};

const VIEW_SCHEMAS: Readonly<Record<string, Schema>> = {
  from: { type: 'string', format: 'date', examples: ['2026-11-01'], description: VIEW_DESCRIPTIONS.from },
  to: { type: 'string', format: 'date', examples: ['2026-11-30'], description: VIEW_DESCRIPTIONS.to },
  by: {
    type: 'string',
    enum: valuesInRest(VIEW_GROUPINGS),
    default: 'day',
    description: describeValues(VIEW_GROUPINGS, VIEW_DESCRIPTIONS.by),
  },
};

const FILTER_EXAMPLES: Readonly<Record<string, unknown>> = {
  ...EXAMPLE_DRAFT,
  page_id: EXAMPLE_PAGE_ID,
  external_id: EXAMPLE_EXTERNAL_ID,
};

const FILTER_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  inputFieldsOf('filter').map((field) => [
    field.restName,
    {
      ...inputSchemaOf(field),
      examples: [FILTER_EXAMPLES[field.restName ?? field.name] ?? defaultOf(field)],
      description: describeForRest(field.description),
    },
  ]),
);

/** Returns names and schemas of the parameters that an operation reads from the query string. */
export function queryParametersOf({ id, parameters, parametersIn }: Operation): readonly (readonly [string, Schema])[] {
  if (parametersIn !== 'query') return [];
  const schemas: Readonly<Record<string, Schema>> = {
    ...LIST_SCHEMAS,
    ...FILTER_SCHEMAS,
    ...VIEW_SCHEMAS,
    ...LISTS[id],
  };
  const paths = parameters.all.flatMap(({ path, alias }) => (alias === undefined ? [path] : [path, alias]));
  return paths.map((path) => [path, schemas[path] ?? {}]);
}

/** The body of `POST /v1/tokens`. In forms, the scopes are separated by commas. */
const NEW_TOKEN_SCHEMA: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: NAME_PATTERN.source, description: NEW_TOKEN_FIELDS.name.description },
    scopes: { ...SCOPES_SCHEMA, description: NEW_TOKEN_FIELDS.scopes.description },
    expires_at: { ...INSTANT_SCHEMA, description: NEW_TOKEN_FIELDS.expiresAt.description },
  },
  required: ['name', 'scopes'],
  additionalProperties: false,
};

const CONFLICT_SCHEMA: Schema = {
  type: 'string',
  enum: valuesInRest(CONFLICT_RULES),
  default: 'error',
  description: describeValues(CONFLICT_RULES, CONFLICT_DESCRIPTION),
};

function embedSchema(input: 'create' | 'update'): Schema {
  const isCreate = input === 'create';
  const fields = inputFieldsOf(input);
  const properties = fields.map((field) => {
    const component = componentNameOf(field);
    const schema = component
      ? schemaRef(component)
      : { ...inputSchemaOf(field), description: describeForRest(field.description) };
    return [
      field.restName,
      isCreate && field.default !== undefined ? { ...schema, default: defaultOf(field) } : schema,
    ];
  });
  const required = fields
    .filter((field) => field.default === undefined && !field.isNullable)
    .map(({ restName }) => restName);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...(isCreate && { on_conflict: CONFLICT_SCHEMA }) },
    ...(isCreate && { required }),
    ...(!isCreate && { not: { properties: { page_url: {}, page_id: {} }, required: ['page_url', 'page_id'] } }),
    additionalProperties: false,
  };
}

/** The schemas of bodies, and examples of them. */
export const REQUEST_BODIES: Readonly<
  Partial<Record<OperationId, { readonly schema: Schema; readonly example: object }>>
> = {
  createEmbed: { schema: embedSchema('create'), example: EXAMPLE_DRAFT },
  updateEmbed: { schema: embedSchema('update'), example: EXAMPLE_PATCH },
  updateSettings: { schema: settingsSchema(EMBED_SETTINGS, true), example: EXAMPLE_SETTINGS_PATCH },
  updateAccount: { schema: settingsSchema(ACCOUNT_SETTINGS, true), example: EXAMPLE_ACCOUNT_PATCH },
  createToken: { schema: NEW_TOKEN_SCHEMA, example: EXAMPLE_TOKEN_DRAFT },
  createWebhook: { schema: webhookSchema(true), example: EXAMPLE_WEBHOOK_DRAFT },
  updateWebhook: { schema: webhookSchema(false), example: EXAMPLE_WEBHOOK_DRAFT },
};
