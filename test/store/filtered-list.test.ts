import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { parseListing } from '../../src/domain/embed/listing.ts';
import { termsOf } from '../../src/domain/embed/search-terms.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openFilteredLists } from '../../src/store/embeds/filtered-list.ts';
import { NO_TERMS_YET } from '../../src/store/embeds/sql.ts';
import { DISABLED_PLANS } from '../../src/store/postgresql/pool.ts';
import { openClient } from '../databases/client.ts';
import { cannotHoldOnCitus, isOnCitus, isOnPostgresql, newDatabase, openRaw } from '../databases/database.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';
import { statementsOf } from './statements-of.ts';

const POLICY = { allowPrivatePages: false };
const SQL = { isSharded: isOnCitus };

function listing(filter: object, paging: object = {}) {
  const parsed = parseListing({ filter, ...paging }, POLICY);
  if (!parsed.filter) throw new Error('the filter is empty');
  return { filter: parsed.filter, paging: parsed.paging };
}

const idsOf = (embeds: readonly Embed[]) => embeds.map(({ id }) => id);

test('triggers update the terms of an embed, whichever statement changes it', async () => {
  const { embeds, raw } = await openStore();
  const rows = async () => {
    const found = await raw.query('SELECT "accountId", "term" FROM "EmbedTerm" ORDER BY "term"');
    return found.map(({ accountId, term }) => `${accountId} ${term}`);
  };
  const termsFor = (accountId: string, embed: Embed) =>
    [...termsOf(embed)].sort().map((term) => `${accountId} ${term}`);
  const embed = embedOf('ada', { title: 'Ärzte & ärzte', pageUrl: 'https://example.com/%E6%97%A5?q=1#x' });
  await embeds.insert(embed);
  expect(await rows()).toEqual(termsFor('ada', embed));
  expect(termsOf(embed)).toEqual([expect.stringMatching(/^=/), 'ärzte', 'example', 'com', '日', 'q', '1', 'x']);
  const moved = await embeds.update('ada', embed.id, (old) => ({
    ...old,
    title: 'Soup',
    pageUrl: 'https://b.example/',
  }));
  expect(await rows()).toEqual(termsFor('ada', moved));
  // Citus moves no row to another account
  const owner = isOnCitus ? 'ada' : 'bob';
  if (!isOnCitus) await raw.query(`UPDATE "Embed" SET "accountId" = 'bob'`);
  expect(await rows()).toEqual(termsFor(owner, moved));
  await embeds.delete(owner, embed.id);
  expect(await rows()).toEqual([]);
});

test('opening a database indexes embeds that an older version has written without terms', async () => {
  const { embeds, url, raw, close } = await openStore();
  const created = Array.from({ length: 1_200 }, (_, i) => embedOf(i % 3 ? 'ada' : 'bob', { title: `Soup ${i}` }));
  await Promise.all(created.map((embed) => embeds.insert(embed)));
  const terms = () => raw.query('SELECT * FROM "EmbedTerm" ORDER BY "embedId", "term"');
  const before = await terms();
  await raw.query(`UPDATE "Embed" SET "terms" = '${NO_TERMS_YET}'`);
  const emptied = await terms();
  expect(emptied.map(({ term }) => term)).toEqual(created.map(() => ''));
  await close();
  // two gateways start at once
  const [first, second] = await Promise.all([openDatabase(url), openDatabase(url)]);
  onTestFinished(() => first.close());
  await second.close();
  expect(await terms()).toEqual(before);
  const { filter, paging } = listing({ search: 'soup 601' });
  expect(idsOf((await first.embeds.findMatching('ada', filter, paging)).embeds)).toEqual([created[601]?.id]);
});

test.skipIf(cannotHoldOnCitus('no version before this one has distributed a database'))(
  'opening a database of the previous version creates the search index',
  async () => {
    const url = await newDatabase();
    const { embeds, tokens, close } = await openDatabase(url);
    await tokens.ensureAccount('ada', new Date());
    const created = await fill(embeds, 700, (i) => ({ title: `Soup ${i}`, mode: i % 2 ? 'DARK' : 'LIGHT' }));
    await close();
    const triggers = ['insert', 'delete', 'update'].map((name) => `"Embed_terms_${name}"`);
    const indexes = ['pageId', 'mode', 'font_mode'].map((name) => `"Embed_accountId_${name}_id_idx"`);
    await runExclusively(url, [
      ...triggers.map((trigger) => `DROP TRIGGER ${trigger}${isOnPostgresql ? ' ON "Embed"' : ''}`),
      ...(isOnPostgresql ? ['DROP FUNCTION "Embed_terms"'] : []),
      ...indexes.map((index) => `DROP INDEX ${index}`),
      'DROP TABLE "EmbedTerm"',
      'ALTER TABLE "Embed" DROP COLUMN "terms"',
      `DELETE FROM "_prisma_migrations" WHERE "migration_name" LIKE '%_find_embeds'`,
    ]);
    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    expect(database.appliedMigrations).toEqual([expect.stringMatching(/_find_embeds$/)]);
    const raw = await openRaw(url);
    const expected = created.flatMap((embed) => [...termsOf(embed)].sort());
    const found = await raw.query('SELECT "term" FROM "EmbedTerm" ORDER BY "embedId", "term"');
    expect(found.map(({ term }) => term)).toEqual(expected);
    const { filter, paging } = listing({ search: 'soup 601', mode: 'DARK' });
    expect(idsOf((await database.embeds.findMatching('ada', filter, paging)).embeds)).toEqual([created[601]?.id]);
  },
);

