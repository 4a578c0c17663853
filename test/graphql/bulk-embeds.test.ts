import { expect, onTestFinished, test } from 'vitest';
import { type Client, shareApp } from '../open-app.ts';

const gateway = shareApp();

const UPDATE = `mutation($input: UpdateEmbedsInput!) {
  updateEmbeds(input: $input) { embeds { id mode font } previous { id mode } pageInfo { endCursor hasNextPage } }
}`;
const DELETE = `mutation($input: DeleteEmbedsInput!) {
  deleteEmbeds(input: $input) { deletedEmbedIds pageInfo { endCursor hasNextPage } }
}`;

async function createEmbeds(client: Client, count: number): Promise<readonly string[]> {
  const pages = Array.from({ length: count }, (_, i) => `https://example.com/Page-${i}`);
  const created = await Promise.all(pages.map((page_url) => client.create({ page_url })));
  return created.map(({ id }) => id).toSorted();
}

const modesOf = async (client: Client): Promise<readonly string[]> => {
  const { embeds } = (await client.rest('GET', '/v1/embeds?first=100')).body;
  return embeds.map(({ mode }: { mode: string }) => mode);
};

const eventsOf = async (client: Client) => {
  const { events } = (await client.rest('GET', '/v1/audit?first=100')).body;
  return events.filter(({ action }: { action: string }) => action !== 'embeds_created');
};

test('changes the embeds that match a filter page by page, as one audit event, and can be undone by ids', async () => {
  const [ada, bob] = [await gateway.as('ada'), await gateway.as('bob')];
  const ids = await createEmbeds(ada, 130);
  await createEmbeds(bob, 1);
  await ada.rest('PATCH', `/v1/embeds/${ids[0]}`, { mode: 'dark' });

  const filter = { mode: 'LIGHT' };
  const first = (await ada.graphql(UPDATE, { input: { filter, mode: 'AUTO' } })).data.updateEmbeds;
  expect([first.embeds.length, first.pageInfo.hasNextPage]).toEqual([100, true]);
  expect(first.embeds[0]).toEqual({ id: ids.at(-1), mode: 'AUTO', font: 'default' });
  expect(first.previous[0]).toEqual({ id: ids.at(-1), mode: 'LIGHT' });
  const created = await ada.create();
  const after = first.pageInfo.endCursor;
  const second = (await ada.graphql(UPDATE, { input: { filter, after, mode: 'AUTO' } })).data.updateEmbeds;
  expect([second.embeds.length, second.pageInfo.hasNextPage]).toEqual([29, false]);
  // neither the embed that was created meanwhile, nor those of others
  expect((await ada.rest('GET', `/v1/embeds/${created.id}`)).body.embed.mode).toBe('light');
  expect(await modesOf(bob)).toEqual(['light']);
  expect((await eventsOf(ada))[0]).toMatchObject({
    action: 'embeds_updated',
    count: 129,
    subject_name: '{"mode":"light"}',
    changes: [{ field: 'mode', before: null, after: 'auto' }],
  });
  expect(await eventsOf(ada)).toHaveLength(2);

  const undone = second.previous.map(({ id }: { id: string }) => id);
  await ada.graphql(UPDATE, { input: { ids: undone, mode: 'LIGHT' } });
  expect((await eventsOf(ada))[0]).toMatchObject({ action: 'embeds_updated', count: 29, subject_name: null });
  expect((await ada.graphql('{ embeds(filter: { mode: LIGHT }) { totalCount } }')).data.embeds.totalCount).toBe(30);

  const all = (await ada.graphql(DELETE, { input: { filter: { mode: 'AUTO' } } })).data.deleteEmbeds;
  expect([all.deletedEmbedIds.length, all.pageInfo.hasNextPage]).toEqual([100, false]);
  const rest = (await ada.graphql(DELETE, { input: { filter: {} } })).data.deleteEmbeds;
  expect(rest.deletedEmbedIds).toHaveLength(31);
  expect(await modesOf(bob)).toEqual(['light']);
  expect((await eventsOf(ada)).slice(0, 2)).toMatchObject([
    { action: 'embeds_deleted', count: 31, subject_name: '{}', changes: null },
    { action: 'embeds_deleted', count: 100 },
  ]);
});

