import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import {
  brotliCompressSync,
  constants,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SNIFFED_BYTES } from '../../../reader/src/media-type.ts';
import { MAX_PAGE_BYTES } from '../../src/fetch/body.ts';
import { createPageFetcher, type FetchOptions, type FetchResult } from '../../src/fetch/fetch.ts';
import { openInternet, openRawHost, openWebHost, type WebHost } from './internet.ts';

let site: WebHost;
beforeAll(async () => {
  site = await openWebHost();
});
beforeEach(() => {
  site.requests.length = 0;
});
afterEach(async () => {
  await expect.poll(() => site.connections(), { message: 'no connection outlives its fetch' }).toBe(0);
});
afterAll(() => site.close());

const OWN_ADDRESSES = { embedHost: 'embeds.example', host: 'gateway.example', port: 4000 };

const page = (html = '<title>A page</title>', headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
};
const redirect = (location: string, status = 302): RequestListener => {
  return (_request, response) => response.writeHead(status, { location }).end('<title>Elsewhere</title>');
};

function fetchPage(url: string, options?: FetchOptions): Promise<FetchResult> {
  return openInternet(site).fetcher.fetch(url, options);
}

function serveAndFetch(listener: RequestListener, options?: FetchOptions): Promise<FetchResult> {
  site.serve('/page', listener);
  return fetchPage('http://site.example/page', options);
}

const failed = (reason: string) => ({ kind: 'failed', reason });

