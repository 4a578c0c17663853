import BetterSqlite3 from 'better-sqlite3';
import { createClient } from 'graphql-sse';
import { expect, onTestFinished, test } from 'vitest';
import { createToken } from '../../src/domain/identity/token.ts';
import { openTelemetry } from '../../src/telemetry/telemetry.ts';
import { isOnPostgresql, newDatabase, openRaw } from '../open-app.ts';
import { openService, shareService } from '../open-service.ts';
import { type Event, type EventSource, follow, WATCH } from './event-source.ts';

const gateway = shareService();
const METRICS_TOKEN = 'a token for metrics';

/** Returns the error code and the last event of a stream that the service ended. */
function endOf({ events }: EventSource): readonly unknown[] {
  const [last, complete] = events.slice(-2) as [Event, Event];
  return [last.data.errors[0].extensions.code, complete];
}

const COMPLETE = { event: 'complete', data: null };

test('sends changes, and the errors of a document, to the client of graphql-sse', async () => {
  const { listener, as } = gateway;
  const ada = await as('ada');
  const client = createClient({
    url: `http://127.0.0.1:${listener.port}/graphql`,
    headers: { authorization: ada.authorization },
    retryAttempts: 0,
  });
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const changes = client.iterate({ query: WATCH }, { connected: () => resolve() });
  const first = changes.next();
  await connected;
  const { id } = await ada.create();
  expect((await first).value).toEqual({
    data: { embedChanged: { kind: 'CREATED', embedId: id, embed: { id, font: 'default' } } },
  });
  await changes.return?.();

  const results = [];
  for await (const { errors } of client.iterate({ query: 'subscription { nothing }' })) results.push(errors);
  for await (const { data } of client.iterate({ query: '{ embeds { totalCount } }' })) results.push(data);
  expect(results).toEqual([
    [expect.objectContaining({ extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }) })],
    { embeds: { totalCount: 1 } },
  ]);
  client.dispose();
});

test('sends a single result as events to clients that accept nothing else', async () => {
  const { as } = gateway;
  const ada = await as('ada');
  const sendRequest = async (query: string, accept: string, method = 'POST') => {
    const body = { method, body: JSON.stringify({ query }), headers: { accept, 'content-type': 'application/json' } };
    const response =
      method === 'GET'
        ? await ada.fetch(`/graphql?${new URLSearchParams({ query })}`, { headers: { accept } })
        : await ada.fetch('/graphql', body);
    return [response.status, response.headers.get('content-type')?.split(';')[0], await response.text()];
  };
  const events = 'event: next\ndata: {"data":{"__typename":"Query"}}\n\nevent: complete\ndata: \n\n';
  expect(await sendRequest('{ __typename }', 'text/event-stream')).toEqual([200, 'text/event-stream', events]);
  expect(await sendRequest('{ __typename }', 'text/event-stream', 'GET')).toEqual([200, 'text/event-stream', events]);
  expect(await sendRequest('{ __typename }', 'text/event-stream, application/json')).toEqual([
    200,
    'application/json',
    '{"data":{"__typename":"Query"}}',
  ]);
  const [status, type, text] = await sendRequest(WATCH, 'application/json');
  expect([status, type]).toEqual([400, 'application/json']);
  expect(text).toContain('send Accept: text/event-stream');
  const [refused, refusedType] = await sendRequest('mutation { __typename }', 'text/event-stream', 'GET');
  expect([refused, refusedType]).toEqual([405, 'application/json']);
});

