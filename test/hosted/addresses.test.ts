import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/listen.ts';
import { reply } from '../../src/http/reply.ts';
import { openApp } from '../open-app.ts';

/** The service on a port of its own, with one embed of a page that cannot be fetched. */
async function openService(hosts = (port: number) => readConfig({ PORT: String(port) })) {
  let answerTo: App['handle'] = async () => reply(null, { status: 503 });
  const listener = await listen({ port: 0, host: '127.0.0.1', answer: (request) => answerTo(request) });
  onTestFinished(() => listener.close(0));
  const { embedHost, embedHostAlias } = hosts(listener.port);
  const service = await openApp({ embedHost, embedHostAlias, port: listener.port });
  answerTo = service.app.handle;
  const { id, embed_url } = await (await service.as('ada')).create();
  return { port: listener.port, id, path: new URL(embed_url).pathname };
}

/** Sends the very bytes, and reads until the service ends the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk;
      })
      .on('end', () => resolve(text))
      .on('error', reject);
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function ask(port: number, host: string, target: string, method = 'GET', fields = ''): Promise<Answer> {
  const text = await exchange(
    port,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${fields}\r\n`,
  );
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(start.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}

test('an embed is at its host name however that is written, on whatever port, and nowhere else', async () => {
  const { port, id, path } = await openService();
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
    expect([host, target, (await ask(port, host, target)).status]).toEqual([host, target, status]);
  }
});

test('an embed host that is set serves alone', async () => {
  for (const host of ['embeds.example.com', 'localhost:4000', 'embeds.localhost:4000']) {
    const { port, id, path } = await openService(() => readConfig({ EMBED_HOST: host }));
    const [name] = host.split(':');
    for (const other of ['embeds.example.com', 'localhost', 'embeds.localhost']) {
      const { status } = await ask(port, `${id}.${other}:${port}`, path);
      expect([host, other, status]).toEqual([host, other, other === name ? 200 : 404]);
    }
  }
});

test('the API, the console, the script and oEmbed are at localhost and at the embed host itself, not below them', async () => {
  const { port, id, path } = await openService();
  const html = 'Accept: text/html\r\n';
  for (const host of [
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `embeds.localhost:${port}`,
    `embeds.localhost.:${port}`,
  ]) {
    expect([host, (await ask(port, host, '/livez')).status]).toEqual([host, 200]);
    expect([host, (await ask(port, host, '/v1/embeds')).status]).toEqual([host, 401]);
    expect([host, (await ask(port, host, '/', 'GET', html)).status]).toEqual([host, 200]);
    expect([host, (await ask(port, host, '/embed.js')).status]).toEqual([host, 200]);
    for (const embedHost of [`embeds.localhost:${port}`, `localhost:${port}`]) {
      const url = `http://${id}.${embedHost}${path}`;
      const { status, body } = await ask(port, host, `/oembed?url=${encodeURIComponent(url)}`);
      expect([host, embedHost, status]).toEqual([host, embedHost, 200]);
      expect(JSON.parse(body).html).toContain(`src="http://${id}.embeds.localhost:${port}${path}"`);
    }
  }
  for (const name of ['api', 'www', 'nope']) {
    for (const host of [`${name}.embeds.localhost:${port}`, `${name}.localhost:${port}`]) {
      for (const target of ['/livez', '/v1/embeds', '/graphql', '/', '/embed.js']) {
        const { status, headers } = await ask(port, host, target, 'GET', html);
        expect([host, target, status, headers.get('content-type')]).toEqual([
          host,
          target,
          404,
          'text/html; charset=utf-8',
        ]);
      }
    }
  }
});

test('every other path leads to the one path of the page, whatever it is made of', async () => {
  const { port, id, path } = await openService();
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
    '/graphql?query={__typename}',
  ]) {
    const { status, headers } = await ask(port, `${id}.embeds.localhost:${port}`, target);
    expect([target, status, headers.get('location')]).toEqual([target, 308, path]);
    expect(headers.get('cache-control')).toBe('no-cache');
  }
  for (const target of [`${path}?utm_source=x`, `${path}?`, `${path}?a[]=%ZZ&__proto__=1`, `/x/..${path}`]) {
    expect([target, (await ask(port, `${id}.embeds.localhost:${port}`, target)).status]).toEqual([target, 200]);
  }
});

test('HEAD says what GET would, OPTIONS what there is, and other methods are refused to people in words', async () => {
  const { port, id, path } = await openService();
  const host = `${id}.embeds.localhost:${port}`;
  for (const target of [path, '/old']) {
    const [get, head] = [await ask(port, host, target), await ask(port, host, target, 'HEAD')];
    expect([target, head.status, head.body]).toEqual([target, get.status, '']);
    for (const name of ['content-type', 'etag', 'vary', 'location', 'cache-control', 'link']) {
      expect([target, name, head.headers.get(name)]).toEqual([target, name, get.headers.get(name)]);
    }
  }
  const [page, empty] = [await ask(port, host, path), await ask(port, host, path, 'HEAD')];
  expect(empty.headers.get('content-length')).toBe(page.headers.get('content-length'));
  const unknown = await ask(port, `nope.embeds.localhost:${port}`, '/', 'HEAD');
  expect([unknown.status, unknown.body]).toEqual([404, '']);
  const options = await ask(port, host, path, 'OPTIONS');
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
    const { status, headers } = await ask(port, host, path, method, 'Content-Length: 0\r\n');
    expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
});

test('a browser that has the page among others it has seen gets 304, one that has another gets the page', async () => {
  const { port, id, path } = await openService();
  const host = `${id}.embeds.localhost:${port}`;
  const etag = (await ask(port, host, path)).headers.get('etag') ?? '';
  for (const [condition, status] of [
    [etag, 304],
    [`"a", ${etag}, W/"b"`, 304],
    [`"a",${etag.slice(2)}`, 304],
    ['*', 304],
    ['"a", W/"b"', 200],
    ['', 200],
    ['nonsense', 200],
  ] as const) {
    const answer = await ask(port, host, path, 'GET', `If-None-Match: ${condition}\r\nAccept-Encoding: br\r\n`);
    expect([condition, answer.status]).toEqual([condition, status]);
    if (status === 304) expect([answer.body, answer.headers.get('etag')]).toEqual(['', etag]);
  }
  const twoFields = `If-None-Match: "a"\r\nIf-None-Match: ${etag}\r\n`;
  expect((await ask(port, host, path, 'GET', twoFields)).status).toBe(304);
});