/** Returns the duration in milliseconds. */
async function measure(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

test('returns a page with its validators and robots directives', async () => {
  const listener = page('<title>Café</title>', {
    etag: 'W/"v1"',
    'last-modified': 'Tue, 15 Nov 1994 12:45:26 GMT',
    'x-robots-tag': 'noarchive',
  });
  expect(await serveAndFetch(listener)).toEqual({
    kind: 'page',
    url: 'http://site.example/page',
    html: '<title>Café</title>',
    etag: 'W/"v1"',
    lastModified: 'Tue, 15 Nov 1994 12:45:26 GMT',
    robots: 'noarchive',
    movedTo: null,
    redirects: 0,
  });
  expect(await serveAndFetch(page())).toMatchObject({ etag: null, lastModified: null, robots: null });
});

test('joins all X-Robots-Tag values', async () => {
  const result = await serveAndFetch((_request, response) => {
    response.writeHead(200, [
      ...['content-type', 'text/html', 'x-robots-tag', 'noindex'],
      ...['x-robots-tag', 'googlebot: none, noarchive'],
    ]);
    response.end('<p>');
  });
  expect(result).toMatchObject({ kind: 'page', robots: 'noindex\ngooglebot: none, noarchive' });
});

test('accepts response headers of 35 kB', async () => {
  expect(await serveAndFetch(page('<p>', { link: '</a>, '.repeat(5_000) }))).toMatchObject({ kind: 'page' });
});

test('sends its user agent, and no cookies or referrer', async () => {
  site.serve('/cookie', (_request, response) => {
    response.writeHead(302, { location: 'http://site.example/page', 'set-cookie': 'a=b' }).end();
  });
  site.serve('/page', page());
  await fetchPage('http://site.example/cookie');
  expect(site.requests.map(({ url }) => url)).toEqual(['/cookie', '/page']);
  for (const request of site.requests) {
    expect(request.headers).toEqual({
      host: 'site.example',
      'user-agent': 'Baker/1.0 (+https://baker.example)',
      accept: expect.stringMatching(/^text\/html,/),
      'accept-encoding': 'gzip, deflate, br, zstd',
      connection: 'close',
    });
  }
});

test('connects only to checked addresses', async () => {
  site.serve('/page', page());
  const { fetcher, calls } = openInternet(site);
  expect(await fetcher.fetch('http://other.example:443/page')).toMatchObject({ kind: 'page' });
  expect(await fetcher.fetch('http://8.8.8.8/page')).toMatchObject({ kind: 'page' });
  expect(await fetcher.fetch('http://[2606:4700::1111]/page')).toMatchObject({ kind: 'page' });
  expect(calls).toEqual([
    { addresses: ['2606:2800:21f:cb07::1', '93.184.215.15'], port: 443 },
    { addresses: ['8.8.8.8'], port: 80 },
    { addresses: ['2606:4700::1111'], port: 80 },
  ]);
  expect(site.requests[2]?.headers.host).toBe('[2606:4700::1111]');
});

const PRIVATE_URLS = [
  'http://localhost/',
  'http://localhost./',
  'http://localhost../',
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://0/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[fec0::1]/',
  'http://[fd00::1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'https://private.example/',
  'http://metadata.example/',
  'http://mixed.example/',
  'http://mapped.example/',
  'http://intranet/',
  'http://printer.local/',
];

test.each(PRIVATE_URLS)('refuses the private address of %s, requested or redirected to', async (url) => {
  const { fetcher, calls } = openInternet(site);
  expect(await fetcher.fetch(url)).toEqual(failed('blocked-address'));
  expect(calls).toEqual([]);
  site.serve('/moved', redirect(url));
  expect(await fetcher.fetch('http://site.example/moved')).toEqual(failed('blocked-address'));
  expect(calls).toHaveLength(1);
});

test('checks the addresses of a name again on every hop', async () => {
  site.serve('/page', redirect('/page'));
  const answers = [['93.184.215.14'], ['127.0.0.1'], ['93.184.215.14']];
  const { fetcher, calls } = openInternet(site, async () => answers.shift() ?? []);
  expect(await fetcher.fetch('http://rebind.example/page')).toEqual(failed('blocked-address'));
  expect(calls).toEqual([{ addresses: ['93.184.215.14'], port: 80 }]);
});

test('refuses ports other than 80 and 443', async () => {
  site.serve('/moved', redirect('http://site.example:6379/'));
  expect(await fetchPage('http://site.example/moved')).toEqual(failed('blocked-port'));
  expect(await fetchPage('https://site.example:22/')).toEqual(failed('blocked-port'));
});

test('refuses its own hosts', async () => {
  site.serve('/moved', redirect('https://01j.embeds.example./page'));
  expect(await fetchPage('http://site.example/moved')).toEqual(failed('own-host'));
  expect(await fetchPage('https://EMBEDS.example/page')).toEqual(failed('own-host'));
});

test.each([
  ['javascript:alert(1)'],
  ['file:///etc/passwd'],
  ['ftp://site.example/'],
  ['data:text/html,<p>'],
  ['http://ada:secret@site.example/'],
  ['http://ada@site.example/'],
  ['http://'],
])('refuses %s, requested or redirected to', async (url) => {
  site.serve('/moved', redirect(url));
  expect(await fetchPage('http://site.example/moved')).toEqual(failed('bad-redirect'));
  expect(await fetchPage(url)).toEqual(failed('bad-url'));
});

test('refuses a redirect without a location', async () => {
  expect(await serveAndFetch((_request, response) => response.writeHead(301).end())).toEqual(failed('bad-redirect'));
});

test('refuses a redirect to a URL of 10 kB', async () => {
  const listener = redirect(`/${'a'.repeat(10_000)}`);
  expect(await serveAndFetch(listener)).toEqual(failed('bad-redirect'));
});

test('follows five redirects and not six', async () => {
  site.serve('/page', page());
  for (const [index, status] of [301, 302, 303, 307, 308, 302].entries()) {
    site.serve(`/${index + 1}`, redirect(index === 0 ? '/page' : `${index}`, status));
  }
  expect(await fetchPage('http://site.example/5')).toMatchObject({ kind: 'page', url: 'http://site.example/page' });
  expect(await fetchPage('http://site.example/6')).toEqual(failed('too-many-redirects'));
});

test('ends a redirect loop', async () => {
  site.serve('/a', redirect('http://other.example/b'));
  site.serve('/b', redirect('http://site.example/a'));
  expect(await fetchPage('http://site.example/a')).toEqual(failed('too-many-redirects'));
  expect(site.requests).toHaveLength(6);
});

test.each([
  ['UTF-8', 'utf8', 'other.example/п', 'other.example/%D0%BF'],
  ['Latin-1', 'latin1', 'other.example/café?q=é', 'other.example/caf%E9?q=%E9'],
] as const)('follows a redirect whose target is written in raw %s', async (_name, encoding, target, expected) => {
  site.serve(expected.slice(expected.indexOf('/')), page());
  const { fetcher } = openInternet(site);
  site.serve('/moved', (_request, response) => {
    response.socket?.end(`HTTP/1.1 302 Found\r\nLocation: http://${target}\r\n\r\n`, encoding);
  });
  const result = await fetcher.fetch('http://site.example/moved');
  expect(result).toMatchObject({ kind: 'page', url: `http://${expected}` });
});

test('decodes gzip, deflate, br and zstd', async () => {
  const html = '<title>Compressed</title>'.repeat(1_000);
  const compressed = {
    gzip: gzipSync(html),
    deflate: deflateSync(html),
    br: brotliCompressSync(html),
    zstd: zstdCompressSync(html),
    'X-GZIP': gzipSync(html),
    identity: Buffer.from(html),
    'UTF-8': Buffer.from(html),
    none: Buffer.from(html),
  };
  for (const [encoding, body] of Object.entries({ ...compressed })) {
    const result = await serveAndFetch((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(body);
    });
    expect(result, encoding).toMatchObject({ kind: 'page', html });
  }
  const withoutWrapper = await serveAndFetch((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'deflate' }).end(deflateRawSync(html));
  });
  expect(withoutWrapper, 'deflate without its zlib wrapper').toMatchObject({ kind: 'page', html });
});

