import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { html, type Markup } from '../../../reader/src/html.ts';
import { renderDescription, renderHeading } from '../markdown.ts';
import type { Page } from '../page.ts';
import { fieldsOf, renderFields, renderType, renderValues, TYPES_URL } from './schema-fields.ts';

const KINDS = [
  ['Objects', (type: GraphQLNamedType) => isObjectType(type) || isInterfaceType(type)],
  ['Inputs', isInputObjectType],
  ['Enums', isEnumType],
  ['Scalars', isScalarType],
] as const;

/** Creates the page of all types of the schema, apart from the root types and the scalars of GraphQL. */
export function createTypesPage(schema: GraphQLSchema): Page {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !roots.some((root) => root === type))
    .filter((type) => !(isScalarType(type) && isSpecifiedScalarType(type)))
    .sort((a, b) => a.name.localeCompare(b.name));
  const kinds = KINDS.map(([title, isKind]) => ({ title, id: title.toLowerCase(), found: types.filter(isKind) }));
  const content = html`<header><p class="eyebrow">GraphQL</p><h1>Types</h1>
<p class="lead">All types of the schema. An exclamation mark after a type means that the value is never null.</p></header>
${kinds.map(
  ({ title, id, found }) => html`${renderHeading(2, id, title)}
${found.map((type) => html`<section>${renderHeading(3, type.name, html`<code>${type.name}</code>`)}${renderDescription(type.description ?? '')}${renderMembers(type)}</section>`)}`,
)}`;
  return {
    url: TYPES_URL,
    title: 'Types',
    description: 'The types of the GraphQL schema.',
    content,
    headings: kinds.flatMap(({ title, id, found }) => [
      { id, text: title, depth: 2 },
      ...found.map(({ name }) => ({ id: name, text: name, depth: 3 })),
    ]),
    anchors: types.flatMap((type) =>
      membersOf(type).map((name) => ({ id: `${type.name}.${name}`, text: `${type.name}.${name}` })),
    ),
  };
}

function membersOf(type: GraphQLNamedType): readonly string[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  return fieldsOf(type).map(({ name }) => name);
}

function renderMembers(type: GraphQLNamedType): Markup | null {
  if (isEnumType(type)) return renderValues(type);
  if (isScalarType(type)) return null;
  const interfaces = isObjectType(type) ? type.getInterfaces() : [];
  const implemented = interfaces.map((one) => html`<p class="rules">Implements ${renderType(one)}.</p>`);
  return html`${implemented}${renderFields(fieldsOf(type), `${type.name}.`)}`;
}
