import { expect, test } from 'vitest';
import { type Client, openApp, type RestEmbed } from '../open-app.ts';
import { expectParity, toCamelCase } from './agreement.ts';

const FIND = `query($first: Int, $after: String, $filter: EmbedFilter, $orderBy: EmbedOrder) {
  embeds(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes { id } totalCount totalCountIsExact pageInfo { endCursor hasNextPage }
  }
}`;

type Parameters = Readonly<Record<string, string>>;

/** Values that REST spells in its own way. */
const LISTED = ['mode', 'order_by', 'direction'];

/** Parameters of REST as variables of GraphQL. */
function variablesOf(parameters: Parameters) {
  const variables: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  const orderBy: Record<string, unknown> = { field: 'CREATED_AT', direction: 'DESC' };
  for (const [name, value] of Object.entries(parameters)) {
    const spelled = LISTED.includes(name) ? value.toUpperCase() : value;
    if (name === 'first') variables.first = Number(value);
    else if (name === 'after') variables.after = value;
    else if (name === 'order_by') orderBy.field = spelled;
    else if (name === 'direction') orderBy.direction = spelled;
    else filter[toCamelCase(name)] = spelled;
  }
  return { ...variables, filter, orderBy };
}

const pathOf = (parameters: Parameters) => `/v1/embeds?${new URLSearchParams(parameters)}`;

/** What both doors answer, which is the same. */
async function find(client: Client, parameters: Parameters) {
  const [rest, graphql] = await Promise.all([
    client.rest('GET', pathOf(parameters)),
    client.graphql(FIND, variablesOf(parameters)),
  ]);
  expect([parameters, rest.status, graphql.errors]).toEqual([parameters, 200, []]);
  const { embeds, pagination, ...total } = rest.body;
  const { nodes, totalCount, totalCountIsExact, pageInfo } = graphql.data.embeds;
  const ids: string[] = embeds.map(({ id }: RestEmbed) => id);
  expect(nodes.map(({ id }: RestEmbed) => id)).toEqual(ids);
  expect([pageInfo.endCursor, pageInfo.hasNextPage]).toEqual([pagination.end_cursor, pagination.has_next_page]);
  expect(total).toEqual({ total_count: totalCount, total_count_is_exact: totalCountIsExact });
  expect(pagination).toMatchObject(total);
  return { ids, total: totalCount as number };
}

