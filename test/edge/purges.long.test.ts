import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PurgeTarget } from '../../src/config/values.ts';
import type { Config } from '../../src/config.ts';
import { createPurger, type PurgeEvent } from '../../src/edge/purger.ts';
import { openTelemetry } from '../../src/telemetry/telemetry.ts';
import { MEAL_PLANNER, newDatabase, openApp, openRaw, type RestEmbed, type TestApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly authorization: string | undefined;
  readonly body: string;
  /** By the monotonic clock. */
  readonly atMs: number;
}

/** Opens a CDN that records purges, and answers the status and headers of the moment. */
async function openCdn() {
  const purges: Received[] = [];
  const cdn = { status: 200, headers: {} as Record<string, string>, purges };
  const site = await openSite(async (request: IncomingMessage, response) => {
    const { method = '', url: path = '', headers } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    const key = `${headers['surrogate-key'] ?? ''}`;
    purges.push({ method, path, key, authorization: headers.authorization, body, atMs: performance.now() });
    response.writeHead(cdn.status, cdn.headers).end('{"status":"ok"}');
  });
  return { ...site, cdn, purges };
}

function targetOf(url: string, header: PurgeTarget['header'] = null): Pick<Config, 'purgeTargets'> {
  return { purgeTargets: [{ url, header }] };
}