test('returns the embed that it replaced, also if another request has changed it since the call began', async () => {
  const ada = await gateway.as('ada-shares');
  const { id } = await ada.create();
  const { embeds } = gateway.database;
  const { update } = embeds;
  onTestFinished(() => void Object.assign(embeds, { update }));
  let other: Promise<unknown> | undefined;
  embeds.update = async (accountId, ...change) => {
    other ??= update(accountId, id, (embed) => ({ ...embed, font: 'Lora' }));
    await other;
    return update(accountId, ...change);
  };
  const document = 'mutation($input: UpdateEmbedsInput!) { updateEmbeds(input: $input) { previous { mode font } } }';
  const { data } = await ada.graphql(document, { input: { ids: [id], mode: 'AUTO' } });
  expect(data.updateEmbeds.previous).toEqual([{ mode: 'LIGHT', font: 'Lora' }]);
});

test('lists an undo with different former values as one audit event', async () => {
  const ada = await gateway.as('ada-undoes');
  const ids = await createEmbeds(ada, 4);
  const [dark, auto, ...light] = ids;
  await ada.rest('PATCH', `/v1/embeds/${dark}`, { mode: 'dark' });
  await ada.rest('PATCH', `/v1/embeds/${auto}`, { mode: 'auto', font: 'Lora' });
  await ada.graphql(UPDATE, { input: { ids, mode: 'LIGHT' } });
  await ada.graphql(UPDATE, { input: { ids: [dark], mode: 'DARK', undo: true } });
  await ada.graphql(UPDATE, { input: { ids: [auto, ...light], mode: 'AUTO', undo: true } });
  expect((await eventsOf(ada)).slice(0, 2)).toMatchObject([
    {
      action: 'embeds_updated',
      count: 4,
      subject_name: null,
      changes: [
        { field: 'mode', before: null, after: 'dark' },
        { field: 'mode', before: null, after: 'auto' },
      ],
    },
    { action: 'embeds_updated', count: 2, changes: [{ field: 'mode', before: null, after: 'light' }] },
  ]);
});

test('skips unknown ids and those of others, and lists no event if nothing changes', async () => {
  const [ada, bob] = [await gateway.as('ada2'), await gateway.as('bob2')];
  const [own = ''] = await createEmbeds(ada, 1);
  const [foreign = ''] = await createEmbeds(bob, 1);
  const ids = [own, foreign, '01m7y4dcyp2ad36zr4waqryvpr'];
  const { embeds } = (await ada.graphql(UPDATE, { input: { ids, mode: 'LIGHT' } })).data.updateEmbeds;
  expect(embeds.map(({ id }: { id: string }) => id)).toEqual([own]);
  expect(await eventsOf(ada)).toEqual([]);
  expect((await ada.graphql(DELETE, { input: { ids } })).data.deleteEmbeds.deletedEmbedIds).toEqual([own]);
  expect(await modesOf(bob)).toEqual(['light']);
});

