import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openRawService, type RawService } from '../http/server/open-raw-service.ts';
import { openApp } from '../open-app.ts';

/** Opens the service with one embed of an unavailable page. */
async function openWithEmbed(hosts = (port: number) => readConfig({ PORT: String(port) })) {
  const { as, listener, send } = await openRawService((port) => {
    const { embedHost, embedHostAlias } = hosts(port);
    return { embedHost, embedHostAlias, port };
  });
  const { id, embed_url } = await (await as('ada')).create();
  return { port: listener.port, send, id, path: new URL(embed_url).pathname };
}

interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function sendRequest(
  send: RawService['send'],
  host: string,
  target: string,
  method = 'GET',
  fields = '',
): Promise<RawResponse> {
  const text = await send(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${fields}\r\n`);
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(start.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}

test('serves an embed at every spelling of its host name, on any port, and nowhere else', async () => {
  const { port, send, id, path } = await openWithEmbed();
  const table: readonly (readonly [host: string, target: string, status: number])[] = [
    [`${id}.embeds.localhost:${port}`, path, 200],
    [`${id}.embeds.localhost`, path, 200],
    [`${id}.embeds.localhost:443`, path, 200],
    [`${id}.embeds.localhost.:${port}`, path, 200],
    [`${id.toUpperCase()}.Embeds.LocalHost:${port}`, path, 200],
    [`embeds.localhost:${port}`, `http://${id}.embeds.localhost:${port}${path}`, 200],
    [`${id}.embeds.localhost..:${port}`, path, 404],
    [`x.${id}.embeds.localhost:${port}`, path, 404],
    [`${id}x.embeds.localhost:${port}`, path, 404],
    [`-${id}.embeds.localhost:${port}`, path, 404],
    [`.embeds.localhost:${port}`, path, 404],
    [`${id}.embeds.localhost.evil.example`, path, 404],
    [`${id}embeds.localhost:${port}`, path, 404],
    [id, path, 404],
    [`embeds.localhost:${port}`, path, 404],
    [`embeds.localhost:${port}`, `/${id}${path}`, 404],
    [`embeds.localhost:${port}`, `/${id}`, 404],
    [`127.0.0.1:${port}`, `/${id}.embeds.localhost${path}`, 404],
    // the default was localhost before: snippets that people pasted then still work
    [`${id}.localhost:${port}`, path, 200],
    [`${id}.localhost`, path, 200],
    [`${id.toUpperCase()}.LocalHost.:${port}`, path, 200],
    [`x.${id}.localhost:${port}`, path, 404],
    [`${id}localhost:${port}`, path, 404],
    [`localhost:${port}`, path, 404],
    [`localhost:${port}`, `/${id}${path}`, 404],
  ];
  for (const [host, target, status] of table) {
    expect([host, target, (await sendRequest(send, host, target)).status]).toEqual([host, target, status]);
  }
});

test('redirects every other path to the canonical path', async () => {
  const { port, send, id, path } = await openWithEmbed();
  for (const target of [
    '/',
    '/?a=b',
    '//',
    '//evil.example',
    '//evil.example/..',
    '/\\evil.example',
    '/%2f%2fevil.example',
    `${path}/`,
    `${path}%20`,
    path.toLowerCase(),
    path.replace('-', '%2D'),
    '/%ZZ',
    '/%00',
    '/.well-known/security.txt',
    '/robots.txt',
    '/embed.js',
    '/oembed?url=x',
    '/livez',
    '/v1/embeds',
    '/Old-Title-95747105f402490eba51d52e00496c1c?x=1',
    '/graphql?query={__typename}',
  ]) {
    const { status, headers } = await sendRequest(send, `${id}.localhost:${port}`, target);
    expect([target, status, headers.get('location')]).toEqual([target, 308, path]);
    expect(headers.get('cache-control')).toBe('no-cache');
  }
  for (const target of [`${path}?utm_source=x`, `${path}?`, `${path}?a[]=%ZZ&__proto__=1`, `/x/..${path}`]) {
    expect([target, (await sendRequest(send, `${id}.localhost:${port}`, target)).status]).toEqual([target, 200]);
  }
});

test('HEAD mirrors GET, OPTIONS lists the methods, and other methods get an error page', async () => {
  const { port, send, id, path } = await openWithEmbed();
  const host = `${id}.embeds.localhost:${port}`;
  for (const target of [path, '/old']) {
    const [get, head] = [await sendRequest(send, host, target), await sendRequest(send, host, target, 'HEAD')];
    expect([target, head.status, head.body]).toEqual([target, get.status, '']);
    for (const name of ['content-type', 'etag', 'vary', 'location', 'cache-control', 'link']) {
      expect([target, name, head.headers.get(name)]).toEqual([target, name, get.headers.get(name)]);
    }
  }
  const [page, empty] = [await sendRequest(send, host, path), await sendRequest(send, host, path, 'HEAD')];
  expect(empty.headers.get('content-length')).toBe(page.headers.get('content-length'));
  const unknown = await sendRequest(send, `nope.localhost:${port}`, '/', 'HEAD');
  expect([unknown.status, unknown.body]).toEqual([404, '']);
  const options = await sendRequest(send, host, path, 'OPTIONS');
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
    const { status, headers } = await sendRequest(send, host, path, method, 'Content-Length: 0\r\n');
    expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
});

test.each([
  ['embeds.localhost:4000', null, 'http'],
  ['embeds.localhost:4000', 'https', 'https'],
  ['embeds.example', null, 'https'],
  ['embeds.example', 'http', 'http'],
] as const)('below %s, with EMBED_SCHEME %s, all URLs have the scheme %s', async (embedHost, embedScheme, scheme) => {
  const service = await openApp({ embedHost, embedScheme });
  const ada = await service.as('ada');
  const { id, embed_url } = await ada.create();
  expect(embed_url).toMatch(new RegExp(`^${scheme}://${id}\\.${embedHost}/`));
  const { data } = await ada.graphql('query($id: ID!) { embed(id: $id) { embedUrl html } }', { id });
  expect(data.embed.embedUrl).toBe(embed_url);
  expect(data.embed.html).toContain(`src="${embed_url}"`);
  expect(data.embed.html).toContain(`src="${scheme}://${embedHost}/embed.js"`);
  const page = await service.app.fetch(new Request(embed_url));
  expect(page.headers.get('link')).toContain(`<${scheme}://${embedHost}/oembed?url=`);
  const console = await ada.fetch('/', { headers: { accept: 'text/html' } });
  expect(console.headers.get('content-security-policy')).toContain(`${scheme}://*.${embedHost}`);
});