async function openWithCdn(given: (origin: string) => Partial<Config> = targetOf) {
  const { origin, cdn, purges } = await openCdn();
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const service = await openApp({ allowPrivatePages: true, ...given(origin) }, telemetry);
  const counted = async (result: string) => {
    const text = (await telemetry.metrics?.render()) ?? '';
    return Number(new RegExp(`purges_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  return { cdn, purges, service, counted, ada: await service.as('ada') };
}

async function visitWhenRead({ app }: TestApp, { embed_url }: RestEmbed): Promise<Response> {
  const visit = () => app.fetch(new Request(embed_url));
  await expect.poll(async () => (await visit()).headers.get('cache-control')).toBe('no-cache');
  return visit();
}

test('an update and a deletion are purged by key, once for changes that wait together, and other writes are not', async () => {
  const header = { name: 'Authorization', value: 'Bearer of purges' };
  const { purges, ada } = await openWithCdn((origin) => targetOf(`${origin}/purge?zone=1`, header));
  const [first, second] = [await ada.create(), await ada.create()];
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await ada.create()).id));
  // changes nothing
  await ada.rest('PATCH', `/v1/embeds/${first.id}`, { mode: 'light' });
  expect((await ada.rest('DELETE', '/v1/embeds/01m7y4dcyp2ad36zr4waqryvpr')).status).toBe(404);
  expect(purges).toEqual([]);

  await ada.rest('PATCH', `/v1/embeds/${first.id}`, { mode: 'dark' });
  await expect.poll(() => purges.length).toBe(1);
  expect(purges[0]).toEqual({
    method: 'POST',
    path: '/purge?zone=1',
    key: `embed-${first.id}`,
    authorization: 'Bearer of purges',
    body: JSON.stringify({ tags: [`embed-${first.id}`] }),
    atMs: expect.any(Number),
  });
  const graphql = 'mutation ($id: ID!) { deleteEmbed(input: { id: $id }) { deletedEmbedId } }';
  expect((await ada.graphql(graphql, { id: second.id })).errors).toEqual([]);
  await expect.poll(() => purges[1]?.key).toBe(`embed-${second.id}`);

  await Promise.all(ids.flatMap((id) => [1, 2].map((n) => ada.rest('PATCH', `/v1/embeds/${id}`, { font: `F ${n}` }))));
  const keys = () => purges.slice(2).flatMap(({ key }) => key.split(' '));
  await expect.poll(() => new Set(keys()).size).toBe(12);
  expect(new Set(keys())).toEqual(new Set(ids.map((id) => `embed-${id}`)));
});

test('an upsert with a key is purged once: also if it fails after its update, and not when it is repeated', async () => {
  const databaseUrl = await newDatabase();
  const { purges, ada } = await openWithCdn((origin) => ({ ...targetOf(`${origin}/purge`), databaseUrl }));
  const { id } = await ada.create({ external_id: 'soup' });
  const raw = await openRaw(databaseUrl);
  const upsert = async (mode: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': mode };
    const body = JSON.stringify({ page_url: MEAL_PLANNER, external_id: 'soup', on_conflict: 'update', mode });
    return (await ada.fetch('/v1/embeds', { method: 'POST', body, headers })).status;
  };
  expect([await upsert('dark'), await upsert('dark')]).toEqual([200, 200]);
  await expect.poll(() => purges.length).toBe(1);
  await raw.query(`CREATE TRIGGER "fail" BEFORE UPDATE OF "isDone" ON "IdempotentCreate" WHEN NEW."isDone"
    BEGIN SELECT RAISE(ABORT, 'no'); END`);
  expect(await upsert('auto')).toBe(500);
  await expect.poll(() => purges.map(({ key }) => key)).toEqual([`embed-${id}`, `embed-${id}`]);
});

test('a target for URLs receives the former and the current URL, and a target for keys receives each in the path', async () => {
  const byUrl = await openWithCdn((origin) => targetOf(`${origin}/purge?url={url}`));
  const embed = await byUrl.ada.create();
  const page_url = 'https://example.com/Other-95747105f402490eba51d52e00496c1d';
  const { body } = await byUrl.ada.rest('PATCH', `/v1/embeds/${embed.id}`, { page_url });
  const urls = () => byUrl.purges.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('url'));
  await expect.poll(() => urls().sort()).toEqual([body.embed.embed_url, embed.embed_url].sort());
  await byUrl.ada.rest('DELETE', `/v1/embeds/${embed.id}`);
  await expect.poll(() => urls().at(2)).toEqual(body.embed.embed_url);
  expect(byUrl.purges[0]).toMatchObject({ key: '', body: '' });

  const byKey = await openWithCdn((origin) => targetOf(`${origin}/service/1/purge/{key}`));
  const { id } = await byKey.ada.create();
  await byKey.ada.rest('DELETE', `/v1/embeds/${id}`);
  await expect.poll(() => byKey.purges).toMatchObject([{ path: `/service/1/purge/embed-${id}`, key: `embed-${id}` }]);
});

test('another text of the source page is purged for all its embeds, and the next view has it', async () => {
  let [word, requests] = ['flour', 0];
  const source = await openSite((_request, response) => {
    requests++;
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', `<p>Much ${word}.</p>`));
  });
  const { purges, service, ada } = await openWithCdn();
  const embed = await ada.create({ page_url: `${source.origin}/bread` });
  const shown = await visitWhenRead(service, embed);
  const refresh = 'mutation ($id: ID!) { refreshPage(input: { embedId: $id }) { embed { page { state } } } }';
  const other = await ada.create({ page_url: `${source.origin}/bread` });
  expect((await ada.graphql(refresh, { id: other.id })).errors).toEqual([]);
  expect([requests, purges]).toEqual([expect.any(Number), []]);

  word = 'sourdough';
  expect((await ada.graphql(refresh, { id: embed.id })).errors).toEqual([]);
  const key = `page-${embed.page_id}`;
  await expect.poll(() => purges.map((purge) => purge.key)).toEqual([key]);
  expect(shown.headers.get('surrogate-key')?.split(' ')).toContain(key);
  expect(await (await visitWhenRead(service, embed)).text()).toContain('sourdough');
});

test('a CDN that is away or rejects purges fails no write: they are retried, counted and logged once', async () => {
  const { cdn, purges, service, counted, ada } = await openWithCdn();
  const embed = await ada.create();
  cdn.status = 503;
  expect((await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { mode: 'dark' })).status).toBe(200);
  await expect.poll(() => purges.length).toBeGreaterThan(1);
  expect((await ada.rest('DELETE', `/v1/embeds/${embed.id}`)).status).toBe(200);
  cdn.status = 204;
  await expect.poll(() => counted('ok')).toBeGreaterThan(0);
  expect(await counted('retried')).toBeGreaterThan(0);
  const messages = () => service.logged.map((line) => ('message' in line ? line.message : ''));
  await expect.poll(messages).toContain('the CDN takes purges again');
  expect(messages().filter((message) => `${message}`.includes('they are retried'))).toHaveLength(1);
  expect(service.logged).toContainEqual(expect.objectContaining({ reason: 'HTTP 503' }));
});

test('at the stop, what waits is sent', async () => {
  const { purges, service, counted, ada } = await openWithCdn((origin) => targetOf(`${origin}/{key}`));
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await ada.create()).id));
  await Promise.all(ids.map((id) => ada.rest('DELETE', `/v1/embeds/${id}`)));
  await service.app.close();
  expect(new Set(purges.map(({ key }) => key)).size).toBe(20);
  expect(await counted('ok')).toBe(20);
});

const purgesOf = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `embed-${i}`, urls: [] }));

/** Opens a purger for CDNs, without a service. */
function openPurger(origins: readonly string[]) {
  const events: PurgeEvent[] = [];
  const purger = createPurger(
    origins.map((url) => ({ url, header: null })),
    (event) => void events.push(event),
  );
  onTestFinished(() => purger.close());
  return { purger, events };
}

test('gathers purges, and sends 100 keys in one request', async () => {
  const { origin, purges } = await openCdn();
  const { purger } = openPurger([origin]);
  const all = purgesOf(250);
  for (let i = 0; i < all.length; i += 25) purger.purge(all.slice(i, i + 25));
  // twice the same key
  purger.purge(all.slice(-25));
  const keys = () => purges.flatMap(({ key }) => key.split(' '));
  await expect.poll(() => keys().length).toBe(250);
  expect(purges.map(({ key }) => key.split(' ').length)).toEqual([100, 100, 50]);
  expect(new Set(keys()).size).toBe(250);
});

test('waits as long as a CDN asks for, in seconds or by a date', async () => {
  const { origin, cdn, purges } = await openCdn();
  const { purger } = openPurger([origin]);
  for (const [status, headersAt, leastMs] of [
    [429, () => ({ 'retry-after': '1' }), 1_000],
    // the clock of this CDN is five minutes slow, and dates have no fractions of a second
    [
      503,
      () => ({
        date: new Date(Date.now() - 300_000).toUTCString(),
        'retry-after': new Date(Date.now() - 298_000).toUTCString(),
      }),
      1_900,
    ],
  ] as const) {
    cdn.status = status;
    cdn.headers = headersAt();
    purges.length = 0;
    purger.purge(purgesOf(1));
    await expect.poll(() => purges.length).toBe(1);
    cdn.status = 200;
    cdn.headers = {};
    // later purges wait too
    purger.purge(purgesOf(2));
    await expect.poll(() => purges.length).toBe(2);
    expect(purges[1]?.key.split(' ').sort()).toEqual(['embed-0', 'embed-1']);
    expect((purges[1]?.atMs ?? 0) - (purges[0]?.atMs ?? 0)).toBeGreaterThan(leastMs - 50);
  }
});

test('waits for an hour if a CDN asks for it, and then sends only what has not expired', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { origin, cdn, purges } = await openCdn();
  const { purger, events } = openPurger([origin]);
  const retried = () => events.filter((event) => event.kind === 'counted' && event.result === 'retried').length;
  cdn.status = 429;
  cdn.headers = { 'retry-after': '3600' };
  purger.purge(purgesOf(10_000));
  // as many as are in flight
  await expect.poll(retried).toBe(4);
  cdn.status = 200;
  await vi.advanceTimersByTimeAsync(3_500_000);
  // those that wait make room
  purger.purge([{ key: 'embed-new', urls: [] }]);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(purges).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(11_000);
  await expect.poll(() => purges.slice(4).map(({ key }) => key)).toEqual(['embed-new']);
});

test('a CDN that fails or asks for patience delays no other', async () => {
  const [away, other] = [await openCdn(), await openCdn()];
  away.cdn.status = 429;
  away.cdn.headers = { 'retry-after': '3600' };
  const { purger, events } = openPurger([away.origin, other.origin]);
  for (let round = 1; round <= 3; round++) {
    purger.purge(purgesOf(round));
    await expect.poll(() => other.purges.length).toBe(round);
  }
  expect(away.purges).toHaveLength(1);
  const { host } = new URL(away.origin);
  expect(events.filter(({ kind }) => kind !== 'counted')).toEqual([{ kind: 'failing', host, reason: 'HTTP 429' }]);
  // nothing can be sent within the time of a stop
  await purger.close();
  expect(events).toContainEqual({ kind: 'counted', result: 'dropped', count: 3 });
});

test('responses of an embed tell a CDN their lifetime and keys, and never the name of the account', async () => {
  const { origin } = await openCdn();
  for (const [purgeUrl, staleIfErrorS, lifetime] of [
    [null, 600, 'max-age=1, stale-while-revalidate=1, stale-if-error=600'],
    [origin, 30, 'max-age=60, stale-while-revalidate=60, stale-if-error=30'],
    [null, 0, 'max-age=1, stale-while-revalidate=1'],
  ] as const) {
    const service = await openApp({ ...(purgeUrl !== null && targetOf(purgeUrl)), staleIfErrorS });
    const ada = await service.as('ada-secret');
    const embed = await ada.create();
    const page = await visitWhenRead(service, embed);
    const visit = (url: string, headers = {}) => service.app.fetch(new Request(url, { headers }));
    const unchanged = await visit(embed.embed_url, { 'if-none-match': page.headers.get('etag') });
    const redirect = await visit(new URL('/', embed.embed_url).href);
    const original = await visit(new URL('/original', embed.embed_url).href);
    const account = createHash('sha256').update('ada-secret').digest('hex').slice(0, 16);
    const keys = [`embed-${embed.id}`, `page-${embed.page_id}`, ...(purgeUrl === null ? [] : [`account-${account}`])];
    for (const { status, headers } of [page, unchanged, redirect]) {
      expect([status, headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual([
        status,
        'no-cache',
        lifetime,
      ]);
      // for nginx
      expect(headers.get('x-accel-expires')).toBe(/max-age=(\d+)/.exec(lifetime)?.[1]);
      expect(headers.get('surrogate-key')).toBe(keys.join(' '));
      expect(headers.get('cache-tag')).toBe(keys.join(','));
      expect(JSON.stringify([...headers])).not.toContain('secret');
    }
    expect([page.status, unchanged.status, redirect.status, original.status]).toEqual([200, 304, 308, 302]);
    expect(original.headers.get('cdn-cache-control')).toBeNull();
    const described = await service.app.fetch(
      new Request(`http://embeds.localhost:4000/oembed?url=${encodeURIComponent(embed.embed_url)}`),
    );
    expect(described.headers.get('surrogate-key')).toBe(keys.join(' '));
    await ada.rest('DELETE', `/v1/embeds/${embed.id}`);
    const deleted = await visit(embed.embed_url);
    expect([deleted.status, deleted.headers.get('cdn-cache-control'), deleted.headers.get('surrogate-key')]).toEqual([
      404,
      lifetime,
      `embed-${embed.id}`,
    ]);
  }
});
