import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../../src/domain/embed/embed.ts';
import { idBoundAt, prefixNumberOf } from '../../../src/domain/embed/id.ts';
import { parseListing } from '../../../src/domain/embed/listing.ts';
import type { Paging } from '../../../src/domain/embed/paging.ts';
import { termsOf } from '../../../src/domain/embed/search-terms.ts';
import { migrateDatabase, openDatabase } from '../../../src/store/database.ts';
import { openLists } from '../../../src/store/embeds/lists.ts';
import { NO_TERMS_YET } from '../../../src/store/embeds/sql.ts';
import { DISABLED_PLANS } from '../../../src/store/postgresql/pool.ts';
import { POSTGRESQL_INDEX, rankOf } from '../../../src/store/postgresql/posting-lists.ts';
import { readMigration } from '../../../src/store/prisma/migrations.ts';
import { backUp } from '../../../src/store/sqlite/backup.ts';
import { SQLITE_INDEX } from '../../../src/store/sqlite/posting-lists.ts';
import { openDriver } from '../../databases/client.ts';
import {
  cannotHoldOnCitus,
  isOnCitus,
  isOnPostgresql,
  newDatabase,
  openRaw,
  type Raw,
  type Row,
} from '../../databases/database.ts';
import { undoHashedLists } from '../../databases/earlier-schema.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { openApp } from '../../open-app.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';
import { type Query, queriesOf, statementsOf } from './statements-of.ts';

const INDEX = isOnPostgresql ? POSTGRESQL_INDEX : SQLITE_INDEX;
const POLICY = { allowPrivatePages: false };
const FIRST: Paging = { size: 10, fromEnd: false, after: undefined, before: undefined };

function listing(filter: object, paging: object = {}) {
  const parsed = parseListing({ filter, ...paging }, POLICY);
  if (!parsed.filter) throw new Error('the filter is empty');
  return { filter: parsed.filter, paging: parsed.paging };
}