test('both doors find the same embeds by each filter, and by all of them together', async () => {
  const { as } = await openApp();
  const [ada, bob] = [await as('ada'), await as('bob')];
  await bob.create({ mode: 'dark', font: 'Lora' });
  const soup = await ada.create({ page_url: 'https://example.com/Tomato-Soup', mode: 'dark', font: 'Lora' });
  const meal = await ada.create({ mode: 'dark', font: '123' });
  const spelled = await ada.create({ page_url: 'HTTPS://EXAMPLE.com:443/a/../Tomato%2DSoup#top' });
  const strasse = await ada.create({ page_url: 'https://xn--mnchen-3ya.example/Große%20Straße?day=日曜日' });
  const all = [strasse, spelled, meal, soup];
  const idsOf = (embeds: readonly RestEmbed[]) => embeds.map(({ id }) => id);
  const cases: readonly (readonly [Parameters, readonly RestEmbed[]])[] = [
    [{ page_id: meal.page_id }, [meal]],
    [{ page_id: meal.page_id.replaceAll('-', '').toUpperCase() }, [meal]],
    [{ page_url: soup.page_url }, [spelled, soup]],
    [{ page_url: spelled.page_url }, [spelled, soup]],
    [{ mode: 'dark' }, [meal, soup]],
    [{ mode: 'user_defined' }, []],
    [{ font: '123' }, [meal]],
    [{ font: 'lora' }, []],
    [{ mode: 'dark', font: 'Lora' }, [soup]],
    [{ search: 'SOUP tomato' }, [spelled, soup]],
    [{ search: 'tomat' }, []],
    [{ search: 'planner, example.com!' }, [meal]],
    // its own filter is for it
    [{ search: '95747105f402490eba51d52e00496c1c' }, []],
    [{ search: 'www.example.com planner' }, [meal]],
    [{ search: 'MÜNCHEN strasse GROSSE' }, [strasse]],
    [{ search: '日曜日' }, [strasse]],
    [{ search: ' https://example.com/Tomato-Soup' }, [spelled, soup]],
    [{ search: 'HTTP://example.com' }, [spelled, meal, soup]],
    [{ search: 'soup https' }, []],
    [{ search: 'soup', mode: 'light' }, [spelled]],
    [{ search: 'soup', mode: 'dark', font: 'Lora', page_url: soup.page_url, page_id: soup.page_id }, [soup]],
    [{ created_after: '2020-01-01T00:00:00+02:00' }, all],
    [{ created_before: '2020-01-01T00:00:00Z' }, []],
    [{ created_after: '1066-10-14T09:00:00Z', created_before: '9999-12-31T23:59:59.999999999Z' }, all],
    [{ created_before: soup.created_at }, []],
    [{ created_after: strasse.created_at }, []],
  ];
  for (const [parameters, wanted] of cases) {
    for (const direction of ['desc', 'asc']) {
      const { ids, total } = await find(ada, { ...parameters, direction });
      const inOrder = direction === 'asc' ? [...idsOf(wanted)].reverse() : idsOf(wanted);
      expect([parameters, direction, ids, total]).toEqual([parameters, direction, inOrder, wanted.length]);
    }
  }
  // what is changed and deleted is found as it is
  await ada.rest('PATCH', `/v1/embeds/${soup.id}`, { page_url: 'https://example.com/Stew', mode: 'light' });
  await ada.rest('DELETE', `/v1/embeds/${meal.id}`);
  expect((await find(ada, { search: 'stew' })).ids).toEqual([soup.id]);
  expect((await find(ada, { search: 'soup' })).ids).toEqual([spelled.id]);
  expect((await find(ada, { mode: 'dark' })).ids).toEqual([]);
});

test('a page is found by its URL among others that carry the same id, however each is spelled', async () => {
  const ada = await (await openApp()).as('ada');
  const id = '95747105f402490eba51d52e00496c1c';
  const one = await ada.create({ page_url: `https://one.example/Soup-${id}` });
  const two = await ada.create({ page_url: `https://two.example/Soup-${id}#top` });
  const three = await ada.create({ page_url: 'https://one.example' });
  // it carries the id that the third has by its URL
  const four = await ada.create({ page_url: `https://four.example/${three.page_id}` });
  for (const [url, wanted] of [
    [`https://ONE.example/Soup-${id}`, [one]],
    [`https://two.example/Soup%2D${id}`, [two]],
    ['https://one.example/#x', [three]],
    [four.page_url, [four]],
    [`https://one.example/Stew-${id}`, []],
  ] as const) {
    expect([url, await find(ada, { page_url: url })]).toEqual([
      url,
      { ids: wanted.map((embed) => embed.id), total: wanted.length },
    ]);
  }
  expect((await find(ada, { page_id: id })).ids).toEqual([two.id, one.id]);
  expect((await find(ada, { page_id: id, page_url: three.page_url })).ids).toEqual([]);
});

test('a time of creation is strictly after and before, to the millisecond', async () => {
  const ada = await (await openApp()).as('ada');
  const made: RestEmbed[] = [];
  for (let i = 0; i < 6; i++) {
    made.push(await ada.create());
    await new Promise((resolve) => setTimeout(resolve, i % 2));
  }
  for (const { created_at } of made) {
    for (const [name, isFound] of [
      ['created_after', (at: string) => at > created_at],
      ['created_before', (at: string) => at < created_at],
    ] as const) {
      const wanted = made.filter((embed) => isFound(embed.created_at)).map(({ id }) => id);
      expect((await find(ada, { [name]: created_at, direction: 'asc' })).ids).toEqual(wanted);
    }
    const finer = created_at.replace('Z', '000001Z');
    const upTo = made.filter((embed) => embed.created_at <= created_at).map(({ id }) => id);
    expect((await find(ada, { created_before: finer, direction: 'asc' })).ids).toEqual(upTo);
  }
});

