import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { termsOf } from '../../../../src/domain/embed/search-terms.ts';
import { createMigrationRow, knownMigrations, readMigration } from '../../../../src/store/prisma/migrations.ts';
import { backUp } from '../../../../src/store/sqlite/backup.ts';
import { Ledger } from '../harness/ledger.ts';
import { createScratchFolder, startService } from '../harness/service.ts';
import { type Contents, contentsOf } from './check.ts';
import { VARIABLES } from './run.ts';

/** A database that cases copy before they use it. */
export interface State {
  readonly contents: Contents;
  /** @param file the copy, with its write-ahead log if there is one */
  copyTo(file: string): void;
}

export interface States {
  readonly empty: State;
  /** Has rows, and a write-ahead log that a killed service left behind. */
  readonly filled: State;
  /** A backup with other rows than `filled`. */
  readonly backup: State;
  /** The rows of `filled` in the first version with filters, before the migrations that rebuild the tables of embeds. */
  readonly earlier: State;
}

const WRITES = 40;
const EARLIER_VERSION = /_page_heights$/;

export async function createStates(): Promise<States> {
  const folder = createScratchFolder();
  const at = (name: string) => join(folder, name);
  await fill(at('empty.db'), 0);
  await fill(at('filled.db'), WRITES);
  await fill(at('other.db'), WRITES / 2);
  await backUp(at('other.db'), at('backup.db'));
  const filled = openState(at('filled.db'), at('filled-to-read.db'));
  createEarlier(at('earlier.db'), at('filled-to-read.db'));
  return {
    empty: openState(at('empty.db'), at('empty-to-read.db')),
    filled,
    backup: openState(at('backup.db'), at('backup-to-read.db')),
    earlier: openState(at('earlier.db'), at('earlier-to-read.db')),
  };
}

/** Writes through both APIs, and kills the service, so that the write-ahead log stays; without writes, stops it. */
async function fill(file: string, writes: number): Promise<void> {
  const service = await startService(file, VARIABLES);
  // a request would create the account of its token
  if (writes === 0) return void (await service.stop());
  const ledger = new Ledger();
  for (let i = 0; i < writes; i++) await ledger.write(0, service.origin);
  await ledger.verify(service.origin);
  await service.kill();
  if (ledger.faults.length > 0) throw new Error(ledger.faults.join('\n'));
}

/** @param readable a copy that is read here, because reading moves the log into the database file */
function openState(file: string, readable: string): State {
  const copyTo = (target: string) => {
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, target + suffix);
  };
  copyTo(readable);
  return { contents: contentsOf(readable), copyTo };
}

type Row = Readonly<Record<string, string | number | null>>;

function createEarlier(file: string, current: string): void {
  const known = knownMigrations('sqlite');
  const applied = known.slice(0, known.findIndex((name) => EARLIER_VERSION.test(name)) + 1);
  const source = new BetterSqlite3(current);
  const target = new BetterSqlite3(file);
  target.exec(String(source.prepare("SELECT sql FROM sqlite_schema WHERE name = '_prisma_migrations'").pluck().get()));
  for (const name of applied) {
    const sql = readMigration('sqlite', name);
    target.exec(sql);
    insert(target, '_prisma_migrations', { ...createMigrationRow(name, sql) });
  }
  for (const { id, createdAt } of source.prepare<[], Row>('SELECT * FROM Account').iterate())
    insert(target, 'Account', { id, createdAt } as Row);
  const columns = target.prepare<[], string>(`SELECT name FROM pragma_table_info('Embed')`).pluck().all();
  for (const embed of source.prepare<[], Row>('SELECT * FROM Embed ORDER BY id').iterate()) {
    const terms = JSON.stringify(termsOf({ title: String(embed.title), pageUrl: String(embed.pageUrl) }));
    const { position: _, ...kept } = Object.fromEntries(columns.map((name) => [name, embed[name] ?? null]));
    insert(target, 'Embed', { ...kept, terms });
  }
  target.pragma('journal_mode = WAL');
  for (const database of [source, target]) database.close();
}

function insert(database: BetterSqlite3.Database, table: string, row: Row): void {
  const columns = Object.keys(row);
  database
    .prepare(`INSERT INTO "${table}" (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => '?')})`)
    .run(...Object.values(row));
}