/** Returns a generator of pseudo-random numbers. */
function scramble(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

const idsOf = (embeds: readonly Embed[]) => embeds.map(({ id }) => id);

/** Returns the words in the index, each after its account. */
async function indexedWords(raw: Raw): Promise<readonly string[]> {
  if (isOnPostgresql) {
    const rows = await raw.query('SELECT "accountId", "term" FROM "EmbedTerm"');
    return rows.map(({ accountId, term }) => `${accountId} ${term}`).sort();
  }
  const rows = await raw.query('SELECT "term" FROM "EmbedIndexTerm"');
  const tokens = rows.flatMap(({ term }) => /^([0-9a-f]+)w(.*)$/.exec(term)?.slice(1) ?? []);
  return Array.from({ length: tokens.length / 2 }, (_, i) =>
    [Buffer.from(tokens[2 * i] ?? '', 'hex').toString(), tokens[2 * i + 1]].join(' '),
  ).sort();
}

/** SQLite folds the case of ASCII letters, which only the hash of a URL has. */
const wordsOf = (accountId: string, embed: Embed) =>
  termsOf(embed)
    .map((term) => `${accountId} ${isOnPostgresql ? term : term.toLowerCase()}`)
    .sort();

test('triggers update the index, whichever statement changes an embed', async () => {
  const { embeds, raw, createList } = await openStore();
  const embed = embedOf('ada', { title: 'Ärzte & ärzte', pageUrl: 'https://example.com/%E6%97%A5?q=1#x' });
  await embeds.insert(embed);
  expect(await indexedWords(raw)).toEqual(wordsOf('ada', embed));
  expect(termsOf(embed)).toEqual([expect.stringMatching(/^=/), 'ärzte', 'example', 'com', '日', 'q', '1', 'x']);
  const { embed: moved } = await embeds.update('ada', embed.id, (old) => ({
    ...old,
    title: 'Soup',
    pageUrl: 'https://b.example/',
    mode: 'DARK',
  }));
  expect(await indexedWords(raw)).toEqual(wordsOf('ada', moved));
  // Citus moves no row to another account
  if (isOnCitus) return;
  await raw.query(`UPDATE "Embed" SET "accountId" = 'bob', "font" = 'Lora'`);
  expect(await indexedWords(raw)).toEqual(wordsOf('bob', moved));
  for (const [accountId, filter, expected] of [
    ['bob', { search: 'sou', mode: 'DARK', font: 'Lora' }, [embed.id]],
    ['bob', { mode: 'LIGHT' }, []],
    ['bob', { font: 'default' }, []],
    ['ada', { search: 'soup' }, []],
  ] as const) {
    const request = listing(filter);
    const { embeds: found } = await createList(accountId, request.filter).findPage(request.paging);
    expect([filter, idsOf(found)]).toEqual([filter, expected]);
  }
  await embeds.delete('bob', embed.id);
  expect(await indexedWords(raw)).toEqual([]);
  if (!isOnPostgresql)
    expect(await raw.query('SELECT "word" FROM "EmbedWord" UNION SELECT "term" FROM "EmbedIndexTerm"')).toEqual([]);
});

test.skipIf(isOnPostgresql)(
  'embeds that an older version has written without words are indexed, and lists are refused until then',
  async () => {
    const { embeds, url, raw, close } = await openStore();
    const created = Array.from({ length: 1_200 }, (_, i) => embedOf(i % 3 ? 'ada' : 'bob', { title: `Soup ${i}` }));
    await Promise.all(created.map((embed) => embeds.insert(embed)));
    const before = await indexedWords(raw);
    await raw.query(`UPDATE "Embed" SET "terms" = '${NO_TERMS_YET}'`);
    await raw.query(`UPDATE _prisma_migrations SET logs = NULL`);
    expect(await indexedWords(raw)).not.toEqual(before);
    await close();
    const first = await openDatabase(url);
    onTestFinished(() => first.close());
    const { filter, paging } = listing({ search: 'soup 601' });
    const refusal = { code: 'unavailable', message: expect.stringContaining('is being built'), retryAfterS: 10 };
    await expect(first.createList('ada', filter).findPage(paging)).rejects.toMatchObject(refusal);
    await expect(first.createList('ada', filter).count()).rejects.toMatchObject(refusal);
    expect((await first.createList('ada', null).findPage(paging)).embeds).toHaveLength(10);
    // two gateways index at once; one is stopped, and another one starts
    const second = await openDatabase(url);
    await second.close();
    const written = embedOf('ada', { title: 'Soup 601' });
    await first.embeds.insert(written);
    const third = await openDatabase(url);
    await Promise.all([first.indexed, third.indexed]);
    await third.close();
    expect(await indexedWords(raw)).toEqual([...before, ...wordsOf('ada', written)].sort());
    const found = await first.createList('ada', filter).findPage(paging);
    expect(idsOf(found.embeds)).toEqual([written.id, created[601]?.id]);

    const later = await statementsOf(async () => (await openDatabase(url)).close());
    expect(later.filter((sql) => sql.includes(`MATCH '"[]"'`))).toEqual([]);
  },
);

test.runIf(isOnPostgresql && !cannotHoldOnCitus('no version without filters has distributed a database'))(
  'migrating a PostgreSQL database without filters creates the search index',
  async () => {
    const url = await newDatabase();
    const { embeds, tokens, close } = await openDatabase(url);
    await tokens.ensureAccount('ada', new Date());
    const created = await fill(embeds, 700, (i) => ({ title: `Soup ${i}`, mode: i % 2 ? 'DARK' : 'LIGHT' }));
    await close();
    const raw = await openRaw(url);
    await undoHashedLists(raw);
    for (const sql of [
      ...['insert', 'delete', 'update'].map((name) => `DROP TRIGGER "Embed_terms_${name}" ON "Embed"`),
      'DROP FUNCTION "Embed_terms"',
      'DROP TABLE "EmbedTerm"',
      'ALTER TABLE "Embed" DROP COLUMN "terms"',
      `DELETE FROM "_prisma_migrations" WHERE "migration_name" LIKE '%_find_embeds'`,
    ]) {
      await raw.query(sql);
    }
    expect(await migrateDatabase(url, SILENT_LOG)).toEqual([
      expect.stringMatching(/_find_embeds$/),
      expect.stringMatching(/\d_hashed_lists$/),
      expect.stringMatching(/_fill_hashed_lists$/),
      expect.stringMatching(/_fill_words$/),
    ]);
    const database = await openDatabase(url, { log: SILENT_LOG });
    onTestFinished(() => database.close());
    expect(await indexedWords(raw)).toEqual(created.flatMap((embed) => wordsOf('ada', embed)).sort());
    const { filter, paging } = listing({ search: 'soup 601', mode: 'DARK' });
    expect(idsOf((await database.createList('ada', filter).findPage(paging)).embeds)).toEqual([created[601]?.id]);
  },
);

test.runIf(isOnPostgresql)(
  'migrating a PostgreSQL database keeps its lists, before and after a contraction',
  async () => {
    const url = await newDatabase();
    const previous = await openDatabase(url);
    await previous.tokens.ensureAccount('ada', new Date());
    const created = await fill(previous.embeds, 70, (i) => ({
      title: `Soup ${i % 5}`,
      mode: i % 2 ? 'DARK' : 'LIGHT',
    }));
    await previous.close();
    const raw = await openRaw(url);
    await undoHashedLists(raw);
    const applied = await migrateDatabase(url, SILENT_LOG);
    expect(applied.map((name) => name.replace(/^\d+_/, ''))).toEqual([
      'hashed_lists',
      'fill_hashed_lists',
      'fill_words',
    ]);
    const { embeds, createList, close } = await openDatabase(url, { log: SILENT_LOG });
    onTestFinished(() => close());
    const { filter, paging } = listing({ search: 'soup 3', mode: 'DARK' }, { first: 100 });
    const expected = created.filter((_, i) => i % 10 === 3);
    for (const contracts of [false, true]) {
      if (contracts)
        expect(await migrateDatabase(url, SILENT_LOG, true)).toEqual([
          expect.stringMatching(/_hashed_lists_contract$/),
        ]);
      const written = embedOf('ada', { title: 'Soup 3', mode: 'DARK' });
      await embeds.insert(written);
      await embeds.delete('ada', expected.shift()?.id ?? '');
      expected.push(written);
      const page = await createList('ada', filter).findPage(paging);
      expect(idsOf(page.embeds)).toEqual(idsOf(expected).reverse());
      const ranks = await raw.query('SELECT "id", "rank"::text AS "rank" FROM "Embed"');
      expect(ranks.map(({ rank }) => rank)).toEqual(ranks.map(({ id }) => rankOf(id)));
      expect(
        await raw.query(
          'SELECT 1 FROM "EmbedTerm" AS t LEFT JOIN "Embed" AS e ON e."accountId" = t."accountId" AND e."id" = t."embedId" WHERE e."id" IS NULL',
        ),
      ).toEqual([]);
    }
  },
);

const PAGE_INDEX = '20261122153000_page_index';

test.skipIf(isOnPostgresql)('opening a file of the previous version moves its embeds into the index', async () => {
  const url = await newDatabase();
  const file = url.slice('file:'.length);
  const current = new BetterSqlite3(file);
  const schema = current.prepare(`SELECT sql FROM sqlite_schema WHERE name = '_prisma_migrations'`).pluck().get();
  const migrations = current.prepare<[], Row>('SELECT * FROM _prisma_migrations').all();
  current.close();
  const previous = new BetterSqlite3(`${file}.previous`);
  previous.exec(String(schema));
  for (const row of migrations) {
    // `page_leases` and `audit_events` do not depend on the index
    if (/_(word_index|index_pages)$/.test(row.migration_name) || row.migration_name >= PAGE_INDEX) continue;
    previous.exec(readMigration('sqlite', row.migration_name));
    const columns = Object.keys(row);
    const values = columns.map(() => '?').join(', ');
    previous.prepare(`INSERT INTO _prisma_migrations (${columns}) VALUES (${values})`).run(...Object.values(row));
  }
  // more embeds of one millisecond than positions, and rows that are not in the order of the ids
  const created = Array.from({ length: 3_000 }, (_, i) => {
    const time = 1_790_000_000_000 + Math.max(0, i - 2_500);
    return embedOf('ada', {
      id: idBoundAt(time) + String(i).padStart(16, '0'),
      createdAt: new Date(time),
      title: `Soup ${i % 50}`,
      mode: i % 2 ? 'DARK' : 'LIGHT',
    });
  });
  previous.exec(`INSERT INTO Account (id, createdAt) VALUES ('ada', '2026-01-01T00:00:00.000+00:00')`);
  const insert = previous.prepare(
    `INSERT INTO Embed (id, accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar, version, terms)
     VALUES (:id, :accountId, :createdAt, :pageUrl, :pageId, :title, :mode, :font, 1, 1, :terms)`,
  );
  previous.exec('BEGIN');
  for (const embed of created.toReversed()) {
    const { showTopBar, version, ...row } = embed;
    insert.run({ ...row, createdAt: embed.createdAt.toISOString(), terms: JSON.stringify(termsOf(embed)) });
  }
  previous.exec('COMMIT');
  previous.close();
  const database = await openDatabase(`file:${file}.previous`);
  onTestFinished(() => database.close());
  expect(database.appliedMigrations.slice(0, 3)).toEqual([
    expect.stringMatching(/_word_index$/),
    expect.stringMatching(/_index_pages$/),
    PAGE_INDEX,
  ]);
  expect((await database.createList('ada', null).count()).count).toBe(3_000);
  // new embeds are listed before the old ones already during the indexing
  const written = embedOf('ada', { title: 'Soup 7', mode: 'DARK' });
  await database.embeds.insert(written);
  await database.indexed;
  const raw = await openRaw(`file:${file}.previous`);
  expect(await indexedWords(raw)).toEqual([...created, written].flatMap((embed) => wordsOf('ada', embed)).sort());
  const ends = [created[0]?.id ?? '', created.at(-1)?.id ?? ''];
  const positions = await raw.query(
    `SELECT "position" FROM "Embed" WHERE "id" IN ('${ends.join("','")}') ORDER BY "id"`,
  );
  expect(positions.map(({ position }) => position)).toEqual(ends.map((id) => 2 * prefixNumberOf(id)));
  expect(await backUp(`${file}.previous`, `${file}.backup`)).toMatchObject({ embeds: 3_001 });
  const expected = [...created.filter((_, i) => i % 50 === 7), written].map(({ id }) => id).reverse();
  const ids: string[] = [];
  for (let at: string | undefined; ; ) {
    const request = listing({ search: 'sou 7', mode: 'DARK' }, { first: 7, after: at });
    const page = await database.createList('ada', request.filter).findPage(request.paging);
    ids.push(...idsOf(page.embeds));
    if (!page.isCut) break;
    at = page.stoppedAt ?? page.embeds.at(-1)?.id;
  }
  expect(ids).toEqual(expected);
});

test.skipIf(isOnPostgresql)('positions above 2^53, which earlier versions wrote, are valid and get room', async () => {
  const { embeds, raw, url, close } = await openStore();
  const insert = (digit: string) =>
    embeds.insert(embedOf('ada', { id: idBoundAt(1_790_000_000_000) + `00${digit}`.padEnd(16, '0') }));
  for (const digit of ['0', 'z']) await insert(digit);
  await raw.query(`UPDATE "Embed" SET "position" = "position" + ${2 ** 56}`);
  for (const digit of ['h', '8', '4', '2', '1']) await insert(digit);
  const byPosition = await raw.query('SELECT "id" FROM "Embed" ORDER BY "position"');
  expect(byPosition.map(({ id }) => String(id).charAt(12)).join('')).toBe('01248hz');
  await close();
  const file = url.slice('file:'.length);
  expect(await backUp(file, `${file}.backup`)).toMatchObject({ embeds: 7 });
});

test('lists are in the order of the ids, in whatever order the embeds are written', async () => {
  const { embeds, createList } = await openStore();
  const now = Date.now();
  // a few milliseconds with many embeds each
  const random = scramble(7);
  const created = Array.from({ length: 200 }, (_, i) => {
    const time = now - 1_000 * (i % 3) - (i % 5);
    // every other embed shares its first 11 characters with more embeds than a page has
    const suffix = Array.from({ length: 16 }, (_, at) =>
      at === 0 && i % 2 ? '0' : '0123456789abcdefghjkmnpqrstvwxyz'.charAt(random() % 32),
    ).join('');
    return embedOf('ada', { id: idBoundAt(time) + suffix, title: 'Soup', font: i % 4 ? 'Lora' : 'Inter' });
  });
  for (let i = 0; i < created.length; i += 40) {
    await Promise.all(created.slice(i, i + 40).map((embed) => embeds.insert(embed)));
  }
  const expected = idsOf(created).sort().reverse();
  const lora = idsOf(created.filter(({ font }) => font === 'Lora'))
    .sort()
    .reverse();
  for (const [filter, inOrder] of [
    [{ search: 'soup' }, expected],
    [{ font: 'Lora' }, lora],
    [{ createdAfter: '2020-01-01T00:00:00Z' }, expected],
    [null, expected],
  ] as const) {
    for (const fromEnd of [false, true]) {
      const ids: string[] = [];
      for (let at: string | undefined; ; ) {
        const request = listing(
          filter ?? { mode: 'LIGHT' },
          fromEnd ? { last: 9, before: at } : { first: 9, after: at },
        );
        const page = await createList('ada', filter && request.filter).findPage(request.paging);
        ids.push(...idsOf(fromEnd ? page.embeds.toReversed() : page.embeds));
        if (!page.isCut) break;
        at = page.embeds.at(fromEnd ? 0 : -1)?.id;
      }
      expect([filter, ids]).toEqual([filter, fromEnd ? inOrder.toReversed() : inOrder]);
    }
  }
});

test('the beginning of more words than are merged finds all embeds, in pages that may be short', async () => {
  const { embeds, url } = await openStore();
  const createList = openLists(openDriver(url), INDEX, () => {}, { maxCounted: 100, maxScanned: 100 });
  // 40 words begin with soup, 4 with soup1 and a digit more than that
  const created = await fill(embeds, 250, (i) => ({ title: i % 5 ? `Soup${i % 40}` : 'Stew' }));
  for (const [search, isMatch, isExact] of [
    ['sou', (i: number) => i % 5 > 0, false],
    ['soup1', (i: number) => i % 5 > 0 && /^1/.test(String(i % 40)), true],
    ['exa sou', (i: number) => i % 5 > 0, false],
    ['soup99', () => false, true],
  ] as const) {
    const expected = idsOf(created.filter((_, i) => isMatch(i)));
    const ids: string[] = [];
    for (let at: string | undefined; ; ) {
      const request = listing({ search }, { first: 30, after: at });
      const page = await createList('ada', request.filter).findPage(request.paging);
      ids.push(...idsOf(page.embeds));
      if (!page.isCut) break;
      at = page.stoppedAt ?? page.embeds.at(-1)?.id;
    }
    expect([search, ids]).toEqual([search, expected.toReversed()]);
    const total = await createList('ada', listing({ search }).filter).count();
    expect([search, total.isExact]).toEqual([search, isExact]);
    if (isExact) expect(total.count).toBe(expected.length);
  }
});

/** Writes embeds in the order of their ids. */
async function fill(
  embeds: { insert(embed: Embed): Promise<unknown> },
  count: number,
  of: (i: number) => Partial<Embed>,
) {
  const created = Array.from({ length: count }, (_, i) => embedOf('ada', of(i)));
  for (let i = 0; i < count; i += 1_000) {
    await Promise.all(created.slice(i, i + 1_000).map((embed) => embeds.insert(embed)));
  }
  return created;
}

test('a total is exact up to its maximum, and a lower bound above it', async () => {
  const { embeds, url } = await openStore();
  const createList = openLists(openDriver(url), INDEX, () => {}, { maxCounted: 100, maxScanned: 100 });
  await fill(embeds, 100, () => ({ mode: 'DARK' }));
  const { filter } = listing({ mode: 'DARK' });
  expect(await createList('ada', filter).count()).toEqual({ count: 100, isExact: true });
  await fill(embeds, 1, () => ({ mode: 'DARK' }));
  expect(await createList('ada', filter).count()).toEqual({ count: 100, isExact: false });
  // the total of all embeds is stored
  expect(await createList('ada', null).count()).toEqual({ count: 101, isExact: true });
});

test('a search with few matches takes a bounded number of pages, which contain all of them', async () => {
  const { embeds, url } = await openStore();
  const createList = openLists(openDriver(url), INDEX, () => {}, { maxCounted: 100, maxScanned: 100 });
  // even ones are soups, odd ones stews, and three are both
  const both = [10, 70, 299];
  const created = await fill(embeds, 300, (i) => ({
    title: both.includes(i) ? 'Soup Stew' : i % 2 ? 'Stew' : 'Soup',
    mode: i % 2 ? 'DARK' : 'LIGHT',
    font: i % 2 ? 'Inter' : 'Lora',
  }));
  const idAt = (i: number) => created[i]?.id;
  for (const [filter, expected, maxPages] of [
    [{ search: 'soup stew' }, both.map(idAt), 4],
    [{ search: 'soup', mode: 'DARK' }, [idAt(299)], 3],
    // one index contains both columns
    [{ mode: 'DARK', font: 'Lora' }, [], 1],
  ] as const) {
    for (const fromEnd of [false, true]) {
      const ids: string[] = [];
      let pages = 0;
      for (let at: string | undefined; pages < 10; ) {
        pages += 1;
        const request = listing(filter, fromEnd ? { last: 2, before: at } : { first: 2, after: at });
        const page = await createList('ada', request.filter).findPage(request.paging);
        ids.push(...idsOf(fromEnd ? page.embeds.toReversed() : page.embeds));
        if (!page.isCut) break;
        at = page.stoppedAt ?? page.embeds.at(fromEnd ? 0 : -1)?.id;
      }
      expect([filter, ids]).toEqual([filter, fromEnd ? expected : expected.toReversed()]);
      expect(pages).toBeLessThanOrEqual(maxPages);
    }
  }
  const count = (filter: object) => createList('ada', listing(filter).filter).count();
  expect(await count({ mode: 'DARK', font: 'Lora' })).toEqual({ count: 0, isExact: true });
  expect(await count({ search: 'soup stew' })).toEqual({ count: 1, isExact: false });
  // unknown counts as true
  const { filter } = listing({ search: 'soup stew' });
  expect(await createList('ada', filter).exists({ to: idAt(9) ?? '' })).toBe(false);
  expect(await createList('ada', filter).exists({ to: idAt(290) ?? '' })).toBe(true);
});

test('one page holds matches that are far apart, within the maximum of the scan', async () => {
  const { embeds, createList } = await openStore();
  const both = [3, 8];
  const created = await fill(embeds, 1_300, (i) => ({
    title: both.includes(i) ? 'Soup Stew' : i % 2 ? 'Stew' : 'Soup',
  }));
  const { filter, paging } = listing({ search: 'soup stew' });
  const page = await createList('ada', filter).findPage(paging);
  expect({ ...page, embeds: idsOf(page.embeds) }).toEqual({ embeds: [created[8]?.id, created[3]?.id], isCut: false });
  expect(await createList('ada', filter).count()).toEqual({ count: 2, isExact: true });
});

/** Names the statements of filtered lists by their purpose, and ignores others. */
function purposesOf(statements: readonly string[]): readonly string[] {
  return statements.flatMap((sql) => {
    if (/RECURSIVE|"EmbedWord"/.test(sql)) return ['words'];
    if (/AS "0"/.test(sql)) return ['plan'];
    if (/COUNT\(\*\)/.test(sql)) return ['count'];
    return sql.includes('e."pageUrl"') ? ['page'] : [];
  });
}

test('a request reads the words of its filter once, and counts only if its page is not the whole list', async () => {
  const ada = await (await openApp()).as('ada');
  const modes = ['light', 'dark', 'dark'];
  const created = [];
  for (const mode of modes) created.push(await ada.create({ mode }));
  const list = `query($first: Int, $after: String, $filter: EmbedFilter) {
    embeds(first: $first, after: $after, filter: $filter) { nodes { id } pageInfo { hasPreviousPage } totalCount }
  }`;
  for (const [variables, total, expected] of [
    [{ filter: { pageId: created[0]?.page_id } }, 3, ['page']],
    [{ filter: { mode: 'DARK' } }, 2, ['page']],
    [{ filter: { mode: 'DARK' }, first: 1 }, 2, ['page', 'count']],
    [{ filter: { search: 'plan' } }, 3, ['words', 'page']],
    [{ filter: { search: 'plan' }, first: 1 }, 3, ['words', 'page', 'count']],
    // one count is for the flag
    [{ filter: { search: 'plan' }, after: created[1]?.id }, 3, ['words', 'page', 'count', 'count']],
    [{ filter: { search: 'plan', mode: 'DARK' }, first: 1 }, 2, ['words', 'plan', 'page', 'plan', 'count']],
  ] as const) {
    const statements = await statementsOf(async () => {
      const { data } = await ada.graphql(list, variables);
      expect([variables, data.embeds.totalCount]).toEqual([variables, total]);
    });
    expect([variables, purposesOf(statements)]).toEqual([variables, expected]);
  }
});

/** The names of indexes on PostgreSQL. On SQLite the full-text index has all lists of conditions but that of a page. */
const indexNamed = (name: string) => (isOnPostgresql ? name : 'VIRTUAL TABLE INDEX');
const BY_WORD = isOnPostgresql ? 'EmbedTerm_accountId_term_idx' : 'SEARCH EmbedWord USING PRIMARY KEY';
const BY_PAGE = isOnPostgresql ? 'Embed_page_rank_idx' : 'Embed_page_idx';
const BY_TERM = indexNamed('EmbedTerm_termHash_rank_idx');

test.skipIf(cannotHoldOnCitus('a plan without the values of the parameters names no shard'))(
  'every filtered page and total is read from an index, in its order',
  async () => {
    const { embeds, raw, createList } = await openStore();
    await fill(embeds, 600, (i) => ({
      title: `Soup ${i % 7}`,
      mode: i % 2 ? 'DARK' : 'LIGHT',
      font: i % 5 ? 'Inter' : 'Lora',
    }));
    if (isOnPostgresql) {
      await raw.query('ANALYZE');
      for (const way of DISABLED_PLANS) await raw.query(`SET ${way} = off`);
    }
    for (const [filter, index] of [
      [{ mode: 'DARK' }, indexNamed('Embed_mode_rank_idx')],
      [{ font: 'Lora' }, indexNamed('Embed_font_mode_rank_idx')],
      [{ mode: 'DARK', font: 'Lora' }, indexNamed('Embed_font_mode_rank_idx')],
      [{ pageId: '95747105f402490eba51d52e00496c1c' }, BY_PAGE],
      [{ pageUrl: 'https://example.com/' }, BY_PAGE],
      [{ search: 'soup 3' }, BY_TERM],
      [{ search: 'https://soup.example/3' }, BY_TERM],
      [{ search: 'https://soup.example/3', mode: 'DARK' }, indexNamed('_rank_idx')],
      [{ search: 'https://example.com/Soup-95747105f402490eba51d52e00496c1c' }, BY_PAGE],
      // the list with the fewest ids
      [{ search: 'soup', mode: 'DARK', pageId: '95747105f402490eba51d52e00496c1c' }, indexNamed('_rank_idx')],
      [{ createdAfter: '2020-01-01T00:00:00Z' }, isOnPostgresql ? 'Embed_account_rank_idx' : 'Embed_accountId_idx'],
    ] as const) {
      for (const paging of [{ first: 5 }, { last: 5 }]) {
        const request = listing(filter, paging);
        const statements = await statementsOf(async () => {
          await createList('ada', request.filter).findPage(request.paging);
          await createList('ada', request.filter).count();
        });
        expect(statements.length).toBeGreaterThan(1);
        for (const sql of statements) {
          const plan = await planOf(raw, sql);
          const expected = /RECURSIVE|EmbedWord/.test(sql) ? BY_WORD : index;
          expect([filter, plan]).toEqual([filter, expect.stringContaining(expected)]);
          expect([filter, plan]).toEqual([
            filter,
            expect.not.stringMatching(
              isMerged(filter) ? /SCAN [deou]\b|Seq Scan|\bHash\b/ : /TEMP B-TREE|SCAN [deou]\b|Seq Scan|Sort|\bHash/,
            ),
          ]);
        }
      }
    }
  },
);

test.runIf(isOnPostgresql && !cannotHoldOnCitus('EXPLAIN counts only the pages of the coordinator'))(
  'a list reads only its part of an index, also if it ends before the page is full',
  async () => {
    const { embeds, createList, url } = await openStore();
    await fill(embeds, 3_000, () => ({ title: 'Soup', mode: 'DARK' }));
    await fill(embeds, 1, () => ({ title: 'Zucchini', mode: 'LIGHT', font: 'Lora', pageId: 'f'.repeat(32) }));
    await embeds.insert(embedOf('bob'));
    const raw = new pg.Client({
      connectionString: url,
      options: DISABLED_PLANS.map((way) => `-c ${way}=off`).join(' '),
    });
    await raw.connect();
    onTestFinished(() => raw.end());
    await raw.query('VACUUM ANALYZE');
    for (const [accountId, filter] of [
      ['ada', { search: 'zucchini' }],
      ['ada', { mode: 'LIGHT' }],
      ['ada', { font: 'Lora', mode: 'LIGHT' }],
      ['ada', { pageId: 'f'.repeat(32) }],
      ['bob', { createdAfter: '2020-01-01T00:00:00Z' }],
    ] as const) {
      const queries = await queriesOf(async () => {
        const request = listing(filter);
        const list = createList(accountId, request.filter);
        await list.findPage(request.paging);
        await list.count();
      });
      await expectFewPages(queries);
    }
    // a combined statement too
    const created = await fill(embeds, 20, () => ({}));
    const combined = await queriesOf(async () => {
      const pages = created.map(({ id }) => createList('ada', null).findPage({ ...FIRST, after: id }));
      const totals = ['ada', 'bob'].map((name) => createList(name, null).count());
      expect(await Promise.all([...pages, ...totals])).toHaveLength(22);
    });
    expect(combined).toHaveLength(2);
    await expectFewPages(combined, 20);

    async function expectFewPages(queries: readonly Query[], statements = 1): Promise<void> {
      for (const { text, values } of queries) {
        const { rows } = await raw.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]);
        const { Plan: plan } = rows[0]['QUERY PLAN'][0];
        const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        expect([text, pages]).toEqual([text, expect.toSatisfy((count: number) => count < 30 * statements)]);
      }
    }
  },
);

/** The ids of a font are merged from four ranges, those of a term of a URL from two. */
const isMerged = (filter: object) =>
  JSON.stringify(filter).includes('https://soup') || ('font' in filter && !('mode' in filter));

/** Returns the plan of a statement for any parameters. */
async function planOf(raw: Awaited<ReturnType<typeof openRaw>>, sql: string): Promise<string> {
  if (!isOnPostgresql)
    return (await raw.query(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', 'NULL')}`))
      .map(({ detail }) => detail)
      .join('\n');
  // EXPLAIN (GENERIC_PLAN) exists from PostgreSQL 16 on
  await raw.query('SET plan_cache_mode = force_generic_plan');
  await raw.query(`PREPARE explained AS ${sql}`);
  const parameters = new Set(sql.match(/\$\d+/g)).size;
  const values = parameters === 0 ? '' : `(${Array(parameters).fill('NULL').join(', ')})`;
  const rows = await raw.query(`EXPLAIN EXECUTE explained${values}`);
  await raw.query('DEALLOCATE explained');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
