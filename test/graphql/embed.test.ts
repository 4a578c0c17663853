import { expect, test } from 'vitest';
import { type Client, MEAL_PLANNER, openApp, shareApp } from '../open-app.ts';
import { openSite } from '../pages/site.ts';

const gateway = shareApp();

const FIELDS = 'id createdAt embedUrl pageId pageUrl mode font showTopBar';
const CREATE = `mutation Create($input: CreateEmbedInput!) {
  createEmbed(input: $input) { embed { ${FIELDS} } embedEdge { cursor node { id } } }
}`;
const UPDATE = `mutation Update($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { ${FIELDS} } } }`;
const PAGE = `query Page($first: Int, $after: String, $last: Int, $before: String) {
  embeds(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id } }
    nodes { id }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    totalCount
  }
}`;

async function createMany(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.unshift((await client.create()).id);
  return ids;
}

test('creates an embed and returns it as an edge', async () => {
  const ada = await gateway.as('ada');
  const { status, data, errors } = await ada.graphql(CREATE, { input: { pageUrl: MEAL_PLANNER, mode: 'AUTO' } });
  expect(errors).toEqual([]);
  expect(status).toBe(200);
  const { embed, embedEdge } = data.createEmbed;
  expect(embed).toMatchObject({ mode: 'AUTO', font: 'default', showTopBar: true, pageUrl: MEAL_PLANNER });
  expect(embedEdge).toEqual({ cursor: embed.id, node: { id: embed.id } });
  const again = await ada.graphql(`query($id: ID!) { embed(id: $id) { ${FIELDS} } }`, { id: embed.id });
  expect(again.data.embed).toEqual(embed);
});

test('shows the same embed in GraphQL and REST', async () => {
  const ada = await gateway.as('ada');
  const rest = await ada.create({ mode: 'user_defined', font: 'Lora' });
  const { data } = await ada.graphql(`query($id: ID!) { embed(id: $id) { ${FIELDS} } }`, { id: rest.id });
  expect(data.embed).toEqual({
    id: rest.id,
    createdAt: rest.created_at,
    embedUrl: rest.embed_url,
    pageId: rest.page_id,
    pageUrl: rest.page_url,
    mode: 'USER_DEFINED',
    font: 'Lora',
    showTopBar: true,
  });
});

test('finds embeds by id with node and nodes, and returns null for unknown ids', async () => {
  const { as } = gateway;
  const ada = await as('ada');
  const [first = '', second = ''] = await createMany(ada, 2);
  const bobs = (await (await as('bob')).create()).id;
  const { data, errors } = await ada.graphql(
    `query($id: ID!, $ids: [ID!]!) {
      node(id: $id) { __typename id ... on Embed { mode } }
      nodes(ids: $ids) { id }
      unknown: node(id: "nonsense") { id }
      other: embed(id: "01m7y4dcyp2ad36zr4waqryvpr") { id }
    }`,
    { id: first, ids: [second, 'nonsense', bobs, first, second] },
  );
  expect(errors).toEqual([]);
  expect(data).toEqual({
    node: { __typename: 'Embed', id: first, mode: 'LIGHT' },
    nodes: [{ id: second }, null, null, { id: first }, { id: second }],
    unknown: null,
    other: null,
  });
});

test('pages through the whole list with first/after and last/before, with correct flags', async () => {
  const ada = await gateway.as('ada');
  const ids = await createMany(ada, 7);
  const page = async (variables: object) => (await ada.graphql(PAGE, variables)).data.embeds;

  const forward: string[] = [];
  for (let after: string | null = null, turn = 0; turn < 5; turn++) {
    const { edges, pageInfo, totalCount, nodes } = await page({ first: 3, after });
    expect(totalCount).toBe(7);
    expect(nodes.map(({ id }: { id: string }) => id)).toEqual(edges.map(({ cursor }: { cursor: string }) => cursor));
    forward.push(...nodes.map(({ id }: { id: string }) => id));
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    expect(pageInfo.hasNextPage).toBe(forward.length < 7);
    after = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) break;
  }
  expect(forward).toEqual(ids);

  const backward: string[] = [];
  for (let before: string | null = null, turn = 0; turn < 5; turn++) {
    const { nodes, pageInfo } = await page({ last: 3, before });
    backward.unshift(...nodes.map(({ id }: { id: string }) => id));
    expect(pageInfo.hasNextPage).toBe(before !== null);
    expect(pageInfo.hasPreviousPage).toBe(backward.length < 7);
    before = pageInfo.startCursor;
    if (!pageInfo.hasPreviousPage) break;
  }
  expect(backward).toEqual(ids);
});

