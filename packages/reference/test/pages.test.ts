import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../../src/http/problem.ts';
import { type Client, openApp } from '../../../test/open-app.ts';
import { findNewAddress, MOVED_SECTIONS } from '../src/client/old-addresses.ts';

async function readPage(client: Client, path: string): Promise<string> {
  const response = await client.fetch(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

test('the reference needs no token, is compressed and revalidated, and allows no other host', async () => {
  const client = (await openApp()).withAuthorization(null);
  const response = await client.fetch('/docs', { headers: { 'accept-encoding': 'gzip' } });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+'; style-src 'self';/);
  expect(policy).not.toMatch(/https?:|unsafe/);
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  const again = { headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
  expect((await client.fetch('/docs', again)).status).toBe(304);
  const html = await readPage(client, '/docs');
  for (const [, path = ''] of html.matchAll(/(?:src|href|data-src)="(\/docs\/assets\/[^"]+)"/g)) {
    const asset = await client.fetch(path);
    expect([path, asset.status, asset.headers.get('cache-control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
  // browsers run a file of this hash only from an element that names it
  const [, src = '', integrity = ''] = /<script src="([^"]+)" integrity="([^"]+)"><\/script>/.exec(html) ?? [];
  const script = await (await client.fetch(src)).text();
  expect(integrity).toBe(`sha256-${createHash('sha256').update(script).digest('base64')}`);
  expect(policy).toContain(`'${integrity}'`);
  for (const path of ['/docs/nothing', '/docs/assets/nothing.js', '/docs/../docs/rest%2FlistEmbeds', '/docs/']) {
    expect([path, (await client.fetch(path)).status]).toEqual([path, 404]);
  }
});

test('the first request of a page or file waits for no turn of the event loop, which is long under load', async () => {
  const client = (await openApp()).withAuthorization(null);
  const html = readFileSync(new URL('../../../src/generated/reference/pages/docs.html', import.meta.url), 'utf8');
  const script = /\/docs\/assets\/[^"]+/.exec(html)?.[0] ?? '';
  // loads what all requests share
  await client.fetch('/livez');
  for (const path of ['/docs', '/docs/search.json', script]) {
    const response = await Promise.race([client.fetch(path), nextTurn()]);
    expect([path, response?.status]).toEqual([path, 200]);
  }
});

test('a browser gets a page with the navigation for an address that has none', async () => {
  const client = (await openApp()).withAuthorization(null);
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
  for (const path of ['/docs/nothing', '/docs/not-found', '/docs/']) {
    const response = await client.fetch(path, browser);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/<h1>There is no such page<\/h1>.*<a href="\/docs">Start<\/a>/s);
    expect(text).not.toMatch(/page-tools|rel="next"/);
  }
  expect(await (await client.fetch('/docs/nothing')).json()).toMatchObject({ code: 'not_found' });
  expect(await readPage(client, '/llms.txt')).not.toContain('not-found');
});

test('links to sections that moved to another page lead to their text', async () => {
  const client = (await openApp()).withAuthorization(null);
  for (const [formerPath, pages] of Object.entries(MOVED_SECTIONS)) {
    const former = await readPage(client, formerPath);
    for (const [path, ids] of Object.entries(pages)) {
      const page = await readPage(client, path);
      for (const id of ids) {
        expect(findNewAddress(formerPath, `#${id}`)).toBe(`${path}#${id}`);
        expect(former).not.toContain(` id="${id}"`);
        // the text about oEmbed begins at the top of its page
        if (id !== 'oembed') expect(page).toContain(` id="${id}"`);
      }
    }
  }
  expect(findNewAddress('/docs/embedding', '#pictures-and-privacy')).toBe('/docs/media#pictures-and-privacy');
  expect(findNewAddress('/docs/embedding', '#the-snippet')).toBeNull();
  expect(findNewAddress('/docs/oembed', '#wordpress')).toBeNull();
  expect(findNewAddress('/docs', '#/Embeds/listEmbeds')).toBe('/docs/rest/listEmbeds');
});

test('every operation, type, field, object and error code has a stable address', async () => {
  const client = (await openApp()).withAuthorization(null);
  const document = await (await client.fetch('/openapi.json')).json();
  for (const item of Object.values<Record<string, { operationId?: string; summary: string }>>(document.paths)) {
    for (const { operationId, summary } of Object.values(item)) {
      if (operationId) expect(await readPage(client, `/docs/rest/${operationId}`)).toContain(`<h1>${summary}</h1>`);
    }
  }
  const objects = await readPage(client, '/docs/rest/objects');
  for (const name of ['Embed', 'Embed.show_top_bar', 'Page.state', 'Token.scopes', 'Pagination', 'Problem.code']) {
    expect(objects).toContain(` id="${name}"`);
  }
  const schema = buildSchema(readFileSync('src/graphql/schema.graphql', 'utf8'));
  const types = await readPage(client, '/docs/graphql/types');
  for (const [name, type] of Object.entries(schema.getTypeMap())) {
    if (name.startsWith('__') || ['ID', 'Int', 'String', 'Boolean'].includes(name)) continue;
    const fields = 'getFields' in type ? Object.keys((type as GraphQLObjectType).getFields()) : [];
    if (['Query', 'Mutation', 'Subscription'].includes(name)) {
      for (const field of fields)
        expect(await readPage(client, `/docs/graphql/${field}`)).toContain(`<code>${field}</code></h1>`);
    } else {
      for (const id of [name, ...fields.map((field) => `${name}.${field}`)]) expect(types).toContain(` id="${id}"`);
    }
  }
  const errors = await readPage(client, '/docs/errors');
  for (const code of Object.keys(PROBLEMS)) expect(errors).toContain(`<tr id="${code}">`);
  for (const guide of ['embedding', 'pages', 'paging', 'filtering', 'idempotency', 'subscriptions', 'tokens']) {
    expect(await readPage(client, `/docs/${guide}`)).toContain('<h1>');
  }
});

test('the examples show the host of the embeds of this service', async () => {
  const client = (await openApp({ embedHost: 'embeds.example.net', embedScheme: null })).withAuthorization(null);
  const page = await readPage(client, '/docs/rest/createEmbed');
  expect(page).toContain('https://01m7y4dcyp2ad36zr4waqryvpr.embeds.example.net/Meal-Planner-');
  expect(page).not.toContain('embeds.localhost');
});

test('each page is also Markdown at its path with .md, and llms.txt lists them all', async () => {
  const client = (await openApp()).withAuthorization(null);
  const list = await client.fetch('/llms.txt');
  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const links = [...(await list.text()).matchAll(/^- \[.+?\]\((\/docs.*?)\): /gm)].map(([, path = '']) => path);
  expect(links).toEqual(expect.arrayContaining(['/docs.md', '/docs/guides/next.md', '/docs/rest/createEmbed.md']));
  for (const path of links) expect(await readPage(client, path)).toMatch(/^# \S/);
  const response = await client.fetch('/docs/idempotency.md');
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const markdown = await response.text();
  expect(markdown).toContain('## Repeat a create safely\n');
  // the examples name the service that is asked
  expect(markdown).toContain('```sh\ncurl http://localhost:4000/v1/embeds');
  expect(await readPage(client, '/llms.txt')).toContain('(/docs/idempotency.md): A connection can break after');
  expect(await readPage(client, '/docs/errors.md')).toMatch(/^\| `insufficient_scope`/m);
  const operation = await readPage(client, '/docs/rest/createEmbed.md');
  expect(operation).toContain('`page_url`');
  // samples can be copied: they are no quotations
  expect(operation).toContain('\n```python\nimport json\n');
  expect(markdown).not.toMatch(/Try it|<details/);
});
