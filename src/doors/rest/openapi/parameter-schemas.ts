import { PAGE_STATES } from '#reader/page-state';
import { MAX_URL_LENGTH } from '#reader/page-url';
import { LIST_DESCRIPTIONS, VIEW_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { CONFLICT_RULES } from '../../../domain/embed/embed.ts';
import {
  ALL_FIELDS,
  DEFAULT_SETTINGS,
  inputFieldsOf,
  type NamedField,
  type RestField,
} from '../../../domain/embed/fields.ts';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { spellValue } from '../../../domain/embed/input-reader.ts';
import { DIRECTIONS, ORDER_FIELDS } from '../../../domain/embed/listing.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { MAX_SITES, type NamedSetting, namedSettings } from '../../../domain/embed/settings.ts';
import { CHANGE_CURSOR } from '../../../domain/embed-change.ts';
import { NAME_PATTERN } from '../../../domain/identity/account.ts';
import { SCOPES, TOKEN_ID } from '../../../domain/identity/token.ts';
import { NEW_TOKEN_FIELDS } from '../../../domain/identity/token-input.ts';
import { VIEW_GROUPINGS } from '../../../domain/views.ts';
import { WATCHES } from '../../../domain/watch.ts';
import {
  DELIVERY_ID,
  ENABLED_DESCRIPTION,
  eventTypeOf,
  WEBHOOK_EVENTS,
  WEBHOOK_FIELDS,
  WEBHOOK_ID,
} from '../../../domain/webhook.ts';
import type { Operation } from '../resource.ts';
import {
  EXAMPLE_CURSOR,
  EXAMPLE_ID,
  EXAMPLE_PAGE_ID,
  EXAMPLE_PAGE_URL,
  EXAMPLE_TOKEN_ID,
  EXAMPLE_WEBHOOK,
} from './examples.ts';
import { type Schema, schemaRef } from './schema.ts';

/** The part of the URL rule that a pattern can express. */
const NOT_IN_URLS = '\\s\\\\\\u0000-\\u001f\\u007f';
const PAGE_URL = `^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@${NOT_IN_URLS}]+([/?#][^${NOT_IN_URLS}]*)?$`;

const pageSize: Schema = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE };

export const ID_SCHEMA: Schema = { type: 'string', pattern: EMBED_ID.source, examples: [EXAMPLE_ID] };

export const TOKEN_ID_SCHEMA: Schema = { type: 'string', pattern: TOKEN_ID.source, examples: [EXAMPLE_TOKEN_ID] };

export const CHANGE_CURSOR_SCHEMA: Schema = {
  type: 'string',
  pattern: CHANGE_CURSOR.source,
  examples: [EXAMPLE_CURSOR],
};

export const SCOPES_SCHEMA: Schema = {
  type: 'array',
  items: { type: 'string', enum: SCOPES },
  minItems: 1,
  uniqueItems: true,
};

const INSTANT: Schema = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] };

/** Translates names and enum values in backticks to REST's spelling. */
export function describeForRest(description: string): string {
  return description.replace(/`(\w+)`/g, (code, word: string) => SPELLINGS.get(word) ?? code);
}

const SPELLINGS = new Map([
  ...ALL_FIELDS.flatMap(({ name, restName }) =>
    restName === null ? [] : [[name as string, `\`${restName}\``] as const],
  ),
  ...[...ALL_FIELDS.map(({ values = {} }) => values), PAGE_STATES, DIRECTIONS, CONFLICT_RULES, WATCHES]
    .flatMap(Object.keys)
    .map((value) => [value, `\`${spellValue(value, 'rest')}\``] as const),
  ['onConflict', '`on_conflict`'] as const,
  ['changes', '`GET /v1/changes`'] as const,
  ['movedTo', '`moved_to`'] as const,
  ['totalCount', '`total_count`'] as const,
  ['totalCountIsExact', '`total_count_is_exact`'] as const,
]);

function inputSchemaOf({ type, pattern, values = {} }: Pick<NamedField, 'type' | 'pattern' | 'values'>): Schema {
  switch (type) {
    case 'id':
      return ID_SCHEMA;
    case 'instant':
      return INSTANT;
    // a schema cannot express that the host must be public
    case 'url':
      return {
        type: 'string',
        format: 'iri',
        maxLength: MAX_URL_LENGTH,
        pattern: PAGE_URL,
        examples: [EXAMPLE_PAGE_URL],
      };
    case 'uuid':
      return { type: 'string', ...(pattern && { pattern: pattern.source }), examples: [EXAMPLE_PAGE_ID] };
    case 'enum':
      return { type: 'string', enum: Object.keys(values).map((value) => spellValue(value, 'rest')) };
    case 'text':
      return { type: 'string', ...(pattern && { pattern: pattern.source }) };
    case 'object':
    case 'boolean':
    case 'integer':
      return { type };
  }
}

