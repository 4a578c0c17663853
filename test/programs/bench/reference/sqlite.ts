/**
 * The smallest such service: `node:http`, prepared statements, a token lookup by SHA-256, the same JSON and the same
 * durability. It has no schema, no limits and no log.
 * Run as `node reference/sqlite.ts <database> <embed host> <page file>`. Sends its port over IPC.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import BetterSqlite3 from 'better-sqlite3';
import { createResponses, newRow, PATH, type Row, send } from './responses.ts';

const [file = '', embedHost = '', pageFile = ''] = process.argv.slice(2);

const database = new BetterSqlite3(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');
const findToken = database.prepare<[string], { accountId: string; expiresAt: string | null; revokedAt: string | null }>(
  'SELECT "accountId", "expiresAt", "revokedAt" FROM "Token" WHERE "hash" = ?',
);
const findEmbed = database.prepare<[string, string], Row>('SELECT * FROM "Embed" WHERE "id" = ? AND "accountId" = ?');
const findFirst = database.prepare<[string, number], Row>(
  'SELECT * FROM "Embed" WHERE "accountId" = ? ORDER BY "position" DESC LIMIT ?',
);
const findAfter = database.prepare<[string, string, number], Row>(
  `SELECT * FROM "Embed" WHERE "accountId" = ? AND "position" < (SELECT "position" FROM "Embed" WHERE "id" = ?)
   ORDER BY "position" DESC LIMIT ?`,
);
const count = database.prepare<[string], number>('SELECT "embedCount" FROM "Account" WHERE "id" = ?').pluck();
const insert = database.prepare(
  `INSERT INTO "Embed" ("id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "version")
   VALUES (@id, @accountId, @createdAt, @pageUrl, @pageId, @title, @mode, @font, @showTopBar, 1)`,
);

const responses = createResponses(embedHost);
const { headers, html } = JSON.parse(readFileSync(pageFile, 'utf8')) as {
  headers: Record<string, string>;
  html: string;
};
const bytes = Buffer.from(html);

function accountOf({ headers }: IncomingMessage): string | null {
  const text = headers.authorization?.replace(/^Bearer /, '') ?? '';
  const token = findToken.get(createHash('sha256').update(text).digest('hex'));
  const isValid = token && !token.revokedAt && (!token.expiresAt || new Date(token.expiresAt) > new Date());
  return isValid ? token.accountId : null;
}

function list(accountId: string, query: URLSearchParams) {
  const first = Number(query.get('first') ?? 10);
  const after = query.get('after');
  const rows = after ? findAfter.all(accountId, after, first + 1) : findFirst.all(accountId, first + 1);
  return responses.page(rows, first, count.get(accountId) ?? 0);
}

function create(accountId: string, body: string) {
  const row = newRow(body);
  insert.run({ ...row, accountId });
  return responses.one(row);
}

const server = createServer((request, response) => {
  if (request.headers.host?.endsWith(`.${embedHost}`)) {
    response.writeHead(200, headers).end(bytes);
    return;
  }
  const accountId = accountOf(request);
  const match = PATH.exec(request.url ?? '');
  if (accountId === null) send(response, 401, {});
  else if (!match) send(response, 404, {});
  else if (request.method === 'POST') {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => send(response, 201, create(accountId, body)));
  } else if (match[1]) {
    const row = findEmbed.get(match[1], accountId);
    send(response, row ? 200 : 404, row ? responses.one(row) : {});
  } else send(response, 200, list(accountId, new URLSearchParams(match[2])));
});

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => database.close());
});
