import { expect, test } from 'vitest';
import { type Client, openApp, type RestEmbed, shareApp } from '../open-app.ts';

const gateway = shareApp();

const ID = '95747105f402490eba51d52e00496c1c';
const OTHER_ID = '0123456789abcdef0123456789abcdef';
const HYPHENATED = '95747105-f402-490e-ba51-d52e00496c1c';

const SEARCH =
  'query($search: String!) { embeds(first: 100, filter: { search: $search }) { nodes { id } totalCount } }';

/** Searches through both APIs, and expects the same ids and totals. */
async function search(ada: Client, text: string): Promise<readonly string[]> {
  const [rest, graphql] = await Promise.all([
    ada.rest('GET', `/v1/embeds?first=100&${new URLSearchParams({ search: text })}`),
    ada.graphql(SEARCH, { search: text }),
  ]);
  expect([text, rest.status, graphql.errors]).toEqual([text, 200, []]);
  const ids = rest.body.embeds.map(({ id }: RestEmbed) => id);
  expect(graphql.data.embeds.nodes.map(({ id }: RestEmbed) => id)).toEqual(ids);
  expect([rest.body.total_count, graphql.data.embeds.totalCount]).toEqual([ids.length, ids.length]);
  return ids;
}

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join('-');

/** URLs of pages, each with other spellings of the same URL. */
const SPELLINGS: readonly (readonly [page: string, ...spellings: string[]])[] = [
  [
    `https://example.com/Meal-Planner-${ID}`,
    `https://example.com/Meal-Planner-${HYPHENATED}`,
    `https://example.com/Meal-Planner-${ID.toUpperCase()}/`,
    `https://example.com/Meal-Planner-${ID}?pvs=4#95747105f402490eba51d52e00496c1d`,
    `HTTPS://EXAMPLE.COM:443/./Meal%2DPlanner-${ID}`,
    `https://www.notion.example/team/A-new-title-of-many-more-words-than-five-${ID}`,
  ],
  [`https://example.com/db?v=2&p=${OTHER_ID}&pm=s`, `https://example.com/db?p=${OTHER_ID}`],
  [`https://example.com/${words(30)}`, `https://example.com/${words(30)}#top`, `https://EXAMPLE.com./${words(30)}`],
  [
    'https://example.com/a/b/c/d/e/f/soup-recipes',
    'http://example.com/a/b/c/d/e/f/soup-recipes',
    'https://www.example.com/a/b/c/d/e/f/soup-recipes/',
  ],
  [`https://example.com/${'long'.repeat(30)}`],
  [`https://example.com/${'x/y'.repeat(600)}`],
  [`https://example.com/?q=${'z'.repeat(2_025)}`],
  ['https://www.stew.example/', 'https://www.stew.example', 'http://stew.example'],
  ['https://example.com:8443/private?b=2&a=1#part', 'https://example.com:8443/private?b=2&a=1'],
  [
    'https://example.com/%E6%96%99%E7%90%86/%E3%82%B9%E3%83%BC%E3%83%97',
    'https://example.com/料理/スープ',
    'https://example.com/%e6%96%99%e7%90%86/スープ',
  ],
  ['https://xn--mnchen-3ya.example/Große%20Straße', 'https://münchen.example/Gro%C3%9Fe%20Stra%C3%9Fe'],
  ['https://example.com/رغيف/الخبز', 'https://example.com/%D8%B1%D8%BA%D9%8A%D9%81/%D8%A7%D9%84%D8%AE%D8%A8%D8%B2'],
  ['https://example.com/100%25/%ZZ/%FF', 'https://example.com/100%25/%ZZ/%ff'],
  ['https://example.com/!!!/---', 'https://example.com/!!!/---#-'],
];

test('a search for a URL finds its page, for any length and spelling of the URL', async () => {
  const { as, logged } = await openApp({ rateLimit: 0 });
  const ada = await as('ada');
  await (await as('bob')).create();
  const created = new Map<string, RestEmbed>();
  for (const [page] of SPELLINGS) created.set(page, await ada.create({ page_url: page }));
  for (const [page, ...spellings] of SPELLINGS) {
    for (const url of [page, ...(page.length < 2_000 ? [` ${page}\n`] : []), ...spellings]) {
      expect([url.slice(0, 100), await search(ada, url)]).toEqual([
        url.slice(0, 100),
        expect.arrayContaining([created.get(page)?.id]),
      ]);
    }
  }
  expect(logged.filter((line) => 'err' in line)).toEqual([]);
});

