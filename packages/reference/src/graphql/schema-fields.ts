import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  print,
} from 'graphql';
import { html, type Markup } from '../../../reader/src/html.ts';
import { renderDescription } from '../markdown.ts';

export const TYPES_URL = '/docs/graphql/types';

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;

/** Renders fields or arguments. The prefix makes their ids unique on the page. */
export function renderFields(fields: readonly AnyField[], prefix: string): Markup {
  return html`<dl class="fields">${fields.map((field) => {
    const { name, type, description } = field;
    const text = field.astNode && 'defaultValue' in field.astNode && field.astNode.defaultValue;
    const args = 'args' in field ? field.args : [];
    return html`<div class="field" id="${prefix + name}">
<dt><code>${name}</code> <span class="type">${renderType(type)}${text ? html`, default <code>${print(text)}</code>` : null}</span></dt>
<dd>${renderDescription(description ?? '')}${args.length > 0 ? renderFields(args, `${prefix}${name}.`) : null}</dd>
</div>`;
  })}</dl>`;
}

export function renderValues(type: GraphQLEnumType): Markup {
  return html`<dl class="fields">${type
    .getValues()
    .map(
      ({ name, description }) =>
        html`<div class="field" id="${type.name}.${name}"><dt><code>${name}</code></dt><dd>${renderDescription(description ?? '')}</dd></div>`,
    )}</dl>`;
}

/** Renders a type as in SDL, with a link to its description. */
export function renderType(type: GraphQLType): Markup {
  const named = getNamedType(type);
  const [before = '', after = ''] = String(type).split(named.name);
  if (isScalarType(named) && isSpecifiedScalarType(named)) return html`${String(type)}`;
  return html`${before}<a href="${TYPES_URL}#${named.name}">${named.name}</a>${after}`;
}

/** Returns the fields of an object, an interface or an input; none for other types. */
export function fieldsOf(type: GraphQLType): readonly AnyField[] {
  const named = getNamedType(type);
  const hasFields = isObjectType(named) || isInterfaceType(named) || isInputObjectType(named);
  return hasFields ? Object.values<AnyField>(named.getFields()) : [];
}
