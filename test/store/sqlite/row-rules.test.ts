import { expect, test } from 'vitest';
import { findRowFault } from '../../../src/store/sqlite/integrity/row-rules.ts';
import { DELIVERY, HASH, ID, kept, openTables, PAGE_ID, TIME } from './open-tables.ts';

const TIMES = { good: [TIME, '2026-01-31', '2026-01-31 12:00:00', '2026-01-31T12:00:00Z'] };
const BAD_TIMES = [
  '',
  'now',
  '2026-13-01',
  'x2026-01-31',
  '2026-01-31x',
  '2026-1-31',
  `${TIME}x`,
  '2026-01-31T99:00:00Z',
];
const time = { ...TIMES, bad: [...BAD_TIMES, Buffer.from(TIME)] };
const end = { good: [null, ...TIMES.good], bad: time.bad };
const digest = {
  good: [HASH, '0123456789abcdef'.repeat(4)],
  bad: ['', 'a'.repeat(63), 'A'.repeat(64), `${HASH}a`, `x${HASH}`],
};
const count = { good: [0, 1, 2 ** 40], bad: [-1, 1.5, 'x', 2 ** 60] };
const height = { good: [null, 0, 700], bad: count.bad };
const anyText = { good: [null, '', 'é'], bad: [Buffer.from('a')] };
const someText = { good: ['x'], bad: ['', Buffer.from('x')] };
const name = { good: ['ada', 'a.b_c-d', 'x'.repeat(64)], bad: ['', 'A', 'a b', '-a', 'x'.repeat(65)] };
const flag = { good: [0, 1], bad: [2, -1, 'x'] };
const state = { good: [null, 'SHOWN', 'PENDING'], bad: ['', 'LOST', 'toString', 'shown'] };
const url = {
  good: ['https://example.com/', 'http://localhost/'],
  bad: ['', 'javascript:x', 'xhttps://example.com', 'https://', 'x'],
};
const secret = {
  good: ['whsec_AAaa09+/', 'whsec_AA=='],
  bad: ['', 'AA==', 'whsec_', 'whsec_A-', 'xwhsec_AA==', 'whsec_==A'],
};
const id = { good: [ID], bad: ['', 'x', ID.toUpperCase(), `${ID}0`] };

