import { expect, test } from 'vitest';
import { idBoundAt } from '../../../src/domain/embed/id.ts';
import { parseListing } from '../../../src/domain/embed/listing.ts';
import { openLists } from '../../../src/store/embeds/lists.ts';
import { POSTGRESQL_INDEX } from '../../../src/store/postgresql/posting-lists.ts';
import { SQLITE_INDEX } from '../../../src/store/sqlite/posting-lists.ts';
import { openDriver } from '../../databases/client.ts';
import { isOnPostgresql } from '../../databases/database.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';

const PAGE_ID = '01234567-89ab-cdef-0123-456789abcdef';
const POLICY = { allowPrivatePages: false };

/**
 * Opens lists of 60 embeds of Ada that scan at most 10 ids: all are dark and have the word "all"; every second has "half",
 * every fourth "fourth"; the numbers 1, 30 and 58 have "rare", 2 and 57 are of one page.
 */
async function openSmallLists() {
  const { embeds, url } = await openStore();
  const ids: string[] = [];
  for (let i = 0; i < 60; i++) {
    const words = ['all', i % 2 ? '' : 'half', i % 4 ? '' : 'fourth', [1, 30, 58].includes(i) ? 'rare' : ''];
    // one id in each millisecond: a list without an offset may end with others of the last one
    const id = idBoundAt(1_790_000_000_000 + i) + embedOf('ada').id.slice(10);
    const page = i === 2 || i === 57 ? { pageId: PAGE_ID } : {};
    ids.push(id);
    await embeds.insert(embedOf('ada', { id, title: words.join(' '), mode: 'DARK', ...page }));
  }
  const index = isOnPostgresql ? POSTGRESQL_INDEX : SQLITE_INDEX;
  const open = openLists(openDriver(url), index, () => {}, { maxCounted: 10, maxScanned: 10 });
  const numbersOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => ids.indexOf(id));
  return {
    async read(filter: object, paging: object = {}) {
      const parsed = parseListing({ filter, ...paging }, POLICY);
      const list = open('ada', parsed.filter ?? expect.fail('the filter is empty'));
      const page = await list.findPage(parsed.paging);
      const stoppedAt = page.stoppedAt === undefined ? null : ids.indexOf(page.stoppedAt);
      return { numbers: numbersOf(page.embeds), isCut: page.isCut, stoppedAt, total: await list.count() };
    },
    exists: (filter: object, range: 'from' | 'to', number: number) => {
      const parsed = parseListing({ filter }, POLICY);
      const id = ids[number] ?? '';
      const list = open('ada', parsed.filter ?? expect.fail('the filter is empty'));
      return list.exists(range === 'from' ? { from: id } : { to: id });
    },
  };
}

const exactly = (count: number) => ({ count, isExact: true });
const atLeast = (count: number) => ({ count, isExact: false });

test('a list that ends within the maximum of the scan is read, whichever condition it belongs to', async () => {
  const { read } = await openSmallLists();
  const rare = { numbers: [58, 30, 1], isCut: false, stoppedAt: null, total: exactly(3) };
  const page = { numbers: [57, 2], isCut: false, stoppedAt: null, total: exactly(2) };
  for (const paging of [{}, { last: 10 }]) {
    expect(await read({ search: 'rare', mode: 'DARK' }, paging)).toEqual(rare);
    expect(await read({ search: 'all rare' }, paging)).toEqual(rare);
    expect(await read({ search: 'rare all' }, paging)).toEqual(rare);
    expect(await read({ search: 'all', mode: 'DARK', pageId: PAGE_ID }, paging)).toEqual(page);
    expect(await read({ search: 'nothing all', mode: 'DARK' }, paging)).toEqual({
      ...page,
      numbers: [],
      total: exactly(0),
    });
  }
});

test('of longer lists, the one is read whose last scanned id is the furthest away', async () => {
  const { read } = await openSmallLists();
  // the tenth id of "fourth" is number 20 from the newest, and number 36 from the oldest
  const newest = [56, 52, 48, 44, 40, 36, 32, 28, 24, 20];
  for (const search of ['all half fourth', 'fourth half all', 'half fourth all']) {
    const first = await read({ search, mode: 'DARK' });
    expect([search, first]).toEqual([search, { numbers: newest, isCut: true, stoppedAt: 20, total: atLeast(10) }]);
    const last = await read({ search, mode: 'DARK' }, { last: 10 });
    expect([search, last.numbers, last.isCut]).toEqual([search, newest.map((number) => 56 - number).reverse(), true]);
  }
});

test('a page has its size, and says whether more follow', async () => {
  const { read } = await openSmallLists();
  expect(await read({ search: 'rare' }, { first: 2 })).toMatchObject({ numbers: [58, 30], isCut: true });
  expect(await read({ search: 'rare' }, { last: 2 })).toMatchObject({ numbers: [30, 1], isCut: true });
  expect(await read({ search: 'rare' }, { first: 3 })).toMatchObject({ numbers: [58, 30, 1], isCut: false });
  expect(await read({ search: 'rare' }, { last: 3 })).toMatchObject({ numbers: [58, 30, 1], isCut: false });
});

test('a total is exact up to the maximum', async () => {
  const { read } = await openSmallLists();
  expect((await read({ search: 'half' })).total).toEqual(atLeast(10));
  expect((await read({ search: 'fourth', mode: 'DARK' })).total).toEqual(atLeast(10));
  expect((await read({ search: 'rare fourth' })).total).toEqual(exactly(0));
});

test('an id with a match beyond it is known, or assumed beyond the maximum', async () => {
  const { exists } = await openSmallLists();
  const rare = { search: 'rare', mode: 'DARK' };
  expect([await exists(rare, 'from', 58), await exists(rare, 'from', 59)]).toEqual([true, false]);
  expect([await exists(rare, 'to', 1), await exists(rare, 'to', 0)]).toEqual([true, false]);
  // neither of both lists ends within ten ids
  const none = { search: 'all half', mode: 'LIGHT' };
  expect([await exists(none, 'from', 0), await exists(none, 'to', 59)]).toEqual([false, false]);
});
