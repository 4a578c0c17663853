import { type GraphQLNamedType, getIntrospectionQuery, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { createPhases } from '../../src/graphql/execution/yoga.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { shareApp } from '../open-app.ts';

const gateway = shareApp();

test.each([
  ['aliases', `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} }`],
  ['directives', `{ __typename ${'@include(if: true) '.repeat(40)} }`],
  ['tokens', `{ ${'__typename '.repeat(2_500)} }`],
])('refuses too many %s before execution', async (_what, query) => {
  const ada = await gateway.as('ada');
  const { status, errors } = await ada.graphql(query);
  expect([status, errors[0]?.extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
});

test('allows 500 embeds per request, over all aliases', async () => {
  const ada = await gateway.as('ada');
  const lists = (count: number) =>
    `{ ${Array.from({ length: count }, (_, i) => `a${i}: embeds(first: 100) { totalCount }`).join(' ')} }`;
  expect((await ada.graphql(lists(5))).errors).toEqual([]);
  const { errors } = await ada.graphql(lists(6));
  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ path: 'first' }] });
});

test('counts every list of a connection, also in fragments', async () => {
  const ada = await gateway.as('ada');
  const code = async (query: string) => (await ada.graphql(query)).errors[0]?.extensions.code;
  const aliased = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: nodes { id }`).join(' ');
  expect(await code(`{ embeds(first: 100) { ${aliased(5)} } }`)).toBeUndefined();
  expect(await code(`{ embeds(first: 100) { ${aliased(6)} } }`)).toBe('BAD_USER_INPUT');
  const lists =
    'fragment L on EmbedConnection { nodes { ...E } edges { node { ...E } } } fragment E on Embed { id html }';
  const connections = (count: number) => Array.from({ length: count }, (_, i) => `c${i}: embeds(first: 100) { ...L }`);
  expect(await code(`{ ${connections(2).join(' ')} } ${lists}`)).toBeUndefined();
  expect(await code(`{ ${connections(3).join(' ')} } ${lists}`)).toBe('BAD_USER_INPUT');
  // the same field again is the same list
  expect(await code(`{ embeds(first: 100) { ${'nodes { id } ...L '.repeat(50)} } } ${lists}`)).toBeUndefined();
});

test('limits the depth of fields by a schema without other cycles of types than parts of articles', () => {
  const walk = (type: GraphQLNamedType, trail: readonly string[]): readonly string[] => {
    if (trail.includes(type.name)) return [[...trail, type.name].join(' → ')];
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const fields = Object.values(type.getFields());
    return fields.flatMap((field) => walk(getNamedType(field.type), [...trail, type.name]));
  };
  const roots = [schema.getQueryType(), schema.getMutationType()].filter((type) => type != null);
  const cycles = roots.flatMap((type) => walk(type, []));
  expect(cycles.filter((cycle) => !cycle.endsWith(' Article → Article'))).toEqual([]);
});

test('limits the memory of cached documents, however many are sent', async () => {
  const big = Array.from({ length: 20 }, (_, i) => `query Q${i} { embeds { ${'totalCount '.repeat(300)} } }`);
  const unparsable = Array.from({ length: 20 }, (_, i) => `{ # ${'x'.repeat(90_000)} ${i}`);
  const unknownFields = Array.from({ length: 60 }, (_, i) => `x${i}`).join(' ');
  const invalid = Array.from({ length: 20 }, (_, i) => `query Q${i} { ${unknownFields} }`);
  const { begin, check, isChecked } = createPhases({ introspection: true }, 1_000_000);
  for (const text of [...big, ...unparsable, ...invalid]) check(begin({}), text);
  const kept = big.filter(isChecked);
  expect(kept.length).toBeLessThan(10);
  expect(kept.at(-1)).toBe(big.at(-1));
  // the next one is checked again
  expect([...unparsable, ...invalid].filter(isChecked)).toEqual([]);
});

test('executes nested fragments at no more cost than their text', async () => {
  const ada = await gateway.as('ada');
  const doubling = Array.from({ length: 150 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(
    ' ',
  );
  const { data } = await ada.graphql(`{ ...F0 } ${doubling} fragment F150 on Query { embeds { totalCount } }`);
  expect(data).toEqual({ embeds: { totalCount: 0 } });
});

test('counts repeated ids each time', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const many = Array.from({ length: 100 }, () => id);
  const nodes = 'query($ids: [ID!]!) { a: nodes(ids: $ids) { id } b: nodes(ids: $ids) { id } }';
  expect((await ada.graphql(nodes, { ids: many })).data.b).toHaveLength(100);
  const long = await ada.graphql(nodes, { ids: [...many, id] });
  expect(long.errors[0]?.extensions.errors).toEqual([{ path: 'ids', message: 'must be at most 100 ids' }]);
  const often = `query($ids: [ID!]!) { ${Array.from({ length: 6 }, (_, i) => `a${i}: nodes(ids: $ids) { id }`).join(' ')} }`;
  expect((await ada.graphql(often, { ids: many })).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test('accepts the documents of GraphiQL and of our own clients, far within the limits', async () => {
  const ada = await gateway.as('ada');
  const query = getIntrospectionQuery({
    descriptions: true,
    inputValueDeprecation: true,
    schemaDescription: true,
    specifiedByUrl: true,
  });
  expect((await ada.graphql(query)).errors).toEqual([]);
});

test('refuses recursive introspection', async () => {
  const ada = await gateway.as('ada');
  const query = `{ __schema { types { ${'fields { type { '.repeat(6)} name ${'} } '.repeat(6)} } } }`;
  expect((await ada.graphql(query)).status).toBe(400);
});
