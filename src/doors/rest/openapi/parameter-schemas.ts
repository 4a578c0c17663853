import { PAGE_STATES } from '#reader/page-state';
import { MAX_URL_LENGTH } from '#reader/page-url';
import { LIST_DESCRIPTIONS, VIEW_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { CONFLICT_DESCRIPTION, CONFLICT_RULES } from '../../../domain/embed/embed.ts';
import { type InputName, inputFieldsOf } from '../../../domain/embed/fields.ts';
import { CREATE_PARAMETERS, UPDATE_PARAMETERS } from '../../../domain/embed/input.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { ACCOUNT_SETTINGS, EMBED_SETTINGS } from '../../../domain/embed/settings.ts';
import { NAME_PATTERN } from '../../../domain/identity/account.ts';
import { NEW_TOKEN_PARAMETERS } from '../../../domain/identity/token-input.ts';
import type { Parameter, ParameterList } from '../../../domain/input/parameters.ts';
import { VIEW_GROUPINGS } from '../../../domain/views.ts';
import { NEW_WEBHOOK_PARAMETERS, WEBHOOK_UPDATE_PARAMETERS } from '../../../domain/webhook.ts';
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
  inputSchemaOf,
  settingsSchema,
  TOKEN_ID_SCHEMA,
  WEBHOOK_ID_SCHEMA,
} from './field-schemas.ts';
import { describeForRest, describeValues, pluralOf, type Schema, schemaRef, setOf, valuesInRest } from './schema.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** The descriptions of parameters that have none of their own, by GraphQL's names. */
const DESCRIPTIONS: Readonly<Record<string, string>> = { ...VIEW_DESCRIPTIONS, ...LIST_DESCRIPTIONS };

/** Describes parameters by their types. @param rules what the types lack, by name. A reference replaces the type */
function describeParameters({ all }: ParameterList, rules: Schemas, describe = describeInBody): Schemas {
  const described = all.map((parameter) => {
    const { path, name, description = DESCRIPTIONS[name] ?? '' } = parameter;
    const rule = rules[path] ?? {};
    const schema = { ...describe(parameter), description: describeForRest(description), ...rule };
    return [path, '$ref' in rule ? rule : schema];
  });
  return Object.fromEntries(described);
}

function describeInBody({ type, pattern, values, isList }: Parameter): Schema {
  const item = values ? { type: 'string', enum: [...values.keys()] } : inputSchemaOf({ type, pattern });
  return isList ? setOf(item) : item;
}

/** In a query string, a list is a text with commas. */
function describeInQuery(parameter: Parameter): Schema {
  if (!parameter.isList) return describeInBody(parameter);
  return { type: 'string', pattern: `^((${[...(parameter.values?.keys() ?? [])].join('|')})(,(?!$)|$))+$` };
}

const pageSize: Schema = { minimum: 1, maximum: MAX_PAGE_SIZE };

/** The filter `page_state` in JSON. */
export const PAGE_STATE_LIST: Schema = {
  ...setOf({ type: 'string', enum: valuesInRest(PAGE_STATES) }),
  examples: [['gone', 'forbidden']],
  description: LIST_DESCRIPTIONS.pageState,
};

const FILTER_EXAMPLES: Readonly<Record<string, unknown>> = {
  ...EXAMPLE_DRAFT,
  page_id: EXAMPLE_PAGE_ID,
  external_id: EXAMPLE_EXTERNAL_ID,
};

const QUERY_RULES: Schemas = {
  first: { ...pageSize, default: DEFAULT_PAGE_SIZE, description: 'The number of embeds to return.' },
  limit: {
    ...pageSize,
    type: 'integer',
    examples: [DEFAULT_PAGE_SIZE],
    description: 'Another name for `first`; send one of them.',
  },
  after: {
    description:
      'The id of the last embed of the previous page: the page starts after it. It stays valid when that embed is deleted.',
  },
  ...Object.fromEntries(
    inputFieldsOf('filter').map((field) => {
      return [field.restName, { examples: [FILTER_EXAMPLES[field.restName ?? field.name] ?? defaultOf(field)] }];
    }),
  ),
  created_before: { examples: ['2026-12-31T12:00:00.000Z'] },
  updated_after: { description: describeForRest(LIST_DESCRIPTIONS.updatedAfter, { changes: 'GET /v1/changes' }) },
  page_state: {
    examples: ['gone,forbidden'],
    description: `${LIST_DESCRIPTIONS.pageState} One or more, separated by commas.`,
  },
  needs_attention: { examples: [true] },
  search: { minLength: 1, maxLength: MAX_URL_LENGTH, examples: ['meal planner'] },
  order_by: { default: 'created_at' },
  direction: { default: 'desc' },
  from: { format: 'date', examples: ['2026-11-01'] },
  to: { format: 'date', examples: ['2026-11-30'] },
  by: { default: 'day', description: describeValues(VIEW_GROUPINGS, VIEW_DESCRIPTIONS.by) },
};

