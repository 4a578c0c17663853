import { html } from '../../../reader/src/html.ts';
import { renderDescription, renderHeading } from '../markdown.ts';
import type { Page } from '../page.ts';
import { nameOf, type OpenApiDocument } from './openapi.ts';
import { OBJECTS_URL, renderProperties } from './schema-fields.ts';

/** Creates the page of the objects in bodies and responses. Bodies that only wrap objects are shown with their operations. */
export function createObjectsPage({ paths, components: { schemas } }: OpenApiDocument): Page {
  const used = new Set(refsOf([paths, schemas]));
  const bodies = new Set(refsOf(Object.values(paths).map((item) => responsesOf(item))));
  const shown = Object.entries(schemas).filter(([name]) => name === 'Problem' || (used.has(name) && !bodies.has(name)));
  const headings = shown.map(([name]) => ({ id: name, text: name, depth: 2 }));
  const content = html`<header><p class="eyebrow">REST</p><h1>Objects</h1>
<p class="lead">The objects in the bodies of requests and responses, and what their fields mean.</p></header>
${shown.map(([name, schema]) => html`<section>${renderHeading(2, name, name)}${renderDescription(schema.description ?? '')}${renderProperties(schema, `${name}.`)}</section>`)}`;
  return {
    url: OBJECTS_URL,
    title: 'Objects',
    description: 'The objects in the bodies of REST requests and responses.',
    content,
    headings,
    anchors: shown.flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).map((field) => ({ id: `${name}.${field}`, text: `${name}.${field}` })),
    ),
  };
}

function responsesOf(item: Readonly<Record<string, unknown>>): unknown {
  return Object.values(item).map((operation) => {
    const { responses = {} } = operation as { responses?: Readonly<Record<string, { content?: unknown }>> };
    return Object.values(responses).map((response) => (response as { content?: unknown }).content);
  });
}

/** Finds the names of all schemas that a part of the document refers to. */
function refsOf(part: unknown): string[] {
  const found = JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  return [...found].map(([, name = '']) => nameOf(name));
}
