import { expect, test } from 'vitest';
import type { PageState } from '../../../packages/reader/src/page-state.ts';
import { createEmbed } from '../../../src/domain/embed/embed.ts';
import { createEmbedIdGenerator } from '../../../src/domain/embed/id.ts';
import { parseDraft } from '../../../src/domain/embed/input.ts';
import type { Database } from '../../../src/store/database.ts';
import { NO_FILTER } from '../../../src/store/embeds/lists.ts';
import { openApp, type RestEmbed, shareApp } from '../../open-app.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';

const gateway = shareApp();

async function fail({ pages, now }: Pick<Database, 'pages' | 'now'>, pageUrl: string, state: PageState) {
  const freshUntil = new Date(now().getTime() + 60_000);
  await pages.recordFailure(pageUrl, { triedAt: now(), freshUntil, failure: { state, reason: null } });
}

test('both APIs find embeds by the states of their pages, in both directions', async () => {
  const ada = await gateway.as('ada');
  const urlOf = (name: string) => `https://example.com/${name}-95747105f402490eba51d52e00496c1c`;
  const create = async (name: string, fragment = '') => (await ada.create({ page_url: urlOf(name) + fragment })).id;
  const a = await create('a');
  const b = await create('b');
  const c = await create('a', '#part');
  const d = await create('d');
  await fail(gateway.database, urlOf('a'), 'GONE');
  await fail(gateway.database, urlOf('d'), 'UNREACHABLE');

  const list = async (query: string) => {
    const { body } = await ada.rest('GET', `/v1/embeds?${query}`);
    return { ids: body.embeds.map(({ id }: RestEmbed) => id), ...body.pagination };
  };
  expect(await list('page_state=gone')).toMatchObject({ ids: [c, a], total_count: 2, total_count_is_exact: true });
  expect(await list('page_state=gone,unreachable')).toMatchObject({ ids: [d, c, a], total_count: 3 });
  expect(await list('page_state=pending&mode=light')).toMatchObject({ ids: [b], has_next_page: false });
  expect(await list('needs_attention=true')).toMatchObject({ ids: [d, c, a], total_count: 3 });
  expect(await list('needs_attention=false')).toMatchObject({ ids: [b], total_count: 1 });
  expect(await list('needs_attention=true&page_state=gone,pending')).toMatchObject({ ids: [c, a], total_count: 2 });
  expect(await list('page_state=shown')).toMatchObject({ ids: [], total_count: 0 });
  const first = await list('page_state=gone&first=1');
  expect(first).toMatchObject({ ids: [c], has_next_page: true, total_count: 2 });
  expect(await list(`page_state=gone&first=1&after=${first.end_cursor}`)).toMatchObject({ ids: [a] });
  expect(await list('page_state=gone&direction=asc&first=1')).toMatchObject({ ids: [a], has_next_page: true });

  const query = 'query($filter: EmbedFilter, $last: Int) { embeds(filter: $filter, last: $last) { nodes { id } } }';
  const { data } = await ada.graphql(query, { filter: { pageState: 'GONE' }, last: 1 });
  expect(data.embeds.nodes).toEqual([{ id: a }]);
  const wrong = await ada.rest('GET', '/v1/embeds?page_state=gone,lost');
  expect([wrong.status, wrong.body.errors]).toEqual([
    422,
    [
      {
        path: 'page_state',
        message: expect.stringMatching(/^must be a list of one or more of pending, shown, .+, each once; not "lost"$/),
      },
    ],
  ]);
});

test('a page is filled from several reads of the list, from both ends', async () => {
  const store = await openStore();
  const goneUrl = 'https://example.com/gone';
  await fail(store, goneUrl, 'GONE');
  const made = Array.from({ length: 250 }, (_, i) => embedOf('ada', i % 50 === 0 ? { pageUrl: goneUrl } : {}));
  await Promise.all(made.map((embed) => store.embeds.insert(embed)));
  const list = store.createList('ada', { ...NO_FILTER, pageStates: ['GONE'] });
  const read = async (size: number, fromEnd: boolean, bounds: { after?: number; before?: number } = {}) => {
    const idOf = (number: number | undefined) => (number === undefined ? undefined : made[number]?.id);
    const paging = { size, fromEnd, after: idOf(bounds.after), before: idOf(bounds.before) };
    const { embeds, isCut } = await list.findPage(paging);
    return { numbers: embeds.map(({ id }) => made.findIndex((embed) => embed.id === id)), isCut };
  };
  for (const fromEnd of [false, true]) {
    expect(await read(5, fromEnd)).toEqual({ numbers: [200, 150, 100, 50, 0], isCut: false });
    expect(await read(4, fromEnd)).toEqual({ numbers: fromEnd ? [150, 100, 50, 0] : [200, 150, 100, 50], isCut: true });
    expect(await read(9, fromEnd, { after: 150 })).toEqual({ numbers: [100, 50, 0], isCut: false });
    expect(await read(9, fromEnd, { before: 100 })).toEqual({ numbers: [200, 150], isCut: false });
    expect(await read(1, fromEnd, { after: 200, before: 50 })).toEqual({ numbers: [fromEnd ? 100 : 150], isCut: true });
  }
  expect(await list.count()).toEqual({ count: 5, isExact: true });
});

test('the search for a page stops after 2,000 embeds, and the next page continues there', async () => {
  const { as, database } = await openApp();
  const ada = await as('ada');
  const old = await ada.create({ page_url: 'https://example.com/old-95747105f402490eba51d52e00496c1c' });
  await fail(database, old.page_url, 'GONE');
  const newIdentity = createEmbedIdGenerator();
  const draft = parseDraft({ pageUrl: 'https://example.com/' }, { allowPrivatePages: false });
  const made = Array.from({ length: 2_050 }, () => createEmbed(newIdentity('ada'), 'ada', draft));
  await Promise.all(made.map((embed) => database.embeds.insert(embed)));
  const { body: empty } = await ada.rest('GET', '/v1/embeds?page_state=gone');
  expect(empty).toMatchObject({ embeds: [], total_count_is_exact: false, pagination: { has_next_page: true } });
  const { body: next } = await ada.rest('GET', `/v1/embeds?page_state=gone&after=${empty.pagination.end_cursor}`);
  expect(next).toMatchObject({ embeds: [{ id: old.id }], pagination: { has_next_page: false } });
  const { body: last } = await ada.rest('GET', '/v1/embeds?page_state=gone&direction=asc');
  expect(last).toMatchObject({ embeds: [{ id: old.id }], pagination: { has_next_page: true } });
  const { body: pending } = await ada.rest('GET', '/v1/embeds?page_state=pending&first=1');
  expect([pending.total_count, pending.total_count_is_exact]).toEqual([1_000, false]);
});