/** Runs statements while the database is not open elsewhere. */
async function runExclusively(url: string, statements: readonly string[]): Promise<void> {
  if (isOnPostgresql) {
    const raw = await openRaw(url);
    for (const sql of statements) await raw.query(sql);
  } else {
    new BetterSqlite3(url.slice('file:'.length)).exec(statements.join(';\n')).close();
  }
}

/** Writes embeds in the order of their ids. */
async function fill(
  embeds: { insert(embed: Embed): Promise<Embed> },
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
  const found = openFilteredLists(openClient(url), SQL, { maxCounted: 100, maxScanned: 100 });
  await fill(embeds, 100, () => ({ mode: 'DARK' }));
  const { filter } = listing({ mode: 'DARK' });
  expect(await found.countMatching('ada', filter)).toEqual({ count: 100, isExact: true });
  await fill(embeds, 1, () => ({ mode: 'DARK' }));
  expect(await found.countMatching('ada', filter)).toEqual({ count: 100, isExact: false });
});

test('a search with few matches takes a bounded number of pages, which contain all of them', async () => {
  const { embeds, url } = await openStore();
  const found = openFilteredLists(openClient(url), SQL, { maxCounted: 100, maxScanned: 100 });
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
        const page = await found.findMatching('ada', request.filter, request.paging);
        ids.push(...idsOf(fromEnd ? page.embeds.toReversed() : page.embeds));
        if (!page.isCut) break;
        at = page.stoppedAt ?? page.embeds.at(fromEnd ? 0 : -1)?.id;
      }
      expect([filter, ids]).toEqual([filter, fromEnd ? expected : expected.toReversed()]);
      expect(pages).toBeLessThanOrEqual(maxPages);
    }
  }
  const count = (filter: object) => found.countMatching('ada', listing(filter).filter);
  expect(await count({ mode: 'DARK', font: 'Lora' })).toEqual({ count: 0, isExact: true });
  expect(await count({ search: 'soup stew' })).toEqual({ count: 1, isExact: false });
  // unknown counts as true
  const { filter } = listing({ search: 'soup stew' });
  expect(await found.existsMatching('ada', filter, { to: idAt(9) ?? '' })).toBe(false);
  expect(await found.existsMatching('ada', filter, { to: idAt(290) ?? '' })).toBe(true);
});

test('one page holds matches that are far apart, within the maximum of the scan', async () => {
  const { embeds } = await openStore();
  const both = [3, 8];
  const created = await fill(embeds, 1_300, (i) => ({
    title: both.includes(i) ? 'Soup Stew' : i % 2 ? 'Stew' : 'Soup',
  }));
  const { filter, paging } = listing({ search: 'soup stew' });
  const page = await embeds.findMatching('ada', filter, paging);
  expect({ ...page, embeds: idsOf(page.embeds) }).toEqual({ embeds: [created[8]?.id, created[3]?.id], isCut: false });
  expect(await embeds.countMatching('ada', filter)).toEqual({ count: 2, isExact: true });
});

/** The key of the terms is their table on SQLite, and an index on PostgreSQL. */
const BY_TERM = isOnPostgresql
  ? 'EmbedTerm_pkey'
  : 'PRIMARY KEY ((accountId,term,embedId)>(?,?,?) AND (accountId,term,embedId)<(?,?,?))';

test.skipIf(cannotHoldOnCitus('a plan without the values of the parameters names no shard'))(
  'every filtered page and total is read from an index, in its order',
  async () => {
    const { embeds, raw } = await openStore();
    await fill(embeds, 3_000, (i) => ({
      title: `Soup ${i % 7}`,
      mode: i % 2 ? 'DARK' : 'LIGHT',
      font: i % 5 ? 'Inter' : 'Lora',
    }));
    if (isOnPostgresql) {
      await raw.query('ANALYZE');
      for (const way of DISABLED_PLANS) await raw.query(`SET ${way} = off`);
    }
    for (const [filter, index] of [
      [{ mode: 'DARK' }, 'Embed_accountId_mode_id_idx'],
      [{ font: 'Lora' }, 'Embed_accountId_font_mode_id_idx'],
      [{ mode: 'DARK', font: 'Lora' }, 'Embed_accountId_font_mode_id_idx'],
      [{ pageId: '95747105f402490eba51d52e00496c1c' }, 'Embed_accountId_pageId_id_idx'],
      [{ pageUrl: 'https://example.com/' }, 'Embed_accountId_pageId_id_idx'],
      [{ search: 'soup 3' }, BY_TERM],
      [{ search: 'https://soup.example/3' }, BY_TERM],
      [{ search: 'https://soup.example/3', mode: 'DARK' }, 'Embed_accountId_'],
      [{ search: 'https://example.com/Soup-95747105f402490eba51d52e00496c1c' }, 'Embed_accountId_pageId_id_idx'],
      // the list with the fewest ids
      [{ search: 'soup', mode: 'DARK', pageId: '95747105f402490eba51d52e00496c1c' }, 'Embed_accountId_'],
      [{ createdAfter: '2020-01-01T00:00:00Z' }, 'Embed_accountId_id_idx'],
    ] as const) {
      for (const paging of [{ first: 5 }, { last: 5 }]) {
        const request = listing(filter, paging);
        const statements = await statementsOf(async () => {
          await embeds.findMatching('ada', request.filter, request.paging);
          await embeds.countMatching('ada', request.filter);
        });
        expect(statements.length).toBeGreaterThan(1);
        for (const sql of statements) {
          const plan = await planOf(raw, sql);
          expect([filter, plan]).toEqual([filter, expect.stringContaining(index)]);
          expect([filter, plan]).toEqual([
            filter,
            expect.not.stringMatching(
              isMerged(filter) ? /SCAN [deou]\b|Seq Scan|Hash\b/ : /TEMP B-TREE|SCAN [deou]\b|Seq Scan|Sort|Hash/,
            ),
          ]);
        }
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
