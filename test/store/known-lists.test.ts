import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import type { EmbedStore } from '../../src/store/embeds.ts';
import { withListCache } from '../../src/store/performance/list-cache.ts';
import { temporaryFolder } from '../open-app.ts';
import { embedOf } from './embed-of.ts';

const FIRST = { size: 2, fromEnd: false, after: undefined, before: undefined };

async function open() {
  const file = join(temporaryFolder(), 'embeds.db');
  const database = await openDatabase(`file:${file}`);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', new Date());
  return { file, embeds: database.embeds };
}

const fontsOf = async (embeds: Pick<EmbedStore, 'findPage'>) =>
  (await embeds.findPage('ada', FIRST)).embeds.map(({ font }) => font);

test('how a list begins is not read again, until something in it changes', async () => {
  const { embeds } = await open();
  const [older, newer] = [embedOf('ada', { font: 'Older' }), embedOf('ada', { font: 'Newer' })];
  await embeds.insert(older);
  const page = await embeds.findPage('ada', FIRST);
  expect(await embeds.findPage('ada', FIRST)).toBe(page);
  await embeds.insert(newer);
  expect(await fontsOf(embeds)).toEqual(['Newer', 'Older']);
  expect(await embeds.count('ada')).toBe(2);
  await embeds.update('ada', older.id, (embed) => ({ ...embed, font: 'Changed' }));
  expect(await fontsOf(embeds)).toEqual(['Newer', 'Changed']);
  await embeds.delete('ada', newer.id);
  expect(await fontsOf(embeds)).toEqual(['Changed']);
  expect(await embeds.count('ada')).toBe(1);
});

test('a change that another connection makes to the file is in the next list', async () => {
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

test('what was read while a write was under way is not kept, however the two end', async () => {
  for (const order of [
    ['read', 'write'],
    ['write', 'read'],
  ] as const) {
    let total = 1;
    const begun = { read: Promise.withResolvers<void>(), write: Promise.withResolvers<void>() };
    const slow = {
      async count() {
        const seen = total;
        await begun.read.promise;
        return seen;
      },
      async delete() {
        total = 0;
        await begun.write.promise;
      },
    };
    const embeds = withListCache(slow as unknown as EmbedStore, () => 1);
    const before = embeds.count('ada');
    const write = embeds.delete('ada', 'x');
    const during = embeds.count('ada');
    for (const what of order) {
      begun[what].resolve();
      await (what === 'read' ? Promise.all([before, during]) : write);
    }
    expect(await embeds.count('ada')).toBe(0);
  }
});
