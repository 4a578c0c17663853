import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { parseListing } from '../../../src/domain/embed/listing.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { NO_TERMS_YET } from '../../../src/store/embeds/sql.ts';
import { isOnPostgresql, openRaw } from '../../databases/database.ts';
import { embedOf } from './embed-of.ts';
import { openStore } from './open-store.ts';

const EMBEDS = 300;

/** Opens a file whose embeds an earlier version has written, without terms. */
async function openFileWithoutTerms() {
  const { embeds, raw, url } = await openStore();
  const created = Array.from({ length: EMBEDS }, (_, i) => embedOf('ada', { title: `Soup ${i % 7}`, mode: 'DARK' }));
  await Promise.all(created.map((embed) => embeds.insert(embed)));
  await raw.query(`UPDATE "Embed" SET "terms" = '${NO_TERMS_YET}'`);
  await raw.query(`UPDATE "_prisma_migrations" SET "logs" = NULL`);
  return url;
}

async function open(url: string) {
  const lines: (readonly [string, string, object])[] = [];
  const write = (level: string) => (fields: object, message: string) => void lines.push([level, message, fields]);
  const log = { info: write('info'), warn: write('warn'), error: write('error') };
  const database = await openDatabase(url, { log });
  onTestFinished(() => database.close());
  const { filter } = parseListing({ filter: { search: 'soup 3' } }, { allowPrivatePages: false });
  const count = async () => (await database.createList('ada', filter).count()).count;
  return { database, lines, count };
}

const BEGINNING = ['info', 'indexing the words of embeds; filtered lists are unavailable until it is done', {}];
const END = ['info', 'indexed the words of embeds', { indexed: EMBEDS }];

test.skipIf(isOnPostgresql)(
  'embeds without terms are indexed while the service runs, and the log says so',
  async () => {
    const url = await openFileWithoutTerms();
    const { database, lines, count } = await open(url);
    await expect(count()).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterS: 10,
      faults: [],
      message: 'The index for filters is being built after an upgrade (250 embeds so far); try again later.',
    });
    await database.indexed;
    expect(lines).toEqual([BEGINNING, END]);
    expect(await count()).toBe(43);

    // the next start has nothing to do
    const again = await open(url);
    expect([await again.count(), again.lines]).toEqual([43, []]);
  },
);

test.skipIf(isOnPostgresql)('indexing waits for another process that writes, and then continues', async () => {
  const url = await openFileWithoutTerms();
  const other = new BetterSqlite3(url.slice('file:'.length));
  onTestFinished(() => void other.close());
  const { database, lines, count } = await open(url);
  other.exec('BEGIN IMMEDIATE');
  // the busy wait of a statement ends, and the first batch is tried again
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await expect(count()).rejects.toMatchObject({ code: 'unavailable' });
  other.exec('COMMIT');
  await database.indexed;
  expect(lines.filter(([level]) => level === 'info')).toEqual([BEGINNING, END]);
  expect(await count()).toBe(43);
});

test.skipIf(isOnPostgresql)('a stop ends the indexing, and the next start completes it', async () => {
  const url = await openFileWithoutTerms();
  const first = await open(url);
  await first.database.close();
  await first.database.indexed;
  expect(first.lines).toEqual([BEGINNING]);
  const second = await open(url);
  await second.database.indexed;
  expect(await second.count()).toBe(43);
  expect(first.lines).toEqual([BEGINNING]);
});

test.skipIf(isOnPostgresql)(
  'indexing that cannot continue ends with an error in the log, and says so to lists',
  async () => {
    const url = await openFileWithoutTerms();
    const other = new BetterSqlite3(url.slice('file:'.length));
    onTestFinished(() => void other.close());
    const { database, lines, count } = await open(url);
    other.exec('DROP TABLE "EmbedIndex"');
    await database.indexed;
    expect(lines).toEqual([BEGINNING, ['error', 'cannot index the words of embeds', { err: expect.any(Error) }]]);
    await expect(count()).rejects.toMatchObject({ code: 'unavailable' });
  },
);

/** Returns true if the row says that all embeds have their terms: later starts then look at no embed. */
async function saysDone(url: string): Promise<boolean> {
  const raw = await openRaw(url);
  const rows = await raw.query(
    `SELECT 1 FROM "_prisma_migrations" WHERE "logs" = 'The words of all embeds are written.'`,
  );
  return rows.length > 0;
}

test.skipIf(isOnPostgresql)('a start without embeds to index writes down that there are none', async () => {
  const { url, raw } = await openStore();
  expect(await saysDone(url)).toBe(true);
  await raw.query(`UPDATE "_prisma_migrations" SET "logs" = NULL`);
  await open(url);
  expect(await saysDone(url)).toBe(true);
});
