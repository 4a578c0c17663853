import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { EMBED_ID } from '../../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../../domain/embed/paging.ts';
import { SCOPES } from '../../../domain/identity/token.ts';
import { spellName } from '../../../domain/input/parameters.ts';
import { MAX_VIEW_DAYS } from '../../../domain/views.ts';
import { DELIVERY_ID, eventTypeOf, WEBHOOK_EVENTS, WEBHOOK_ID } from '../../../domain/webhook.ts';
import { schema } from '../../../graphql/schema/schema.ts';
import { TOKEN_ID_SCHEMA } from './field-schemas.ts';
import {
  describeForRest,
  describeValues,
  pluralOf,
  requiredObject,
  type Schema,
  schemaRef,
  setOf,
  valuesInRest,
} from './schema.ts';

export const COUNT: Schema = { type: 'integer', minimum: 0 };

const SCALARS: Readonly<Record<string, Schema>> = {
  Int: { type: 'integer' },
  DateTime: { type: 'string', format: 'date-time' },
  URL: { type: 'string', format: 'uri' },
};

/** Rules that the types of GraphQL lack, by type and field. */
const RULES: Readonly<Record<string, Schema>> = {
  'AuditEvent.id': { pattern: EMBED_ID.source },
  'AuditEvent.count': COUNT,
  'Article.wordCount': COUNT,
  'Delivery.id': { pattern: DELIVERY_ID.source },
  'Delivery.attempts': COUNT,
  'Heading.level': { minimum: 2, maximum: 6 },
  'Token.id': TOKEN_ID_SCHEMA,
  'Token.scopes': setOf({ type: 'string', enum: SCOPES }),
  'ViewGroup.views': COUNT,
  'ViewGroup.reads': COUNT,
  'ViewStatistics.views': COUNT,
  'ViewStatistics.reads': COUNT,
  'ViewStatistics.groups': { items: schemaRef('ViewGroup'), maxItems: MAX_VIEW_DAYS },
  'Webhook.id': { pattern: WEBHOOK_ID.source },
  'Webhook.events': setOf({ type: 'string', enum: Object.keys(WEBHOOK_EVENTS).map(eventTypeOf) }),
};

/**
 * Describes an object as GraphQL does, in REST's spelling: all fields but those that have arguments, and those that are objects. All
 * properties are required.
 */
export function describeObject(typeName: string): Schema {
  const type = schema.getType(typeName) as GraphQLObjectType;
  const fields = Object.values(type.getFields()).filter((field) => {
    return field.args.length === 0 && !isObjectType(getNullableType(field.type));
  });
  const properties = fields.map(({ name, type, description }) => [
    spellName(name),
    { description: describeForRest(description ?? ''), ...describeType(type), ...RULES[`${typeName}.${name}`] },
  ]);
  return { ...requiredObject(Object.fromEntries(properties)), description: describeForRest(type.description ?? '') };
}

function describeType(type: GraphQLOutputType): Schema {
  if (isNonNullType(type)) return describeNonNull(type.ofType);
  const value = describeNonNull(type);
  return { ...value, type: [value.type, 'null'] };
}

function describeNonNull(type: GraphQLOutputType): Schema {
  if (isListType(type)) return { type: 'array', items: describeType(type.ofType) };
  if (isObjectType(type)) return describeObject(type.name);
  if (!isEnumType(type)) return SCALARS[String(type)] ?? { type: 'string' };
  const values = Object.fromEntries(type.getValues().map(({ name, description }) => [name, description ?? '']));
  return { type: 'string', enum: valuesInRest(values), description: describeValues(values) };
}

/**
 * Describes a page of a list without filters.
 * @param item the name of the type of an item
 */
export function listOf(noun: string, item: string, idPattern: RegExp): Schema {
  const { totalCount } = (schema.getType(`${item}Connection`) as GraphQLObjectType).getFields();
  const total = { ...COUNT, description: totalCount?.description };
  return requiredObject({
    [pluralOf(noun)]: { type: 'array', items: schemaRef(item), maxItems: MAX_PAGE_SIZE },
    total_count: total,
    pagination: requiredObject({
      end_cursor: {
        type: ['string', 'null'],
        pattern: idPattern.source,
        description: `The id of the last ${noun} of the page. Send it as \`after\`. Null if the page is empty.`,
      },
      has_next_page: { type: 'boolean', description: `Whether there are more ${pluralOf(noun)} after this page.` },
      total_count: total,
    }),
  });
}
