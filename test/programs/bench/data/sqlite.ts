import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { prefixNumberOf } from '../../../../src/domain/embed/id.ts';
import { createToken, SCOPES } from '../../../../src/domain/identity/token.ts';
import { openDatabase } from '../../../../src/store/database.ts';
import { SQLITE } from '../../../../src/store/sqlite/sql.ts';
import { ARTICLE } from './article.ts';

/** The account that the requests read and write. */
export const ACCOUNT = 'ada';
const OTHER_ACCOUNTS = 100;
/** Number of small accounts. Their rows follow those of the other accounts, and are mixed too. */
const SMALL_ACCOUNTS = 1_000;
const FEWEST_EMBEDS = 5;
export const MOST_EMBEDS = 24;
/** Every 11th embed belongs to another account, so that the rows of the accounts are mixed in the table. */
const STRIDE = 11;

const FILL_CACHE_KIB = 1_000_000;

const BASE_TIME = Date.UTC(2025, 0, 1);
const STEP_MS = 1_000;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MODES = ['LIGHT', 'DARK', 'AUTO', 'USER_DEFINED'];
const PRISMA_TIME = (ms: number) => new Date(ms).toISOString().replace('Z', '+00:00');

interface Caller {
  readonly token: string;
  readonly embedId: string;
}

/** A closed database with embeds. The same size gives the same embeds. */
export interface Data {
  readonly url: string;
  /** Path of the database file on SQLite; the prefix of related files, such as a log. */
  readonly file: string;
  /** Number of embeds of the account. */
  readonly size: number;
  /** A token of the account. */
  readonly token: string;
  /** A token and an embed of each small account. */
  readonly callers: readonly Caller[];
  /** Returns the id of an embed of the account; 0 is the oldest. */
  readonly idAt: (index: number) => string;
  /** Creates another database with the same content. */
  readonly copy: (name: string) => Promise<Data>;
  /** Counts the rows of the account. */
  readonly countRows: () => Promise<number>;
}

/** Creates a database with the migrations of the service, and fills it with prepared statements. */
export async function createData(folder: string, size: number): Promise<Data> {
  const file = join(folder, `seed-${size}.db`);
  const database = await openDatabase(`file:${file}`);
  const now = new Date(BASE_TIME);
  const createFor = (accountId: string) =>
    createToken({ accountId, name: 'bench', scopes: SCOPES, expiresAt: null }, now);
  const { text, token } = createFor(ACCOUNT);
  for (const id of [ACCOUNT, ...Array.from({ length: OTHER_ACCOUNTS }, (_, i) => otherAccount(i * STRIDE))]) {
    await database.tokens.ensureAccount(id, now);
  }
  await database.tokens.insert(token);
  const callers: Caller[] = [];
  for (let i = 0; i < SMALL_ACCOUNTS; i++) {
    const caller = createFor(smallAccount(i));
    await database.tokens.ensureAccount(caller.token.accountId, now);
    await database.tokens.insert(caller.token);
    callers.push({ token: caller.text, embedId: idOf(rowOf(size) + i) });
  }
  await database.close();
  fill(file, size);
  return dataOf(file, { size, token: text, callers, idAt: (index) => idOf(rowOf(index)) });
}

function dataOf(file: string, content: Pick<Data, 'size' | 'token' | 'callers' | 'idAt'>): Data {
  return {
    ...content,
    url: `file:${file}`,
    file,
    async copy(name) {
      const copyPath = file.replace(/[^/\\]+$/, `${name}.db`);
      copyFileSync(file, copyPath);
      return dataOf(copyPath, content);
    },
    async countRows() {
      const database = new BetterSqlite3(file, { readonly: true });
      try {
        return database.prepare('SELECT count(*) FROM "Embed" WHERE "accountId" = ?').pluck().get(ACCOUNT) as number;
      } finally {
        database.close();
      }
    },
  };
}

