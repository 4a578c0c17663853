import { Readable } from 'node:stream';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { RateLimited, Refusal } from '../../src/errors.ts';
import { addCommonHeaders, addCorsHeaders, type CorsOrigins } from '../../src/http/common-headers.ts';
import { allowedMethods } from '../../src/http/exchange.ts';
import { createMonitoringRoutes } from '../../src/http/monitoring.ts';
import { encode, etagOf, matchesStrongly, matchesWeakly } from '../../src/http/negotiation.ts';
import { isBug, problemOf, problemReply, TransportRefusal } from '../../src/http/problem.ts';
import { reply, toResponse, withHeaders, withoutBody } from '../../src/http/reply.ts';
import { createRepresentation } from '../../src/http/representation.ts';
import { newRequestId, REQUEST_ID } from '../../src/http/request-id.ts';

const QUOTA = { policy: 'token', limit: 3, windowS: 60, remaining: 2, resetS: 7 };
const REALM = 'Bearer realm="embed-gateway"';
const FAULT = { path: 'first', message: 'is required' };

test.each<[error: unknown, problem: object]>([
  [new Refusal('malformed', 'x'), { status: 400, title: 'Bad Request', headers: {} }],
  [new Refusal('invalid', 'x', [FAULT]), { status: 422, title: 'Unprocessable Content', faults: [FAULT] }],
  [new Refusal('unauthenticated', 'x'), { status: 401, headers: { 'www-authenticate': REALM } }],
  [
    new Refusal('invalid_token', 'x'),
    { status: 401, headers: { 'www-authenticate': `${REALM}, error="invalid_token"` } },
  ],
  [
    new Refusal('insufficient_scope', 'x'),
    { status: 403, headers: { 'www-authenticate': `${REALM}, error="insufficient_scope"` } },
  ],
  [new Refusal('unavailable', 'x'), { status: 503, headers: { 'retry-after': '1' } }],
  [new Refusal('unavailable', 'x', [], 9), { status: 503, headers: { 'retry-after': '9' } }],
  [new Refusal('conflict', 'x', [], 9), { status: 409, headers: { 'retry-after': '9' } }],
  [new Refusal('conflict', 'x'), { status: 409, headers: {} }],
  [new RateLimited('requests', QUOTA), { status: 429, headers: { 'retry-after': '7' } }],
  [
    new TransportRefusal('method_not_allowed', 'x', { allow: 'GET' }),
    { status: 405, title: 'Method Not Allowed', detail: 'x', faults: [], headers: { allow: 'GET' } },
  ],
  [new TransportRefusal('headers_too_large', 'x'), { status: 431, headers: {} }],
])('the problem of %o', (error, problem) => {
  const found = problemOf(error);
  expect(found).toMatchObject(problem);
  expect(found.code).toBe((error as Refusal).code);
  expect([found.detail, isBug(error)]).toEqual([(error as Error).message, false]);
});

test('a bug is masked', () => {
  for (const error of [new Error('secret'), 'secret', null]) {
    expect(problemOf(error)).toEqual({
      code: 'internal',
      status: 500,
      title: 'Internal Server Error',
      detail: 'Something went wrong on our side.',
      faults: [],
      headers: {},
    });
    expect(isBug(error)).toBe(true);
  }
});

test('a problem is sent as RFC 9457 has it, and never cached', () => {
  const { status, headers, body } = problemReply(problemOf(new Refusal('invalid', 'No.', [FAULT])), 'the-request');
  expect([status, headers]).toEqual([422, { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }]);
  expect(JSON.parse(String(body))).toEqual({
    type: 'about:blank',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'No.',
    code: 'invalid',
    request_id: 'the-request',
    errors: [FAULT],
  });
});

test('a reply without its body has the length that the body had', async () => {
  const headers = { etag: '"x"' };
  const text = reply('é', { status: 201, headers });
  expect(withoutBody(text)).toEqual({ status: 201, headers: { etag: '"x"', 'content-length': '2' }, body: null });
  expect(withoutBody(reply(null, { status: 204, headers }))).toEqual({ status: 204, headers, body: null });
  const stream = Readable.from(['a']);
  expect(withoutBody(reply(stream, { headers }))).toEqual({
    status: 200,
    headers: { etag: '"x"', 'transfer-encoding': 'chunked' },
    body: null,
  });
  expect(stream.destroyed).toBe(true);
  expect(withHeaders(text, { etag: '"y"', vary: 'a' }).headers).toEqual({ etag: '"y"', vary: 'a' });
  expect(text.headers).toEqual(headers);
  expect(await toResponse(reply(Readable.from([Buffer.from('a'), Buffer.from('b')]))).text()).toBe('ab');
});

