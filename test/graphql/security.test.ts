import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { MEAL_PLANNER, openApp, shareApp } from '../open-app.ts';

const gateway = shareApp();

test('hides the schema with INTROSPECTION=false, also in error messages, without an effect on REST', async () => {
  const ada = await (await openApp({ introspection: false })).as('ada');
  for (const query of [
    getIntrospectionQuery(),
    '{ __type(name: "Embed") { name } }',
    '{ ...A } fragment A on Query { s: __schema { queryType { name } } }',
  ]) {
    const { status, data, errors } = await ada.graphql(query);
    expect([status, data, errors[0]?.extensions.code]).toEqual([400, undefined, 'BAD_USER_INPUT']);
  }
  for (const query of [
    '{ embedz { totalCount } }',
    '{ embeds(frist: 1) { totalCount } }',
    'mutation { createEmbed(input: { pageUrl: "x", mode: DRK, fonts: "x" }) { embed { id } } }',
    'query($a: EmbedMod) { embed(id: $a) { id } }',
  ]) {
    const { status, errors } = await ada.graphql(query);
    expect(status).toBe(400);
    expect(JSON.stringify(errors)).not.toContain('Did you mean');
  }
  expect((await ada.graphql('{ __typename embeds { __typename totalCount } }')).errors).toEqual([]);
  const { id } = await ada.create();
  expect((await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' })).status).toBe(200);
});

test('suggests names for mistyped ones', async () => {
  const ada = await gateway.as('ada');
  const { errors } = await ada.graphql('{ embedz { totalCount } }');
  expect(errors[0]?.message).toContain('Did you mean');
});

test('runs mutations only as JSON over POST, which other sites cannot make a browser send', async () => {
  const ada = await gateway.as('ada');
  const query = `mutation { createEmbed(input: { pageUrl: "${MEAL_PLANNER}" }) { embed { id } } }`;
  const form = new FormData();
  form.set('query', query);
  form.set('operations', JSON.stringify({ query }));
  const requests: [string, RequestInit][] = [
    [`/graphql?${new URLSearchParams({ query })}`, {}],
    [`/graphql?${new URLSearchParams({ query, operationName: '' })}`, { method: 'HEAD' }],
    [`/graphql?${new URLSearchParams({ query })}`, { method: 'POST' }],
    ['/graphql', { method: 'POST', body: new URLSearchParams({ query }) }],
    ['/graphql', { method: 'POST', body: form }],
    ['/graphql', { method: 'POST', body: JSON.stringify({ query }), headers: { 'content-type': 'text/plain' } }],
    ['/graphql', { method: 'POST', body: query, headers: { 'content-type': 'application/graphql' } }],
  ];
  for (const [path, init] of requests) expect([405, 415]).toContain((await ada.fetch(path, init)).status);
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(0);
});

test('refuses batches, and ignores requests for deferred responses and traces', async () => {
  const ada = await gateway.as('ada');
  const send = async (body: unknown, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    };
    const response = await ada.fetch('/graphql', init);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const query = '{ __typename }';
  const batch = await send([{ query }, { query }]);
  expect([batch.status, batch.text]).toEqual([400, expect.stringContaining('batches are not supported')]);
  const traced = await send({ query, extensions: { tracing: true } }, { 'apollo-federation-include-trace': 'ftv1' });
  expect(JSON.parse(traced.text)).toEqual({ data: { __typename: 'Query' } });
  const streamed = await send({ query }, { accept: 'multipart/mixed;deferSpec=20220824' });
  expect([streamed.status, streamed.type]).toEqual([200, 'application/json; charset=utf-8']);
});