test('lists all faults of the input, and needs the scopes read and write', async () => {
  const ada = await gateway.as('ada3');
  const faultsOf = async (document: string, input: object) => {
    const { errors } = await ada.graphql(document, { input });
    return (errors?.[0]?.extensions.errors ?? []).map(
      ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
    );
  };
  expect(await faultsOf(UPDATE, { filter: { search: '' }, ids: ['x'], after: 'y' })).toEqual([
    expect.stringMatching(/^mode is required, or another of pageUrl, mode, font, showTopBar/),
    'ids must be a list of 1 to 100 ids of embeds',
    'after must be the id of an embed',
    'ids or the filter must be sent, and not both',
    'after must not be sent together with ids',
    'filter.search must have a word: letters or digits',
  ]);
  expect(await faultsOf(DELETE, {})).toEqual(['ids or the filter must be sent, and not both']);
  for (const scope of ['read', 'write'] as const) {
    const limited = await gateway.as('ada3', [scope]);
    // a token without the scope gets no faults
    for (const [document, input] of [
      [DELETE, { filter: {} }],
      [DELETE, {}],
      [UPDATE, {}],
      [UPDATE, { filter: {}, mode: 'PINK' }],
    ] as const) {
      expect((await limited.graphql(document, { input })).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    }
  }
});

test.each([
  ['filter: { mode: PINK }, mode: AUTO', ['filter.mode']],
  ['filter: { foo: 1, updatedAfter: "x" }, mode: AUTO', ['filter.foo', 'filter.updatedAfter']],
  ['filter: { mode: "DARK" }, mode: PINK', ['filter.mode', 'mode']],
  ['filter: null, mode: AUTO', ['filter']],
])('blames each part of the filter once in updateEmbeds(input: { %s })', async (input, paths) => {
  const ada = await gateway.as('ada-faults');
  const { errors } = await ada.graphql(`mutation { updateEmbeds(input: { ${input} }) { pageInfo { endCursor } } }`);
  expect(errors[0]?.extensions.errors?.map(({ path }) => path).toSorted()).toEqual(paths);
});

test('gives all embeds of a page another URL, with their parts and titles, as one audit event, and undoes it', async () => {
  const ada = await gateway.as('ada-moves');
  const [before, after] = ['https://example.com/old/diary', 'https://example.org/new/post-1'];
  for (const page_url of [before, `${before}#friday`, 'https://example.com/old/other']) await ada.create({ page_url });
  const document = `mutation($input: UpdateEmbedsInput!) {
    updateEmbeds(input: $input) { embeds { id pageUrl title } previous { id pageUrl title } }
  }`;
  const update = async (input: object) => (await ada.graphql(document, { input })).data.updateEmbeds;
  const { embeds, previous } = await update({ filter: { pageUrl: before }, pageUrl: after });
  const urlsOf = (nodes: readonly { readonly pageUrl: string }[]) => nodes.map(({ pageUrl }) => pageUrl);
  expect(urlsOf(embeds)).toEqual([`${after}#friday`, after]);
  expect(urlsOf(previous)).toEqual([`${before}#friday`, before]);
  const [event, ...others] = await eventsOf(ada);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ count: 2, changes: [{ field: 'page_url', before: null, after }] });
  for (const { id, pageUrl } of previous) await update({ ids: [id], pageUrl });
  const { data } = await ada.graphql('{ embeds(first: 9) { nodes { pageUrl title } } }');
  expect(data.embeds.nodes).toEqual(
    expect.arrayContaining(previous.map(({ pageUrl, title }: Record<string, string>) => ({ pageUrl, title }))),
  );
  const refused = await ada.graphql(document, { input: { filter: {}, pageUrl: 'ftp://example.com/' } });
  expect(refused.errors?.[0]?.extensions.errors).toMatchObject([{ path: 'pageUrl' }]);
});

test('refuses a page URL that is too long with the fragment of an embed', async () => {
  const ada = await gateway.as('ada-long');
  const short = await ada.create({ page_url: 'https://example.com/x#part' });
  const long = await ada.create({ page_url: `https://example.com/x#${'b'.repeat(100)}` });
  const pageUrl = `https://example.com/${'a'.repeat(2_000)}`;
  const { errors } = await ada.graphql(UPDATE, { input: { ids: [short.id, long.id], pageUrl } });
  expect(errors?.[0]?.extensions.errors).toEqual([
    { path: 'pageUrl', message: 'must be at most 2048 characters with the fragment of each embed' },
  ]);
  const { data } = await ada.graphql('{ embeds { nodes { pageUrl } } }');
  expect(data.embeds.nodes).toEqual([{ pageUrl: long.page_url }, { pageUrl: short.page_url }]);
});

const ID = '95747105f402490eba51d52e00496c1c';
const OTHER_ID = '38c85619110a5b04bf7c9117247991a6';

