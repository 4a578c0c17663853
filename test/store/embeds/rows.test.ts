import { expect, test } from 'vitest';
import type { Embed } from '../../../src/domain/embed/embed.ts';
import type { Paging } from '../../../src/domain/embed/paging.ts';
import { POSTGRESQL } from '../../../src/store/postgresql/sql.ts';
import { SQLITE } from '../../../src/store/sqlite/sql.ts';
import { openClient } from '../../databases/client.ts';
import { isOnPostgresql } from '../../databases/database.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';
import { statementsOf } from './statements-of.ts';

const { serializeTerms } = isOnPostgresql ? POSTGRESQL : SQLITE;
const FIRST_PAGE: Paging = { size: 10, fromEnd: false, after: undefined, before: undefined };

/** Returns the statements about embeds and totals. A cluster is asked regularly whether its nodes answer. */
const statementsOnEmbeds = async (work: () => Promise<void>) =>
  (await statementsOf(work)).filter((sql) => /"Embed"|"embedCount"/.test(sql));

test('an inserted row equals the one that Prisma writes', async () => {
  const { embeds, createList, url, raw } = await openStore();
  const samples = [
    embedOf('ada'),
    embedOf('ada', { mode: 'USER_DEFINED', showTopBar: false, version: 7 }),
    embedOf('ada', { title: '007', font: '1e3', pageUrl: 'https://example.com/?q="\\\'%00' }),
    embedOf('ada', { title: 'Ünïcödé 日本語 🍲 \u2028 "quoted" \\back\\ null true', createdAt: new Date(0) }),
    embedOf('ada', {
      pageUrl: `https://example.com/${'x'.repeat(2_000)}`,
      createdAt: new Date('2026-12-31T23:59:59.999Z'),
    }),
  ];
  await Promise.all(samples.map((embed) => embeds.insert(embed)));
  const columns = Object.keys(samples[0] as Embed);
  const typeOf = isOnPostgresql ? 'pg_typeof' : 'typeof';
  const kinds = columns.map((column) => `${typeOf}("${column}") AS "kind of ${column}"`);
  const rows = async () => {
    const found = await raw.query(`SELECT *, ${kinds} FROM "Embed" ORDER BY "id"`);
    // Prisma does not know the order
    return found.map(({ position, ...row }) => row);
  };
  const ours = await rows();
  await raw.query('DELETE FROM "Embed"');
  const client = openClient(url);
  for (const embed of samples) {
    await client.embed.create({ data: { ...embed, terms: serializeTerms(embed) }, select: { id: true } });
  }
  expect(ours).toHaveLength(samples.length);
  expect(await rows()).toEqual(ours);
  // also both kinds of read return what was written
  expect(await Promise.all(samples.map(({ id }) => embeds.find('ada', id)))).toEqual(samples);
  expect((await createList('ada', null).findPage(FIRST_PAGE)).embeds).toEqual(samples.toReversed());
});

test('concurrent creates share one statement', async () => {
  const { embeds } = await openStore();
  const created = Array.from({ length: 20 }, () => embedOf('ada'));
  const writes = await statementsOnEmbeds(
    async () => void (await Promise.all(created.map((embed) => embeds.insert(embed)))),
  );
  expect(writes).toHaveLength(1);
});

test.runIf(isOnPostgresql)('concurrent reads of one kind share one statement, behind a network', async () => {
  const { embeds, createList } = await openStore();
  const created = Array.from({ length: 20 }, (_, i) => embedOf('ada', { title: `Soup ${i}` }));
  await Promise.all(created.map((embed) => embeds.insert(embed)));
  const lists = created.map(() => createList('ada', null));
  const pageAfter = (i: number): Paging => ({ ...FIRST_PAGE, size: i + 1, after: created[i]?.id });
  const kinds: Record<string, () => readonly unknown[]> = {
    embeds: () => created.map(({ id }) => embeds.find('ada', id)),
    pages: () => lists.map((list, i) => list.findPage(pageAfter(i))),
    totals: () => lists.map((list) => list.count()),
    flags: () => lists.map((list, i) => list.exists({ from: created[i]?.id ?? '' })),
  };
  for (const [kind, read] of Object.entries(kinds)) {
    const alone: unknown[] = [];
    for (let i = 0; i < created.length; i++) alone.push(await read()[i]);
    const statements = await statementsOnEmbeds(async () => expect(await Promise.all(read())).toEqual(alone));
    expect([kind, statements]).toEqual([kind, [expect.any(String)]]);
  }
});