test('the Link to the next page keeps the filter and the order, and a list without a filter keeps its keys', async () => {
  const ada = await (await openApp()).as('ada');
  const made = [await ada.create({ mode: 'dark' }), await ada.create(), await ada.create({ mode: 'dark' })];
  const ids: string[] = [];
  for (let next: string | undefined = '/v1/embeds?first=1&mode=dark&order_by=created_at&direction=asc'; next; ) {
    const { body, headers } = await ada.rest('GET', next);
    ids.push(...body.embeds.map(({ id }: RestEmbed) => id));
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(ids).toEqual([made[0]?.id, made[2]?.id]);
  for (const path of ['/v1/embeds', '/v1/embeds?direction=asc']) {
    const { body } = await ada.rest('GET', path);
    expect(Object.keys(body)).toEqual(['embeds', 'total_count', 'pagination']);
    expect(Object.keys(body.pagination)).toEqual(['end_cursor', 'has_next_page', 'total_count']);
  }
  const unfiltered = await ada.graphql('{ embeds(filter: {}) { totalCount totalCountIsExact } }');
  expect(unfiltered.data.embeds).toEqual({ totalCount: 3, totalCountIsExact: true });
});

const FAULTY: readonly Parameters[] = [
  { page_id: 'x' },
  { page_id: '' },
  { page_url: 'ftp://example.com' },
  { page_url: 'http://localhost/' },
  { mode: 'pink' },
  { mode: '' },
  { font: '-' },
  { font: '' },
  { created_after: 'yesterday' },
  { created_after: '2026-02-30T00:00:00Z' },
  { created_before: '2026-01-01' },
  { created_after: '2026-01-02T00:00:00Z', created_before: '2026-01-02T01:00:00+01:00' },
  { search: '' },
  { search: ' -- ' },
  { search: 'a b c d e f' },
  { search: 'x'.repeat(201) },
  { direction: 'up' },
  { order_by: 'font' },
  { colour: 'red' },
  {
    first: '0',
    after: 'x',
    page_id: 'x',
    page_url: 'x',
    mode: 'x',
    font: '',
    created_after: 'x',
    search: '',
    direction: 'x',
  },
];

test('the same fault in a filter has the same code, paths and messages at both doors', async () => {
  const ada = await (await openApp()).as('ada');
  for (const parameters of FAULTY) {
    const rest = await ada.rest('GET', pathOf(parameters));
    const graphql = await ada.graphql(FIND, variablesOf(parameters));
    expect([parameters, rest.status, graphql.data ?? null]).toEqual([parameters, 422, null]);
    // an unknown parameter may stand anywhere among them
    const inOneSpelling = {
      ...rest.body,
      errors: rest.body.errors.map(({ path, message }: { path: string; message: string }) => ({
        path: path === 'order_by' ? 'field' : path,
        message: LISTED.includes(path)
          ? message.replace(/created_at|asc|desc/g, (word) => word.toUpperCase())
          : message.replace(/created_(after|before)/g, toCamelCase),
      })),
    };
    expectParity(parameters, inOneSpelling, graphql.errors[0]);
  }
  const twice = await ada.rest('GET', '/v1/embeds?mode=dark&mode=light');
  expect(twice.body.errors).toEqual([{ path: 'mode', message: 'must be sent once' }]);
});

test('null is an error in every place of a filter and an order, and a range that ends before it begins names both', async () => {
  const ada = await (await openApp()).as('ada');
  const names = ['pageId', 'pageUrl', 'mode', 'font', 'createdAfter', 'createdBefore', 'search'];
  const faultsOf = async (variables: object) => {
    const { errors } = await ada.graphql(FIND, variables);
    return errors.flatMap(({ extensions }) => extensions.errors ?? []);
  };
  const isNull = 'must not be null; leave it out instead';
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  expect(await faultsOf({ filter: nulls })).toEqual(names.map((path) => ({ path, message: isNull })));
  expect(await faultsOf({ filter: null, orderBy: null })).toEqual([
    { path: 'filter', message: isNull },
    { path: 'orderBy', message: isNull },
  ]);
  expect((await faultsOf({ orderBy: { field: null } })).map(({ path }) => path)).toEqual(['field', 'direction']);
  const reversed = { created_after: '2026-01-02T00:00:00Z', created_before: '2026-01-01T00:00:00Z' };
  const { body } = await ada.rest('GET', pathOf(reversed));
  expect(body.errors).toEqual([
    { path: 'created_after', message: 'must be before created_before' },
    { path: 'created_before', message: 'must be after created_after' },
  ]);
  expect(await faultsOf(variablesOf(reversed))).toEqual([
    { path: 'createdAfter', message: 'must be before createdBefore' },
    { path: 'createdBefore', message: 'must be after createdAfter' },
  ]);
});

test('the plus sign of an offset may stand in a query string as it is', async () => {
  const ada = await (await openApp()).as('ada');
  const { id } = await ada.create();
  const idsOf = async (query: string) => {
    const { status, body } = await ada.rest('GET', `/v1/embeds?${query}`);
    return [status, body.embeds?.map((embed: RestEmbed) => embed.id)];
  };
  expect(await idsOf('created_after=2026-01-31T12:00:00+02:00')).toEqual([200, [id]]);
  expect(await idsOf('created_after=2026-01-31T12:00:00.5%2B02:00')).toEqual([200, [id]]);
  expect(await idsOf('created_before=2026-01-31t12:00:00+02:00')).toEqual([200, []]);
  for (const wrong of ['2026-01-31+12:00', '2026-01-31T12:00:00++02:00', '2026-01-31T12:00:00+']) {
    expect(await idsOf(`created_after=${wrong}`), wrong).toEqual([422, undefined]);
  }
});

test('a request may have five filtered lists, however many it has without a filter', async () => {
  const ada = await (await openApp()).as('ada');
  const lists = (count: number, args: string) =>
    `{ ${Array.from({ length: count }, (_, i) => `l${i}: embeds(first: 1 ${args}) { totalCount }`).join(' ')} }`;
  expect((await ada.graphql(lists(5, 'filter: { mode: DARK }'))).errors).toEqual([]);
  expect((await ada.graphql(lists(30, 'filter: {}'))).errors).toEqual([]);
  const { errors } = await ada.graphql(lists(6, 'filter: { mode: DARK }'));
  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ path: 'filter' }] });
});

test('lists that are asked for at the same moment are each their own', async () => {
  const ada = await (await openApp()).as('ada');
  const [dark, light] = [await ada.create({ mode: 'dark' }), await ada.create()];
  const queries = ['', '?mode=dark', '?mode=light', '?search=planner&direction=asc', '?direction=asc', ''];
  const lists = await Promise.all(queries.map((query) => ada.rest('GET', `/v1/embeds${query}`)));
  const found = await Promise.all(
    ['DARK', 'LIGHT'].map((mode) => ada.graphql(FIND, { filter: { mode } })).concat(ada.graphql(FIND)),
  );
  const ids = [[light, dark], [dark], [light], [dark, light], [dark, light], [light, dark]];
  const idsIn = (embeds: readonly RestEmbed[]) => embeds.map(({ id }) => id);
  expect(lists.map(({ body }) => idsIn(body.embeds))).toEqual(ids.map(idsIn));
  expect(found.map(({ data }) => idsIn(data.embeds.nodes))).toEqual([[dark], [light], [light, dark]].map(idsIn));
});
