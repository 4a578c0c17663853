import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import type { CompletedRequest, IncomingRequest, Route } from '../../src/http/exchange.ts';
import { createPublicRoute } from '../../src/http/exchange.ts';
import { createPipeline } from '../../src/http/pipeline.ts';
import { type Reply, reply } from '../../src/http/reply.ts';

interface Line {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** Opens a pipeline with one route, and sends it a request. */
async function openLogged(route: Route, request: Partial<IncomingRequest> = {}) {
  const lines: Line[] = [];
  const completed: CompletedRequest[] = [];
  const openStreams: number[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  const answerTo = createPipeline({
    doors: [{ findRoute: () => route, maxInFlight: 1 }],
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    corsOrigins: '*',
    onReply: (each) => void completed.push(each),
    onOpenStreamsChange: (count) => void openStreams.push(count),
  });
  const headers = new Headers();
  const whole = { method: 'GET', url: 'http://a.example/page?token=secret', headers, body: null, ...request };
  const answer = await answerTo(whole);
  return { answer, lines, completed, openStreams };
}

const okRoute = createPublicRoute('/page', () => reply('ok'));

function failingRoute(handle: () => Reply | Promise<Reply>): Route {
  return createPublicRoute('/page', handle);
}

test('logs one line for each request, without its query string', async () => {
  const { lines, completed } = await openLogged(okRoute, { ip: '203.0.113.7' });
  const { requestId, ms, ...fields } = lines[0]?.fields ?? {};
  expect(lines.map(({ level, message }) => [level, message])).toEqual([['info', 'request']]);
  expect(fields).toEqual({
    method: 'GET',
    host: 'a.example',
    path: '/page',
    status: 200,
    address: '203.0.113.7',
    accountId: undefined,
  });
  expect(requestId).toMatch(/^[0-9a-f]{32}$/);
  const { seconds, ...others } = completed[0] ?? { seconds: Number.NaN };
  expect(others).toEqual({ method: 'GET', requestId, routeName: '/page', refusalCode: undefined, status: 200 });
  expect(seconds).toBeGreaterThan(0);
  expect(ms).toBe(Math.round(seconds * 100_000) / 100);
});

test('measures a request in seconds, and logs it in milliseconds', async () => {
  const { lines, completed } = await openLogged(
    failingRoute(() => new Promise((resolve) => setTimeout(() => resolve(reply('ok')), 30))),
  );
  const seconds = completed[0]?.seconds ?? 0;
  expect(seconds).toBeGreaterThan(0.02);
  expect(seconds).toBeLessThan(10);
  expect(lines[0]?.fields.ms).toBeGreaterThan(20);
});

test('logs the account of a known caller', async () => {
  const caller = { identity: { accountId: 'ada' }, quota: null };
  const known = { ...okRoute, accept: () => ({ caller, handle: () => reply('ok') }) };
  const { lines } = await openLogged(known);
  expect(lines[0]?.fields.accountId).toBe('ada');
});

test('takes the request id of a proxy if it has 8 to 64 safe characters', async () => {
  for (const [sent, isTaken] of [
    ['a.b-c_d1', true],
    ['1234567', false],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['1234567!8', false],
    ['with a space', false],
  ] as const) {
    const { answer, lines } = await openLogged(okRoute, { headers: new Headers({ 'x-request-id': sent }) });
    const id = new Headers(answer.headers as Record<string, string>).get('x-request-id');
    expect(id === sent, sent).toBe(isTaken);
    expect(lines[0]?.fields.requestId).toBe(id);
  }
});

test('logs a response of 500 and more as a warning, and one below as information', async () => {
  for (const [status, level] of [
    [499, 'info'],
    [500, 'warn'],
    [503, 'warn'],
  ] as const) {
    const { lines } = await openLogged(failingRoute(() => reply('', { status })));
    expect(lines.map((line) => line.level)).toEqual([level]);
  }
});

test('logs a bug with its request id and masks it, wherever the route throws it', async () => {
  const bug = new Error('the password is in the text');
  const thrown = (): never => {
    throw bug;
  };
  const routes: Record<string, Route> = {
    'while it accepts': { ...okRoute, accept: thrown },
    'while it accepts, later': { ...okRoute, accept: () => Promise.reject(bug) },
    'while it handles': failingRoute(thrown),
    'while it handles, later': failingRoute(() => Promise.reject(bug)),
  };
  for (const [name, route] of Object.entries(routes)) {
    const { answer, lines, completed } = await openLogged(route);
    expect([answer.status, String(answer.body).includes('password')], name).toEqual([500, false]);
    const requestId = lines[1]?.fields.requestId;
    expect(lines[0], name).toEqual({ level: 'error', fields: { requestId, err: bug }, message: 'bug' });
    expect(lines[1]?.level).toBe('warn');
    expect(completed[0]).toMatchObject({ routeName: '/page', refusalCode: 'internal', status: 500 });
  }
});

test('logs no bug for a refusal, and counts it under its code', async () => {
  const { answer, lines, completed } = await openLogged(
    failingRoute(() => {
      throw new Refusal('not_found', 'There is no such page.');
    }),
  );
  expect([answer.status, lines.map(({ level }) => level)]).toEqual([404, ['info']]);
  expect(completed[0]).toMatchObject({ routeName: '/page', refusalCode: 'not_found', status: 404 });
});

test('logs a stream when it closes, and counts those that are open', async () => {
  const body = new Readable({ read() {} });
  const { answer, lines, completed, openStreams } = await openLogged(failingRoute(() => reply(body)));
  expect([answer.body === body, lines, completed.length, openStreams]).toEqual([true, [], 1, [1]]);
  const closed = new Promise((resolve) => body.once('close', resolve));
  body.destroy();
  await closed;
  expect(openStreams).toEqual([1, 0]);
  expect(lines.map(({ level, fields }) => [level, fields.status, fields.path])).toEqual([['info', 200, '/page']]);
});
