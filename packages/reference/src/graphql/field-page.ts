import { type GraphQLField, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { html, type Markup } from '../../../reader/src/html.ts';
import { renderCode } from '../highlight.ts';
import { renderDescription, renderHeading } from '../markdown.ts';
import type { Page } from '../page.ts';
import { renderTrial } from '../trial.ts';
import type { GraphqlExample } from './examples.ts';
import { fieldsOf, renderFields, renderType } from './schema-fields.ts';

type RootField = GraphQLField<unknown, unknown>;
export type OperationKind = 'query' | 'mutation' | 'subscription';

/** Creates the page of a query, a mutation or a subscription. */
export function createFieldPage(kind: OperationKind, field: RootField, example: GraphqlExample): Page {
  const { name, description, type } = field;
  const content = html`<div class="operation">
<header>
<p class="eyebrow">GraphQL · ${kind}</p>
<h1><code>${name}</code></h1>
${renderDescription(description ?? '')}
</header>
<aside aria-label="Samples">
${renderTrial({
  method: 'POST',
  path: '/graphql',
  accept: kind === 'subscription' ? 'text/event-stream' : 'application/json',
  isWrite: kind === 'mutation',
  fields: html`<label>Document<textarea name="graphql" rows="10" spellcheck="false">${example.query.trimEnd()}</textarea></label>`,
})}
<section class="samples"><h2 class="caption">Example</h2>${renderCode(example.query, 'graphql', 'The operation')}</section>
<section class="example"><h2 class="caption">Response</h2>${renderCode(indented(example), example.language, 'The response')}</section>
</aside>
<div class="parts">
${renderArguments(field)}
${renderHeading(2, 'returns', 'Returns')}
<p>${renderType(type)}</p>
${isObjectType(getNamedType(type)) ? html`${renderDescription(getNamedType(type).description ?? '')}${renderFields(fieldsOf(type), 'returns-')}` : null}
</div>
</div>`;
  return {
    url: `/docs/graphql/${name}`,
    title: name,
    badge: kind,
    description: `The ${kind} ${name} of the GraphQL API.`,
    content,
    headings: [],
    anchors: [{ id: '', text: `${kind} ${name}` }],
    isWide: true,
  };
}

function indented({ response, language }: GraphqlExample): string {
  return language === 'json' ? JSON.stringify(JSON.parse(response), null, 2) : response;
}

/** An input object is shown as its fields, because every mutation has one. */
function renderArguments({ args }: RootField): Markup | null {
  if (args.length === 0) return null;
  const [only] = args;
  const input = only && args.length === 1 && getNamedType(only.type);
  if (input && isInputObjectType(input)) {
    return html`${renderHeading(2, 'input', 'Input')}
<p>${only.name}: ${renderType(only.type)}</p>
${renderFields(fieldsOf(input), 'input-')}`;
  }
  return html`${renderHeading(2, 'arguments', 'Arguments')}${renderFields(args, 'argument-')}`;
}
