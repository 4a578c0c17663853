import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc, { type Arbitrary } from 'fast-check';
import {
  execute,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { ListEmbedsDocument, RetrieveEmbedDocument } from '../../src/generated/operations.ts';
import { compile, createExecute } from '../../src/graphql/execution/jit.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { anyJson, check, openUnlimitedApp, runsOf } from './check.ts';

/** Queries are compiled from the third run on. */
const RUNS = 5;
const QUERIES = runsOf(150);

const TYPES: Readonly<Record<string, string>> = {
  id: 'ID!',
  ids: '[ID!]!',
  first: 'Int = 2',
  after: 'String',
  filter: 'EmbedFilter',
  orderBy: 'EmbedOrder',
};
const DECLARATIONS = Object.entries(TYPES).map(([name, type]) => `$${name}: ${type}`);
const FRAGMENT = 'fragment E on Embed { mode createdAt embedUrl }';
const NODE_SELECTIONS = ['{ __typename id ... on Embed { font } }', '{ id ...E }', '{ ... on Node { id } }'];

/** Generates selections without literals, some with fragments. A type does not contain itself, as an article does in its parts. */
function selectionOf(type: GraphQLObjectType, above: readonly GraphQLNamedType[] = []): Arbitrary<string> {
  const path = [...above, type];
  const selectable = Object.values(type.getFields()).filter(
    (field) =>
      !path.includes(getNamedType(field.type)) &&
      field.args.every((arg) => arg.name in TYPES || !isRequiredArgument(arg)),
  );
  const fields = selectable.map(({ name, args, type }) => {
    const named = getNamedType(type);
    const known = args.filter((arg) => arg.name in TYPES).map((arg) => `${arg.name}: $${arg.name}`);
    const below = isObjectType(named)
      ? selectionOf(named, path)
      : fc.constantFrom(...(isInterfaceType(named) ? NODE_SELECTIONS : ['']));
    return below.map((inner) => `${name}${known.length > 0 ? `(${known.join(', ')})` : ''} ${inner}`);
  });
  const others = type.name === 'Embed' ? ['', '...E', '... on Node { id }', 'id id'] : ['', '__typename'];
  const some = fc.subarray(fields, { minLength: 1 }).chain((chosen) => fc.tuple(...chosen));
  return fc.tuple(some, fc.constantFrom(...others)).map(([parts, other]) => `{ ${parts.join(' ')} ${other} }`);
}

function valuesFrom(ids: readonly string[]) {
  const anyId = fc.constantFrom(...ids, '01m7y4dcyp2ad36zr4waqryvpr', 'x');
  return fc.record(
    {
      id: anyId,
      ids: fc.array(anyId, { maxLength: 4 }),
      first: fc.constantFrom(1, 3, 100, 101, null),
      after: anyId,
      filter: fc.constantFrom({ mode: 'DARK' }, { search: 'meal' }, { mode: 'NOPE' }, {}, null),
      orderBy: fc.constantFrom({ field: 'CREATED_AT', direction: 'ASC' }, { field: 'CREATED_AT' }),
      stray: anyJson,
    },
    { requiredKeys: [] },
  );
}

test('a compiled query returns the same bytes as before it was compiled', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const ids: string[] = [];
  for (const mode of ['light', 'dark', 'dark', 'auto']) ids.push((await ada.create({ mode })).id);
  const sendQuery = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const text = await (await ada.fetch('/graphql', { method: 'POST', headers, body })).text();
    return text.replace(/"request_id":"[^"]*"/g, '');
  };
  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no query');
  let [compiled, failed, succeeded] = [0, 0, 0];
  await check(QUERIES, fc.tuple(selectionOf(root), valuesFrom(ids)), async ([selection, values]) => {
    const used = DECLARATIONS.filter((declaration) => selection.includes(declaration.split(':')[0] as string));
    const head = used.length > 0 ? `query (${used.join(', ')})` : 'query';
    const query = `${head} ${selection} ${selection.includes('...E') ? FRAGMENT : ''}`;
    if ((await compile(parse(query))) !== execute) compiled++;
    const variables = { id: ids[0], ids, ...values };
    const first = await sendQuery(JSON.stringify({ query, variables }));
    if (first.includes('"errors"')) failed++;
    else succeeded++;
    for (let run = 1; run < RUNS; run++) expect(await sendQuery(JSON.stringify({ query, variables }))).toBe(first);
  });
  expect(compiled).toBe(QUERIES);
  expect(Math.min(failed, succeeded)).toBeGreaterThan(0);
  expectNoBugs();
});