interface Values {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const VALUES: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  // commands of Prisma write milliseconds
  _prisma_migrations: { checksum: digest, finished_at: { good: [TIME, 1_790_000_000_000], bad: [] } },
  Account: { id: name, createdAt: time, embedCount: count, changeCount: count },
  Token: {
    id: { good: ['a', 'x-Y_0', 'x'.repeat(64)], bad: ['', 'a b', 'x'.repeat(65), 'x!'] },
    name,
    hash: digest,
    scope: { good: ['read', 'read write admin'], bad: ['', 'root', 'read  write', 'read,write', ' read'] },
    createdAt: time,
    expiresAt: end,
    revokedAt: end,
    lastUsedAt: end,
  },
  Embed: {
    id,
    createdAt: time,
    pageUrl: { good: ['https://example.com/'], bad: [...url.bad, 'https://ada@example.com', 'https://a b/'] },
    pageId: { good: [PAGE_ID], bad: ['', 'x', PAGE_ID.toUpperCase(), PAGE_ID.replaceAll('-', '')] },
    title: { good: ['x'], bad: ['', 'a\nb', '\u0000'] },
    mode: { good: ['LIGHT', 'AUTO'], bad: ['', 'PINK', 'light', 'toString'] },
    font: { good: ['default', 'Open Sans'], bad: ['', '-x', 'x; }', 'x'.repeat(65)] },
    showTopBar: flag,
    version: { good: [1, 7], bad: [0, -1, 1.5, 'x'] },
    externalId: { good: [null, 'a 1', 'x'.repeat(200)], bad: ['', 'x'.repeat(201), 'a\nb'] },
    position: { good: [0, 16], bad: [-1] },
    terms: { good: [' x example com', '[""]'], bad: ['', '[]', ' x x', ' other', '["x","x"]'] },
  },
  EmbedChange: {
    mark: { good: [Buffer.alloc(8)], bad: [Buffer.alloc(7), Buffer.alloc(9), 'x'.repeat(8)] },
    kind: { good: ['CREATED', 'DELETED'], bad: ['', 'created', 'toString'] },
    embedId: id,
  },
  Session: {
    hash: digest,
    accountId: name,
    holder: someText,
    tokenHash: { good: [null, ...digest.good], bad: digest.bad },
    person: { good: [null, '{}'], bad: ['', '[]', 'null', '{'] },
    createdAt: time,
    expiresAt: time,
  },
  Webhook: {
    id: { good: [`wh_${ID}`], bad: ['', ID, `wh_${ID}0`] },
    url,
    events: {
      good: [' embed.created ', ' embed.created page.copy_failed '],
      bad: [
        '',
        ' ',
        'embed.created',
        ' embed.created',
        'x embed.created ',
        ' embed ',
        ' embed.created  x.y ',
        ' Embed.CREATED ',
      ],
    },
    secret,
    previousSecret: { good: [null, ...secret.good], bad: secret.bad },
    previousSecretUntil: end,
    createdAt: time,
    failingSince: end,
    disabledAt: end,
    disabledReason: anyText,
  },
  WebhookDelivery: {
    id: { good: [DELIVERY], bad: ['', 'x', DELIVERY.toUpperCase(), `${DELIVERY}0`, `x${DELIVERY}`] },
    webhookId: { good: [`wh_${ID}`], bad: ['', ID] },
    type: someText,
    subjectId: someText,
    sequence: count,
    data: { good: ['{}'], bad: ['', '[]', '{', 'null'] },
    createdAt: time,
    dueAt: end,
    attempts: count,
    status: height,
  },
  IdempotentCreate: {
    key: someText,
    fingerprint: digest,
    createdAt: time,
    leaseUntil: time,
    isDone: flag,
    embed: {
      good: [kept({}), kept({ showTopBar: false, mode: undefined }), kept({ mode: 'DARK', font: 'Inter' })],
      bad: [
        ...['', '{', '[]', 'null', '7', '{}', '{"embed":[]}', '{"embed":null}', '{"embed":{}}'],
        ...[{ id: 'x' }, { pageUrl: 'x' }, { pageId: 'x' }, { title: '' }, { mode: 'PINK' }, { font: '-' }].map(kept),
      ],
    },
  },
  Import: {
    content: digest,
    rows: { good: [1, 2], bad: [-1, 1.5, 'x'] },
    embeds: { good: [0, 1, 2], bad: [-1, 3, 1.5] },
    finishedAt: end,
  },
  AuditEvent: {
    id,
    action: { good: ['TOKEN_REVOKED'], bad: ['', 'x', 'toString'] },
    actor: someText,
    subjectId: { good: [null, 'x'], bad: someText.bad },
    subjectName: anyText,
    count,
  },
  ViewCount: { views: count, reads: count },
  Watch: {
    embedId: id,
    pageUrl: url,
    watch: { good: ['DAILY', 'ADAPTIVE'], bad: ['', 'OFF', 'daily', 'toString'] },
    dueAt: time,
    intervalMs: count,
  },
  WatchedHost: { host: someText, freeAt: time },
  PageVersion: { pageUrl: url, fetchedAt: time, text: someText, bytes: count },
  Page: {
    pageUrl: url,
    freshUntil: time,
    triedAt: end,
    failure: state,
    failureReason: anyText,
    fetchedAt: end,
    url: { good: [null, ...url.good], bad: url.bad },
    movedTo: { good: [null, ...url.good], bad: url.bad },
    etag: anyText,
    lastModified: anyText,
    state,
    reason: anyText,
    title: anyText,
    site: anyText,
    narrowHeight: height,
    wideHeight: height,
    leaseUntil: end,
    bytes: count,
    article: { good: [null, '{"title":""}'], bad: ['', '{', '[]', '{}', '{"title":7}', 'null', '"x"'] },
  },
};

const KEYS: Readonly<Record<string, string>> = {
  _prisma_migrations: 'migration_name',
  EmbedChange: 'embedId',
  IdempotentCreate: 'key',
  Import: 'content',
  Page: 'pageUrl',
  Session: 'holder',
  ViewCount: 'embedId',
  Watch: 'embedId',
  WatchedHost: 'host',
  PageVersion: 'pageUrl',
};

