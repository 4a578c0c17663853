import { MAX_URL_LENGTH } from '#reader/page-url';
import { ALL_FIELDS, DEFAULT_SETTINGS, type NamedField, type RestField } from '../../../domain/embed/fields.ts';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { MAX_SITES, type NamedSetting } from '../../../domain/embed/settings.ts';
import { CHANGE_CURSOR } from '../../../domain/embed-change.ts';
import { TOKEN_ID } from '../../../domain/identity/token.ts';
import { namedEntries, spellValue } from '../../../domain/input/parameters.ts';
import { DELIVERY_ID, WEBHOOK_ID } from '../../../domain/webhook.ts';
import {
  EXAMPLE_CURSOR,
  EXAMPLE_DELIVERY,
  EXAMPLE_ID,
  EXAMPLE_PAGE_ID,
  EXAMPLE_PAGE_URL,
  EXAMPLE_TOKEN_ID,
  EXAMPLE_WEBHOOK,
} from './examples.ts';
import { describeForRest, describeValues, type Schema, schemaRef, valuesInRest } from './schema.ts';

/** The part of the URL rule that a pattern can express. */
const NOT_IN_URLS = '\\s\\\\\\u0000-\\u001f\\u007f';
const PAGE_URL = `^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@${NOT_IN_URLS}]+([/?#][^${NOT_IN_URLS}]*)?$`;

const idSchema = ({ source }: RegExp, example: string): Schema => {
  return { type: 'string', pattern: source, examples: [example] };
};
export const ID_SCHEMA = idSchema(EMBED_ID, EXAMPLE_ID);
export const TOKEN_ID_SCHEMA = idSchema(TOKEN_ID, EXAMPLE_TOKEN_ID);
export const WEBHOOK_ID_SCHEMA = idSchema(WEBHOOK_ID, EXAMPLE_WEBHOOK.id);
export const DELIVERY_ID_SCHEMA = idSchema(DELIVERY_ID, EXAMPLE_DELIVERY.id);
export const CHANGE_CURSOR_SCHEMA = idSchema(CHANGE_CURSOR, EXAMPLE_CURSOR);

const INSTANT_SCHEMA: Schema = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] };

interface Shape extends Pick<NamedField, 'type' | 'values'> {
  readonly pattern?: RegExp | undefined;
}

export function inputSchemaOf({ type, pattern, values = {} }: Shape): Schema {
  switch (type) {
    case 'id':
      return ID_SCHEMA;
    case 'instant':
      return INSTANT_SCHEMA;
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
      return { type: 'string', enum: valuesInRest(values) };
    case 'text':
      return { type: 'string', ...(pattern && { pattern: pattern.source }) };
    case 'object':
    case 'boolean':
    case 'integer':
      return { type };
  }
}

const OUTPUT_FORMATS: Readonly<Record<string, string>> = { url: 'uri', uuid: 'uuid', instant: 'date-time' };

export function outputSchemaOf(field: RestField): Schema {
  const component = componentNameOf(field);
  if (component !== null) return schemaRef(component);
  const format = OUTPUT_FORMATS[field.type];
  const schema = format === undefined ? inputSchemaOf(field) : { type: 'string', format };
  return { ...schema, description: describeForRest(field.description) };
}

/** Returns the name of the schema that bodies and responses share; null if the field has none. */
export function componentNameOf({ name, type, default: value }: NamedField): string | null {
  if (value === undefined || (type !== 'enum' && type !== 'text')) return null;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export const SETTING_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  ALL_FIELDS.flatMap((field) => {
    const name = componentNameOf(field);
    return name === null
      ? []
      : [[name, { ...inputSchemaOf(field), description: describeValues(field.values, field.description) }]];
  }),
);

/** The schema of settings in a response, or of changes to them in a request. Null is always allowed, except for enums in responses. */
export function settingsSchema(
  settings: readonly NamedSetting[],
  isRequest: boolean,
  others: Readonly<Record<string, Schema>> = {},
): Schema {
  const described = settings.map((setting) => {
    const { restName, type, values, description } = setting;
    const text = describeValues(type === 'enum' ? values : {}, description);
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
  if (members) return orNull(settingsSchema(namedEntries(members), isRequest));
  const [minimum, maximum] = range ?? [];
  if (range && setting.values) {
    const pattern = `^(${valuesInRest(values).join('|')})$`;
    return { type: [type, 'string', 'null'], minimum, maximum, pattern };
  }
  if (type === 'enum' && !isRequest) return inputSchemaOf(setting);
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

export function defaultOf({ name, type }: NamedField): unknown {
  const value = { ...DEFAULT_SETTINGS }[name as keyof typeof DEFAULT_SETTINGS];
  return type === 'enum' ? spellValue(String(value)) : value;
}
