import { expect, test } from 'vitest';
import { pageIdOf } from '../../../packages/reader/src/page-url.ts';
import { parseListing } from '../../../src/domain/embed/listing.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';

const PAGE = '01234567-89ab-cdef-0123-456789abcdef';
/** Indexes have a part of a page id. */
const SAME_BEGINNING = '01234567-89ab-cdef-ffff-ffffffffffff';
const SAME_END = 'ffffffff-ffff-ffff-ffff-456789abcdef';
const URL = 'https://soup.example/bread';

test('a filter compares whole page ids and URLs, beside any other condition', async () => {
  const { embeds, createList } = await openStore();
  const urlId = pageIdOf(URL);
  const rows = {
    page: { pageId: PAGE, title: 'Soup' },
    beginning: { pageId: SAME_BEGINNING, title: 'Soup' },
    end: { pageId: SAME_END, title: 'Soup' },
    light: { pageId: PAGE, title: 'Soup', mode: 'LIGHT' },
    url: { pageId: urlId, pageUrl: URL, title: 'One' },
    spelled: { pageId: urlId, pageUrl: `${URL}#part`, title: 'One' },
    sameId: { pageId: urlId, pageUrl: 'https://other.example/', title: 'One' },
    similarId: { pageId: `${urlId.slice(0, 18)}-0000-000000000000`, title: 'One' },
    words: { pageId: PAGE, title: 'Soup example bread' },
    parts: { pageId: PAGE, title: 'Soups example breads' },
  } as const;
  const names = new Map<string, string>();
  for (const [name, changes] of Object.entries(rows)) {
    const embed = embedOf('ada', { mode: 'DARK', ...changes });
    names.set(embed.id, name);
    await embeds.insert(embed);
  }
  const find = async (filter: object) => {
    const parsed = parseListing({ filter, first: 100 }, { allowPrivatePages: false });
    const list = createList('ada', parsed.filter ?? expect.fail('the filter is empty'));
    const found = (await list.findPage(parsed.paging)).embeds.map(({ id }) => names.get(id));
    expect(await list.count()).toEqual({ count: found.length, isExact: true });
    return found.toSorted();
  };
  expect(await find({ pageId: PAGE })).toEqual(['light', 'page', 'parts', 'words']);
  expect(await find({ pageId: PAGE, mode: 'DARK' })).toEqual(['page', 'parts', 'words']);
  expect(await find({ pageId: PAGE, search: 'soup', mode: 'LIGHT' })).toEqual(['light']);
  expect(await find({ pageUrl: URL })).toEqual(['spelled', 'url']);
  expect(await find({ pageUrl: URL, mode: 'DARK' })).toEqual(['spelled', 'url']);
  expect(await find({ pageUrl: URL, search: 'one', mode: 'LIGHT' })).toEqual([]);
  // the page itself in any spelling, or all words of its URL
  expect(await find({ search: URL })).toEqual(['sameId', 'spelled', 'url', 'words']);
  expect(await find({ search: URL, mode: 'DARK' })).toEqual(['sameId', 'spelled', 'url', 'words']);
});

test('a beginning of more words than are merged is compared in the rows', async () => {
  const { embeds, createList } = await openStore();
  for (let i = 0; i < 40; i++)
    await embeds.insert(embedOf('ada', { title: `soup${i} xsoup`, mode: i % 2 ? 'DARK' : 'LIGHT' }));
  await embeds.insert(embedOf('ada', { title: 'xsoup', mode: 'DARK' }));
  const parsed = parseListing({ filter: { search: 'soup', mode: 'DARK' }, first: 100 }, { allowPrivatePages: false });
  const list = createList('ada', parsed.filter ?? expect.fail('the filter is empty'));
  expect((await list.findPage(parsed.paging)).embeds).toHaveLength(20);
  expect(await list.count()).toEqual({ count: 20, isExact: true });
});