test.each([
  ['x', `Great-Recipes-${ID}`, 'x'],
  ['x', 'new#sec', 'x'],
  ['x', `Great-Recipes-${ID}#/route`, 'x'],
  [`Great-Recipes-${ID}`, 'new', 'Great Recipes'],
  [`Great-Recipes-${ID}`, `Fine-Food-${OTHER_ID}#sec`, 'Fine Food'],
])('embeds of /%s that move to /%s keep their fragments, and the undo restores them', async (old, target, title) => {
  const ada = await gateway.as(`ada ${old} ${target}`);
  const [before, after] = [`https://example.com/${old}`, `https://example.org/${target}`];
  const fragments = ['', '#part', '#/route', '#'];
  for (const fragment of fragments) await ada.create({ page_url: before + fragment });
  const fields = '{ id pageUrl title pageId embedUrl }';
  const document = `mutation($input: UpdateEmbedsInput!) {
    updateEmbeds(input: $input) { embeds ${fields} previous ${fields} }
  }`;
  const update = async (input: object) => (await ada.graphql(document, { input })).data.updateEmbeds;
  const { embeds, previous } = await update({ filter: { pageUrl: before }, pageUrl: after });
  const page = after.replace(/#.*/, '');
  const moved = fragments.map((fragment) => ({ pageUrl: page + fragment, title }));
  expect(embeds).toMatchObject(moved.toReversed());
  for (const { id, pageUrl } of previous) await update({ ids: [id], pageUrl });
  expect((await ada.graphql(`{ embeds { nodes ${fields} } }`)).data.embeds.nodes).toEqual(previous);
});

test('an undo that expects what the change has set keeps what another client has set since', async () => {
  const ada = await gateway.as('undo');
  const [old, moved, other] = ['old', 'moved', 'other'].map((name) => `https://example.com/${name}`);
  const ids = await Promise.all(
    [old, `${old}#part`, old, old].map(async (page_url) => (await ada.create({ page_url, mode: 'dark' })).id),
  );
  const update = async (input: object) =>
    (await ada.graphql(UPDATE, { input })).data.updateEmbeds.embeds.map(({ id }: { id: string }) => id);
  expect(await update({ filter: { pageUrl: old }, pageUrl: moved, mode: 'LIGHT' })).toHaveLength(4);
  await ada.rest('PATCH', `/v1/embeds/${ids[2]}`, { page_url: other });
  await ada.rest('PATCH', `/v1/embeds/${ids[3]}`, { mode: 'auto' });
  const expected = { pageUrl: moved, mode: 'LIGHT' };
  expect(await update({ ids, pageUrl: old, mode: 'DARK', expected, undo: true })).toEqual(ids.slice(0, 2));
  const now = await Promise.all(ids.map(async (id) => (await ada.rest('GET', `/v1/embeds/${id}`)).body.embed));
  expect(now.map(({ page_url, mode }) => [page_url, mode])).toEqual([
    [old, 'dark'],
    [`${old}#part`, 'dark'],
    [other, 'light'],
    [moved, 'auto'],
  ]);
  // the response to an undo can be lost: its repetition returns the same embeds
  expect(await update({ ids, pageUrl: old, mode: 'DARK', expected, undo: true })).toEqual(ids.slice(0, 2));
  const wrong = await ada.graphql(UPDATE, { input: { ids, mode: 'DARK', expected: { pageUrl: 'x', font: '!' } } });
  expect(wrong.errors[0]?.extensions.errors?.map(({ path }) => path)).toEqual(['expected.pageUrl', 'expected.font']);
  const none = await ada.graphql(UPDATE, { input: { ids, mode: 'DARK', expected: null } });
  expect(none.errors[0]?.extensions.errors?.map(({ path }) => path)).toEqual(['expected']);
});

test('an undo expects the top bar that the change could set, and regards no URL of an embed that it leaves', async () => {
  const ada = await gateway.as('forced');
  const page_url = 'https://example.com/old';
  const [{ id: forced }, { id: moved }] = [
    await ada.create({ page_url, mode: 'user_defined' }),
    await ada.create({ page_url, mode: 'user_defined', font: 'Inter' }),
  ];
  const ids = [forced, moved];
  const update = async (input: object) => ada.graphql(UPDATE, { input: { ids, ...input } });
  const made = { showTopBar: false, font: 'Lora', pageUrl: 'https://example.com/new' };
  await update(made);
  await ada.rest('PATCH', `/v1/embeds/${moved}`, { page_url: `https://example.com/#${'a'.repeat(2_020)}` });
  const pageUrl = `https://example.com/${'b'.repeat(100)}`;
  const { data } = await update({ showTopBar: true, font: 'default', pageUrl, expected: made, undo: true });
  expect(data.updateEmbeds.embeds).toEqual([{ id: forced, mode: 'USER_DEFINED', font: 'default' }]);
});
