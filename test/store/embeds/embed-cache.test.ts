import { setImmediate as nextTurn } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../../src/domain/embed/embed.ts';
import { DEFAULT_SETTINGS } from '../../../src/domain/embed/fields.ts';
import { Refusal } from '../../../src/errors.ts';
import type { PrismaClient } from '../../../src/generated/prisma/client.ts';
import { openDatabase, openEngine } from '../../../src/store/database.ts';
import type { EmbedDriver } from '../../../src/store/embeds/driver.ts';
import type { CreateList, EmbedList } from '../../../src/store/embeds/lists.ts';
import { type EmbedStore, type EmbedWrite, openEmbeds } from '../../../src/store/embeds.ts';
import { withEmbedCache } from '../../../src/store/performance/embed-cache.ts';
import { newDatabase } from '../../open-app.ts';
import { embedOf } from './embed-of.ts';

const EMBED: Embed = {
  id: '01m7y4dcyp2ad36zr4waqryvpr',
  accountId: 'ada',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  pageUrl: 'https://example.com/',
  pageId: '95747105-f402-490e-ba51-d52e00496c1c',
  title: 'Example',
  ...DEFAULT_SETTINGS,
  settings: null,
  version: 1,
  updatedAt: null,
  externalId: null,
};

const LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** Lists that a test does not read. */
const NO_LISTS: CreateList = () => expect.fail('a list was read');
const FIRST_PAGE = { size: 2, fromEnd: false, after: undefined, before: undefined };

async function open(...initial: readonly Embed[]) {
  const url = await newDatabase();
  const file = url.slice('file:'.length);
  const database = await openDatabase(url, { durability: 'fast' });
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', EMBED.createdAt);
  for (const embed of initial) await database.embeds.insert(embed);
  return { file, ...database };
}

const fontOf = async (embeds: Pick<EmbedStore, 'findForAnyone'>) => (await embeds.findForAnyone(EMBED.id))?.font;

const fontsOf = async (createList: CreateList) =>
  (await createList('ada', null).findPage(FIRST_PAGE)).embeds.map(({ font }) => font);

const totalOf = async (createList: CreateList) => (await createList('ada', null).count()).count;

test('an embed is read from the cache until it is changed or deleted', async () => {
  const { embeds } = await open(EMBED);
  const first = await embeds.findForAnyone(EMBED.id);
  expect(await embeds.findForAnyone(EMBED.id)).toBe(first);
  expect([await embeds.find('ada', EMBED.id), await embeds.find('bob', EMBED.id)]).toEqual([first, null]);
  await embeds.update('ada', EMBED.id, (embed) => ({ ...embed, font: 'Inter' }));
  expect(await fontOf(embeds)).toBe('Inter');
  await embeds.delete('ada', EMBED.id);
  expect(await embeds.findForAnyone(EMBED.id)).toBeNull();
});

test('the next read of an embed sees a change by another connection', async () => {
  const { file, embeds } = await open(EMBED);
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  for (let round = 0; round < 20; round++) {
    expect(await fontOf(embeds)).toBe(round === 0 ? 'default' : `Font ${round - 1}`);
    other.prepare('UPDATE "Embed" SET "font" = ?').run(`Font ${round}`);
  }
  other.prepare('DELETE FROM "Embed"').run();
  expect(await embeds.findForAnyone(EMBED.id)).toBeNull();
});

test('an embed that a failed create has updated is read again', async () => {
  const known = { ...EMBED, externalId: 'soup' };
  const { file, embeds } = await open(known);
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.exec(`CREATE TRIGGER "fail" BEFORE UPDATE OF "isDone" ON "IdempotentCreate" WHEN NEW."isDone"
    BEGIN SELECT RAISE(ABORT, 'no'); END`);
  expect(await fontOf(embeds)).toBe('default');
  const once = { key: 'key-1', fingerprint: 'a'.repeat(64), complete: null };
  const created = embedOf('ada', { externalId: 'soup' });
  const resolve = (current: Embed) => ({ ...current, font: 'Inter' });
  await expect(embeds.insertOnce(created, once, resolve)).rejects.toThrow();
  expect(await fontOf(embeds)).toBe('Inter');
});

test.each([
  ['"IdempotentCreate" WHEN NEW."isDone"', 2],
  ['"Embed"', 1],
])(
  'listeners learn of the version that is committed when a create fails at an update of %s',
  async (table, version) => {
    const { file, embeds, listen } = await open({ ...EMBED, externalId: 'soup' });
    const other = new BetterSqlite3(file);
    onTestFinished(() => void other.close());
    other.exec(`CREATE TRIGGER "fail" BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'no'); END`);
    const writes: EmbedWrite[] = [];
    listen({ onEmbedWrite: (write) => writes.push(write), onAccountWrite() {}, readsDeleted: false });
    const once = { key: 'key-1', fingerprint: 'a'.repeat(64), complete: null };
    const resolve = (current: Embed) => ({ ...current, font: 'Inter' });
    await expect(embeds.insertOnce(embedOf('ada', { externalId: 'soup' }), once, resolve)).rejects.toThrow();
    await expect.poll(() => writes).toHaveLength(1);
    expect(writes.map(({ embedId, before, after }) => [embedId, before?.version, after?.version])).toEqual([
      [EMBED.id, 1, version],
    ]);
  },
);

