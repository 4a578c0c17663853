import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { createPipeline } from '../../src/http/pipeline.ts';
import { openApp } from '../open-app.ts';

test('a token that asks more than RATE_LIMIT a minute gets 429 at both doors, and others do not', async () => {
  const { as } = await openApp({ rateLimit: 3 });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const first = await ada.rest('GET', '/v1/embeds');
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit-policy')).toBe('"token";q=3;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"token";r=2;t=\d+$/);
  await ada.graphql('{ __typename }');
  await ada.rest('GET', '/v1/embeds');
  const rest = await ada.rest('GET', '/v1/embeds');
  expect([rest.status, rest.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(rest.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(rest.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  const graphql = await ada.graphql('{ __typename }');
  expect([graphql.status, graphql.errors[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
  expect((await bob.rest('GET', '/v1/embeds')).status).toBe(200);
});

test('0 is no limit', async () => {
  const ada = await (await openApp({ rateLimit: 0 })).as('ada');
  const answer = await ada.rest('GET', '/v1/embeds');
  expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
});

test('an address that keeps sending wrong tokens is slowed down, whatever it sends then', async () => {
  const { app, as } = await openApp();
  const ada = await as('ada');
  const ask = async (authorization: string, ip: string) => {
    const request = new Request('http://localhost:4000/v1/embeds', { headers: { authorization } });
    return (await app.fetch(Object.assign(request, { ip }))).status;
  };
  const statuses = new Set<number>();
  for (let i = 0; i < 125; i++) statuses.add(await ask('Bearer wrong', '198.51.100.1'));
  expect([...statuses]).toEqual([401, 429]);
  expect(await ask(ada.authorization, '198.51.100.1')).toBe(429);
  expect(await ask(ada.authorization, '198.51.100.2')).toBe(200);
});

test('requests past the bound get 503 with Retry-After at once', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const route = {
    methods: ['GET'],
    handle: () => held.then(() => new Response('ok')),
    refuse: () => new Response(null, { status: 500 }),
  };
  const fetch = createPipeline({
    findRoute: () => route,
    log: { info() {}, error() {} },
    corsOrigins: '*',
    maxInFlight: 2,
  });
  const ask = () => fetch(new Request('http://localhost/'));
  const served = [ask(), ask()];
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  release();
  expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask()).status).toBe(200);
});

test('two Host headers are refused', async () => {
  const { app } = await openApp();
  const listener = await listen({ port: 0, host: '127.0.0.1', fetch: app.fetch });
  onTestFinished(() => listener.close(0));
  const socket = connect(listener.port, '127.0.0.1');
  socket.end('GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
  const answer = await new Promise<string>((resolve) => socket.setEncoding('utf8').once('data', resolve));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});