test('refuses encodings that it did not request, and bodies that are not encoded as declared', async () => {
  for (const encoding of ['compress', 'gzip, gzip', 'gzip', 'br', 'deflate', 'zstd']) {
    const result = await serveAndFetch((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding })
        .end('<p>not compressed</p>');
    });
    expect(result, encoding).toEqual(failed('broken-body'));
  }
});

test('refuses a compressed page that has more than 5 MB once decoded', async () => {
  const bomb = Buffer.alloc(20 * 1024 * 1024, ' ');
  for (const [encoding, body] of [
    ['gzip', gzipSync(bomb, { level: 1 })],
    ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zstdCompressSync(bomb)],
  ] as const) {
    expect(body.length).toBeLessThan(1024 * 1024);
    const result = await serveAndFetch((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(body);
    });
    expect(result, encoding).toEqual(failed('too-large'));
  }
});

test('refuses zstd with a window of more than 8 MB', async () => {
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 24 } });
  const compressed: Buffer[] = [];
  compressor.on('data', (chunk: Buffer) => compressed.push(chunk));
  compressor.write('<title>Wide</title>');
  compressor.end('<p>');
  await once(compressor, 'end');
  const result = await serveAndFetch((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'zstd' }).end(Buffer.concat(compressed));
  });
  expect(zstdDecompressSync(Buffer.concat(compressed)).toString()).toBe('<title>Wide</title><p>');
  expect(result).toEqual(failed('broken-body'));
});

