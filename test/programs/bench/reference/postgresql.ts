/**
 * The reference on PostgreSQL: `node:http`, a pool of `pg` of the same size as the gateway's, named prepared statements, a
 * token lookup by SHA-256, and the same JSON.
 * Run as `node reference/postgresql.ts <url> <embed host> <page file>`. Sends its port over IPC.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { createResponses, newRow, PATH, type Row, send } from './responses.ts';

const [url = '', embedHost = '', pageFile = ''] = process.argv.slice(2);
const TIMESTAMP_OID = 1114;
const POOL_SIZE = 10;

pg.types.setTypeParser(TIMESTAMP_OID, (time) => new Date(`${time.replace(' ', 'T')}Z`).toISOString());
const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });

/** Creates a statement that each connection prepares once. */
function prepare<Found extends object>(name: string, sql: string) {
  return async (...values: readonly unknown[]) =>
    (await pool.query<Found>({ name, text: sql, values: [...values] })).rows;
}

const findToken = prepare<{ accountId: string; expiresAt: string | null; revokedAt: string | null }>(
  'token',
  'SELECT "accountId", "expiresAt", "revokedAt" FROM "Token" WHERE "hash" = $1',
);
const findEmbed = prepare<Row>('embed', 'SELECT * FROM "Embed" WHERE "id" = $1 AND "accountId" = $2');
const findFirst = prepare<Row>('first', 'SELECT * FROM "Embed" WHERE "accountId" = $1 ORDER BY "id" DESC LIMIT $2');
const findAfter = prepare<Row>(
  'after',
  'SELECT * FROM "Embed" WHERE "accountId" = $1 AND "id" < $3 ORDER BY "id" DESC LIMIT $2',
);
const count = prepare<{ embedCount: number }>('count', 'SELECT "embedCount" FROM "Account" WHERE "id" = $1');
const insert = prepare(
  'insert',
  `INSERT INTO "Embed" ("id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "version")
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1)`,
);

const responses = createResponses(embedHost);
const { headers, html } = JSON.parse(readFileSync(pageFile, 'utf8')) as {
  headers: Record<string, string>;
  html: string;
};
const bytes = Buffer.from(html);

async function accountOf({ headers }: IncomingMessage): Promise<string | null> {
  const bearer = headers.authorization?.replace(/^Bearer /, '') ?? '';
  const [token] = await findToken(createHash('sha256').update(bearer).digest('hex'));
  const isValid = token && !token.revokedAt && (!token.expiresAt || new Date(token.expiresAt) > new Date());
  return isValid ? token.accountId : null;
}

async function list(accountId: string, query: URLSearchParams) {
  const first = Number(query.get('first') ?? 10);
  const after = query.get('after');
  const [rows, [total]] = await Promise.all([
    after ? findAfter(accountId, first + 1, after) : findFirst(accountId, first + 1),
    count(accountId),
  ]);
  return responses.page(rows, first, total?.embedCount ?? 0);
}

async function create(accountId: string, body: string) {
  const row = newRow(body);
  const { id, createdAt, pageUrl, pageId, title, mode, font, showTopBar } = row;
  await insert(id, accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar === 1);
  return responses.one(row);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const accountId = await accountOf(request);
  const match = PATH.exec(request.url ?? '');
  if (accountId === null) send(response, 401, {});
  else if (!match) send(response, 404, {});
  else if (request.method === 'POST') send(response, 201, await create(accountId, await text(request)));
  else if (match[1]) {
    const [row] = await findEmbed(match[1], accountId);
    send(response, row ? 200 : 404, row ? responses.one(row) : {});
  } else send(response, 200, await list(accountId, new URLSearchParams(match[2])));
}

const server = createServer((request, response) => {
  if (request.headers.host?.endsWith(`.${embedHost}`)) response.writeHead(200, headers).end(bytes);
  else handle(request, response).catch(() => send(response, 500, {}));
});

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => pool.end());
});