/** Rules of a list without filters. @param id the schema of the ids, which are cursors */
function listRules(
  noun: string,
  id: Schema,
  after = `The id of the last ${noun} of the previous page: the page starts after it.`,
): Schemas {
  const description = `The number of ${pluralOf(noun)} to return.`;
  return { first: { ...QUERY_RULES.first, description }, after: { ...id, description: after } };
}

const LISTS: Readonly<Partial<Record<OperationId, Schemas>>> = {
  listTokens: listRules(
    'token',
    TOKEN_ID_SCHEMA,
    'The id of the last token of the previous page: the page starts after it. An id that does not belong to the account, such as that in the example, is rejected with 422.',
  ),
  listAuditEvents: listRules('event', ID_SCHEMA),
  listWebhooks: listRules('webhook', WEBHOOK_ID_SCHEMA),
  listDeliveries: listRules('delivery', DELIVERY_ID_SCHEMA),
  listChanges: listRules(
    'change',
    CHANGE_CURSOR_SCHEMA,
    'The `end_cursor` of the previous response, the `cursor` of a change, or the id of an event of a stream. Without it, the list begins with the oldest change that is kept. A cursor that does not belong to the account, such as that in the example, is rejected with 410.',
  ),
};

/** Returns names and schemas of the parameters that an operation reads from the query string. */
export function queryParametersOf({ id, parameters, parametersIn }: Operation): readonly (readonly [string, Schema])[] {
  if (parametersIn !== 'query') return [];
  const rules = { ...QUERY_RULES, ...LISTS[id] };
  const schemas = { ...rules, ...describeParameters(parameters, rules, describeInQuery) };
  const paths = parameters.all.flatMap(({ path, alias }) => (alias === undefined ? [path] : [path, alias]));
  return paths.map((path) => [path, schemas[path] ?? {}]);
}

/** Describes a body. In forms, the values of a list are separated by commas. */
function bodyOf(parameters: ParameterList, rules: Schemas = {}): Schema {
  const required = parameters.all.flatMap(({ path, isRequired }) => (isRequired ? [path] : []));
  return {
    type: 'object',
    properties: describeParameters(parameters, rules),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Fields whose schema is that of responses refer to it. */
function embedRules(input: InputName): Schemas {
  const rules = inputFieldsOf(input).map((field) => {
    const component = componentNameOf(field);
    const hasDefault = input === 'create' && field.default !== undefined;
    return [
      field.restName,
      { ...(component && schemaRef(component)), ...(hasDefault && { default: defaultOf(field) }) },
    ];
  });
  return Object.fromEntries(rules);
}

const CONFLICT = { default: 'error', description: describeValues(CONFLICT_RULES, CONFLICT_DESCRIPTION) };
const ONE_SOURCE = { not: { properties: { page_url: {}, page_id: {} }, required: ['page_url', 'page_id'] } };
const WEBHOOK_RULES = { url: { examples: [EXAMPLE_WEBHOOK_DRAFT.url] } };

/** The schemas of bodies, and examples of them. */
export const REQUEST_BODIES: Readonly<
  Partial<Record<OperationId, { readonly schema: Schema; readonly example: object }>>
> = {
  createEmbed: {
    schema: bodyOf(CREATE_PARAMETERS.rest, { ...embedRules('create'), on_conflict: CONFLICT }),
    example: EXAMPLE_DRAFT,
  },
  updateEmbed: {
    schema: { ...bodyOf(UPDATE_PARAMETERS.rest, embedRules('update')), ...ONE_SOURCE },
    example: EXAMPLE_PATCH,
  },
  updateSettings: { schema: settingsSchema(EMBED_SETTINGS, true), example: EXAMPLE_SETTINGS_PATCH },
  updateAccount: { schema: settingsSchema(ACCOUNT_SETTINGS, true), example: EXAMPLE_ACCOUNT_PATCH },
  createToken: {
    schema: bodyOf(NEW_TOKEN_PARAMETERS.rest, { name: { pattern: NAME_PATTERN.source } }),
    example: EXAMPLE_TOKEN_DRAFT,
  },
  createWebhook: { schema: bodyOf(NEW_WEBHOOK_PARAMETERS.rest, WEBHOOK_RULES), example: EXAMPLE_WEBHOOK_DRAFT },
  updateWebhook: { schema: bodyOf(WEBHOOK_UPDATE_PARAMETERS.rest, WEBHOOK_RULES), example: EXAMPLE_WEBHOOK_DRAFT },
};