test.each(['insert', 'update', 'delete'] as const)(
  'listeners learn of what is committed when the database does not answer to the %s, which fails at once',
  async (write) => {
    const url = await newDatabase();
    const engine = await openEngine(url, { durability: 'fast', poolSize: 1, log: LOG, auditLog: LOG });
    onTestFinished(() => engine.close());
    const answering = Promise.withResolvers<void>();
    let isLost = false;
    const lose = async <Args>({ args, query }: { args: Args; query: (args: Args) => Promise<unknown> }) => {
      await query(args);
      isLost = true;
      throw new Refusal('unavailable', 'The database cannot be reached; try again.');
    };
    const lossy = engine.client.$extends({ query: { embed: { updateMany: lose, deleteMany: lose } } });
    const client = lossy as unknown as PrismaClient;
    const find: EmbedDriver['find'] = async (...key) => {
      if (isLost) await answering.promise;
      return engine.driver.find(...key);
    };
    const writes: EmbedWrite[] = [];
    const { embeds, settleWrites } = openEmbeds(
      { ...engine, client, driver: { ...engine.driver, find } },
      { publish: (each) => each.kind !== 'CREATED' && writes.push(each), readsDeleted: () => true },
    );
    await client.account.create({ data: { id: 'ada', createdAt: EMBED.createdAt } });
    await embeds.insert({ ...EMBED, externalId: 'soup' });
    const change = (current: Embed) => ({ ...current, font: 'Inter' });
    const run = {
      insert: () => embeds.insert(embedOf('ada', { externalId: 'soup' }), change),
      update: () => embeds.update('ada', EMBED.id, change),
      delete: () => embeds.delete('ada', EMBED.id),
    };
    await expect(run[write]()).rejects.toThrow('cannot be reached');
    // as at a stop
    const settled = settleWrites();
    expect(await Promise.race([settled, nextTurn('unsettled')])).toBe('unsettled');
    answering.resolve();
    await settled;
    expect(writes.map(({ embedId, before, after }) => [embedId, before?.version, after?.version])).toEqual([
      [EMBED.id, 1, write === 'delete' ? undefined : 2],
    ]);
  },
);

test('an embed that is read during a write is not cached, whichever ends first', async () => {
  for (const order of [
    ['read', 'write'],
    ['write', 'read'],
  ] as const) {
    let font = 'old';
    const finish = { read: Promise.withResolvers<void>(), write: Promise.withResolvers<void>() };
    const slow = {
      async findForAnyone() {
        const seen = { ...EMBED, font };
        await finish.read.promise;
        return seen;
      },
      async update() {
        font = 'new';
        await finish.write.promise;
        return { ...EMBED, font };
      },
    };
    const { embeds } = withEmbedCache({ embeds: slow as unknown as EmbedStore, createList: NO_LISTS }, () => 1);
    const before = embeds.findForAnyone(EMBED.id);
    const write = embeds.update('ada', EMBED.id, (embed) => embed);
    const during = embeds.findForAnyone(EMBED.id);
    for (const operation of order) {
      finish[operation].resolve();
      await (operation === 'read' ? Promise.all([before, during]) : write);
    }
    expect(await fontOf(embeds)).toBe('new');
    font = 'changed behind the cache';
    expect(await fontOf(embeds)).toBe('new');
  }
});

test('the first page and the total of an account are read from the cache until an embed changes', async () => {
  const { embeds, createList } = await open();
  const [older, newer] = [embedOf('ada', { font: 'Older' }), embedOf('ada', { font: 'Newer' })];
  await embeds.insert(older);
  const page = await createList('ada', null).findPage(FIRST_PAGE);
  expect(await createList('ada', null).findPage(FIRST_PAGE)).toBe(page);
  await embeds.insert(newer);
  expect(await fontsOf(createList)).toEqual(['Newer', 'Older']);
  expect(await totalOf(createList)).toBe(2);
  await embeds.update('ada', older.id, (embed) => ({ ...embed, font: 'Changed' }));
  expect(await fontsOf(createList)).toEqual(['Newer', 'Changed']);
  await embeds.delete('ada', newer.id);
  expect(await fontsOf(createList)).toEqual(['Changed']);
  expect(await totalOf(createList)).toBe(1);
});

test('the next read of a list sees a change by another connection', async () => {
  const { file, embeds, createList } = await open();
  await embeds.insert(embedOf('ada', { font: 'Font 0' }));
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  for (let round = 1; round < 20; round++) {
    expect(await fontsOf(createList)).toEqual([`Font ${round - 1}`]);
    other.prepare('UPDATE "Embed" SET "font" = ?').run(`Font ${round}`);
  }
  other.prepare('DELETE FROM "Embed"').run();
  expect([await fontsOf(createList), await totalOf(createList)]).toEqual([[], 0]);
});

test('a total that is read during a write is not cached, whichever ends first', async () => {
  for (const order of [
    ['read', 'write'],
    ['write', 'read'],
  ] as const) {
    let total = 1;
    const finish = { read: Promise.withResolvers<void>(), write: Promise.withResolvers<void>() };
    const slow = {
      async delete() {
        total = 0;
        await finish.write.promise;
      },
    };
    const slowList = {
      async count() {
        const seen = total;
        await finish.read.promise;
        return { count: seen, isExact: true };
      },
    };
    const { embeds, createList } = withEmbedCache(
      { embeds: slow as unknown as EmbedStore, createList: () => slowList as EmbedList },
      () => 1,
    );
    const before = totalOf(createList);
    const write = embeds.delete('ada', 'x');
    const during = totalOf(createList);
    for (const operation of order) {
      finish[operation].resolve();
      await (operation === 'read' ? Promise.all([before, during]) : write);
    }
    expect(await totalOf(createList)).toBe(0);
  }
});