export function outputSchemaOf(field: RestField): Schema {
  if (componentNameOf(field)) return schemaRef(componentNameOf(field) ?? '');
  const description = describeForRest(field.description);
  if (field.type === 'url') return { type: 'string', format: 'uri', description };
  if (field.type === 'uuid') return { type: 'string', format: 'uuid', description };
  if (field.type === 'instant') return { type: 'string', format: 'date-time', description };
  return { ...inputSchemaOf(field), description };
}

/** Returns the name of the schema that bodies and responses share; null if the field has none. */
function componentNameOf({ name, type, default: value }: NamedField): string | null {
  if (value === undefined || (type !== 'enum' && type !== 'text')) return null;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function describeValues({ description, values = {} }: Pick<NamedField, 'description' | 'values'>): string {
  const listed = Object.entries(values).map(([value, text]) => `- \`${value}\`: ${text}`);
  return describeForRest([description, ...(listed.length > 0 ? ['', ...listed] : [])].join('\n'));
}

export const SETTING_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  ALL_FIELDS.flatMap((field) => {
    const name = componentNameOf(field);
    return name === null ? [] : [[name, { ...inputSchemaOf(field), description: describeValues(field) }]];
  }),
);

const PAGE_STATE = `(${Object.keys(PAGE_STATES)
  .map((state) => spellValue(state, 'rest'))
  .join('|')})`;

const LIST_SCHEMAS: Readonly<Record<string, Schema>> = {
  first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'The number of embeds to return.' },
  limit: { ...pageSize, description: 'Another name for `first`; send one of them.' },
  after: {
    ...ID_SCHEMA,
    description:
      'The id of the last embed of the previous page: the page starts after it. It stays valid when that embed is deleted.',
  },
  created_after: { ...INSTANT, description: LIST_DESCRIPTIONS.createdAfter },
  created_before: { ...INSTANT, description: LIST_DESCRIPTIONS.createdBefore },
  updated_after: { ...INSTANT, description: describeForRest(LIST_DESCRIPTIONS.updatedAfter) },
  page_state: {
    type: 'string',
    pattern: `^(${PAGE_STATE}(,(?!$)|$))+$`,
    examples: ['gone,forbidden'],
    description: `${LIST_DESCRIPTIONS.pageState} One or more, separated by commas.`,
  },
  needs_attention: { type: 'boolean', description: describeForRest(LIST_DESCRIPTIONS.needsAttention) },
  search: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
    description: LIST_DESCRIPTIONS.search,
    examples: ['meal planner'],
  },
  order_by: {
    type: 'string',
    enum: Object.keys(ORDER_FIELDS).map((field) => spellValue(field, 'rest')),
    default: 'created_at',
    description: LIST_DESCRIPTIONS.field,
  },
  direction: {
    type: 'string',
    enum: Object.keys(DIRECTIONS).map((direction) => spellValue(direction, 'rest')),
    default: 'desc',
    description: describeForRest(LIST_DESCRIPTIONS.direction),
  },
};

const TOKEN_LIST_SCHEMAS: Readonly<Record<string, Schema>> = {
  first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'The number of tokens to return.' },
  after: {
    ...TOKEN_ID_SCHEMA,
    description: 'The id of the last token of the previous page: the page starts after it.',
  },
};

const AUDIT_LIST_SCHEMAS: Readonly<Record<string, Schema>> = {
  first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'The number of events to return.' },
  after: {
    ...ID_SCHEMA,
    description: 'The id of the last event of the previous page: the page starts after it.',
  },
};

function listSchemas(noun: string, idPattern: RegExp): Readonly<Record<string, Schema>> {
  const description = `The id of the last ${noun} of the previous page: the page starts after it.`;
  return {
    first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'The number of items to return.' },
    after: { type: 'string', pattern: idPattern.source, description },
  };
}

