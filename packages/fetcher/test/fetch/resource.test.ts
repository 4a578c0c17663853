import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_PAGE_BYTES } from '../../src/fetch/body.ts';
import { openInternet, openWebHost, type WebHost } from './internet.ts';

let site: WebHost;
beforeAll(async () => {
  site = await openWebHost();
});
afterAll(() => site.close());

const LINE = '{"text":"Rye"}\n';

function fetchFrom(listener: RequestListener) {
  site.serve('/lines', listener);
  const request = { url: 'http://site.example/lines', method: 'GET', headers: {}, body: null } as const;
  return openInternet(site).fetcher.fetchResource(request, new AbortController().signal);
}

test('returns what arrived of a stream that breaks', async () => {
  const fetched = await fetchFrom((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(LINE, () => response.destroy());
  });
  expect(fetched).toMatchObject({ kind: 'resource', body: Buffer.from(LINE) });
});

test('returns the start of a stream that is too long', async () => {
  const fetched = await fetchFrom((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(Buffer.alloc(MAX_PAGE_BYTES * 2));
  });
  expect(fetched.kind).toBe('resource');
  const { length } = fetched.kind === 'resource' ? fetched.body : [];
  expect(length).toBeGreaterThan(MAX_PAGE_BYTES * 0.9);
  expect(length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
});

test('returns lines with a declared length as a whole', async () => {
  const fetched = await fetchFrom((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': LINE.length * 2 }).write(LINE);
    setTimeout(() => response.end(LINE), 3_500);
  });
  expect(fetched).toMatchObject({ kind: 'resource', body: Buffer.from(LINE.repeat(2)) });
});
