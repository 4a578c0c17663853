import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { openApp } from '../open-app.ts';

test.each([
  ['aliases', `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} }`],
  ['directives', `{ __typename ${'@include(if: true) '.repeat(40)} }`],
  ['tokens', `{ ${'__typename '.repeat(2_500)} }`],
])('too many %s are refused before anything runs', async (_what, query) => {
  const ada = await (await openApp()).as('ada');
  const { status, errors } = await ada.graphql(query);
  expect([status, errors[0]?.extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
});

test('one request may ask for 500 embeds in all, whatever the aliases', async () => {
  const ada = await (await openApp()).as('ada');
  const lists = (count: number) =>
    `{ ${Array.from({ length: count }, (_, i) => `a${i}: embeds(first: 100) { totalCount }`).join(' ')} }`;
  expect((await ada.graphql(lists(5))).errors).toEqual([]);
  const { errors } = await ada.graphql(lists(6));
  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ path: 'first' }] });
});

test('what GraphiQL and our own clients send is far within the limits', async () => {
  const ada = await (await openApp()).as('ada');
  const query = getIntrospectionQuery({
    descriptions: true,
    inputValueDeprecation: true,
    schemaDescription: true,
    specifiedByUrl: true,
  });
  expect((await ada.graphql(query)).errors).toEqual([]);
});

test('introspection that goes round in circles is refused', async () => {
  const ada = await (await openApp()).as('ada');
  const query = `{ __schema { types { ${'fields { type { '.repeat(6)} name ${'} } '.repeat(6)} } } }`;
  expect((await ada.graphql(query)).status).toBe(400);
});
