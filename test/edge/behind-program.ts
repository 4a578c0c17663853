import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_SITES } from '../../src/domain/embed/settings.ts';
import { listen } from '../../src/http/server/listen.ts';
import { newDatabase, openApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { type Edge, hasProgram, requestFrom } from './programs.ts';

/** Opens gateways with and without purges on one database, behind one listener, and a program in front of it. */
async function openBehind(openEdge: () => Promise<Edge>) {
  const edge = await openEdge();
  const databaseUrl = await newDatabase();
  const settings = { databaseUrl, allowPrivatePages: true, embedHost: `embeds.localhost:${edge.port}` };
  const purging = await openApp({ ...settings, purgeTargets: [{ url: edge.purgeUrl, header: null }] });
  const quiet = await openApp(settings);
  let gateway = purging;
  const requests: string[] = [];
  const forwardedFor: (string | null)[] = [];
  const answer: typeof gateway.app.handle = (request) => {
    requests.push(request.url);
    forwardedFor.push(request.headers.get('x-forwarded-for'));
    return gateway.app.handle(request);
  };
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: answer });
  onTestFinished(() => listener.close(0));
  await edge.start(listener.port);
  return {
    edge,
    requests,
    forwardedFor,
    ada: await purging.as('ada'),
    view: (url: string, init?: Parameters<typeof requestFrom>[2]) => requestFrom(edge.port, url, init),
    useShortLifetimes: () => {
      gateway = quiet;
    },
    stopGateway: () => listener.close(0),
  };
}

const REFRESH = 'mutation ($id: ID!) { refreshPage(input: { embedId: $id }) { embed { page { state } } } }';

interface Program {
  readonly name: string;
  readonly versionFlag: string;
  readonly open: () => Promise<Edge>;
  /** The content codings that the program stores. */
  readonly codings: readonly ('br' | 'gzip')[];
}

/** Declares the test of a program; it is skipped where the program is not installed. */
export function testBehind({ name, versionFlag, open, codings }: Program): void {
  test.skipIf(!hasProgram(name, versionFlag))(
    `behind ${name} with the supplied configuration, views do not reach the gateway, changes show at once, and pages outlive the gateway`,
    async () => {
      const behind = await openBehind(open);
      const { ada, view, requests } = behind;
      let word = 'flour';
      const site = await openSite((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', `<p>Much ${word}.</p>`));
      });
      const embed = await ada.create({ page_url: `${site.origin}/bread` });
      const deleted = await ada.create({ page_url: `${site.origin}/bread` });
      const limited = await ada.create({ page_url: `${site.origin}/bread` });
      const textOf = async (url = embed.embed_url) => (await view(url)).body.toString();
      const isStored = async (url: string, headers = {}) => (await view(url, { headers })).cache;

      for (const { embed_url } of [embed, deleted]) {
        await expect.poll(() => isStored(embed_url)).toBe('HIT');
        for (const coding of codings) {
          await expect.poll(() => isStored(embed_url, { 'accept-encoding': coding })).toBe('HIT');
        }
      }
      // a caller cannot choose its address: the program adds the real one at the end
      await view(new URL('/', embed.embed_url).href, { headers: { 'x-forwarded-for': '203.0.113.9' } });
      await view(new URL('/image/none', embed.embed_url).href, { headers: { 'x-forwarded-for': '203.0.113.9' } });
      expect(behind.forwardedFor.slice(-2)).toEqual(Array(2).fill('203.0.113.9, 127.0.0.1'));
      const asked = requests.length;
      const plain = await view(`${embed.embed_url}?utm=1`);
      expect(plain.body.toString()).toContain('Much flour');
      const { etag = '' } = plain.headers;
      expect(Object.keys(plain.headers).filter((name) => /^(surrogate-key|cache-tag)$/.test(name))).toEqual([]);
      for (const coding of codings) {
        const { headers, body } = await view(embed.embed_url, { headers: { 'accept-encoding': `${coding}, x` } });
        const decoded = coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
        expect([headers['content-encoding'], decoded.equals(plain.body)]).toEqual([coding, true]);
        expect([headers.etag, headers.vary?.toLowerCase(), headers['cache-control']]).toEqual([
          etag,
          expect.stringContaining('accept-encoding'),
          'no-cache',
        ]);
      }
      const unchanged = await view(embed.embed_url, { headers: { 'if-none-match': etag } });
      expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
      const head = await view(embed.embed_url, { method: 'HEAD' });
      expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, `${plain.body.length}`]);
      const range = await view(embed.embed_url, { headers: { range: 'bytes=0-9' } });
      expect([200, 206]).toContain(range.status);
      expect(plain.body.subarray(0, range.body.length).equals(range.body)).toBe(true);
      // the gateway was not asked
      expect(requests.length).toBe(asked);
      expect((await view(new URL('/', embed.embed_url).href)).status).toBe(308);

      await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { mode: 'dark' });
      await expect.poll(() => textOf()).toContain('data-mode="dark"');
      for (const coding of codings) {
        const isNew = async () =>
          (await view(embed.embed_url, { headers: { 'accept-encoding': coding } })).headers.etag !== etag;
        await expect.poll(isNew).toBe(true);
      }
      word = 'sourdough';
      await ada.graphql(REFRESH, { id: embed.id });
      await expect.poll(() => textOf()).toContain('Much sourdough');
      await ada.rest('DELETE', `/v1/embeds/${deleted.id}`);
      await expect.poll(async () => (await view(deleted.embed_url)).status).toBe(404);
      await ada.rest('PATCH', `/v1/embeds/${embed.id}`, { page_url: `${site.origin}/rolls` });
      await expect.poll(async () => (await view(embed.embed_url)).status).toBe(308);

      const sites = Array.from({ length: MAX_SITES }, (_, i) => `${i}.example.com`.padStart(40, 'a'));
      await ada.rest('PATCH', `/v1/embeds/${limited.id}/settings`, { allowed_sites: sites });
      await expect
        .poll(async () => (await view(limited.embed_url)).headers['content-security-policy'])
        .toContain(sites.at(-1));
      await expect.poll(() => isStored(limited.embed_url)).toBe('HIT');

      behind.useShortLifetimes();
      const { embed_url } = await ada.create({ page_url: `${site.origin}/bread` });
      await expect.poll(() => textOf(embed_url)).toContain('Much sourdough');
      await behind.stopGateway();
      await expect.poll(() => isStored(embed_url)).toBe('STALE');
      expect((await view(embed_url)).status).toBe(200);
      expect((await view(deleted.embed_url)).status).not.toBe(200);
    },
    60_000,
  );
}

