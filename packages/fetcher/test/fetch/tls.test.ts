import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MAX_PAGE_BYTES } from '../../src/fetch/body.ts';
import { CERTIFICATE } from './certificate.ts';
import { openInternet, openRawHost, openWebHost, type WebHost } from './internet.ts';

const known = getCACertificates();
let site: WebHost;
beforeAll(async () => {
  site = await openWebHost({ secure: true });
  site.serve('/', (_request, response) => response.setHeader('content-type', 'text/html').end('<title>Safe</title>'));
});
afterEach(async () => {
  setDefaultCACertificates(known);
  await expect.poll(() => site.connections(), { message: 'no connection outlives its fetch' }).toBe(0);
});
afterAll(() => site.close());

test('sends the name of the site and accepts a certificate for that name', async () => {
  setDefaultCACertificates([CERTIFICATE]);
  const { fetcher, calls } = openInternet(site);
  for (const url of ['https://secure.example/', 'https://secure.example./']) {
    expect(await fetcher.fetch(url), url).toMatchObject({ kind: 'page', html: '<title>Safe</title>' });
    expect((site.requests.at(-1)?.socket as TLSSocket | undefined)?.servername).toBe('secure.example');
  }
  expect(calls[0]).toEqual({ addresses: ['93.184.215.16'], port: 443 });
});

test('reads a page of 5 MB', async () => {
  setDefaultCACertificates([CERTIFICATE]);
  const html = `<p>${' '.repeat(MAX_PAGE_BYTES - 3)}`;
  site.serve('/long', (_request, response) => response.setHeader('content-type', 'text/html').end(html));
  expect(await openInternet(site).fetcher.fetch('https://secure.example/long')).toMatchObject({ kind: 'page', html });
});

test.each([
  ['the certificate of another site', 'https://site.example/', [CERTIFICATE]],
  ['a certificate without the address', 'https://93.184.215.16/', [CERTIFICATE]],
  ['a certificate of an unknown authority', 'https://secure.example/', []],
])('rejects %s', async (_certificate, url, authorities) => {
  setDefaultCACertificates(authorities);
  const before = site.requests.length;
  expect(await openInternet(site).fetcher.fetch(url)).toEqual({ kind: 'failed', reason: 'unreachable' });
  expect(site.requests).toHaveLength(before);
});

test.each([
  ['ends', (socket: { end(): void }) => socket.end()],
  ['is reset', (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
  ['is not TLS', (socket: { end(text: string): void }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('a site whose handshake %s is unreachable', async (_failure, answer) => {
  const raw = await openRawHost((socket) => socket.once('data', () => answer(socket)));
  const startedAt = performance.now();
  const result = await openInternet(raw).fetcher.fetch('https://secure.example/');
  expect(result).toEqual({ kind: 'failed', reason: 'unreachable' });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await expect.poll(() => raw.connections()).toBe(0);
  await raw.close();
});

test('stops waiting for a handshake that never ends', async () => {
  const raw = await openRawHost((socket) => socket.resume());
  const result = await openInternet(raw).fetcher.fetch('https://secure.example/', { timeoutMs: 150 });
  expect(result).toEqual({ kind: 'failed', reason: 'timeout' });
  await expect.poll(() => raw.connections()).toBe(0);
  await raw.close();
});