test('returns correct flags for ranges, empty pages and cursors of deleted embeds', async () => {
  const ada = await gateway.as('ada');
  const ids = await createMany(ada, 6);
  const page = async (variables: object) => {
    const { nodes, pageInfo } = (await ada.graphql(PAGE, variables)).data.embeds;
    return [nodes.map(({ id }: { id: string }) => ids.indexOf(id)), pageInfo.hasPreviousPage, pageInfo.hasNextPage];
  };
  expect(await page({ first: 10, after: ids[0], before: ids[4] })).toEqual([[1, 2, 3], true, true]);
  expect(await page({ first: 2, after: ids[0], before: ids[4] })).toEqual([[1, 2], true, true]);
  expect(await page({ last: 2, after: ids[0], before: ids[4] })).toEqual([[2, 3], true, true]);
  expect(await page({ first: 3, before: ids[2] })).toEqual([[0, 1], false, true]);
  expect(await page({ first: 3, after: ids[5] })).toEqual([[], true, false]);
  expect(await page({ last: 3, before: ids[0] })).toEqual([[], false, true]);

  for (const id of [ids[0], ids[2]]) await ada.rest('DELETE', `/v1/embeds/${id}`);
  expect(await page({ first: 2, after: ids[2] })).toEqual([[3, 4], true, true]);
  expect(await page({ first: 2, after: ids[0] })).toEqual([[1, 3], false, true]);
  expect(await page({ last: 9, before: ids[2] })).toEqual([[1], false, true]);
});