const POLICY = "default-src 'none'; frame-ancestors 'none'";

test('every reply has the common headers, but a 304 no policies, which would replace the stored ones', () => {
  const common = { 'x-request-id': 'the-request', 'x-content-type-options': 'nosniff' };
  const headersOf = (sent: ReturnType<typeof reply>, quota: typeof QUOTA | null = null) => {
    addCommonHeaders(sent, 'the-request', quota);
    return sent.headers;
  };
  const policies = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' };
  expect(headersOf(reply('x'))).toEqual({ ...common, ...policies });
  expect(headersOf(reply(null, { status: 304 }))).toEqual(common);
  const own = { 'content-security-policy': 'own', 'referrer-policy': 'origin' };
  expect(headersOf(reply('x', { headers: own }))).toEqual({ ...common, ...own });
  expect(headersOf(reply('x'), QUOTA)).toEqual({
    ...common,
    ...policies,
    'ratelimit-policy': '"token";q=3;w=60',
    ratelimit: '"token";r=2;t=7',
  });
});

const EXPOSED = {
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
};
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, X-Request-Id',
  'access-control-max-age': '7200',
};
const ADA = 'https://ada.example';
const asks = { origin: ADA, 'access-control-request-method': 'GET' };

test.each<[origins: CorsOrigins, method: string, sent: Record<string, string>, headers: Record<string, string>]>([
  ['*', 'GET', {}, { 'access-control-allow-origin': '*' }],
  ['*', 'GET', { origin: ADA }, { 'access-control-allow-origin': '*', ...EXPOSED }],
  ['*', 'OPTIONS', asks, { 'access-control-allow-origin': '*', ...EXPOSED, ...PREFLIGHT }],
  ['*', 'OPTIONS', { origin: ADA }, { 'access-control-allow-origin': '*', ...EXPOSED }],
  ['*', 'GET', asks, { 'access-control-allow-origin': '*', ...EXPOSED }],
  [[ADA], 'GET', {}, { vary: 'Origin' }],
  [[ADA], 'GET', { origin: 'https://bob.example' }, { vary: 'Origin' }],
  [[], 'OPTIONS', asks, { vary: 'Origin' }],
  [[ADA], 'GET', { origin: ADA }, { vary: 'Origin', 'access-control-allow-origin': ADA, ...EXPOSED }],
  [[ADA], 'OPTIONS', asks, { vary: 'Origin', 'access-control-allow-origin': ADA, ...EXPOSED, ...PREFLIGHT }],
])('with the origins %j, %s with %j gets the headers of CORS', (origins, method, sent, headers) => {
  const allow = method === 'OPTIONS' ? { allow: 'GET, HEAD, OPTIONS' } : {};
  const answered = reply('x', { headers: allow });
  addCorsHeaders(answered, new Request('http://localhost/', { method, headers: sent }), origins);
  expect(answered.headers).toEqual({ ...allow, ...headers });
});

test('the origin is added to the headers by which a reply varies', () => {
  const answered = reply('x', { headers: { vary: 'Accept' } });
  addCorsHeaders(answered, new Request('http://localhost/'), [ADA]);
  expect(answered.headers.vary).toBe('Accept, Origin');
});

test('a route that allows GET allows HEAD', () => {
  expect(allowedMethods({ methods: ['GET', 'POST'] })).toBe('GET, POST, HEAD, OPTIONS');
  expect(allowedMethods({ methods: ['POST'] })).toBe('POST, OPTIONS');
});

const TEXT = 'The pantry list starts with what is already there. '.repeat(100);

test('a text is compressed from 1,024 bytes on, once for each coding', async () => {
  expect((await encode(Buffer.from('x'.repeat(1_023)), 'br')).coding).toBe('identity');
  const { body, coding } = await encode(Buffer.from('x'.repeat(1_024)), 'br');
  expect([coding, brotliDecompressSync(body).length]).toEqual(['br', 1_024]);
  // the best quality takes a hundred times as long
  const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 5 };
  expect((await encode(Buffer.from(TEXT), 'br')).body.length).toBe(brotliCompressSync(TEXT, { params }).length);
  const page = createRepresentation(TEXT, { 'content-type': 'text/plain' });
  const request = new Request('http://localhost/', { headers: { 'accept-encoding': 'br' } });
  const [first, second] = await Promise.all([page.reply(request), page.reply(request)]);
  expect(first.body).toBe(second.body);
  const later = page.reply(request, 404);
  expect(later).toEqual({ ...first, status: 404 });
  expect(first.headers).toEqual({
    'content-type': 'text/plain',
    'content-encoding': 'br',
    'content-length': String((first.body as Uint8Array).length),
    etag: `W/${etagOf(`{"content-type":"text/plain"}${TEXT}`)}`,
    vary: 'Accept-Encoding',
  });
  expect(page.byteLength).toBe(TEXT.length);
  expect(createRepresentation('é', {}).byteLength).toBe(2);
});

