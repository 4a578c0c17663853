import { html, type Markup } from '../../../reader/src/html.ts';
import { renderCode } from '../highlight.ts';
import { renderDescription, renderHeading, renderInline } from '../markdown.ts';
import type { Page } from '../page.ts';
import { renderTrial } from '../trial.ts';
import {
  type ApiResponse,
  type JsonSchema,
  nameOf,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  type RestOperation,
} from './openapi.ts';
import { samplesOf } from './samples.ts';
import { renderParameters, renderProperties } from './schema-fields.ts';

/** Every operation takes it. The overview of REST describes it. */
const COMMON_HEADER = 'X-Request-Id';

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

/** Creates the page of an operation: its text, with samples and a form beside it. */
export function createOperationPage(described: RestOperation, document: OpenApiDocument): Page {
  const { method, path, operation, parameters } = described;
  const { operationId, summary, description, tags } = operation;
  const content = html`<div class="operation">
<header>
<p class="eyebrow">REST · ${tags[0] ?? ''}</p>
<h1>${summary}</h1>
<p class="endpoint"><span class="method" data-method="${method}">${method}</span> <code>${path}</code></p>
${renderDescription(description)}
</header>
<aside aria-label="Samples">
${renderForm(described)}
${renderSamples(described)}
</aside>
<div class="parts">
${PLACES.map(([place, title]) => {
  const found = parameters.filter((parameter) => parameter.in === place && parameter.name !== COMMON_HEADER);
  return found.length === 0 ? null : [renderHeading(2, `${place}-parameters`, title), renderParameters(found)];
})}
${renderBody(described)}
${renderResponse(described, document)}
${renderErrors(described, document)}
</div>
</div>`;
  return {
    url: `/docs/rest/${operationId}`,
    title: summary,
    badge: method,
    description: `${method} ${path}: ${summary.toLowerCase()}.`,
    content,
    headings: [],
    anchors: [
      { id: '', text: `${method} ${path}` },
      { id: '', text: operationId },
    ],
    isWide: true,
  };
}

function renderBody({ operation: { requestBody } }: RestOperation): Markup | null {
  if (!requestBody) return null;
  const { 'application/json': json } = requestBody.content;
  if (!json) return null;
  return html`${renderHeading(2, 'body', 'Body')}
<p class="note">JSON, a form or multipart: the names are the same.</p>
${renderProperties(json.schema, 'body-', { marksRequired: true })}`;
}

/** Finds the documented success: 201 of creates, else the first status, which is always one. */
function successOf({ responses }: RestOperation): readonly [string, ApiResponse] {
  const success = responses.find(([status]) => status === '201') ?? responses[0];
  if (!success) throw new Error('an operation has no response');
  return success;
}

function renderResponse(described: RestOperation, { components }: OpenApiDocument): Markup {
  const [, { headers, content }] = successOf(described);
  const { $ref = '' } = content?.['application/json']?.schema ?? {};
  const schema: JsonSchema = components.schemas[nameOf($ref)] ?? {};
  const names = Object.keys(headers);
  return html`${renderHeading(2, 'response', 'Response')}
${described.responses
  .filter(([, response]) => !response.content?.['application/problem+json'])
  .map(([code, response]) => html`<p><span class="status">${code}</span> ${renderInline(response.description)}</p>`)}
${renderProperties(schema, 'response-', { schemas: components.schemas })}
<details class="more"><summary>${String(names.length)} response headers</summary>
<dl class="fields">${names.map(
    (name) =>
      html`<div class="field"><dt><code>${name}</code></dt><dd>${renderDescription(components.headers[name]?.description ?? '')}</dd></div>`,
  )}</dl></details>`;
}

interface Problem {
  readonly status: string;
  readonly code: string;
  readonly when: string;
}

/** The description of a response lists the cases of its codes, in the order of the examples. */
function problemsOf({ responses }: RestOperation): readonly Problem[] {
  return responses.flatMap(([status, { content, description }]) => {
    const cases = description.split(' Or: ');
    const codes = Object.keys(content?.['application/problem+json']?.examples ?? {});
    return codes.map((code, i) => ({ status, code, when: cases[i] ?? description }));
  });
}

/** Renders the errors. Those of every operation are closed at first. */
function renderErrors(described: RestOperation, document: OpenApiDocument): Markup {
  const others = operationsOf(document).map((one) => new Set(problemsOf(one).map(({ code }) => code)));
  const isCommon = ({ code }: Problem) => others.every((codes) => codes.has(code));
  const { common = [], own = [] } = Object.groupBy(problemsOf(described), (one) => (isCommon(one) ? 'common' : 'own'));
  return html`${renderHeading(2, 'errors', 'Errors')}
${own.length > 0 ? renderProblems(own) : null}
<details class="more"><summary>${String(common.length)} errors of every operation</summary>${renderProblems(common)}</details>`;
}

function renderProblems(problems: readonly Problem[]): Markup {
  return html`<dl class="errors">${problems.map(
    ({ status, code, when }) =>
      html`<div><dt><span class="status">${status}</span> <a href="/docs/errors#${code}"><code>${code}</code></a></dt><dd>${renderInline(when)}</dd></div>`,
  )}</dl>`;
}

function renderSamples(described: RestOperation): Markup {
  const samples = samplesOf(described);
  const [status, { content }] = successOf(described);
  const example = JSON.stringify(content?.['application/json']?.example, null, 2);
  return html`<section class="samples">
<fieldset class="languages"><legend>Language of the sample</legend>${samples.map(
    ({ id, label }, i) =>
      html`<label><input type="radio" name="language" value="${id}"${i === 0 ? html` checked` : null}><span>${label}</span></label>`,
  )}</fieldset>
${samples.map(
  ({ id, label, language, code }) =>
    html`<div class="sample" data-language="${id}">${renderCode(code, language, `The request in ${label}`)}</div>`,
)}
</section>
<section class="example"><h2 class="caption">Response <span class="status">${status}</span></h2>
${renderCode(example, 'json', 'The response')}</section>`;
}

function renderForm({ method, path, parameters, operation }: RestOperation): Markup {
  const body = operation.requestBody?.content['application/json']?.example;
  const inputs = parameters.filter(({ name }) => name !== COMMON_HEADER).map(renderInput);
  const text =
    body === undefined
      ? null
      : html`<label>Body<textarea name="body" rows="6" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></label>`;
  return renderTrial({ method, path, isWrite: method !== 'GET', fields: html`${inputs}${text}` });
}

function renderInput({ name, in: place, required = false, schema }: Parameter): Markup {
  const label = html`<code>${name}</code>${required ? null : html` <span class="hint">optional</span>`}`;
  const field = `${place}:${name}`;
  if (schema.enum) {
    const options = ['', ...schema.enum].map((value) => html`<option>${String(value)}</option>`);
    return html`<label>${label}<select name="${field}">${options}</select></label>`;
  }
  const placeholder = String(schema.examples?.[0] ?? schema.default ?? '');
  return html`<label>${label}<input name="${field}" autocomplete="off" spellcheck="false"${required ? html` required` : null} placeholder="${placeholder}"></label>`;
}
