import { PAGE_STATES } from '#reader/page-state';
import { MAX_URL_LENGTH } from '#reader/page-url';
import { LIST_DESCRIPTIONS } from '../../../domain/descriptions.ts';
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
import { NAME_PATTERN } from '../../../domain/identity/account.ts';
import { SCOPES, TOKEN_ID } from '../../../domain/identity/token.ts';
import { NEW_TOKEN_FIELDS } from '../../../domain/identity/token-input.ts';
import type { Operation } from '../resource.ts';
import { EXAMPLE_ID, EXAMPLE_PAGE_ID, EXAMPLE_PAGE_URL, EXAMPLE_TOKEN_ID } from './examples.ts';
import { type Schema, schemaRef } from './schema.ts';

/** The part of the URL rule that a pattern can express. */
const NOT_IN_URLS = '\\s\\\\\\u0000-\\u001f\\u007f';
const PAGE_URL = `^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@${NOT_IN_URLS}]+([/?#][^${NOT_IN_URLS}]*)?$`;

const pageSize: Schema = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE };

export const ID_SCHEMA: Schema = { type: 'string', pattern: EMBED_ID.source, examples: [EXAMPLE_ID] };

export const TOKEN_ID_SCHEMA: Schema = { type: 'string', pattern: TOKEN_ID.source, examples: [EXAMPLE_TOKEN_ID] };

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
  ...[...ALL_FIELDS.map(({ values = {} }) => values), PAGE_STATES, DIRECTIONS]
    .flatMap(Object.keys)
    .map((value) => [value, `\`${spellValue(value, 'rest')}\``] as const),
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

function describeValues({ description, values = {} }: NamedField): string {
  const listed = Object.entries(values).map(([value, text]) => `- \`${value}\`: ${text}`);
  return describeForRest([description, ...(listed.length > 0 ? ['', ...listed] : [])].join('\n'));
}

export const SETTING_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  ALL_FIELDS.flatMap((field) => {
    const name = componentNameOf(field);
    return name === null ? [] : [[name, { ...inputSchemaOf(field), description: describeValues(field) }]];
  }),
);

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
    ...(id === 'listTokens' && TOKEN_LIST_SCHEMAS),
    ...(id === 'listAuditEvents' && AUDIT_LIST_SCHEMAS),
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
  const required = fields.filter((field) => field.default === undefined).map(({ restName }) => restName);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(isCreate && { required }),
    ...(!isCreate && { not: { properties: { page_url: {}, page_id: {} }, required: ['page_url', 'page_id'] } }),
    additionalProperties: false,
  };
}

export function defaultOf({ name, type }: NamedField): unknown {
  const value = { ...DEFAULT_SETTINGS }[name as keyof typeof DEFAULT_SETTINGS];
  return type === 'enum' ? spellValue(String(value), 'rest') : value;
}
