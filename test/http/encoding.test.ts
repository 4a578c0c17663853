import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseCoding } from '../../src/http/negotiation.ts';
import { toResponse } from '../../src/http/reply.ts';
import { createRepresentation } from '../../src/http/representation.ts';

/** Creates a representation that replies with Fetch responses. */
function createPage(text: string, headers: Record<string, string>) {
  const page = createRepresentation(text, headers);
  return {
    answer: async (request: Request) => toResponse(await page.reply(request)),
  };
}

const TEXT = 'The pantry list starts with what is already there. '.repeat(100);

const requestWith = (headers: Record<string, string>) => new Request('http://localhost/', { headers });

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.5', 'br'],
  ['gzip;q=0', 'identity'],
  ['gzip; q=0.000, br ; q=0', 'identity'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['*;q=0', 'identity'],
  ['*;q=0, gzip', 'gzip'],
  ['identity', 'identity'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, zstd', 'identity'],
  ['gzip;q=nonsense, br;q=2', 'identity'],
  ['gzip;q=x1, br;q=1x', 'identity'],
  ['gzip;x=1;q=0', 'identity'],
  ['gzip;q=0.25', 'gzip'],
  ['br;q=0.999, gzip;q=1.000', 'gzip'],
  ['deflate, zstd', 'identity'],
  [',,;q=1, ,gzip', 'gzip'],
])('chooses for Accept-Encoding: %s the coding %s', (field, coding) => {
  expect(chooseCoding(field)).toBe(coding);
});

test('sends the same text in every coding, with Accept-Encoding in Vary', async () => {
  const page = createPage(TEXT, { 'content-type': 'text/plain', vary: 'Accept' });
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
  for (const [coding, decode] of Object.entries(unpack)) {
    const response = await page.answer(requestWith({ 'accept-encoding': coding }));
    expect(response.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding);
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(decode(Buffer.from(await response.arrayBuffer())).toString()).toBe(TEXT);
  }
});

test('replies with 304 only to the current entity tag, in any coding', async () => {
  const page = createPage(TEXT, { 'cache-control': 'no-cache' });
  const etag = (await page.answer(requestWith({ 'accept-encoding': 'br' }))).headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"/);
  for (const condition of [etag, etag.slice(2), `"a", ${etag}`, `W/"a,b" , ${etag},"c"`, '*']) {
    const response = await page.answer(requestWith({ 'if-none-match': condition, 'accept-encoding': 'gzip' }));
    expect([condition, response.status, await response.text()]).toEqual([condition, 304, '']);
    expect(Object.fromEntries(response.headers)).toEqual({
      etag,
      vary: 'Accept-Encoding',
      'cache-control': 'no-cache',
    });
  }
  for (const condition of ['', '"a"', etag.slice(0, -2), etag.replaceAll('"', '')]) {
    expect([condition, (await page.answer(requestWith({ 'if-none-match': condition }))).status]).toEqual([
      condition,
      200,
    ]);
  }
});

test('changes the entity tag when the headers change', async () => {
  const etagWith = async (policy: string) =>
    (await createPage(TEXT, { 'content-security-policy': policy }).answer(requestWith({}))).headers.get('etag');
  expect(await etagWith('a')).not.toBe(await etagWith('b'));
});
