import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Client, openApp, shareApp, temporaryFolder } from '../open-app.ts';

const gateway = shareApp();

const QUERY = 'query First($first: Int) { embeds(first: $first) { totalCount } }';
const NOT_FOUND = { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } };

const hashOf = (query: string) => createHash('sha256').update(query).digest('hex');
const apq = (sha256Hash: unknown, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash } });

async function post(client: Client, body: object, accept = 'application/json') {
  const headers = { 'content-type': 'application/json', accept };
  const response = await client.fetch('/graphql', { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

function get(client: Client, parameters: Record<string, string | object>, headers = {}): Promise<Response> {
  const texts = Object.entries(parameters).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return client.fetch(`/graphql?${new URLSearchParams(texts)}`, { headers });
}

async function openWithManifest(manifest: object) {
  const trustedDocuments = join(await temporaryFolder(), 'manifest.json');
  writeFileSync(trustedDocuments, JSON.stringify(manifest));
  return openApp({ trustedDocuments });
}

test('runs a document by its hash once it was sent with it, for every account', async () => {
  const { as } = gateway;
  const [ada, bob] = [await as('ada'), await as('bob')];
  await ada.create();
  const extensions = apq(hashOf(QUERY));
  const variables = { first: 1 };

  const unknown = await post(ada, { extensions, variables });
  expect(unknown).toMatchObject({ status: 200, body: { errors: [NOT_FOUND] } });
  const strict = await post(ada, { extensions }, 'application/graphql-response+json');
  expect(strict).toMatchObject({ status: 400, body: { errors: [NOT_FOUND] } });
  expect((await post(ada, { query: QUERY, extensions, variables })).body.data.embeds.totalCount).toBe(1);
  expect((await post(ada, { extensions, variables })).body.data.embeds.totalCount).toBe(1);
  expect((await post(bob, { extensions, variables })).body.data.embeds.totalCount).toBe(0);
  expect((await post(bob, { documentId: hashOf(QUERY) })).body.data.embeds.totalCount).toBe(0);
});

test('lets clients store the result of GET, and never replies with a stale or foreign one', async () => {
  const { as } = gateway;
  const [ada, bob] = [await as('ada'), await as('bob')];
  const parameters = { extensions: apq(hashOf(QUERY)) };
  const first = await get(ada, { query: QUERY, ...parameters });
  const etag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('no-cache, must-revalidate');
  expect(first.headers.get('vary')).toContain('Authorization');
  const conditional = { 'if-none-match': etag };
  expect((await get(ada, parameters, conditional)).status).toBe(304);

  await ada.create();
  const changed = await get(ada, parameters, conditional);
  expect([changed.status, (await changed.json()).data.embeds.totalCount]).toEqual([200, 1]);
  const stale = { 'if-none-match': changed.headers.get('etag') ?? '' };
  expect((await (await get(bob, parameters, stale)).json()).data.embeds.totalCount).toBe(0);
  // a full query and an error may not be stored
  expect((await get(ada, { query: QUERY })).headers.get('cache-control')).toBe('no-store');
  const missing = await get(ada, { extensions: apq(hashOf('{ __typename }')) });
  expect(missing.headers.get('cache-control')).toBe('no-store');
  const mutation = 'mutation { deleteEmbed(input: { id: "x" }) { message } }';
  expect((await get(ada, { query: mutation, extensions: apq(hashOf(mutation)) })).status).toBe(405);
  const failing = '{ embed(id: "x") { id } nothing }';
  const invalid = await get(ada, { query: failing, extensions: apq(hashOf(failing)) });
  expect(invalid.headers.get('cache-control')).toBe('no-store');
});

test('holds the limits of documents for those named by their hash', async () => {
  const ada = await gateway.as('ada');
  const query = `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} }`;
  const extensions = apq(hashOf(query));
  const first = await post(ada, { query, extensions });
  expect(first.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  expect((await post(ada, { extensions })).body.errors[0].message).toBe(first.body.errors[0].message);
});

test('refuses faulty references to documents, and says why', async () => {
  const ada = await gateway.as('ada');
  const HASH = 'extensions.persistedQuery.sha256Hash';
  const cases: [body: object, path: string][] = [
    [{ query: QUERY, extensions: apq(hashOf('{ __typename }')) }, HASH],
    [{ extensions: apq('abc') }, HASH],
    [{ extensions: apq(hashOf(QUERY).toUpperCase()) }, HASH],
    [{ extensions: apq(hashOf(QUERY), 2) }, 'extensions.persistedQuery.version'],
    [{ extensions: { persistedQuery: [] } }, 'extensions.persistedQuery.version'],
    [{ documentId: 5 }, 'documentId'],
    [{ documentId: 'x'.repeat(201) }, 'documentId'],
    [{ documentId: 'a', doc_id: 'b' }, 'documentId'],
    [{}, 'query'],
  ];
  for (const [body, path] of cases) {
    const { status, body: answer } = await post(ada, body);
    expect([body, status, answer.errors[0].extensions.errors[0].path]).toEqual([body, 400, path]);
  }
});

test('runs only the documents of the manifest, by id or by text', async () => {
  const apollo = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: 'first', name: 'First', type: 'query', body: QUERY }],
  };
  for (const manifest of [{ first: QUERY }, apollo]) {
    const ada = await (await openWithManifest(manifest)).as('ada');
    const accepted = [{ documentId: 'first' }, { doc_id: 'first' }, { query: QUERY }];
    for (const body of accepted) expect((await post(ada, body)).body.data).toEqual({ embeds: { totalCount: 0 } });
    const other = '{ __typename }';
    const refused = [{ query: other }, { documentId: 'other' }, { query: other, extensions: apq(hashOf(other)) }];
    for (const body of refused) {
      const { status, body: answer } = await post(ada, body);
      expect([status, answer.errors[0].extensions.errors[0].message]).toEqual([
        400,
        expect.stringContaining('TRUSTED_DOCUMENTS'),
      ]);
    }
    expect((await ada.rest('GET', '/v1/embeds')).status).toBe(200);
  }
});

test('refuses to start with a manifest that is missing, malformed, or not valid in the schema', async () => {
  const invalid = { one: '{ nothing }', two: 'query {' };
  await expect(openWithManifest(invalid)).rejects.toThrow(/document one .*"nothing"[\s\S]*document two .*Syntax Error/);
  for (const manifest of [[], {}, { one: 1 }, { format: 'other' }, { format: 'apollo-persisted-query-manifest' }]) {
    await expect(openWithManifest(manifest)).rejects.toThrow('is not a manifest of documents');
  }
  await expect(openApp({ trustedDocuments: '/nowhere/manifest.json' })).rejects.toThrow('cannot be read');
});