/** Declares the test of requests with two hosts; it is skipped where the program is not installed. */
export function testForeignHostBehind({ name, versionFlag, open }: Omit<Program, 'codings'>): void {
  test.skipIf(!hasProgram(name, versionFlag))(
    `behind ${name}, the host of an absolute request target counts, and not Host`,
    async () => {
      const { ada, view, requests } = await openBehind(open);
      const site = await openSite((request, response) => {
        const text = `<p>Much ${request.url}.</p>`;
        response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', text));
      });
      const { embed_url } = await ada.create({ page_url: `${site.origin}/flour` });
      const other = await ada.create({ page_url: `${site.origin}/salt` });
      for (const url of [embed_url, other.embed_url])
        await expect.poll(async () => (await view(url)).cache).toBe('HIT');
      const { etag } = (await view(embed_url)).headers;

      // each URL in the path is a purge, if it reaches the listener for purges
      const asked = requests.length;
      const target = new URL(`/http://a/http://a/${embed_url}`, embed_url).href;
      const nested = await view(embed_url, { target, headers: { host: 'a' } });
      expect([nested.status, nested.headers.location]).toEqual([308, new URL(embed_url).pathname]);
      // another coding is not stored yet
      const headers = { 'accept-encoding': 'gzip' };
      const { host } = new URL(other.embed_url);
      const foreign = await view(embed_url, { target: embed_url, headers: { ...headers, host } });
      expect([foreign.status, foreign.headers.etag]).toEqual([200, etag]);
      const stored = await view(embed_url, { headers });
      expect([stored.status, stored.cache, stored.headers.etag]).toEqual([200, 'HIT', etag]);
      expect(requests.length - asked).toBeLessThanOrEqual(2);

      // the page of an embed on another port than 443 may report its views
      const origin = { origin: new URL(embed_url).origin };
      const report = await view(new URL('/views', embed_url).href, { method: 'POST', headers: origin });
      expect([report.status, report.body.toString()]).toEqual([415, expect.stringContaining('text/plain')]);
    },
    60_000,
  );
}

interface ExpiryProgram extends Omit<Program, 'codings'> {
  /** The gateway stops before the embed expires. */
  readonly isGatewayAway: boolean;
}

/** Declares the test of a program that stores pages; it is skipped where the program is not installed. */
export function testExpiryBehind({ name, versionFlag, open, isGatewayAway }: ExpiryProgram): void {
  test.skipIf(!hasProgram(name, versionFlag))(
    `behind ${name}, an embed that was stored is not shown after it expires${isGatewayAway ? ', while the gateway is away' : ''}`,
    async () => {
      const { ada, view, stopGateway } = await openBehind(open);
      const site = await openSite((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Bread', '<p>Much flour.</p>'));
      });
      const { id, embed_url } = await ada.create({ page_url: `${site.origin}/bread` });
      await expect.poll(async () => (await view(embed_url)).cache).toBe('HIT');
      const expiresAt = Math.ceil(Date.now() / 1_000) * 1_000 + 12_000;
      const { headers: stored } = await view(embed_url);
      const sent = { expires_at: new Date(expiresAt).toISOString() };
      await ada.rest('PATCH', `/v1/embeds/${id}/settings`, sent);
      // the purge has arrived: the lifetime ends with the embed
      await expect
        .poll(async () => (await view(embed_url)).headers['cdn-cache-control'])
        .not.toBe(stored['cdn-cache-control']);
      await expect.poll(async () => (await view(embed_url)).cache).toBe('HIT');
      const before = await view(embed_url);
      expect([before.cache, before.body.includes('Much flour')]).toEqual(['HIT', true]);
      if (isGatewayAway) await stopGateway();
      expect(Date.now()).toBeLessThan(expiresAt);
      // nobody looks meanwhile; programs count lifetimes in whole seconds
      await expect.poll(() => Date.now() > expiresAt + 1_000).toBe(true);
      const after = await view(embed_url);
      expect([after.status === 200, after.body.toString().includes('Much flour')]).toEqual([!isGatewayAway, false]);
    },
    120_000,
  );
}