test.each(Object.entries(VALUES))('each column of %s has a rule', async (table, columns) => {
  const tables = await openTables();
  const keyName = KEYS[table] ?? 'id';
  // the rules are those of columns, whatever triggers and references say
  for (const trigger of tables.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    tables.exec(`DROP TRIGGER "${trigger}"`);
  tables.pragma('foreign_keys = OFF');
  const faultWith = (column: string, value: unknown) => {
    tables.exec('BEGIN');
    try {
      const only = `"${keyName}" = (SELECT min("${keyName}") FROM "${table}")`;
      tables.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE ${only}`).run(value);
      return findRowFault(tables, true);
    } finally {
      tables.exec('ROLLBACK');
    }
  };
  expect(findRowFault(tables, true)).toBeNull();
  for (const [column, { good, bad }] of Object.entries(columns)) {
    for (const value of good) expect([column, value, faultWith(column, value)]).toEqual([column, value, null]);
    for (const value of bad) {
      const key = column === keyName ? String(value).slice(0, 80) : null;
      const row = key === null ? '"[^"]*"' : JSON.stringify(key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      expect([column, value, faultWith(column, value)]).toEqual([
        column,
        value,
        expect.stringMatching(new RegExp(`^the row ${row} of ${table} has an invalid ${column}$`)),
      ]);
    }
  }
});

test('each column of each table refuses values of another type', async () => {
  const tables = await openTables();
  const select = (type: string) =>
    tables.prepare<[string], string>('SELECT name FROM sqlite_schema WHERE type = ?').pluck().all(type);
  for (const trigger of select('trigger')) tables.exec(`DROP TRIGGER "${trigger}"`);
  tables.pragma('foreign_keys = OFF');
  const checked = select('table').filter((name) => !/^EmbedIndex|^_prisma_migrations$/.test(name));
  for (const table of checked) {
    for (const { name, type } of tables.pragma(`table_info("${table}")`) as { name: string; type: string }[]) {
      tables.exec('BEGIN');
      tables.exec(`UPDATE OR REPLACE "${table}" SET "${name}" = ${/INT|BOOLEAN/.test(type) ? -1 : "x'00'"}`);
      const fault = expect.stringMatching(new RegExp(` of ${table} has an invalid ${name}$`));
      expect([table, name, findRowFault(tables, true)]).toEqual([table, name, fault]);
      tables.exec('ROLLBACK');
    }
  }
});

test('a rule holds for the values of a row together', async () => {
  const tables = await openTables();
  const faultAfter = (sql: string, hasAllMigrations = true) => {
    tables.exec('BEGIN');
    tables.exec(sql);
    const fault = findRowFault(tables, hasAllMigrations);
    tables.exec('ROLLBACK');
    return fault;
  };
  const ofEmbed = (what: string) => `the row "${ID}" of Embed has an invalid ${what}`;
  expect(faultAfter("UPDATE Embed SET mode = 'USER_DEFINED', showTopBar = 0")).toBe(ofEmbed('showTopBar'));
  expect(faultAfter("UPDATE Embed SET mode = 'USER_DEFINED', showTopBar = 1")).toBeNull();
  expect(faultAfter("UPDATE Embed SET mode = 'DARK', showTopBar = 0")).toBeNull();
  // terms are compared after all migrations, and only for texts that are equal in all versions of Unicode
  expect(faultAfter("UPDATE Embed SET title = 'other'")).toBe(ofEmbed('terms'));
  expect(faultAfter("UPDATE Embed SET title = 'other'", false)).toBeNull();
  for (const title of ['öther', 'other ö'])
    expect([title, faultAfter(`UPDATE Embed SET title = '${title}'`)]).toEqual([title, null]);
  for (const url of ['https://xn--bcher-kva.example/', 'https://example.com/%C3%A9']) {
    expect([url, faultAfter(`UPDATE Embed SET pageUrl = '${url}'`)]).toEqual([url, null]);
  }
  expect(faultAfter(`UPDATE Embed SET terms = '[""]', title = 'other'`)).toBeNull();
});

test('before the last migration, terms only have to be distinct', async () => {
  const tables = await openTables();
  for (const trigger of tables.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    tables.exec(`DROP TRIGGER "${trigger}"`);
  const faultWith = (terms: string) => {
    tables.prepare('UPDATE Embed SET terms = ?').run(terms);
    return findRowFault(tables, false);
  };
  for (const terms of [' a', ' a b', ' a aa', '["a"]', '["a","b"]', '["aa","a"]', '[""]'])
    expect([terms, faultWith(terms)]).toEqual([terms, null]);
  for (const terms of ['', '[]', ' a a', ' a b a', '["a","a"]', '["a","b","a"]'])
    expect([terms, faultWith(terms)]).toEqual([terms, expect.stringContaining('invalid terms')]);
});

test('tables and columns of pending migrations may be missing, and a long key is cut', async () => {
  const tables = await openTables();
  tables.exec('DROP TABLE Import; ALTER TABLE Page DROP COLUMN etag');
  expect(findRowFault(tables, false)).toBeNull();
  tables.prepare('UPDATE IdempotentCreate SET key = ?, isDone = 2').run(`"${'x'.repeat(100)}`);
  const row = JSON.stringify(`"${'x'.repeat(79)}`);
  expect(findRowFault(tables, false)).toBe(`the row ${row} of IdempotentCreate has an invalid isDone`);
});
