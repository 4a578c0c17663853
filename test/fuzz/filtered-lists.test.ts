import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsIn } from '../../src/domain/embed/search-terms.ts';
import { isOnPostgresql, openApp, type RestEmbed } from '../open-app.ts';
import { check, runsOf } from './check.ts';

const RUNS = runsOf(isOnPostgresql ? 60 : 300);
const EMBEDS = 60;

const word = fc.constantFrom('soup', 'stew', 'tart', 'pie', 'ÄPFEL');
/** Beginnings of the words above and of those of every URL, some of several words. */
const beginning = fc.constantFrom('s', 'so', 'ST', 'ta', 'pi', 'tarts', 'ä', 'Äpf', 'e', 'exam', 'COM');
const mode = fc.constantFrom('light', 'dark', 'auto', 'user_defined');
const font = fc.constantFrom('default', 'Inter', 'Lora');
const pageUrl = fc
  .tuple(word, word, fc.constantFrom('', '?q=pie', '#top'))
  .map(([a, b, tail]) => `https://example.com/${a}-${b}${tail}`);

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const index = fc.nat(EMBEDS - 1);

/** A filtered list. Times, cursors and page ids are those of the embed with the index. */
const anyList = fc.record({
  mode: sometimes(mode),
  font: sometimes(font),
  pageUrl: sometimes(pageUrl),
  pageId: sometimes(index),
  search: sometimes(
    fc.oneof(
      fc.array(fc.oneof(word, beginning), { minLength: 1, maxLength: 3 }),
      pageUrl,
      fc.constant('http://example.com'),
    ),
  ),
  createdAfter: sometimes(index),
  createdBefore: sometimes(index),
  isOldestFirst: fc.boolean(),
  size: fc.integer({ min: 1, max: 20 }),
  fromEnd: fc.boolean(),
  after: sometimes(index),
  before: sometimes(index),
});

const LIST = `query($first: Int, $last: Int, $after: String, $before: String, $filter: EmbedFilter, $orderBy: EmbedOrder) {
  embeds(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy) {
    nodes { id } totalCount totalCountIsExact pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
  }
}`;

/** Normalises the URLs of this test. */
const normalise = (url: string) => encodeURI(decodeURI(url.replace(/#.*/, '')));

type List = typeof anyList extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the words of a search. Of a URL without its fragment, these are the five longest. */
function searchedWords(search: string | readonly string[]): readonly string[] {
  if (typeof search !== 'string') return search.flatMap(wordsIn);
  const words = wordsIn(search.replace(/^https?:|#.*/g, ''));
  return words.toSorted((a, b) => b.length - a.length).slice(0, 5);
}

function isMatch(embed: RestEmbed, { mode, font, pageUrl, search }: List): boolean {
  const words = wordsIn(`${new URL(embed.embed_url).pathname} ${decodeURI(embed.page_url)}`.replaceAll('%', ' '));
  return (
    (mode === undefined || embed.mode === mode) &&
    (font === undefined || embed.font === font) &&
    (pageUrl === undefined || normalise(embed.page_url) === normalise(pageUrl)) &&
    (search === undefined ||
      (typeof search === 'string' && normalise(embed.page_url) === normalise(search)) ||
      searchedWords(search).every((each) =>
        words.some((one) => (typeof search === 'string' ? one === each : one.startsWith(each))),
      ))
  );
}

test('pages, flags and totals of filtered lists equal those of a scan of all embeds', async () => {
  const { as, logged } = await openApp({ rateLimit: 0 });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const drafts = fc.sample(fc.record({ page_url: pageUrl, mode, font }), { seed: 7, numRuns: EMBEDS });
  const created: RestEmbed[] = [];
  for (const draft of drafts) {
    created.push(await ada.create(draft));
    await bob.create(draft);
  }
  // the ids of deleted embeds stay valid cursors
  const deleted = new Set(created.filter((_, i) => i % 9 === 4).map(({ id }) => id));
  for (const id of deleted) await ada.rest('DELETE', `/v1/embeds/${id}`);
  const remaining = created.filter(({ id }) => !deleted.has(id));
  const at = (i: number | undefined) => (i === undefined ? undefined : created[i]);

  await check(RUNS, anyList, async (value) => {
    const { isOldestFirst, size, fromEnd } = value;
    const [after, before] = [at(value.after)?.id, at(value.before)?.id];
    const [createdAfter, createdBefore] = [at(value.createdAfter)?.created_at, at(value.createdBefore)?.created_at];
    const pageId = at(value.pageId)?.page_id;
    const filter = {
      ...(value.mode && { mode: value.mode.toUpperCase() }),
      ...(value.font && { font: value.font }),
      ...(value.pageUrl && { pageUrl: value.pageUrl }),
      ...(pageId && { pageId }),
      ...(value.search && {
        search: typeof value.search === 'string' ? value.search : value.search.join(', ').toUpperCase(),
      }),
      ...(createdAfter && { createdAfter }),
      ...(createdBefore && { createdBefore }),
    };
    const reply = await ada.graphql(LIST, {
      ...(fromEnd ? { last: size } : { first: size }),
      after,
      before,
      filter,
      orderBy: { field: 'CREATED_AT', direction: isOldestFirst ? 'ASC' : 'DESC' },
    });
    if (createdAfter && createdBefore && createdAfter >= createdBefore) {
      expect(reply.errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
      return;
    }
    const found = remaining.filter(
      (embed) =>
        isMatch(embed, value) &&
        (pageId === undefined || embed.page_id === pageId) &&
        (createdAfter === undefined || embed.created_at > createdAfter) &&
        (createdBefore === undefined || embed.created_at < createdBefore),
    );
    const ids = found.map(({ id }) => id);
    if (!isOldestFirst) ids.reverse();
    const isAfter = (id: string, cursor: string) => (isOldestFirst ? id > cursor : id < cursor);
    const range = ids.filter(
      (id) =>
        (after === undefined || isAfter(id, after)) &&
        (before === undefined || (id !== before && !isAfter(id, before))),
    );
    const page = fromEnd ? range.slice(-size) : range.slice(0, size);
    const isBeyond = (id: string, cursor: string | undefined, isEnd: boolean) =>
      cursor !== undefined && (id === cursor || isAfter(id, cursor) === isEnd);
    expect(reply.data.embeds).toEqual({
      nodes: page.map((id) => ({ id })),
      totalCount: ids.length,
      totalCountIsExact: true,
      pageInfo: {
        startCursor: page[0] ?? null,
        endCursor: page.at(-1) ?? null,
        hasNextPage: (!fromEnd && range.length > size) || ids.some((id) => isBeyond(id, before, true)),
        hasPreviousPage: (fromEnd && range.length > size) || ids.some((id) => isBeyond(id, after, false)),
      },
    });
  });
  expect(logged.filter((line) => 'err' in line)).toEqual([]);
});
