/**
 * The least that a service like this can be: `node:http`, statements prepared once, a token looked up by its SHA-256,
 * the same JSON and the same durability. No schema, no limits, no log.
 * Run as `node reference.ts <database> <embed host> <page file>`; tells its port over IPC.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import BetterSqlite3 from 'better-sqlite3';
import { createEmbedIds } from '../../src/domain/embed-id.ts';

const [file = '', embedHost = '', pageFile = ''] = process.argv.slice(2);

interface Row {
  readonly id: string;
  readonly createdAt: string;
  readonly pageUrl: string;
  readonly pageId: string;
  readonly title: string;
  readonly mode: string;
  readonly font: string;
  readonly showTopBar: number;
}

const database = new BetterSqlite3(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');
const findToken = database.prepare<[string], { accountId: string; expiresAt: string | null; revokedAt: string | null }>(
  'SELECT "accountId", "expiresAt", "revokedAt" FROM "Token" WHERE "hash" = ?',
);
const findEmbed = database.prepare<[string, string], Row>('SELECT * FROM "Embed" WHERE "id" = ? AND "accountId" = ?');
const findFirst = database.prepare<[string, number], Row>(
  'SELECT * FROM "Embed" WHERE "accountId" = ? ORDER BY "id" DESC LIMIT ?',
);
const findAfter = database.prepare<[string, string, number], Row>(
  'SELECT * FROM "Embed" WHERE "accountId" = ? AND "id" < ? ORDER BY "id" DESC LIMIT ?',
);
const count = database.prepare<[string], number>('SELECT "embedCount" FROM "Account" WHERE "id" = ?').pluck();
const insert = database.prepare(
  `INSERT INTO "Embed" ("id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "version")
   VALUES (@id, @accountId, @createdAt, @pageUrl, @pageId, @title, @mode, @font, @showTopBar, 1)`,
);

const newIdentity = createEmbedIds();
const { headers, html } = JSON.parse(readFileSync(pageFile, 'utf8')) as {
  headers: Record<string, string>;
  html: string;
};
const bytes = Buffer.from(html);

function accountOf({ headers }: IncomingMessage): string | null {
  const text = headers.authorization?.replace(/^Bearer /, '') ?? '';
  const token = findToken.get(createHash('sha256').update(text).digest('hex'));
  const isLive = token && !token.revokedAt && (!token.expiresAt || new Date(token.expiresAt) > new Date());
  return isLive ? token.accountId : null;
}

function toJson(row: Row) {
  return {
    id: row.id,
    created_at: row.createdAt.replace('+00:00', 'Z'),
    embed_url: `http://${row.id}.${embedHost}/${row.title.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')}-${row.pageId.replaceAll('-', '')}`,
    page_id: row.pageId,
    page_url: row.pageUrl,
    mode: row.mode.toLowerCase(),
    font: row.font,
    show_top_bar: row.showTopBar === 1,
  };
}

function list(accountId: string, query: URLSearchParams) {
  const first = Number(query.get('first') ?? 10);
  const after = query.get('after');
  const rows = after ? findAfter.all(accountId, after, first + 1) : findFirst.all(accountId, first + 1);
  const total = count.get(accountId);
  const embeds = rows.slice(0, first).map(toJson);
  const pagination = {
    end_cursor: embeds.at(-1)?.id ?? null,
    has_next_page: rows.length > first,
    total_count: total,
  };
  return { embeds, total_count: total, pagination };
}

function create(accountId: string, body: string) {
  const input = JSON.parse(body) as { page_url: string; mode?: string; font?: string; show_top_bar?: boolean };
  const segment = new URL(input.page_url).pathname.split('/').at(-1) ?? '';
  const hex = segment.slice(-32);
  const { id, createdAt } = newIdentity();
  const row: Row = {
    id,
    createdAt: createdAt.toISOString().replace('Z', '+00:00'),
    pageUrl: input.page_url,
    pageId: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'),
    title: segment.slice(0, -33).replaceAll('-', ' '),
    mode: (input.mode ?? 'light').toUpperCase(),
    font: input.font ?? 'default',
    showTopBar: (input.show_top_bar ?? true) ? 1 : 0,
  };
  insert.run({ ...row, accountId });
  return { embed: toJson(row) };
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const PATH = /^\/v1\/embeds(?:\/([^/?]+))?(?:\?(.*))?$/;

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
    send(response, row ? 200 : 404, row ? { embed: toJson(row) } : {});
  } else send(response, 200, list(accountId, new URLSearchParams(match[2])));
});

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => database.close());
});