function fill(file: string, size: number): void {
  const database = new BetterSqlite3(file);
  // not durable: an interrupted fill starts from the beginning
  for (const setting of ['journal_mode = MEMORY', 'synchronous = OFF', 'temp_store = MEMORY']) database.pragma(setting);
  database.pragma(`cache_size = ${-FILL_CACHE_KIB}`);
  // page ids are not indexed as words, so all embeds have the same words
  const terms = SQLITE.serializeTerms({ title: 'Meal Planner', pageUrl: pageUrlOf(pageIdOf(0)) });
  const insert = database.prepare(
    `INSERT INTO "Embed" ("position", "id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "version", "terms")
     VALUES (?, ?, ?, ?, ?, ?, 'Meal Planner', ?, ?, ?, 1, ?)`,
  );
  const insertPage = database.prepare(
    'INSERT INTO "Page" ("pageUrl", "freshUntil", "fetchedAt", "url", "bytes", "article") VALUES (?, ?, ?, ?, ?, ?)',
  );
  database.transaction(() => {
    for (const [row, accountId] of ownersOf(size).entries()) {
      const pageId = pageIdOf(row);
      const mode = MODES[row % MODES.length];
      const showTopBar = row % 3 > 0 || mode === 'USER_DEFINED' ? 1 : 0;
      const pageUrl = pageUrlOf(pageId);
      const createdAt = PRISMA_TIME(timeOf(row));
      insert.run(
        2 * prefixNumberOf(idOf(row)),
        idOf(row),
        accountId,
        createdAt,
        pageUrl,
        pageId,
        mode,
        fontOf(row),
        showTopBar,
        terms,
      );
    }
    const article = JSON.stringify(ARTICLE);
    // longer than any benchmark takes
    const freshUntil = PRISMA_TIME(Date.now() + 30 * 86_400_000);
    const pageUrl = pageUrlOf(pageIdOf(rowOf(size - 1)));
    insertPage.run(pageUrl, freshUntil, freshUntil, pageUrl, article.length, article);
  })();
  database.pragma('journal_mode = WAL');
  database.close();
}

/** Returns one of two frequent fonts. No embed has the font Inter and the mode `DARK`. */
function fontOf(row: number): string {
  return row % MODES.length !== MODES.indexOf('DARK') && row % 3 === 0 ? 'Inter' : 'default';
}

/** Returns a page URL that contains title and id, so that the gateway fetches nothing. */
export function pageUrlOf(pageId: string): string {
  return `https://example.com/Meal-Planner-${pageId.replaceAll('-', '')}`;
}

/** Converts the index of an embed within the account to its row in the table. */
function rowOf(index: number): number {
  return index + Math.floor(index / (STRIDE - 1));
}

/** Returns the account of each row. The first rows of the small accounts are one of each. */
function ownersOf(size: number): readonly string[] {
  const owners = Array.from({ length: rowOf(size) }, (_, row) =>
    row % STRIDE === STRIDE - 1 ? otherAccount(row) : ACCOUNT,
  );
  for (let turn = 0; turn < MOST_EMBEDS; turn++) {
    for (let i = 0; i < SMALL_ACCOUNTS; i++) if (turn < smallAccountSize(i)) owners.push(smallAccount(i));
  }
  return owners;
}

function smallAccount(index: number): string {
  return `small-${index}`;
}

function smallAccountSize(index: number): number {
  return FEWEST_EMBEDS + (index % (MOST_EMBEDS - FEWEST_EMBEDS + 1));
}

function otherAccount(row: number): string {
  return `other-${Math.floor(row / STRIDE) % OTHER_ACCOUNTS}`;
}

function timeOf(row: number): number {
  return BASE_TIME + row * STEP_MS;
}

function idOf(row: number): string {
  let id = '';
  let time = timeOf(row);
  for (let i = 0; i < 10; i++) {
    id = ALPHABET[time % 32] + id;
    time = Math.floor(time / 32);
  }
  for (let i = 0; i < 16; i++) id += ALPHABET[scramble(row * 16 + i) % 32];
  return id;
}

export function pageIdOf(row: number): string {
  const hex = [1, 2, 3, 4]
    .map((i) =>
      scramble(row * 4 - i)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Maps a number to 32 pseudo-random bits (the finaliser of MurmurHash3). */
export function scramble(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