test('every read that starts after a completed write sees it', async () => {
  const { embeds, createList } = await openStore();
  const countOf = async (name: string) => (await createList(name, null).count()).count;
  const inFlight: unknown[] = [];
  let newest = embedOf('ada');
  const read = () => [
    embeds.find('ada', newest.id),
    embeds.findForAnyone(newest.id),
    createList('ada', null)
      .findPage(FIRST_PAGE)
      .then((page) => page.embeds[0]),
    countOf('ada'),
  ];
  for (let total = 1; total <= 100; total++) {
    newest = embedOf('ada');
    // the same reads start before, during and right after the write
    inFlight.push(...read());
    const write = embeds.insert(newest);
    inFlight.push(...read());
    await write;
    expect(await Promise.all(read())).toEqual([newest, newest, newest, total]);
    if (total % 2 === 0) {
      inFlight.push(...read());
      const { embed: changed } = await embeds.update('ada', newest.id, (embed) => ({ ...embed, title: `t${total}` }));
      expect(await Promise.all(read())).toEqual([changed, changed, changed, total]);
    }
  }
  await Promise.all(inFlight);
  inFlight.push(...read());
  await embeds.delete('ada', newest.id);
  const [found, shown, first, total] = await Promise.all(read());
  expect([found, shown, total]).toEqual([null, null, 99]);
  expect((first as Embed).id).not.toBe(newest.id);
});

test('concurrent reads of several accounts return only their own embeds', async () => {
  const { embeds, createList } = await openStore();
  const [adas, bobs] = ['ada', 'bob'].map((name) => Array.from({ length: 5 }, () => embedOf(name))) as [
    Embed[],
    Embed[],
  ];
  await Promise.all([...adas, ...bobs].map((embed) => embeds.insert(embed)));
  const ids = [...adas, ...bobs].map(({ id }) => id);
  const findAll = (name: string) => Promise.all(ids.map((id) => embeds.find(name, id)));
  const page = (name: string) => createList(name, null).findPage(FIRST_PAGE);
  const [ofAda, ofBob, pageOfAda, pageOfBob, pageOfEve] = await Promise.all([
    findAll('ada'),
    findAll('bob'),
    page('ada'),
    page('bob'),
    page('eve'),
  ]);
  expect(ofAda).toEqual([...adas, ...bobs.map(() => null)]);
  expect(ofBob).toEqual([...adas.map(() => null), ...bobs]);
  expect([pageOfAda.embeds, pageOfBob.embeds, pageOfEve.embeds]).toEqual([adas.toReversed(), bobs.toReversed(), []]);
});

test('in a batch, only the creates that are invalid fail', async () => {
  const { embeds, createList } = await openStore();
  const existing = embedOf('ada');
  await embeds.insert(existing);
  const good = Array.from({ length: 6 }, () => embedOf('ada'));
  const outcomes = await Promise.allSettled(
    [good[0], existing, ...good.slice(1, 4), embedOf('nobody'), ...good.slice(4)].map((embed) =>
      embeds.insert(embed as Embed),
    ),
  );
  expect(outcomes.map(({ status }) => status).join(' ')).toBe(
    'fulfilled rejected fulfilled fulfilled fulfilled rejected fulfilled fulfilled',
  );
  const list = createList('ada', null);
  expect((await list.count()).count).toBe(7);
  expect(await list.findPage(FIRST_PAGE)).toEqual({ embeds: [existing, ...good].toReversed(), isCut: false });
});

test('concurrent reads of different pages return what each would alone', async () => {
  const { embeds, createList, raw } = await openStore();
  const created = Array.from({ length: 60 }, (_, i) => embedOf(i % 3 === 0 ? 'bob' : 'ada'));
  // rows are not in the order of their ids
  for (const embed of created.toSorted((a, b) => (a.id.slice(-3) < b.id.slice(-3) ? -1 : 1)))
    await embeds.insert(embed);
  const cursors = [undefined, ...created.filter((_, i) => i % 7 === 0).map(({ id }) => id)];
  const kinds = [1, 3, 100].flatMap((size) =>
    [false, true].flatMap((fromEnd) =>
      cursors.flatMap((after) => cursors.map((before): Paging => ({ size, fromEnd, after, before }))),
    ),
  );
  const pages = await Promise.all(kinds.map((paging) => createList('ada', null).findPage(paging)));
  const rows = await raw.query('SELECT "id" FROM "Embed" WHERE "accountId" = \'ada\' ORDER BY "id" DESC');
  const ids = rows.map(({ id }) => id as string);
  for (const [i, { size, fromEnd, after, before }] of kinds.entries()) {
    const range = ids.filter((id) => (!after || id < after) && (!before || id > before));
    const expected = fromEnd ? range.slice(-size) : range.slice(0, size);
    expect(pages[i]?.embeds.map(({ id }) => id)).toEqual(expected);
    expect(pages[i]?.isCut).toBe(range.length > size);
  }
});
