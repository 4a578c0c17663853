import fc, { type Arbitrary } from 'fast-check';
import { expect, test, vi } from 'vitest';
import { camelCased, expectParity, literalOf } from '../contracts/agreement.ts';
import { type Client, MEAL_PLANNER, type RestAnswer } from '../open-app.ts';
import { anyJson, anyText, check, MANY_CASES, openFuzzed } from './check.ts';

vi.setConfig(MANY_CASES);

const PARTS =
  'created_at: createdAt embed_url: embedUrl page_id: pageId page_url: pageUrl mode font show_top_bar: showTopBar';
const CREATE = `mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { ${PARTS} } } }`;
const UPDATE = `mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { ${PARTS} } } }`;
const LIST =
  'query($first: Int, $after: String) { embeds(first: $first, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } totalCount } }';

function mostly(...values: readonly unknown[]): Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: anyJson });
}

/** The URL of a page that is fetched for its title would only cost time here. */
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

/** The input of GraphQL that says the same; modes are spelled in upper case there, and those of REST in no case. */
function inputOf(body: object): Record<string, unknown> {
  const { mode, ...rest } = camelCased(body);
  if (!('mode' in body)) return rest;
  const isRight = typeof mode === 'string' && /^(light|dark|auto|user_defined)$/.test(mode);
  const spelled = typeof mode === 'string' && !isRight ? mode.toLowerCase() : mode;
  return Object.fromEntries(
    Object.keys(camelCased(body)).map((name) => [
      name,
      name === 'mode' ? (isRight ? mode.toUpperCase() : spelled) : rest[name],
    ]),
  );
}

/** What an embed shows, but for what tells it from another. */
function contentOf({ id: _id, created_at: _createdAt, embed_url, ...content }: Record<string, string>) {
  return { ...content, mode: content.mode?.toLowerCase(), path: new URL(embed_url ?? '').pathname };
}

test('whatever is sent as a create is taken by both doors or refused by both for the same reasons', async () => {
  const { ada, expectNoBugs } = await openFuzzed();
  await check(120, anyDraft, async (draft) => {
    const rest = await ada.rest('POST', '/v1/embeds', draft);
    for (const graphql of [
      await ada.graphql(CREATE, { input: inputOf(draft) }),
      await ada.graphql(`mutation { createEmbed(input: ${literalOf(inputOf(draft))}) { embed { ${PARTS} } } }`),
    ]) {
      if (isBeyondGraphQL(graphql.errors)) continue;
      if (rest.status !== 201) expectParity(draft, rest.body, graphql.errors[0]);
      else expect(contentOf(graphql.data?.createEmbed.embed)).toEqual(contentOf(rest.body.embed));
    }
  });
  expectNoBugs();
});

test('whatever is sent as an update is taken by both doors or refused by both for the same reasons', async () => {
  const { ada, expectNoBugs } = await openFuzzed();
  const pages = [
    MEAL_PLANNER,
    `https://example.com/?p=95747105f402490eba51d52e00496c1c`,
    'https://127.0.0.1.nip.io/About',
  ];
  const pairs = await Promise.all(
    pages.map(async (page_url) => [await createdId(ada, page_url), await createdId(ada, page_url)]),
  );
  await check(120, fc.tuple(anyPatch, fc.constantFrom(...pairs)), async ([patch, [one = '', other = '']]) => {
    const rest = await ada.rest('PATCH', `/v1/embeds/${one}`, patch);
    const graphql = await ada.graphql(UPDATE, { input: { ...inputOf(patch), id: other } });
    if (rest.status !== 200) expectParity(patch, rest.body, graphql.errors[0]);
    else expect(contentOf(graphql.data?.updateEmbed.embed)).toEqual(contentOf(rest.body.embed));
  });
  expectNoBugs();
});

test('whatever is sent as a list is answered by both doors, or refused by both for the same reasons', async () => {
  const { ada, expectNoBugs } = await openFuzzed();
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
  await check(120, anyPage, async (page) => {
    const texts = Object.entries(page).map(([name, value]) => [name, String(value).toWellFormed()]);
    const rest: RestAnswer = await ada.rest('GET', `/v1/embeds?${new URLSearchParams(texts)}`);
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

/** A document cannot hold every value: JSON is not its language, and a text is no enum. */
function isBeyondGraphQL(errors: Awaited<ReturnType<Client['graphql']>>['errors']): boolean {
  return errors.some(({ message, extensions }) => {
    const words = [message, ...(extensions.errors ?? []).map((fault) => fault.message)];
    return words.some((text) => /^(Syntax Error|Enum "EmbedMode" cannot represent)/.test(text));
  });
}

async function createdId(client: Client, page_url: string): Promise<string> {
  return (await client.create({ page_url })).id;
}