/** The body of `POST` and `PATCH` of webhooks. In forms, the events are separated by commas. */
export function webhookSchema(isNew: boolean): Schema {
  const { url, events } = WEBHOOK_FIELDS;
  return {
    type: 'object',
    properties: {
      url: { ...inputSchemaOf(url), examples: [EXAMPLE_WEBHOOK.url], description: url.description },
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

const CHANGE_LIST_SCHEMAS: Readonly<Record<string, Schema>> = {
  first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'The number of changes to return.' },
  after: {
    ...CHANGE_CURSOR_SCHEMA,
    description:
      'The `end_cursor` of the previous response, the `cursor` of a change, or the id of an event of a stream. Without it, the list begins with the oldest change that is kept.',
  },
};

const VIEW_SCHEMAS: Readonly<Record<string, Schema>> = {
  from: { type: 'string', format: 'date', examples: ['2026-11-01'], description: VIEW_DESCRIPTIONS.from },
  to: { type: 'string', format: 'date', examples: ['2026-11-30'], description: VIEW_DESCRIPTIONS.to },
  by: {
    type: 'string',
    enum: Object.keys(VIEW_GROUPINGS).map((grouping) => spellValue(grouping, 'rest')),
    default: 'day',
    description: [
      VIEW_DESCRIPTIONS.by,
      '',
      ...Object.entries(VIEW_GROUPINGS).map(([value, text]) => `- \`${spellValue(value, 'rest')}\`: ${text}`),
    ].join('\n'),
  },
};

const FILTER_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  inputFieldsOf('filter').map((field) => [
    field.restName,
    { ...inputSchemaOf(field), description: describeForRest(field.description) },
  ]),
);

/** Returns names and schemas of the parameters that an operation reads from the query string. */
export function queryParametersOf({ id, parameters, parametersIn }: Operation): readonly (readonly [string, Schema])[] {
  if (parametersIn !== 'query') return [];
  const schemas = {
    ...LIST_SCHEMAS,
    ...FILTER_SCHEMAS,
    ...VIEW_SCHEMAS,
    ...(id === 'listTokens' && TOKEN_LIST_SCHEMAS),
    ...(id === 'listAuditEvents' && AUDIT_LIST_SCHEMAS),
    ...(id === 'listWebhooks' && listSchemas('webhook', WEBHOOK_ID)),
    ...(id === 'listDeliveries' && listSchemas('delivery', DELIVERY_ID)),
    ...(id === 'listChanges' && CHANGE_LIST_SCHEMAS),
  };
  const paths = parameters.all.flatMap(({ path, alias }) => (alias === undefined ? [path] : [path, alias]));
  return paths.map((path) => [path, schemas[path] ?? {}]);
}

/** The body of `POST /v1/tokens`. In forms, the scopes are separated by commas. */
export function newTokenSchema(): Schema {
  const { name, scopes, expiresAt } = NEW_TOKEN_FIELDS;
  return {
    type: 'object',
    properties: {
      name: { type: 'string', pattern: NAME_PATTERN.source, description: name.description },
      scopes: { ...SCOPES_SCHEMA, description: scopes.description },
      expires_at: { ...INSTANT, description: expiresAt.description },
    },
    required: ['name', 'scopes'],
    additionalProperties: false,
  };
}

const CONFLICT_SCHEMA: Schema = {
  ...inputSchemaOf({ type: 'enum', values: CONFLICT_RULES }),
  default: 'error',
  description: describeValues({
    description: 'What happens if an embed of the account has the `externalId`.',
    values: CONFLICT_RULES,
  }),
};
/** The schema of settings in a response, or of changes to them in a request. Null is always allowed. */
export function settingsSchema(
  settings: readonly NamedSetting[],
  isRequest: boolean,
  others: Readonly<Record<string, Schema>> = {},
): Schema {
  const described = settings.map((setting) => {
    const { restName, type, description } = setting;
    const text = type === 'enum' ? describeValues(setting) : describeForRest(description);
    return [restName, { ...settingSchemaOf(setting, isRequest), description: text }] as const;
  });
  const properties = { ...others, ...Object.fromEntries(described) };
  return {
    type: 'object',
    properties,
    ...(isRequest ? { additionalProperties: false } : { required: Object.keys(properties) }),
  };
}

function settingSchemaOf(setting: NamedSetting, isRequest: boolean): Schema {
  const { type, pattern, range, members, isList, values = {} } = setting;
  if (members) return orNull(settingsSchema(namedSettings(members), isRequest));
  const [minimum, maximum] = range ?? [];
  if (range && setting.values) {
    const names = Object.keys(values).map((value) => spellValue(value, 'rest'));
    return { type: [type, 'string', 'null'], minimum, maximum, pattern: `^(${names.join('|')})$` };
  }
  if (isList) {
    const items = { type: 'string', ...(pattern && !isRequest && { pattern: pattern.source }) };
    return { type: ['array', 'null'], items, minItems: 1, maxItems: MAX_SITES };
  }
  return orNull({ ...inputSchemaOf(setting), ...(range && { minimum, maximum }) });
}

function orNull(schema: Schema): Schema {
  const { examples: _, ...rest } = schema;
  const nullable = { ...rest, type: [schema.type, 'null'] };
  return Array.isArray(rest.enum) ? { ...nullable, enum: [...rest.enum, null] } : nullable;
}

export function bodySchema(input: 'create' | 'update'): Schema {
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

export function defaultOf({ name, type }: NamedField): unknown {
  const value = { ...DEFAULT_SETTINGS }[name as keyof typeof DEFAULT_SETTINGS];
  return type === 'enum' ? spellValue(String(value), 'rest') : value;
}