test('a 304 has the headers that update a stored reply, and only a 200 becomes one', async () => {
  const sent = {
    'content-type': 'text/plain',
    'cache-control': 'no-cache',
    'cdn-cache-control': 'a',
    'x-accel-expires': '1',
    'surrogate-key': 'b',
    'cache-tag': 'c',
  };
  const page = createRepresentation('x', sent);
  const request = new Request('http://localhost/', { headers: { 'if-none-match': '*' } });
  const { 'content-type': _, ...again } = sent;
  const { status, headers, body } = await page.reply(request);
  expect([status, body]).toEqual([304, null]);
  expect(headers).toEqual({ ...again, vary: 'Accept-Encoding', etag: expect.stringMatching(/^W\/"[\w-]{27}"$/) });
  expect((await page.reply(request, 404)).status).toBe(404);
});

test('If-Match compares strongly, If-None-Match weakly', () => {
  const tag = '"a,b"';
  for (const condition of ['*', ' * ', tag, `"x" , ${tag}`]) {
    expect([condition, matchesStrongly(condition, tag), matchesWeakly(condition, tag)]).toEqual([
      condition,
      true,
      true,
    ]);
  }
  expect([matchesStrongly(`W/${tag}`, tag), matchesWeakly(`W/${tag}`, tag)]).toEqual([false, true]);
  for (const condition of ['', '"a"', 'a,b', '**', 'xW/"a,b" x']) {
    const isPart = condition.includes(tag);
    expect([condition, matchesStrongly(condition, tag), matchesWeakly(condition, tag)]).toEqual([
      condition,
      false,
      isPart,
    ]);
  }
});

test('the ids of requests are random', () => {
  const ids = Array.from({ length: 600 }, newRequestId);
  expect(new Set(ids).size).toBe(600);
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id) && REQUEST_ID.test(id))).toBe(true);
});

test('health and metrics answer by themselves', async () => {
  let failure: unknown = null;
  const ping = async () => {
    if (failure !== null) throw failure;
  };
  const metrics = { render: async () => 'up 1', contentType: 'text/plain; version=0.0.4' };
  const canReadMetrics = (authorization: string | null) => authorization === 'Bearer good';
  const ask = async (
    path: string,
    authorization: string | null = null,
    find = createMonitoringRoutes({ ping, metrics, canReadMetrics }),
  ) => {
    const url = new URL(path, 'http://localhost');
    const route = find(url);
    if (!route) return null;
    const request = new Request(url, { headers: authorization === null ? {} : { authorization } });
    const exchange = { id: 'the-request', request, url, method: 'GET', address: null };
    expect([route.name, route.methods, (await route.accept(exchange)).caller]).toEqual([path, ['GET'], null]);
    try {
      const { status, headers, body } = await (await route.accept(exchange)).handle(exchange);
      return [status, headers, body];
    } catch (error) {
      expect(route.refuse).toBeUndefined();
      const { status, detail } = problemOf(error);
      return [status, detail];
    }
  };
  const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  const healthy = [200, json, '{"status":"ok"}'];
  expect([await ask('/livez'), await ask('/readyz'), await ask('/x')]).toEqual([healthy, healthy, null]);
  failure = new Error('secret');
  expect([await ask('/livez'), await ask('/readyz')]).toEqual([healthy, [503, 'The database does not answer.']]);
  failure = new Refusal('unavailable', 'The disk is full.');
  expect(await ask('/readyz')).toEqual([503, 'The disk is full.']);
  const text = { 'content-type': 'text/plain; version=0.0.4', 'cache-control': 'no-store' };
  expect(await ask('/metrics', 'Bearer good')).toEqual([200, text, 'up 1']);
  const refused = [401, 'Send an Authorization header with METRICS_TOKEN as the bearer token.'];
  expect([await ask('/metrics'), await ask('/metrics', 'Bearer bad')]).toEqual([refused, refused]);
  const without = createMonitoringRoutes({ ping, metrics: null, canReadMetrics });
  expect([await ask('/metrics', null, without), await ask('/livez', null, without)]).toEqual([null, healthy]);
});