test('refuses subscriptions without a valid token, without the scope read, and over the limits', async () => {
  const { listener, as } = gateway;
  const { port } = listener;
  const nobody = await follow(port, { authorization: 'Bearer nothing' });
  expect(nobody.response.statusCode).toBe(401);
  expect(nobody.response.headers['content-type']).toContain('application/json');
  const writer = await follow(port, await as('ada', ['write']));
  await writer.ended;
  expect(endOf(writer)).toEqual(['FORBIDDEN', COMPLETE]);
  const ada = await as('ada');
  for (const query of [
    'subscription { a: embedChanged { kind } b: embedChanged { kind } }',
    `subscription { embedChanged { ${Array.from({ length: 40 }, (_, i) => `k${i}: kind`).join(' ')} } }`,
    'subscription { embedChanged(first: 1) { kind } }',
    'subscription($a: Int!) { embedChanged { kind @include(if: $a) } }',
  ]) {
    const refused = await follow(port, { ...ada, query });
    await refused.ended;
    expect([query, ...endOf(refused)]).toEqual([query, 'BAD_USER_INPUT', COMPLETE]);
  }
});

test('counts a stream as one request of the quota, and logs it once, when it ends', async () => {
  const { listener, as, logged } = await openService({ rateLimit: 50 });
  const ada = await as('ada');
  const stream = await follow(listener.port, { ...ada, headers: { 'x-request-id': 'the-stream' } });
  expect(stream.response.headers.ratelimit).toMatch(/;r=49;/);
  await Promise.all([ada.create(), ada.create(), ada.create()]);
  await stream.count(3);
  const lines = () => logged.filter((line) => 'requestId' in line && line.requestId === 'the-stream');
  expect(lines()).toEqual([]);
  stream.leave();
  await expect.poll(lines).toEqual([expect.objectContaining({ status: 200, path: '/graphql', accountId: 'ada' })]);
  expect((await ada.fetch('/v1/embeds')).headers.get('ratelimit')).toMatch(/;r=45;/);
});

test('allows 20 streams per token, and shows them in the metrics', async () => {
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const { listener, as, withAuthorization } = await openService({ metricsToken: METRICS_TOKEN }, telemetry);
  const ada = await as('ada');
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(listener.port, ada)));
  const open = async () =>
    /^embed_gateway_http_streams_open (\d+)$/m.exec(
      await (await withAuthorization(`Bearer ${METRICS_TOKEN}`).fetch('/metrics')).text(),
    )?.[1];
  expect(await open()).toBe('20');
  const refused = await follow(listener.port, ada);
  expect([refused.response.statusCode, refused.response.headers['retry-after']]).toEqual([429, '5']);
  await expect.poll(refused.text).toContain('"code":"RATE_LIMITED","retry_after":5');
  expect((await follow(listener.port, await as('ada'))).response.statusCode).toBe(200);
  streams[0]?.leave();
  await expect.poll(async () => (await follow(listener.port, ada)).response.statusCode).toBe(200);
  for (const stream of streams) stream.leave();
  await expect.poll(open).toBe('2');
});

test('ends the streams of an expired or revoked token within 5 seconds, and no others', async () => {
  const { listener, as, withAuthorization, database } = await openService();
  const lasting = await follow(listener.port, await as('ada'));
  const followWith = async (expiresAt: Date | null) => {
    const { text, token } = createToken({ accountId: 'ada', name: 'test', scopes: ['read'], expiresAt }, new Date());
    await database.tokens.insert(token);
    return { token, stream: await follow(listener.port, withAuthorization(`Bearer ${text}`)) };
  };
  const expired = await followWith(new Date(Date.now() + 1_500));
  const revoked = await followWith(null);
  await database.tokens.revoke(revoked.token.id, new Date());
  const since = performance.now();
  for (const { stream } of [expired, revoked]) {
    await stream.ended;
    expect(endOf(stream)).toEqual(['UNAUTHENTICATED', COMPLETE]);
  }
  // at most twice 2 s, plus time for a busy machine
  expect(performance.now() - since).toBeLessThan(8_000);
  expect(lasting.events).toEqual([]);
});