const NAMES = [
  '__proto__',
  '__x',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  'input',
  'coerced',
];

test('a compiled query may have variables, operations and fragments of any name', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  for (let i = 0; i < 3; i++) await ada.create();
  const sendQuery = async (query: string, variables: string) => {
    const body = `{ "query": ${JSON.stringify(query)}, "variables": ${variables} }`;
    const headers = { 'content-type': 'application/json' };
    return (await ada.fetch('/graphql', { method: 'POST', headers, body })).text();
  };
  const ids = (await ada.graphql('{ embeds { nodes { id } } }')).data.embeds.nodes as readonly { id: string }[];
  const list = (count: number) => JSON.stringify({ data: { embeds: { nodes: ids.slice(0, count) } } });
  for (const name of NAMES) {
    const bare = `query ($${name}: Int) { embeds(first: $${name}) { nodes { id } } }`;
    const withDefault = `query ($${name}: Int = 2) { embeds(first: $${name}) { nodes { id } } }`;
    const named = `query ${name}($${name}: Int) { ...${name} } fragment ${name} on Query { embeds(first: $${name}) { nodes { id } } }`;
    const filter = `query ($${name}: EmbedFilter) { embeds(filter: $${name}) { totalCount } }`;
    const aliased = `query ($${name}: Int) { ${name}: embeds(first: $${name}) { ${name}: nodes { ${name}: id } } }`;
    const nodes = ids.slice(0, 1).map(({ id }) => `{"${name}":"${id}"}`);
    for (let run = 0; run < RUNS; run++) {
      for (const query of [bare, withDefault, named]) {
        expect([query, run, await sendQuery(query, `{ "${name}": 1 }`)]).toEqual([query, run, list(1)]);
      }
      for (const [query, variables, result] of [
        [bare, '{}', list(3)],
        [withDefault, '{}', list(2)],
        [filter, `{ "${name}": { "mode": "DARK" } }`, '{"data":{"embeds":{"totalCount":0}}}'],
        [aliased, `{ "${name}": 1 }`, `{"data":{"${name}":{"${name}":[${nodes}]}}}`],
      ] as const) {
        expect([query, await sendQuery(query, variables)]).toEqual([query, result]);
      }
    }
  }
  expectNoBugs();
});

test('compiles the reads of REST, but no query with literals, aliases or directives, and no mutation', async () => {
  for (const document of [ListEmbedsDocument, RetrieveEmbedDocument]) expect(await compile(document)).not.toBe(execute);
  const others = [
    '{ embed(id: "x") { id } }',
    'query ($id: ID!) { nodes(ids: [$id]) { id } }',
    'query ($after: String = "x") { embeds(after: $after, filter: { mode: DARK }) { totalCount } }',
    '{ a: embeds { totalCount } }',
    'query ($id: ID!, $all: Boolean!) { embed(id: $id) { id font @include(if: $all) } }',
    '{ __schema { types { name } } }',
    '{ __type(name: "Embed") { name } }',
    'query ($__proto__: Int) { embeds(first: $__proto__) { totalCount } }',
    'query A { embeds { totalCount } } query B { embeds { totalCount } }',
    'mutation ($id: ID!) { deleteEmbed(input: { id: $id }) { message } }',
    'subscription { embedChanged { kind } }',
  ];
  for (const text of others) expect(await compile(parse(text)), text).toBe(execute);
});

test('a compiled query keeps nothing of the requests that ran it', async () => {
  const execute = createExecute();
  const document = parse('{ __typename }');
  const runOnce = async () => {
    const contextValue = {};
    await execute({ schema, document, contextValue });
    return new WeakRef(contextValue);
  };
  const contexts: WeakRef<object>[] = [];
  for (let run = 0; run < RUNS; run++) contexts.push(await runOnce());
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // a WeakRef keeps its object until the end of the turn, and code that is being optimised may keep it for longer
  const findKept = () => {
    collectGarbage();
    return contexts.filter((context) => context.deref() !== undefined);
  };
  await expect.poll(findKept).toEqual([]);
});
