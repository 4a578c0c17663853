import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { DEFAULT_SETTINGS } from '../../src/domain/embed/fields.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { EmbedStore } from '../../src/store/embeds.ts';
import { withEmbedCache } from '../../src/store/performance/embed-cache.ts';
import { newDatabase } from '../open-app.ts';
import { embedOf } from './embed-of.ts';

const EMBED: Embed = {
  id: '01m7y4dcyp2ad36zr4waqryvpr',
  accountId: 'ada',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  pageUrl: 'https://example.com/',
  pageId: '95747105-f402-490e-ba51-d52e00496c1c',
  title: 'Example',
  ...DEFAULT_SETTINGS,
  version: 1,
};

const FIRST_PAGE = { size: 2, fromEnd: false, after: undefined, before: undefined };

async function open(...initial: readonly Embed[]) {
  const url = await newDatabase();
  const file = url.slice('file:'.length);
  const database = await openDatabase(url, { durability: 'fast' });
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', EMBED.createdAt);
  for (const embed of initial) await database.embeds.insert(embed);
  return { file, embeds: database.embeds };
}

const fontOf = async (embeds: Pick<EmbedStore, 'findForAnyone'>) => (await embeds.findForAnyone(EMBED.id))?.font;

const fontsOf = async (embeds: Pick<EmbedStore, 'findPage'>) =>
  (await embeds.findPage('ada', FIRST_PAGE)).embeds.map(({ font }) => font);

test('an embed is read from the cache until it is changed or deleted', async () => {
  const { embeds } = await open(EMBED);
  const first = await embeds.findForAnyone(EMBED.id);
  expect(await embeds.findForAnyone(EMBED.id)).toBe(first);
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
    const embeds = withEmbedCache(slow as unknown as EmbedStore, () => 1);
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
  const { embeds } = await open();
  const [older, newer] = [embedOf('ada', { font: 'Older' }), embedOf('ada', { font: 'Newer' })];
  await embeds.insert(older);
  const page = await embeds.findPage('ada', FIRST_PAGE);
  expect(await embeds.findPage('ada', FIRST_PAGE)).toBe(page);
  await embeds.insert(newer);
  expect(await fontsOf(embeds)).toEqual(['Newer', 'Older']);
  expect(await embeds.count('ada')).toBe(2);
  await embeds.update('ada', older.id, (embed) => ({ ...embed, font: 'Changed' }));
  expect(await fontsOf(embeds)).toEqual(['Newer', 'Changed']);
  await embeds.delete('ada', newer.id);
  expect(await fontsOf(embeds)).toEqual(['Changed']);
  expect(await embeds.count('ada')).toBe(1);
});

test('the next read of a list sees a change by another connection', async () => {
  const { file, embeds } = await open();
  await embeds.insert(embedOf('ada', { font: 'Font 0' }));
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  for (let round = 1; round < 20; round++) {
    expect(await fontsOf(embeds)).toEqual([`Font ${round - 1}`]);
    other.prepare('UPDATE "Embed" SET "font" = ?').run(`Font ${round}`);
  }
  other.prepare('DELETE FROM "Embed"').run();
  expect([await fontsOf(embeds), await embeds.count('ada')]).toEqual([[], 0]);
});

test('a total that is read during a write is not cached, whichever ends first', async () => {
  for (const order of [
    ['read', 'write'],
    ['write', 'read'],
  ] as const) {
    let total = 1;
    const finish = { read: Promise.withResolvers<void>(), write: Promise.withResolvers<void>() };
    const slow = {
      async count() {
        const seen = total;
        await finish.read.promise;
        return seen;
      },
      async delete() {
        total = 0;
        await finish.write.promise;
      },
    };
    const embeds = withEmbedCache(slow as unknown as EmbedStore, () => 1);
    const before = embeds.count('ada');
    const write = embeds.delete('ada', 'x');
    const during = embeds.count('ada');
    for (const operation of order) {
      finish[operation].resolve();
      await (operation === 'read' ? Promise.all([before, during]) : write);
    }
    expect(await embeds.count('ada')).toBe(0);
  }
});