test('ends the streams with SERVICE_UNAVAILABLE when the service stops, and refuses new ones', async () => {
  const { app, listener, as } = await openService();
  const ada = await as('ada');
  const streams = await Promise.all([follow(listener.port, ada), follow(listener.port, ada)]);
  app.endSubscriptions();
  await listener.close(8_000);
  for (const stream of streams) {
    await stream.ended;
    expect(endOf(stream)).toEqual(['SERVICE_UNAVAILABLE', COMPLETE]);
  }
  expect((await ada.graphql(WATCH)).status).toBe(400);
  const late = await ada.fetch(`/graphql?${new URLSearchParams({ query: WATCH })}`);
  expect(late.status).toBe(503);
});

test('releases everything when clients disconnect', async () => {
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const databaseUrl = await newDatabase();
  const { listener, as } = await openService({ databaseUrl }, telemetry);
  const ada = await as('ada');
  const open = async () =>
    /^embed_gateway_http_streams_open (\d+)$/m.exec((await telemetry.metrics?.render()) ?? '')?.[1];
  for (let i = 0; i < 2; i++) {
    const streams = await Promise.all(Array.from({ length: 5 }, () => follow(listener.port, ada)));
    expect(streams.filter(({ response }) => response.statusCode !== 200)).toEqual([]);
    for (const stream of streams) stream.leave();
    await expect.poll(open).toBe('0');
  }
  if (!isOnPostgresql) return;
  // the connection that listens for changes is closed, too
  const raw = await openRaw(databaseUrl);
  const sql = `SELECT 1 FROM pg_stat_activity
    WHERE application_name = 'embed-gateway changes' AND datname = current_database()`;
  await expect.poll(() => raw.query(sql)).toEqual([]);
});

test.skipIf(isOnPostgresql)('sends the changes by another connection to the streams of their account', async () => {
  const databaseUrl = await newDatabase();
  const { listener, as } = await openService({ databaseUrl });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const other = new BetterSqlite3(databaseUrl.slice('file:'.length));
  onTestFinished(() => void other.close());
  const { id } = await ada.create();
  const adas = await follow(listener.port, ada);
  const bobs = await follow(listener.port, bob);
  const writes = [
    ...['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'].map((mode) => `PRAGMA wal_checkpoint(${mode})`),
    'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); INSERT INTO _litestream_seq VALUES (1, 1)',
    `UPDATE "Embed" SET "font" = 'Other', "version" = "version" + 1`,
    `INSERT INTO "Embed" (position, id, accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar)
    SELECT position - 4, '00' || substr(id, 3), accountId, createdAt, pageUrl, pageId, title, mode, font, showTopBar
    FROM "Embed"`,
    `DELETE FROM "Embed" WHERE "id" = '${id}'`,
  ];
  for (const sql of writes) other.exec(sql);
  const last = await ada.create();
  await adas.count(4);
  const changes = adas.events.map(({ data }) => data.data.embedChanged);
  expect(changes.map(({ kind, embedId }) => [kind, embedId])).toEqual([
    ['UPDATED', id],
    ['CREATED', `00${id.slice(2)}`],
    ['DELETED', id],
    ['CREATED', last.id],
  ]);
  other.exec(`UPDATE "Embed" SET "font" = 'Lora', "version" = "version" + 1 WHERE "id" = '${last.id}'`);
  await adas.count(5);
  expect(adas.events[4]?.data.data.embedChanged).toMatchObject({ kind: 'UPDATED', embed: { font: 'Lora' } });
  expect(bobs.events).toEqual([]);
});

test('replies to HEAD with the headers of GET, and leaves no stream open', async () => {
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const { as } = await openService({}, telemetry);
  const ada = await as('ada');
  const path = `/graphql?${new URLSearchParams({ query: WATCH })}`;
  const response = await ada.fetch(path, { method: 'HEAD', headers: { accept: 'text/event-stream' } });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    '',
  ]);
  await expect
    .poll(async () => (await telemetry.metrics?.render())?.includes('\nembed_gateway_http_streams_open 0'))
    .toBe(true);
});
