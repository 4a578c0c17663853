import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import type { EmbedStore } from '../../src/store/embeds.ts';
import { withEmbedCache } from '../../src/store/performance/embed-cache.ts';
import { temporaryFolder } from '../open-app.ts';

const EMBED: Embed = {
  id: '01m7y4dcyp2ad36zr4waqryvpr',
  accountId: 'ada',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  pageUrl: 'https://example.com/',
  pageId: '95747105-f402-490e-ba51-d52e00496c1c',
  title: 'Example',
  mode: 'LIGHT',
  font: 'default',
  showTopBar: true,
  version: 1,
};

async function open(): Promise<{ readonly file: string; readonly embeds: Database['embeds'] }> {
  const file = join(temporaryFolder(), 'embeds.db');
  const database = await openDatabase(`file:${file}`);
  onTestFinished(() => database.close());
  await database.tokens.ensureAccount('ada', EMBED.createdAt);
  await database.embeds.insert(EMBED);
  return { file, embeds: database.embeds };
}

const fontOf = async (embeds: Pick<EmbedStore, 'findForAnyone'>) => (await embeds.findForAnyone(EMBED.id))?.font;

test('an embed that is known is not read again, until it is changed or deleted', async () => {
  const { embeds } = await open();
  const first = await embeds.findForAnyone(EMBED.id);
  expect(await embeds.findForAnyone(EMBED.id)).toBe(first);
  await embeds.update('ada', EMBED.id, (embed) => ({ ...embed, font: 'Inter' }));
  expect(await fontOf(embeds)).toBe('Inter');
  await embeds.delete('ada', EMBED.id);
  expect(await embeds.findForAnyone(EMBED.id)).toBeNull();
});

test('a change that another connection makes to the file is seen by the next read', async () => {
  const { file, embeds } = await open();
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  for (let round = 0; round < 20; round++) {
    expect(await fontOf(embeds)).toBe(round === 0 ? 'default' : `Font ${round - 1}`);
    other.prepare('UPDATE "Embed" SET "font" = ?').run(`Font ${round}`);
  }
  other.prepare('DELETE FROM "Embed"').run();
  expect(await embeds.findForAnyone(EMBED.id)).toBeNull();
});

test('what was read while a write was under way is not kept, however the two end', async () => {
  for (const order of [
    ['read', 'write'],
    ['write', 'read'],
  ] as const) {
    let font = 'old';
    const begun = { read: Promise.withResolvers<void>(), write: Promise.withResolvers<void>() };
    const slow = {
      async findForAnyone() {
        const seen = { ...EMBED, font };
        await begun.read.promise;
        return seen;
      },
      async update() {
        font = 'new';
        await begun.write.promise;
        return { ...EMBED, font };
      },
    };
    const embeds = withEmbedCache(slow as unknown as EmbedStore, () => 1);
    const before = embeds.findForAnyone(EMBED.id);
    const write = embeds.update('ada', EMBED.id, (embed) => embed);
    const during = embeds.findForAnyone(EMBED.id);
    for (const what of order) {
      begun[what].resolve();
      await (what === 'read' ? Promise.all([before, during]) : write);
    }
    expect(await fontOf(embeds)).toBe('new');
    font = 'changed by nobody';
    expect(await fontOf(embeds)).toBe('new');
  }
});
