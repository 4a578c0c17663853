import { expect, test } from 'vitest';
import { type Client, type RestEmbed, shareApp } from '../open-app.ts';
import { expectParity, toCamelCase } from './parity.ts';

const gateway = shareApp();

const LIST = `query($first: Int, $after: String, $filter: EmbedFilter, $orderBy: EmbedOrder) {
  embeds(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes { id } totalCount totalCountIsExact pageInfo { endCursor hasNextPage }
  }
}`;

type Parameters = Readonly<Record<string, string>>;

/** Parameters whose values are enums: lower case in REST, upper case in GraphQL. */
const ENUMS = ['mode', 'order_by', 'direction'];

/** Converts parameters of REST to variables of GraphQL. */
function toVariables(parameters: Parameters) {
  const variables: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  const orderBy: Record<string, unknown> = { field: 'CREATED_AT', direction: 'DESC' };
  for (const [name, value] of Object.entries(parameters)) {
    const spelled = ENUMS.includes(name) ? value.toUpperCase() : value;
    if (name === 'first') variables.first = Number(value);
    else if (name === 'after') variables.after = value;
    else if (name === 'order_by') orderBy.field = spelled;
    else if (name === 'direction') orderBy.direction = spelled;
    else filter[toCamelCase(name)] = spelled;
  }
  return { ...variables, filter, orderBy };
}

const pathOf = (parameters: Parameters) => `/v1/embeds?${new URLSearchParams(parameters)}`;

