import { html, type Markup, type Part } from '../../../reader/src/html.ts';
import { renderDescription } from '../markdown.ts';
import { type JsonSchema, nameOf, type Parameter } from './openapi.ts';

export const OBJECTS_URL = '/docs/rest/objects';

type Schemas = Readonly<Record<string, JsonSchema>>;

interface Field {
  readonly id: string;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly description: string;
  readonly isRequired: boolean;
}

/** Renders the parameters of one place: path, query or header. */
export function renderParameters(parameters: readonly Parameter[]): Markup {
  return renderFields(
    parameters.map(({ name, schema, description, required = false, in: place }) => ({
      id: `${place}-${name}`,
      name,
      schema,
      description: description ?? schema.description ?? '',
      isRequired: required,
    })),
  );
}

interface PropertyOptions {
  /** Marks the properties that a request must have. */
  readonly marksRequired?: boolean;
  /** Schemas whose fields are shown below the properties that refer to them. */
  readonly schemas?: Schemas;
}

/** Renders the fields of an object. The prefix makes their ids unique on the page. */
export function renderProperties(schema: JsonSchema, prefix: string, options: PropertyOptions = {}): Markup {
  const { marksRequired = false, schemas = {} } = options;
  return renderFields(
    Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      id: prefix + name,
      name,
      schema: property,
      description: property.description ?? '',
      isRequired: marksRequired && (schema.required ?? []).includes(name),
    })),
    schemas,
  );
}

function renderFields(fields: readonly Field[], schemas: Schemas = {}): Markup {
  return html`<dl class="fields">${fields.map((field) => renderField(field, schemas))}</dl>`;
}

function renderField({ id, name, schema, description, isRequired }: Field, schemas: Schemas): Markup {
  return html`<div class="field" id="${id}">
<dt><code>${name}</code> <span class="type">${renderType(schema)}${renderLimits(schema)}</span>${isRequired ? html` <span class="required">required</span>` : null}</dt>
<dd>${description === '' ? null : renderDescription(description)}${renderRules(schema, description)}${renderInner(schema, id, schemas)}</dd>
</div>`;
}

/** Renders the fields of an object within an object, closed at first. */
function renderInner(schema: JsonSchema, id: string, schemas: Schemas): Markup | null {
  const { $ref = '' } = schema.items ?? schema;
  const inner = $ref === '' ? schema : schemas[nameOf($ref)];
  if (!inner?.properties) return null;
  return html`<details class="more"><summary>Fields</summary>${renderProperties(inner, `${id}-`, { schemas })}</details>`;
}

function renderType(schema: JsonSchema): Part {
  const { $ref, type, items, format } = schema;
  if ($ref) return html`<a href="${OBJECTS_URL}#${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (type === 'array') return [html`array of `, items ? renderType(items) : ''];
  const types = type === undefined ? [] : [type].flat();
  const kind = types[0] === 'string' ? (FORMATS[format ?? ''] ?? 'string') : (types[0] ?? 'string');
  return types.includes('null') ? `${kind} or null` : kind;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time (RFC 3339)',
  uri: 'URL',
  iri: 'URL',
  uuid: 'UUID',
};

/** Renders the range and the default of a value, which stand behind its type. */
function renderLimits({ minimum, maximum, default: value }: JsonSchema): Part {
  return [
    minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : '',
    value === undefined ? '' : html`, default <code>${String(value)}</code>`,
  ];
}

/** Renders the rules that the description does not list. */
function renderRules(schema: JsonSchema, description: string): Part {
  const values = schema.enum ?? schema.items?.enum ?? [];
  const rules: Part[] = [];
  if (values.length > 0 && !values.every((value) => description.includes(`\`${value}\``))) {
    rules.push([
      schema.enum ? 'One of ' : 'Values: ',
      separate(values.map((value) => html`<code>${String(value)}</code>`)),
      '.',
    ]);
  }
  const isDescribed = description.replaceAll(',', '').includes(String(schema.maxLength));
  if (schema.maxLength !== undefined && !isDescribed)
    rules.push(`At most ${schema.maxLength.toLocaleString('en')} characters.`);
  return rules.length === 0 ? null : html`<p class="rules">${rules.map((rule) => [rule, ' '])}</p>`;
}

function separate(parts: readonly Markup[]): Part {
  return parts.map((part, i) => (i === 0 ? part : [', ', part]));
}
