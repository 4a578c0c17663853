import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { expectParity, REST_SELECTION, toCamelCaseKeys, toGraphQLLiteral, toRestEmbed } from '../contracts/parity.ts';
import { type Client, MEAL_PLANNER, type RestReply } from '../open-app.ts';
import { anyJson, anyText, check, openUnlimitedApp, runsOf } from './check.ts';

const CREATE = `mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { ${REST_SELECTION} } } }`;
const UPDATE = `mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { ${REST_SELECTION} } } }`;
const LIST =
  'query($first: Int, $after: String) { embeds(first: $first, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } totalCount } }';

/** Generates one of the values three times in four, and any JSON otherwise. */
function mostly(...values: readonly unknown[]): Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: anyJson });
}

/** URLs that give the title, or are invalid: nothing is fetched. */
const pageUrls = [
  MEAL_PLANNER,
  'https://example.com/About-95747105f402490eba51d52e00496c1c',
  'http://[::1]/',
  'ftp://x',
  'https://a:b@c.de/',
];

const settings = {
  mode: mostly('light', 'dark', 'auto', 'user_defined', 'DARK', 'Dark', ''),
  font: mostly('default', 'Lora', 'A ', '-', ''),
  show_top_bar: mostly(true, false, 'true'),
  colour: fc.constantFrom(1, null),
};
const anyDraft = fc.record({ page_url: mostly(...pageUrls), ...settings }, { requiredKeys: [] });
const anyPatch = fc.record(
  {
    page_url: mostly(...pageUrls),
    page_id: mostly('01234567-89ab-cdef-0123-456789abcdef', '0123456789ABCDEF0123456789abcdef', 'x'),
    ...settings,
  },
  { requiredKeys: [] },
);

/** Converts a REST body to an input of GraphQL. A mode that is invalid in REST stays invalid. */
function toInput(body: object): Record<string, unknown> {
  const { mode, ...rest } = toCamelCaseKeys(body);
  if (!('mode' in body)) return rest;
  const isValid = typeof mode === 'string' && /^(light|dark|auto|user_defined)$/.test(mode);
  const converted = typeof mode === 'string' && !isValid ? mode.toLowerCase() : mode;
  return Object.fromEntries(
    Object.keys(toCamelCaseKeys(body)).map((name) => [
      name,
      name === 'mode' ? (isValid ? mode.toUpperCase() : converted) : rest[name],
    ]),
  );
}

/** Returns the fields that are not unique to an embed. */
function contentOf({ id: _id, created_at: _createdAt, embed_url, ...content }: Record<string, string>) {
  return { ...toRestEmbed(content), path: new URL(embed_url ?? '').pathname };
}

test('both APIs accept the same creates, and reject others for the same reasons', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  await check(runsOf(120), anyDraft, async (draft) => {
    const rest = await ada.rest('POST', '/v1/embeds', draft);
    for (const graphql of [
      await ada.graphql(CREATE, { input: toInput(draft) }),
      await ada.graphql(
        `mutation { createEmbed(input: ${toGraphQLLiteral(toInput(draft))}) { embed { ${REST_SELECTION} } } }`,
      ),
    ]) {
      if (isNotALiteral(graphql.errors)) continue;
      if (rest.status !== 201) expectParity(draft, rest.body, graphql.errors[0]);
      else expect(contentOf(graphql.data?.createEmbed.embed)).toEqual(contentOf(rest.body.embed));
    }
  });
  expectNoBugs();
});

test('both APIs accept the same updates, and reject others for the same reasons', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const pages = [
    MEAL_PLANNER,
    `https://example.com/?p=95747105f402490eba51d52e00496c1c`,
    'https://127.0.0.1.nip.io/About',
  ];
  const pairs = await Promise.all(
    pages.map(async (page_url) => [await createdId(ada, page_url), await createdId(ada, page_url)]),
  );
  await check(runsOf(120), fc.tuple(anyPatch, fc.constantFrom(...pairs)), async ([patch, [one = '', other = '']]) => {
    const rest = await ada.rest('PATCH', `/v1/embeds/${one}`, patch);
    const graphql = await ada.graphql(UPDATE, { input: { ...toInput(patch), id: other } });
    if (rest.status !== 200) expectParity(patch, rest.body, graphql.errors[0]);
    else expect(contentOf(graphql.data?.updateEmbed.embed)).toEqual(contentOf(rest.body.embed));
  });
  expectNoBugs();
});

test('both APIs accept the same lists, and reject others for the same reasons', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const ids = [];
  for (let i = 0; i < 5; i++) ids.push(await createdId(ada, MEAL_PLANNER));
  const anyPage = fc.record(
    {
      first: fc.oneof(
        fc.integer({ min: -2, max: 105 }),
        fc.constantFrom(1.5, 1e21),
        anyText.filter((text) => !/^-?\d+$/.test(text)),
      ),
      after: fc.oneof(fc.constantFrom(...ids), anyText, fc.integer()),
    },
    { requiredKeys: [] },
  );
  await check(runsOf(120), anyPage, async (page) => {
    const texts = Object.entries(page).map(([name, value]) => [name, String(value).toWellFormed()]);
    const rest: RestReply = await ada.rest('GET', `/v1/embeds?${new URLSearchParams(texts)}`);
    const { data, errors } = await ada.graphql(LIST, page);
    if (rest.status !== 200) return expectParity(page, rest.body, errors[0]);
    const { embeds, pagination } = rest.body;
    expect(data?.embeds).toEqual({
      nodes: embeds.map(({ id }: { id: string }) => ({ id })),
      pageInfo: { endCursor: pagination.end_cursor, hasNextPage: pagination.has_next_page },
      totalCount: pagination.total_count,
    });
  });
  expectNoBugs();
});

/** Tests for errors of values that cannot be written as a GraphQL literal, such as a string for an enum. */
function isNotALiteral(errors: Awaited<ReturnType<Client['graphql']>>['errors']): boolean {
  return errors.some(({ message, extensions }) => {
    const messages = [message, ...(extensions.errors ?? []).map((fault) => fault.message)];
    return messages.some((text) => /^(Syntax Error|Enum "EmbedMode" cannot represent)/.test(text));
  });
}

async function createdId(client: Client, page_url: string): Promise<string> {
  return (await client.create({ page_url })).id;
}
