import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { newSqlite } from '../../databases/database.ts';
import { SILENT_LOG } from '../../databases/server.ts';
import { embedOf } from '../embeds/embed-of.ts';

/** Undoes the last migration, which adds an index. */
const UNDO = `DROP INDEX "Embed_page_idx"; DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_page_index'`;
/** The mark that earlier versions left when they were killed within a migration. */
const BEGIN_AGAIN = `INSERT INTO _prisma_migrations (id, checksum, migration_name)
  VALUES ('x', 'x', '20261122153000_page_index')`;

/** Creates a file of the version before the last migration, with an embed. */
async function createEarlierFile() {
  const url = await newSqlite();
  const database = await openDatabase(url);
  await database.tokens.ensureAccount('ada', new Date());
  const { embed } = await database.embeds.insert(embedOf('ada'));
  await database.close();
  const file = url.slice('file:'.length);
  change(file, UNDO);
  return { url, file, embed };
}

function change(file: string, sql: string): void {
  new BetterSqlite3(file).exec(sql).close();
}

function namesIn(file: string): unknown[] {
  const database = new BetterSqlite3(file);
  onTestFinished(() => void database.close());
  return database.prepare('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL').pluck().all();
}

test('an update keeps a copy of the file until the next start of the service', async () => {
  const { url, file, embed } = await createEarlierFile();
  const before = namesIn(file);
  const logged: unknown[] = [];
  const info = (...line: unknown[]) => void logged.push(line);
  const updated = await openDatabase(url, { log: { ...SILENT_LOG, info }, isService: true });
  const facts = { copy: `${file}.before-update`, migrations: ['20261122153000_page_index'] };
  expect(logged).toEqual([[facts, 'updating the database; the copy is kept until the next start']]);
  expect(updated.appliedMigrations).toEqual(['20261122153000_page_index']);
  expect(await updated.embeds.find('ada', embed.id)).toEqual(embed);
  await updated.close();

  const copy = `${file}.before-update`;
  expect(namesIn(copy)).toEqual(before);
  expect(new BetterSqlite3(copy).prepare('SELECT id FROM Embed').pluck().all()).toEqual([embed.id]);
  // a command is no start
  await (await openDatabase(url)).close();
  expect(existsSync(copy)).toBe(true);
  await (await openDatabase(url, { isService: true })).close();
  expect(existsSync(copy)).toBe(false);
});

test('processes that start at once update a file once', async () => {
  const { url } = await createEarlierFile();
  const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(url, { log: SILENT_LOG })));
  for (const database of opened) await database.close();
  expect(opened.flatMap(({ appliedMigrations }) => appliedMigrations)).toEqual(['20261122153000_page_index']);
});

test('a migration that an earlier version began and did not finish is applied if it has changed nothing', async () => {
  const { url, file, embed } = await createEarlierFile();
  change(file, BEGIN_AGAIN);
  const database = await openDatabase(url, { log: SILENT_LOG });
  onTestFinished(() => database.close());
  expect(database.appliedMigrations).toEqual(['20261122153000_page_index']);
  expect(await database.embeds.find('ada', embed.id)).toEqual(embed);
  expect(new Set(namesIn(file)).size).toBe(namesIn(file).length);
  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  expect(raw.prepare('SELECT count(*) FROM _prisma_migrations WHERE finished_at IS NULL').pluck().get()).toBe(0);
});

test('a migration that an earlier version has half applied is refused, with the way back', async () => {
  const { url, file } = await createEarlierFile();
  change(file, `${BEGIN_AGAIN}; CREATE INDEX "Embed_page_idx" ON "Embed"("accountId")`);
  await expect(openDatabase(url)).rejects.toThrow(
    /is half-migrated: \d+_page_index did not finish\. Restore a backup: npx embed-gateway restore FILE$/,
  );
});