test('accepts a page of exactly 5 MB and refuses one byte more, compressed or not', async () => {
  const whole = `<p>${' '.repeat(MAX_PAGE_BYTES - 3)}`;
  const compressed = (html: string): RequestListener => {
    return (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(gzipSync(html, { level: 1 }));
  };
  expect(await serveAndFetch(page(whole))).toMatchObject({ kind: 'page', html: whole });
  expect(await serveAndFetch(compressed(whole))).toMatchObject({ kind: 'page', html: whole });
  expect(await serveAndFetch(page(`${whole} `))).toEqual(failed('too-large'));
  expect(await serveAndFetch(compressed(`${whole} `))).toEqual(failed('too-large'));
});

test('stops reading a page of 50 MB without a Content-Length', async () => {
  let sent = 0;
  const result = await serveAndFetch((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const send = () => {
      while (sent < 50 * 1024 * 1024 && !response.destroyed) {
        sent += 64 * 1024;
        if (!response.write(Buffer.alloc(64 * 1024, ' '))) return;
      }
      response.end();
    };
    response.on('drain', send);
    send();
  });
  expect(result).toEqual(failed('too-large'));
  expect(sent).toBeLessThan(30 * 1024 * 1024);
});

test('accepts small chunks, and refuses a page whose chunk framing exceeds its limit', async () => {
  const chunks = (text: string, count: number) => `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);
  const chunked = (body: string) => (socket: Socket) =>
    socket.once('data', () => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n';
      socket.end(`${head}${body}0\r\n\r\n`);
    });
  for (const [body, expected] of [
    [chunks('<p>a small chunk', 20_000), { kind: 'page' }],
    [chunks('a', 1_000_000), failed('too-large')],
    [chunks('a', 1_000).replaceAll('1\r\n', `1;${'x'.repeat(1_000)}\r\n`), failed('too-large')],
  ] as const) {
    const raw = await openRawHost(chunked(body));
    expect(await openInternet(raw).fetcher.fetch('http://site.example/')).toMatchObject(expected);
    await expect.poll(() => raw.connections()).toBe(0);
    await raw.close();
  }
});

test('does not read a page whose Content-Length exceeds the limit', async () => {
  const result = await serveAndFetch((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': MAX_PAGE_BYTES + 1 });
    response.write('<p>'.repeat(SNIFFED_BYTES));
  });
  expect(result).toEqual(failed('too-large'));
});

test('times out on a page that never starts, never ends or trickles', async () => {
  const silent: RequestListener = () => {};
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<p>');
  };
  const trickling: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
    const timer = setInterval(() => response.write(gzipSync(' ')), 20);
    response.on('close', () => clearInterval(timer));
  };
  for (const listener of [silent, endless, trickling]) {
    const result = serveAndFetch(listener, { timeoutMs: 150 });
    expect(await measure(result)).toBeLessThan(1_000);
    expect(await result).toEqual(failed('timeout'));
  }
});

test('times out at once if no time is left', async () => {
  expect(await fetchPage('http://site.example/', { timeoutMs: -0.5 })).toEqual(failed('timeout'));
});

test('applies one timeout to all redirects together', async () => {
  site.serve('/slow', (_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/slow' }).end(), 80);
  });
  expect(await fetchPage('http://site.example/slow', { timeoutMs: 200 })).toEqual(failed('timeout'));
  expect(site.requests.length).toBeGreaterThan(1);
});

test('stops when the caller aborts', async () => {
  const caller = new AbortController();
  const result = serveAndFetch(() => caller.abort(), { signal: caller.signal });
  expect(await result).toEqual(failed('aborted'));
  expect(site.requests).toHaveLength(1);
  expect(await serveAndFetch(page(), { signal: caller.signal })).toEqual(failed('aborted'));
  expect(site.requests).toHaveLength(1);
});

test('returns the status of an HTTP error', async () => {
  expect(await fetchPage('http://site.example/missing')).toEqual({ ...failed('http-error'), status: 404 });
  for (const status of [206, 300, 304, 410, 500]) {
    const result = await serveAndFetch((_request, response) => response.writeHead(status).end());
    expect(result).toEqual({ ...failed('http-error'), status });
  }
});

const known = { url: 'http://site.example/page', etag: '"v1"', lastModified: 'Tue, 15 Nov 1994 12:45:26 GMT' };
const unchanged = { kind: 'unchanged', robots: null, movedTo: null };
const conditional: RequestListener = (request, response) => {
  const isSame = request.headers['if-none-match'] === '"v1"' || request.headers['if-modified-since'] !== undefined;
  return isSame ? response.writeHead(304).end() : page()(request, response);
};

test('makes a conditional request for a known version', async () => {
  expect(await serveAndFetch(conditional, { known })).toEqual(unchanged);
  expect(site.requests[0]?.headers).toMatchObject({
    'if-none-match': '"v1"',
    'if-modified-since': 'Tue, 15 Nov 1994 12:45:26 GMT',
  });
  const one = await serveAndFetch(conditional, { known: { ...known, lastModified: null } });
  const other = await serveAndFetch(conditional, { known: { ...known, etag: null } });
  expect([one, other]).toEqual([unchanged, unchanged]);
  expect(await serveAndFetch(conditional)).toMatchObject({ kind: 'page' });
});

test('returns the robots directives of an unchanged page', async () => {
  const forbidding: RequestListener = (_request, response) =>
    response.writeHead(304, { 'x-robots-tag': 'noarchive' }).end();
  expect(await serveAndFetch(forbidding, { known })).toEqual({ ...unchanged, robots: 'noarchive' });
});

test('sends validators only to the URL that issued them, after redirects too', async () => {
  site.serve('/page', conditional);
  site.serve('/here', redirect('/page'));
  site.serve('/there', redirect('http://other.example/page'));
  expect(await fetchPage('http://site.example/here', { known })).toEqual(unchanged);
  expect(await fetchPage('http://site.example/there', { known })).toMatchObject({ kind: 'page' });
  const moved = { ...known, url: 'http://other.example/page' };
  expect(await fetchPage('http://site.example/there', { known: moved })).toEqual(unchanged);
  const sent = site.requests.map(({ headers, url }) => [headers.host, url, headers['if-none-match']]);
  expect(sent).toEqual([
    ['site.example', '/here', undefined],
    ['site.example', '/page', '"v1"'],
    ['site.example', '/there', undefined],
    ['other.example', '/page', undefined],
    ['site.example', '/there', undefined],
    ['other.example', '/page', '"v1"'],
  ]);
});

test('neither sends nor returns invalid validators', async () => {
  const forged = { ...known, etag: '"a"\r\nx-evil: 1', lastModified: 'Tue, 15 Nov 1994 12:45:26 GMT\r\n' };
  expect(await serveAndFetch(conditional, { known: forged })).toMatchObject({ kind: 'page' });
  const strange = page('<p>', { etag: 'v1', 'last-modified': 'the other day' });
  expect(await serveAndFetch(strange)).toMatchObject({ kind: 'page', etag: null, lastModified: null });
});

test('a name without addresses is unreachable', async () => {
  expect(await fetchPage('http://unknown.example/')).toEqual(failed('unreachable'));
  expect(await fetchPage('http://empty.example/')).toEqual(failed('unreachable'));
});

test('a truncated body is broken', async () => {
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100 });
    response.write('<p>', () => response.destroy());
  };
  expect(await serveAndFetch(cut)).toEqual(failed('broken-body'));
});

test.each([
  ['nothing', ''],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['half a header', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ['headers of 170 kB', `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${'X-Header: value\r\n'.repeat(10_000)}\r\n<p>`],
])('a site that answers with %s is unreachable', async (_description, answer) => {
  const raw = await openRawHost((socket) => socket.once('data', () => socket.end(answer)));
  const result = openInternet(raw).fetcher.fetch('http://site.example/');
  expect(await measure(result)).toBeLessThan(1_000);
  expect(await result).toEqual(failed('unreachable'));
  await expect.poll(() => raw.connections()).toBe(0);
  await raw.close();
});

test('skips a few 1xx responses, and fails after many', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const respond = (hints: number) => (socket: Socket) =>
    socket.once('data', () => socket.write(`${hint.repeat(hints)}HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<p>`));
  const [polite, endless] = [await openRawHost(respond(5)), await openRawHost(respond(10_000))];
  expect(await openInternet(polite).fetcher.fetch('http://site.example/')).toMatchObject({ kind: 'page' });
  expect(await openInternet(endless).fetcher.fetch('http://site.example/')).toEqual(failed('unreachable'));
  for (const host of [polite, endless]) {
    await expect.poll(() => host.connections()).toBe(0);
    await host.close();
  }
});

test('fetches private pages on any port where the operator allows it', async () => {
  site.serve('/page', page());
  const fetcher = createPageFetcher({
    policy: { allowPrivatePages: true },
    ownAddresses: OWN_ADDRESSES,
    userAgent: 'Test',
  });
  for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
    expect(await fetcher.fetch(`http://${host}:${site.port}/page`), host).toMatchObject({ kind: 'page' });
  }
  expect(site.requests[0]?.headers.host).toBe(`127.0.0.1:${site.port}`);
});

test('tries the next address when one does not respond', async () => {
  site.serve('/page', page());
  const fetcher = createPageFetcher({
    policy: { allowPrivatePages: true },
    ownAddresses: OWN_ADDRESSES,
    userAgent: 'Test',
    resolve: async () => ['::1', '127.0.0.1'],
  });
  expect(await fetcher.fetch(`http://site.test:${site.port}/page`)).toMatchObject({ kind: 'page' });
  expect(await fetcher.fetch(`http://site.test:1/page`)).toEqual(failed('unreachable'));
});