/** Reads a list through both APIs, and expects the same result. */
async function list(client: Client, parameters: Parameters) {
  const [rest, graphql] = await Promise.all([
    client.rest('GET', pathOf(parameters)),
    client.graphql(LIST, toVariables(parameters)),
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

test('both APIs return the same embeds for each filter and for combined filters', async () => {
  const { as } = gateway;
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
    // beginnings of words, in any order
    [{ search: 'tomat' }, [spelled, soup]],
    [{ search: 'so tom' }, [spelled, soup]],
    [{ search: 'omato' }, []],
    [{ search: 'tomatoes' }, []],
    [{ search: 'tom', mode: 'dark', font: 'Lora' }, [soup]],
    [{ search: 'mün STRASS 日' }, [strasse]],
    [{ search: 'GROS' }, [strasse]],
    [{ search: 'groß' }, [strasse]],
    [{ search: 'e ex exa' }, all],
    [{ search: 'planner, example.com!' }, [meal]],
    // page ids are not searched: `page_id` filters by them
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
  for (const [parameters, expected] of cases) {
    for (const direction of ['desc', 'asc']) {
      const { ids, total } = await list(ada, { ...parameters, direction });
      const inOrder = direction === 'asc' ? [...idsOf(expected)].reverse() : idsOf(expected);
      expect([parameters, direction, ids, total]).toEqual([parameters, direction, inOrder, expected.length]);
    }
  }
  // changes and deletes take effect at once
  await ada.rest('PATCH', `/v1/embeds/${soup.id}`, { page_url: 'https://example.com/Stew', mode: 'light' });
  await ada.rest('DELETE', `/v1/embeds/${meal.id}`);
  expect((await list(ada, { search: 'stew' })).ids).toEqual([soup.id]);
  expect((await list(ada, { search: 'soup' })).ids).toEqual([spelled.id]);
  expect((await list(ada, { mode: 'dark' })).ids).toEqual([]);
});

test('the filter page_url finds a page in any spelling, but no other page with the same page id', async () => {
  const ada = await gateway.as('ada');
  const id = '95747105f402490eba51d52e00496c1c';
  const one = await ada.create({ page_url: `https://one.example/Soup-${id}` });
  const two = await ada.create({ page_url: `https://two.example/Soup-${id}#top` });
  const three = await ada.create({ page_url: 'https://one.example' });
  // contains the page id that is derived from the URL of the third
  const four = await ada.create({ page_url: `https://four.example/${three.page_id}` });
  for (const [url, expected] of [
    [`https://ONE.example/Soup-${id}`, [one]],
    [`https://two.example/Soup%2D${id}`, [two]],
    ['https://one.example/#x', [three]],
    [four.page_url, [four]],
    [`https://one.example/Stew-${id}`, []],
  ] as const) {
    expect([url, await list(ada, { page_url: url })]).toEqual([
      url,
      { ids: expected.map((embed) => embed.id), total: expected.length },
    ]);
  }
  expect((await list(ada, { page_id: id })).ids).toEqual([two.id, one.id]);
  expect((await list(ada, { page_id: id, page_url: three.page_url })).ids).toEqual([]);
});

test('created_after and created_before exclude the given time, with a precision of 1 ms', async () => {
  const ada = await gateway.as('ada');
  const created: RestEmbed[] = [];
  for (let i = 0; i < 6; i++) {
    created.push(await ada.create());
    await new Promise((resolve) => setTimeout(resolve, i % 2));
  }
  for (const { created_at } of created) {
    for (const [name, isFound] of [
      ['created_after', (at: string) => at > created_at],
      ['created_before', (at: string) => at < created_at],
    ] as const) {
      const expected = created.filter((embed) => isFound(embed.created_at)).map(({ id }) => id);
      expect((await list(ada, { [name]: created_at, direction: 'asc' })).ids).toEqual(expected);
    }
    const finer = created_at.replace('Z', '000001Z');
    const upTo = created.filter((embed) => embed.created_at <= created_at).map(({ id }) => id);
    expect((await list(ada, { created_before: finer, direction: 'asc' })).ids).toEqual(upTo);
  }
});

test('the Link to the next page keeps filter and order, and a list without a filter has no further keys', async () => {
  const ada = await gateway.as('ada');
  const created = [await ada.create({ mode: 'dark' }), await ada.create(), await ada.create({ mode: 'dark' })];
  const ids: string[] = [];
  for (let next: string | undefined = '/v1/embeds?first=1&mode=dark&order_by=created_at&direction=asc'; next; ) {
    const { body, headers } = await ada.rest('GET', next);
    ids.push(...body.embeds.map(({ id }: RestEmbed) => id));
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(ids).toEqual([created[0]?.id, created[2]?.id]);
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

test('a fault in a filter has the same code, paths and messages in both APIs', async () => {
  const ada = await gateway.as('ada');
  for (const parameters of FAULTY) {
    const rest = await ada.rest('GET', pathOf(parameters));
    const graphql = await ada.graphql(LIST, toVariables(parameters));
    expect([parameters, rest.status, graphql.data ?? null]).toEqual([parameters, 422, null]);
    const toGraphQLWords = (path: string, text: string) =>
      ENUMS.includes(path)
        ? text.replace(/created_at|asc|desc/g, (word) => word.toUpperCase()).replace('order_by', 'field')
        : text.replace(/created_(after|before)/g, toCamelCase);
    const { detail, errors } = rest.body;
    const withGraphQLNames = {
      ...rest.body,
      detail: toGraphQLWords(errors[0].path, detail),
      errors: errors.map(({ path, message }: { path: string; message: string }) => ({
        path: path === 'order_by' ? 'field' : path,
        message: toGraphQLWords(path, message),
      })),
    };
    expectParity(parameters, withGraphQLNames, graphql.errors[0]);
  }
  const twice = await ada.rest('GET', '/v1/embeds?mode=dark&mode=light');
  expect(twice.body.errors).toEqual([{ path: 'mode', message: 'must be sent once' }]);
});

test('rejects null in every field of a filter and an order, and names both ends of an empty range', async () => {
  const ada = await gateway.as('ada');
  const names = ['pageId', 'pageUrl', 'mode', 'font', 'createdAfter', 'createdBefore', 'search'];
  const faultsOf = async (variables: object) => {
    const { errors } = await ada.graphql(LIST, variables);
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
  expect(await faultsOf(toVariables(reversed))).toEqual([
    { path: 'createdAfter', message: 'must be before createdBefore' },
    { path: 'createdBefore', message: 'must be after createdAfter' },
  ]);
});

test('accepts the plus sign of a UTC offset without percent-encoding', async () => {
  const ada = await gateway.as('ada');
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

test('a request may have at most five filtered lists, and any number of unfiltered ones', async () => {
  const ada = await gateway.as('ada');
  const lists = (count: number, args: string) =>
    `{ ${Array.from({ length: count }, (_, i) => `l${i}: embeds(first: 1 ${args}) { totalCount }`).join(' ')} }`;
  expect((await ada.graphql(lists(5, 'filter: { mode: DARK }'))).errors).toEqual([]);
  expect((await ada.graphql(lists(30, 'filter: {}'))).errors).toEqual([]);
  const { errors } = await ada.graphql(lists(6, 'filter: { mode: DARK }'));
  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ path: 'filter' }] });
});

test('concurrent requests for different lists get their own results', async () => {
  const ada = await gateway.as('ada');
  const [dark, light] = [await ada.create({ mode: 'dark' }), await ada.create()];
  const queries = ['', '?mode=dark', '?mode=light', '?search=planner&direction=asc', '?direction=asc', ''];
  const lists = await Promise.all(queries.map((query) => ada.rest('GET', `/v1/embeds${query}`)));
  const found = await Promise.all(
    ['DARK', 'LIGHT'].map((mode) => ada.graphql(LIST, { filter: { mode } })).concat(ada.graphql(LIST)),
  );
  const ids = [[light, dark], [dark], [light], [dark, light], [dark, light], [light, dark]];
  const idsIn = (embeds: readonly RestEmbed[]) => embeds.map(({ id }) => id);
  expect(lists.map(({ body }) => idsIn(body.embeds))).toEqual(ids.map(idsIn));
  expect(found.map(({ data }) => idsIn(data.embeds.nodes))).toEqual([[dark], [light], [light, dark]].map(idsIn));
});
