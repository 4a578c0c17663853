import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  EXAMPLE_CURSOR,
  EXAMPLE_DELIVERY,
  EXAMPLE_ID,
  EXAMPLE_TOKEN_ID,
  EXAMPLE_WEBHOOK,
  EXAMPLE_WEBHOOK_DRAFT,
} from '../../src/doors/rest/openapi/examples.ts';
import { OPERATIONS } from '../../src/doors/rest/resources.ts';
import { openApp, shareApp } from '../open-app.ts';
import { type Operation, readDocument } from './conformance.ts';

const gateway = shareApp();

test('the document needs no token, is compressed, and is not sent again to clients that have it', async () => {
  const client = gateway.withAuthorization(null);
  const response = await client.fetch('/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const again = { headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
  expect((await client.fetch('/openapi.json', again)).status).toBe(304);
  const put = await client.fetch('/openapi.json', { method: 'PUT' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test.each([
  ['localhost:4000', 'http://127.0.0.1:4000'],
  ['embeds.example.com', 'https://gateway.example.com'],
])('below %s, the document names the absolute URL of the service', async (embedHost, url) => {
  const { app } = await openApp({ embedHost });
  // a proxy that ends TLS forwards plain requests
  const response = await app.fetch(new Request(`${url.replace('https', 'http')}/openapi.json`));
  expect((await response.json()).servers).toEqual([{ url, description: 'This service.' }]);
  const other = await app.fetch(new Request('http://other.example:8080/openapi.json'));
  expect((await other.json()).servers[0].url).toMatch(/^https?:\/\/other\.example:8080$/);
});

test.each([true, false])('clients that are not browsers get an index at the root, with CONSOLE %s', async (console) => {
  const client = (await openApp({ console })).withAuthorization(null);
  const index = await (await client.fetch('/')).json();
  expect(index.name).toBe('Embed Gateway');
  const { version, name, ...paths } = index;
  const statuses = Object.entries<string>(paths).map(async ([name, path]) => [name, (await client.fetch(path)).status]);
  // these two need a token
  expect(Object.fromEntries(await Promise.all(statuses))).toEqual({ rest: 401, graphql: 401, openapi: 200, docs: 200 });
  const page = await client.fetch('/', { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain(console ? 'text/html' : 'application/json');
});

test('descriptions have the words of REST', async () => {
  const { document } = await readDocument(gateway.withAuthorization(null));
  const text = JSON.stringify(document);
  const words = new Set(text.match(/`(?:[A-Z][A-Z_]+|[a-z]+[A-Z]\w*)`/g));
  // the mutations have no equivalent in REST
  expect([...words].sort()).toEqual(['`ACCESS_TOKEN`', '`PATCH`', '`POST`', '`deleteEmbeds`', '`updateEmbeds`']);
  expect(text).not.toMatch(/\b\w+[^aeiou\W]ys\b/);
});

test('the paths support exactly the methods that the document describes', async () => {
  const client = gateway.withAuthorization(null);
  const { document } = await readDocument(client);
  expect(Object.keys(document.paths)).toEqual([
    '/v1/embeds',
    '/v1/embeds/{id}',
    '/v1/embeds/{id}/page',
    '/v1/embeds/{id}/article',
    '/v1/embeds/{id}/refresh',
    '/v1/embeds/{id}/views',
    '/v1/embeds/{id}/settings',
    '/v1/changes',
    '/v1/account',
    '/v1/account/views',
    '/v1/tokens',
    '/v1/tokens/{id}',
    '/v1/audit',
    '/v1/webhooks',
    '/v1/webhooks/{id}',
    '/v1/webhooks/{id}/rotate',
    '/v1/webhooks/{id}/test',
    '/v1/webhooks/{id}/deliveries',
    '/v1/deliveries/{id}/redeliver',
  ]);
  for (const [path, item] of Object.entries(document.paths)) {
    const options = await client.fetch(path.replace('{id}', 'x'), { method: 'OPTIONS' });
    const methods = Object.keys(item).filter((key) => key !== 'parameters');
    const allowed = (options.headers.get('allow') ?? '').toLowerCase().split(', ');
    expect(allowed).toEqual([...methods, ...(methods.includes('get') ? ['head'] : []), 'options']);
  }
});

const BODIES: Record<string, (example: Record<string, unknown>) => BodyInit> = {
  'application/json': (example) => JSON.stringify(example),
  'application/x-www-form-urlencoded': (example) => new URLSearchParams(toFormFields(example)),
  'multipart/form-data': (example) => {
    const form = new FormData();
    for (const [name, value] of toFormFields(example)) form.set(name, value);
    return form;
  },
};

/** Lists are separated by commas, and objects are JSON. */
function toFormFields(example: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(example).map(([name, value]) => [
    name,
    typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value),
  ]);
}

test('every operation returns the documented example for the example request in every media type', async () => {
  const { as, withAuthorization, database } = await openApp({ accessToken: 'the token of the operator' });
  const ada = await as('ada');
  // its account has no other tokens, as in the examples
  const operator = withAuthorization('Bearer the token of the operator');
  const { document, expectConforming } = await readDocument(ada);

  /** Sends an example, and expects the documented response except for id and time. */
  async function sendExample(method: string, template: string, id: string, type?: string): Promise<string> {
    const operation = document.paths[template]?.[method.toLowerCase()] as Operation;
    const example = type && operation.requestBody?.content[type]?.example;
    const body = example ? BODIES[type]?.(example as Record<string, unknown>) : undefined;
    const headers: HeadersInit = type === 'application/json' ? { 'content-type': type } : {};
    const range = template.endsWith('/views') ? `?from=${YESTERDAY}&to=${TODAY}` : '';
    const path = template.replace('{id}', id) + range;
    const client = /^\/v1\/(tokens|audit|account$)/.test(template) ? operator : ada;
    const response = await client.fetch(path, body ? { method, body, headers } : { method });
    const text = await response.text();
    expectConforming(method, template.replace('{id}', id), response, text);
    const [status = '', documented] = Object.entries(operation.responses).findLast(([each]) => each < '3') ?? [];
    const content = (documented as { content: Record<string, { example: unknown }> }).content;
    expect([operation.operationId, response.status]).toEqual([operation.operationId, Number(status)]);
    const sentId = /"id":"(\w{12,})"/.exec(text)?.[1] ?? id;
    expect(JSON.parse(maskVariables(text, sentId))).toEqual(
      JSON.parse(maskVariables(JSON.stringify(content['application/json']?.example), EXAMPLE_IDS)),
    );
    return sentId;
  }

  for (const type of Object.keys(BODIES)) {
    const id = await sendExample('POST', '/v1/embeds', '', type);
    await sendExample('GET', '/v1/embeds', id);
    if (type === Object.keys(BODIES)[0]) await sendExample('GET', '/v1/changes', id);
    await sendExample('GET', '/v1/embeds/{id}', id);
    await sendExample('PATCH', '/v1/embeds/{id}', id, type);
    await sendExample('GET', '/v1/embeds/{id}/page', id);
    await sendExample('POST', '/v1/embeds/{id}/refresh', id, type);
    await sendExample('GET', '/v1/embeds/{id}/settings', id);
    await sendExample('PATCH', '/v1/embeds/{id}/settings', id, type);
    await sendExample('DELETE', '/v1/embeds/{id}', id);
  }
  const { id: seen } = await ada.create();
  const counts = { accountId: 'ada', embedId: seen, site: 'example.com' };
  database.views.add({ ...counts, day: YESTERDAY, views: 8, reads: 3 });
  database.views.add({ ...counts, day: TODAY, views: 4, reads: 2 });
  await sendExample('GET', '/v1/embeds/{id}/views', seen);
  await sendExample('GET', '/v1/account/views', seen);
  // the example of the list is of one token
  const [type = ''] = Object.keys(BODIES);
  const id = await sendExample('POST', '/v1/tokens', '', type);
  await sendExample('GET', '/v1/tokens', id);
  await sendExample('GET', '/v1/audit', '');
  await sendExample('DELETE', '/v1/tokens/{id}', id);
  for (const form of Object.keys(BODIES).slice(1)) await sendExample('POST', '/v1/tokens', '', form);
  await sendExample('GET', '/v1/account', 'none');
  for (const form of Object.keys(BODIES)) await sendExample('PATCH', '/v1/account', 'none', form);
  // `test/webhooks` has a receiver, which the other operations of webhooks need
  for (const form of Object.keys(BODIES)) {
    const webhookId = await sendExample('POST', '/v1/webhooks', '', form);
    await sendExample('GET', '/v1/webhooks', webhookId);
    await sendExample('GET', '/v1/webhooks/{id}', webhookId);
    await sendExample('PATCH', '/v1/webhooks/{id}', webhookId, form);
    await sendExample('POST', '/v1/webhooks/{id}/rotate', webhookId);
    await sendExample('DELETE', '/v1/webhooks/{id}', webhookId);
  }
  const described = Object.values(document.paths).flatMap((item) => Object.values(item));
  expect(described.filter(({ operationId }) => operationId)).toHaveLength(28);
});

test('the document has the body of each operation that takes parameters in one', async () => {
  const { document } = await readDocument(gateway.withAuthorization(null));
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  const described = all.flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema as { properties: object } | undefined;
    return schema ? [[operationId, Object.keys(schema.properties).sort()]] : [];
  });
  const taken = OPERATIONS.flatMap(({ operation: { id, parametersIn, parameters } }) => {
    const isBody = parametersIn === 'body' && parameters.all.length > 0;
    return isBody ? [[id, parameters.all.map(({ path }) => path).sort()]] : [];
  });
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(taken));
});

test('each query parameter of a list has an example or a default, and all examples can be sent together', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const { body: kept } = await ada.rest('GET', '/v1/changes');
  const { body: owned } = await ada.rest('GET', '/v1/tokens');
  const { body: subscribed } = await ada.rest('POST', '/v1/webhooks', EXAMPLE_WEBHOOK_DRAFT);
  const known: Record<string, string> = {
    [EXAMPLE_CURSOR]: kept.pagination.end_cursor,
    [EXAMPLE_TOKEN_ID]: owned.tokens[0].id,
  };
  const { document, parametersOf } = await readDocument(ada);
  for (const path of Object.keys(document.paths).filter((each) => document.paths[each]?.get)) {
    const ofQuery = parametersOf('GET', path).filter((parameter) => parameter.in === 'query');
    if (ofQuery.length === 0) continue;
    const examples = ofQuery.flatMap(({ name, schema }) => {
      const { examples: [example] = [], default: usual } = schema as { examples?: unknown[]; default?: unknown };
      expect([path, name, example ?? usual]).not.toEqual([path, name, undefined]);
      return example === undefined ? [] : [[name, known[`${example}`] ?? String(example)]];
    });
    const ofOwner = path.replace('{id}', path.includes('webhooks') ? subscribed.webhook.id : id);
    const { status, body } = await ada.rest('GET', `${ofOwner}?${new URLSearchParams(examples)}`);
    expect([path, status, body.errors]).toEqual([path, 200, undefined]);
  }
});

test('the filter for collections of Postman names the ids of the examples', () => {
  const filter = readFileSync('test/clients/examples/postman.jq', 'utf8');
  const ids = [...filter.matchAll(/"(\w+)": "\w+Id"/g)].map(([, id]) => id);
  expect(ids).toEqual([EXAMPLE_ID, EXAMPLE_TOKEN_ID, EXAMPLE_WEBHOOK.id, EXAMPLE_DELIVERY.id]);
});

const [YESTERDAY = '', TODAY = ''] = [86_400_000, 0].map((ms) => new Date(Date.now() - ms).toISOString().slice(0, 10));

const PROPERTY = '(,"[a-z_]+"):(?:null|"[^"]*")';
const PAGE = new RegExp(`"page":\\{"state":"[a-z_]+"${PROPERTY.repeat(6)}\\}`);

const EXAMPLE_IDS = /wh_01m7y4de3wq8n1v5k2t7r9xcpb|01m7y4dcyp2ad36zr4waqryvpr|01m7y4de3wq8n1v5k2t7r9xcpb|4kZ9vQ2mT1aB/g;

function maskVariables(text: string, id: string | RegExp): string {
  // nothing is fetched in tests, so pages are pending or unreachable
  const page = '"page":{"state":"<state>"$1:null$2:null$3:null$4:null$5:null$6:null}';
  return text
    .replaceAll(id, '<id>')
    .replace(/[0-9a-f]{16}-\d+/g, '<cursor>')
    .replace(/"((?:created|updated|revoked)_at|at)":"[^"]+"/g, '"$1":"<time>"')
    .replace(/"subject_id":"[^"]+"/, '"subject_id":"<id>"')
    .replace(/"(?:emb_\w{49}|whsec_[\w+/=]+)"/, '"<secret>"')
    .replace(/"key":"[\d-]+"/g, '"key":"<day>"')
    .replace(PAGE, page);
}

test('the document has the link of each list, and the conflict of each update', async () => {
  const { document, part } = await readDocument(gateway.withAuthorization(null));
  const { pattern } = part<{ schema: { pattern: string } }>('/components/headers/Link').schema;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path: path.replace('{id}', EXAMPLE_ID), ...operation })),
  );
  const lists = operations.filter(({ responses }) => JSON.stringify(responses?.[200] ?? {}).includes('/headers/Link'));
  expect(lists.map(({ path }) => path)).toContain('/v1/changes');
  for (const { path } of lists) expect(`<${path}?first=1&after=x>; rel="next"`).toMatch(new RegExp(pattern));
  const updates = operations.filter(({ operationId }) => /^update(Embed|Settings|Account)$/.test(operationId));
  expect(updates.map(({ responses }) => Object.keys(responses).includes('409'))).toEqual([true, true, true]);
});