test('pages through every lasting embed exactly once while others are created and deleted', async () => {
  const ada = await gateway.as('ada');
  const ids = await createMany(ada, 12);
  const received: string[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: { nodes: { id: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } = (
      await ada.graphql(PAGE, { first: 2, after })
    ).data.embeds;
    received.push(...nodes.map(({ id }) => id));
    await ada.rest('DELETE', `/v1/embeds/${pageInfo.endCursor}`);
    await ada.create();
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  expect(received).toEqual(ids);
});

test('reports all faults of types and rules at once, with their paths', async () => {
  const ada = await gateway.as('ada');
  const byType = await ada.graphql(CREATE, {
    input: { pageUrl: 'ftp://example.com', mode: 'PINK', font: '', showTopBar: 'yes', colour: 1 },
  });
  expect(byType.status).toBe(400);
  expect(byType.data).toBeUndefined();
  const [error] = byType.errors;
  expect(error?.extensions.code).toBe('BAD_USER_INPUT');
  expect(error?.extensions.errors?.map(({ path }) => path).sort()).toEqual(
    ['colour', 'font', 'mode', 'pageUrl', 'showTopBar'].sort(),
  );
  expect(error?.extensions.errors).toContainEqual({
    path: 'mode',
    message: 'must be one of LIGHT, DARK, AUTO, USER_DEFINED',
  });

  const byRule = await ada.graphql(CREATE, { input: { pageUrl: 'https://10.0.0.1/', font: '' } });
  expect(byRule.status).toBe(200);
  expect(byRule.data).toBeNull();
  expect(byRule.errors[0]?.extensions.errors?.map(({ path }) => path).sort()).toEqual(['font', 'pageUrl']);
  expect(byRule.errors[0]?.path).toEqual(['createEmbed']);
});

test('reports variables that no rule covers by name', async () => {
  const ada = await gateway.as('ada');
  const { status, errors } = await ada.graphql(
    'query($id: ID!, $n: Int) { embed(id: $id) { id } embeds(first: $n) { nodes { id } } }',
    {
      n: 'many',
    },
  );
  expect(status).toBe(400);
  expect(errors[0]?.extensions.errors?.map(({ path }) => path).sort()).toEqual(['first', 'id']);
});

test('waits at most 3 s per request for page titles, however many embeds it creates and updates', async () => {
  const silent = await openSite(() => {});
  const ada = await (await openApp({ allowPrivatePages: true })).as('ada');
  const { id } = await ada.create();
  const create = (alias: string) =>
    `${alias}: createEmbed(input: { pageUrl: "${silent.origin}/${alias}" }) { embed { embedUrl } }`;
  const { data, errors } = await ada.graphql(`mutation {
    ${create('about')} ${create('contact')} ${create('press')}
    updateEmbed(input: { id: "${id}", pageUrl: "${silent.origin}/jobs" }) { embed { embedUrl } }
  }`);
  expect(errors).toEqual([]);
  expect(data.press.embed.embedUrl).toContain('/press-');
  expect(data.updateEmbed.embed.embedUrl).toContain('/jobs-');
  // the first create used all of the time, so the others did not wait
  expect(silent.requests.map(({ url }) => url)).toEqual(['/about']);
});

test('fetches no page for an update of an embed that the account does not have', async () => {
  const site = await openSite(() => {});
  const { as } = await openApp({ allowPrivatePages: true });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const { id } = await ada.create();
  const { errors } = await bob.graphql(UPDATE, { input: { id, pageUrl: `${site.origin}/about` } });
  expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
  expect(site.requests).toEqual([]);
});

test('fetches no page for an update with a stale version', async () => {
  const site = await openSite(() => {});
  const ada = await (await openApp({ allowPrivatePages: true })).as('ada');
  const { id } = await ada.create();
  await ada.graphql(UPDATE, { input: { id, mode: 'DARK' } });
  const { errors } = await ada.graphql(UPDATE, { input: { id, pageUrl: `${site.origin}/about`, expectedVersion: 1 } });
  expect(errors[0]?.extensions.code).toBe('CONFLICT');
  expect(site.requests).toEqual([]);
});

test('rejects null in an update, and reads null in paging as omitted', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const refused = await ada.graphql(UPDATE, { input: { id, mode: null, font: null } });
  expect(refused.errors[0]?.extensions.errors?.map(({ path }) => path).sort()).toEqual(['font', 'mode']);
  const page = await ada.graphql(PAGE, { first: null, after: null, last: null, before: null });
  expect(page.data.embeds.nodes).toEqual([{ id }]);
});

test('replies with NOT_FOUND to updates and deletes of unknown embeds', async () => {
  const ada = await gateway.as('ada');
  for (const id of ['01m7y4dcyp2ad36zr4waqryvpr', 'nonsense', '']) {
    const update = await ada.graphql(UPDATE, { input: { id, mode: 'DARK' } });
    expect(update.errors[0]?.extensions.code).toBe('NOT_FOUND');
    const del = await ada.graphql('mutation($id: ID!) { deleteEmbed(input: { id: $id }) { message } }', { id });
    expect(del.errors[0]?.extensions.code).toBe('NOT_FOUND');
  }
});

test('returns the id of the deleted embed', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const { data } = await ada.graphql(
    'mutation($id: ID!) { deleteEmbed(input: { id: $id }) { deletedEmbedId message } }',
    { id },
  );
  expect(data.deleteEmbed).toEqual({ deletedEmbedId: id, message: `The embed ${id} was deleted successfully.` });
  expect((await ada.graphql('{ embeds { nodes { id } totalCount } }')).data.embeds).toEqual({
    nodes: [],
    totalCount: 0,
  });
});

test('masks a bug and logs it with the request id of the response', async () => {
  const { as, database, logged } = gateway;
  const ada = await as('ada');
  const bug = new Error('secret details at table Embed');
  const { id } = await ada.create();
  database.embeds.update = () => Promise.reject(bug);
  const { data, errors } = await ada.graphql(
    `mutation { updateEmbed(input: { id: "${id}", mode: DARK }) { embed { id } } }`,
  );
  expect(data).toBeNull();
  expect(errors[0]?.message).toBe('Something went wrong on our side.');
  expect(errors[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR');
  expect(logged).toContainEqual({ requestId: errors[0]?.extensions.request_id, err: bug, message: 'bug' });

  const rest = await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
  expect(rest.status).toBe(500);
  expect(JSON.stringify(rest.body)).not.toContain('secret');
  expect(logged).toContainEqual({ requestId: rest.body.request_id, err: bug, message: 'bug' });
});
