import { expect, test } from 'vitest';
import { createPipeline } from '../../src/http/pipeline.ts';
import { type Reply, reply } from '../../src/http/reply.ts';
import { openApp } from '../open-app.ts';

const log = { info() {}, warn() {}, error() {} };

function routeOf(name: string, handle: () => Promise<Reply>) {
  return { name, methods: ['GET'], handle, refuse: () => reply(name, { status: 599 }) };
}

test('a door with too many requests under way refuses in its own shape at once, and others go on', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = routeOf('slow', () => held.then(() => reply('ok')));
  const quick = routeOf('quick', async () => reply('ok'));
  const answerTo = createPipeline({
    doors: [
      { findRoute: ({ pathname }) => (pathname === '/slow' ? slow : null), maxInFlight: 2 },
      { findRoute: () => quick, maxInFlight: 1 },
    ],
    log,
    corsOrigins: '*',
  });
  const ask = (path: string) => answerTo(new Request(`http://localhost${path}`));
  const served = [ask('/slow'), ask('/slow')];
  const refused = await ask('/slow');
  expect([refused.status, refused.body]).toEqual([599, 'slow']);
  expect((await ask('/quick')).status).toBe(200);
  release();
  expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask('/slow')).status).toBe(200);
});

test('the doors of the service refuse a crowd as they refuse all else, and its health is told meanwhile', async () => {
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

test('a door that fails at finding what answers is a masked error, and the service goes on', async () => {
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

test('every answer has its request id and what browsers must not do with it', async () => {
  const { app, as } = await openApp();
  const ada = await as('ada');
  const { embed_url } = await ada.create();
  const paths = ['/v1/embeds', '/v1/embeds/x', '/graphql', '/livez', '/nothing', '/embed.js', '/oembed', embed_url];
  for (const path of paths) {
    const response = await ada.fetch(path);
    expect(response.headers.get('x-request-id'), path).toMatch(/^[\w.-]{8,64}$/);
    expect(response.headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(response.headers.get('referrer-policy'), path).toBe('no-referrer');
    expect(response.headers.get('content-security-policy'), path).toContain("default-src 'none'");
    expect(response.headers.get('set-cookie'), path).toBeNull();
  }
  expect((await app.fetch(new Request('http://localhost:4000/v1/embeds'))).headers.get('x-frame-options')).toBeNull();
});

test('304 leaves the policy alone that the client keeps with the page', async () => {
  const { withAuthorization } = await openApp();
  const visit = (headers: Record<string, string>) =>
    withAuthorization(null).fetch('/graphql', { headers: { accept: 'text/html', ...headers } });
  const etag = (await visit({})).headers.get('etag') ?? '';
  const unchanged = await visit({ 'if-none-match': etag });
  expect([unchanged.status, unchanged.headers.get('content-security-policy')]).toEqual([304, null]);
});

test('an address that is too long is refused with 414', async () => {
  const ada = await (await openApp()).as('ada');
  const answer = await ada.rest('GET', `/v1/embeds?after=${'x'.repeat(13_000)}`);
  expect([answer.status, answer.body.code]).toEqual([414, 'uri_too_long']);
});

test('HEAD tells the length that GET would have, and none where GET has no body', async () => {
  const ada = await (await openApp()).as('ada');
  const { id } = await ada.create();
  const get = await ada.fetch(`/v1/embeds/${id}`);
  const head = await ada.fetch(`/v1/embeds/${id}`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
  const headers = { 'if-none-match': get.headers.get('etag') ?? '' };
  const unchanged = await ada.fetch(`/v1/embeds/${id}`, { method: 'HEAD', headers });
  expect([unchanged.status, unchanged.headers.get('content-length')]).toEqual([304, null]);
});

test('a path with a slash too many is not found, and told without it where there is something', async () => {
  const ada = await (await openApp()).as('ada');
  const detailOf = async (path: string) => {
    const { status, body } = await ada.rest('GET', path);
    return [status, body.detail];
  };
  const nothing = 'There is nothing at this path.';
  for (const name of ['/v1/embeds', '/graphql', '/livez']) {
    expect(await detailOf(`${name}/`)).toEqual([404, `${nothing} Leave out the slash at its end: ${name}.`]);
  }
  expect(await detailOf('/v1/embeds/x/')).toEqual([404, `${nothing} Leave out the slash at its end: /v1/embeds/{id}.`]);
  for (const path of ['/v1/', '/v1/embeds//']) expect(await detailOf(path)).toEqual([404, nothing]);
});
