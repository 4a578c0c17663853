import { expect, test } from 'vitest';
import { createPublicRoute, type Route } from '../../src/http/exchange.ts';
import { createPipeline } from '../../src/http/pipeline.ts';
import { type Reply, reply } from '../../src/http/reply.ts';
import { openApp } from '../open-app.ts';

const log = { info() {}, warn() {}, error() {} };

function createRoute(name: string, handle: () => Promise<Reply>) {
  return createPublicRoute(name, handle, (error) => {
    return reply(`${name}: ${error instanceof Error ? error.message : ''}`, { status: 599 });
  });
}

test('refuses requests over the limit of a door at once, in its own format, without an effect on other doors', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = createRoute('slow', () => held.then(() => reply('ok')));
  const quick = createRoute('quick', async () => reply('ok'));
  const answerTo = createPipeline({
    doors: [
      { findRoute: ({ pathname }) => (pathname === '/slow' ? slow : null), maxInFlight: 2 },
      { findRoute: () => quick, maxInFlight: 1 },
    ],
    log,
    corsOrigins: '*',
  });
  const sendRequest = (path: string) => answerTo(new Request(`http://localhost${path}`));
  const served = [sendRequest('/slow'), sendRequest('/slow')];
  const refused = await sendRequest('/slow');
  expect([refused.status, refused.body]).toEqual([599, 'slow: Too many requests are in flight; try again.']);
  expect((await sendRequest('/quick')).status).toBe(200);
  release();
  expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await sendRequest('/slow')).status).toBe(200);
});

test('refuses requests over the limit of the API with 503, and still serves /readyz', async () => {
  const { app, as } = await openApp();
  const ada = await as('ada');
  const crowd = Array.from({ length: 600 }, (_, i) => ada.rest('GET', `/v1/embeds?first=${1 + (i % 100)}`));
  const [rest, graphql, health] = await Promise.all([
    ada.rest('GET', '/v1/embeds'),
    ada.graphql('{ __typename }'),
    app.fetch(new Request('http://localhost:4000/readyz')),
  ]);
  expect([rest.status, rest.body.code, rest.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  expect([graphql.status, graphql.errors[0]?.extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(health.status).toBe(200);
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(500);
  expect(statuses.filter((status) => status === 503)).toHaveLength(100);
});

test('masks an error that is thrown while the route is searched', async () => {
  const bugs: object[] = [];
  const answerTo = createPipeline({
    doors: [
      {
        findRoute: () => {
          throw new Error('secret');
        },
        maxInFlight: 1,
      },
    ],
    log: { ...log, error: (fields) => void bugs.push(fields) },
    corsOrigins: '*',
  });
  const response = await answerTo(new Request('http://localhost/'));
  expect(response.status).toBe(500);
  expect(response.body).not.toContain('secret');
  expect(bugs).toHaveLength(1);
});

test('sends the request id and the security headers with every response', async () => {
  const { app, as } = await openApp();
  const ada = await as('ada');
  const { embed_url } = await ada.create();
  const paths = ['/v1/embeds', '/v1/embeds/x', '/graphql', '/livez', '/nothing', '/embed.js', '/oembed', embed_url];
  for (const path of paths) {
    const response = await ada.fetch(path);
    expect(response.headers.get('x-request-id'), path).toMatch(/^[\w.-]{8,64}$/);
    expect(response.headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(response.headers.get('referrer-policy'), path).toBe('no-referrer');
    expect(response.headers.get('access-control-allow-origin'), path).toBe('*');
    expect(response.headers.get('content-security-policy'), path).toContain("default-src 'none'");
    expect(response.headers.get('set-cookie'), path).toBeNull();
  }
  expect((await app.fetch(new Request('http://localhost:4000/v1/embeds'))).headers.get('x-frame-options')).toBeNull();
});

test('asks one door after another, also those whose code loads', async () => {
  const asked: string[] = [];
  const door = (name: string, route: Promise<Route | null> | null) => ({
    findRoute: () => {
      asked.push(name);
      return route;
    },
    maxInFlight: 1,
  });
  const found = createRoute('found', async () => reply('found'));
  const answerTo = createPipeline({
    doors: [door('first', Promise.resolve(null)), door('second', null), door('third', Promise.resolve(found))],
    log,
    corsOrigins: '*',
  });
  expect((await answerTo(new Request('http://localhost/'))).body).toBe('found');
  expect(asked).toEqual(['first', 'second', 'third']);
});

test('refuses with 500 if the code of a door does not load', async () => {
  const answerTo = createPipeline({
    doors: [{ findRoute: () => Promise.reject(new Error('secret')), maxInFlight: 1 }],
    log,
    corsOrigins: '*',
  });
  const answer = await answerTo(new Request('http://localhost/'));
  expect([answer.status, String(answer.body).includes('secret')]).toEqual([500, false]);
});

test('refuses a Host header and a path that form no URL with 400', async () => {
  const answerTo = createPipeline({ doors: [], log, corsOrigins: '*' });
  const answer = await answerTo({ method: 'GET', url: 'http://[/', headers: new Headers(), body: null });
  expect([answer.status, JSON.parse(String(answer.body))]).toMatchObject([
    400,
    { code: 'malformed', detail: 'The Host header and the path do not form a URL.' },
  ]);
});

test('accepts URLs of 12,288 characters, and refuses longer ones with 414', async () => {
  const { app } = await openApp();
  const base = 'http://localhost:4000/livez?';
  const visit = (length: number) => app.fetch(new Request(base.padEnd(length, 'x')));
  expect((await visit(12_288)).status).toBe(200);
  const longer = await visit(12_289);
  expect([longer.status, await longer.json()]).toMatchObject([
    414,
    { code: 'uri_too_long', detail: 'The URL must be at most 12288 characters.' },
  ]);
});

test('replies with 404 to a trailing slash, and names the path without it if that exists', async () => {
  const ada = await (await openApp()).as('ada');
  const detailOf = async (path: string) => {
    const { status, body } = await ada.rest('GET', path);
    return [status, body.detail];
  };
  const nothing = 'There is nothing at this path.';
  for (const name of ['/v1/embeds', '/graphql', '/livez']) {
    expect(await detailOf(`${name}/`)).toEqual([404, `${nothing} Remove the trailing slash: ${name}.`]);
  }
  expect(await detailOf('/v1/embeds/x/')).toEqual([404, `${nothing} Remove the trailing slash: /v1/embeds/{id}.`]);
  for (const path of ['/embeds', '/v1/embed', '/api/embeds', '/api/v1/embeds', '/embed/', '/v1/', '/v2/embeds']) {
    expect(await detailOf(path)).toEqual([404, `${nothing} Did you mean /v1/embeds?`]);
  }
  expect(await detailOf('/embeds/x')).toEqual([404, `${nothing} Did you mean /v1/embeds/{id}?`]);
  for (const path of ['/v1/embeds//', '/livez/x']) expect(await detailOf(path)).toEqual([404, nothing]);
});