test('a URL that contains a page id finds only the embeds with that id', async () => {
  const ada = await gateway.as('ada');
  const one = await ada.create({ page_url: `https://one.example/Meal-Planner-${ID}` });
  await ada.create({ page_url: `https://one.example/Meal-Planner-${OTHER_ID}` });
  await ada.create({ page_url: 'https://one.example/Meal-Planner' });
  const two = await ada.create({ page_url: `https://two.example/Soup-${ID}` });
  expect(await search(ada, one.page_url)).toEqual([two.id, one.id]);
  expect(await search(ada, `https://one.example/db?v=1&p=${HYPHENATED}`)).toEqual([two.id, one.id]);
  expect(await search(ada, 'https://one.example/Meal-Planner-ffffffffffffffffffffffffffffffff')).toEqual([]);
});

test('a URL without a page id also finds embeds with its five longest words', async () => {
  const ada = await gateway.as('ada');
  const urls = [
    'https://example.com/recipes/tomato-soup-with-basil',
    'http://www.example.com/recipes/tomato-soup-with-basil/',
    'https://example.com/recipes/tomato-soup',
    'https://example.com/recipes',
    'https://other.example/recipes',
  ];
  const ids: string[] = [];
  for (const url of urls) ids.unshift((await ada.create({ page_url: url })).id);
  const [other, recipes, tomato, http, basil] = ids;
  expect(await search(ada, urls[0] as string)).toEqual([http, basil]);
  expect(await search(ada, 'https://example.com/recipes/tomato-soup?utm_source=a')).toEqual([]);
  expect(await search(ada, 'http://example.com/recipes')).toEqual([recipes, tomato, http, basil]);
  expect(await search(ada, 'https://example.com')).toEqual([recipes, tomato, http, basil]);
  expect(await search(ada, 'https://www.other.example#x')).toEqual([other]);
  const { body } = await ada.rest('GET', '/v1/embeds?mode=dark&search=https://example.com/recipes');
  expect(body.embeds).toEqual([]);
});

test('pages of a search for a URL have no gaps and no repetitions', async () => {
  const ada = await gateway.as('ada');
  const many = Array.from({ length: 20 }, (_, i) => `w${i + 10}`).join('-');
  const url = `https://example.com/alpha/${many}`;
  const expected: string[] = [];
  // the first page matches by its URL only, because at most 16 words are indexed; the third matches by its words
  const urls = [url, 'https://example.com/alpha', 'http://example.com/alpha/w10-w11', 'https://b.example'];
  for (let i = 0; i < 12; i++) {
    const { id } = await ada.create({ page_url: urls[i % 4], mode: i < 8 ? 'dark' : 'light' });
    if (i < 8 && i % 2 === 0) expected.unshift(id);
  }
  for (const [direction, inOrder] of [
    ['desc', expected],
    ['asc', expected.toReversed()],
  ] as const) {
    const ids: string[] = [];
    const query = new URLSearchParams({ first: '3', mode: 'dark', direction, search: url });
    for (let next: string | undefined = `/v1/embeds?${query}`; next; ) {
      const { body, headers } = await ada.rest('GET', next);
      expect(body.total_count).toBe(4);
      ids.push(...body.embeds.map(({ id }: RestEmbed) => id));
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(ids).toEqual(inOrder);
  }
});

test('rejects searches over 2,048 characters, and over 200 characters or 5 words if they are not one URL', async () => {
  const ada = await gateway.as('ada');
  const longest = `https://example.com/${'a'.repeat(2_048 - 'https://example.com/'.length)}`;
  expect(await search(ada, longest)).toEqual([]);
  for (const [text, message] of [
    [`${longest}a`, 'must be at most 2048 characters'],
    [`soup ${longest}`, 'must be at most 200 characters, or one URL'],
    [`https://example.com/ ${'a'.repeat(200)}`, 'must be at most 200 characters, or one URL'],
    ['https://example.com/a b c d e', 'must have at most 5 different words, or be one URL'],
    ['example.com/a-b-c-d-e', 'must have at most 5 different words, or be one URL'],
    ['https://', 'must have a word: letters or digits'],
  ] as const) {
    const rest = await ada.rest('GET', `/v1/embeds?${new URLSearchParams({ search: text })}`);
    const graphql = await ada.graphql(SEARCH, { search: text });
    const faults = [{ path: 'search', message }];
    expect([text, rest.status, rest.body.errors]).toEqual([text, 422, faults]);
    expect(graphql.errors[0]?.extensions.errors).toEqual(faults);
  }
});
