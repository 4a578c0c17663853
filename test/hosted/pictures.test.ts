import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { dialDirectly } from '../../packages/fetcher/src/index.ts';
import { MAX_FETCHES_PER_HOST, MAX_WAITING } from '../../src/pages/fetch-queue.ts';
import { collectFaults, noBrowser, openPage } from '../browser.ts';
import { openApp, type TestApp } from '../open-app.ts';
import { openService } from '../open-service.ts';
import { articlePage, openSite } from '../pages/site.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1');
const GIF = Buffer.from('GIF89a\x01\0\x01\0', 'latin1');
const WEBP = Buffer.from('RIFF\x1a\0\0\0WEBPVP8 ', 'latin1');
const AVIF = Buffer.from('\0\0\0\x1cftypavif\0\0\0\0', 'latin1');
const ICO = Buffer.from('\0\0\x01\0\x01\0', 'latin1');
const BMP = Buffer.from('BM\x1a\0\0\0\0\0\0\0', 'latin1');
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>parent.location = 'http://evil.example/'</script><rect width="40" height="20" fill="teal"/></svg>`;
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

type Pictures = Readonly<Record<string, RequestListener>>;

const send =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { ...headers }).end(body);
const sendAs = (contentType: string, body: string | Uint8Array) => send(body, { 'content-type': contentType });
const redirect =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();

/** Opens a site with the given article at `/`, and its pictures. */
async function openPictureSite(inside: () => string, pictures: Pictures = {}, head = '') {
  return openSite((request, response) => {
    const picture = pictures[request.url ?? ''];
    if (picture) return picture(request, response);
    const html = articlePage('Gallery', inside()).replace('</head>', `${head}</head>`);
    if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    else response.writeHead(404).end();
  });
}

const openProxy = () => openApp({ imageProxy: true, allowPrivatePages: true });

/** Loads an embed until it shows its article. */
async function loadArticle({ app }: Pick<TestApp, 'app'>, embedUrl: string): Promise<{ html: string; policy: string }> {
  for (;;) {
    const response = await app.fetch(new Request(embedUrl));
    const html = await response.text();
    if (html.includes('<article')) return { html, policy: response.headers.get('content-security-policy') ?? '' };
  }
}

/** Returns the paths of the pictures in the content of a page, in their order. */
function picturesIn(html: string): readonly string[] {
  const content = html.slice(html.indexOf('<body'));
  return [...content.matchAll(/\/image\/[\w.-]+/g)].map(([path]) => path);
}

async function openEmbed(service: TestApp, pageUrl: string) {
  const ada = await service.as('ada');
  const embed = await ada.create({ page_url: pageUrl });
  const { html, policy } = await loadArticle(service, embed.embed_url);
  const get = (path: string, init?: RequestInit) =>
    service.app.fetch(new Request(new URL(path, embed.embed_url), init));
  return { ada, embed, html, policy, get, paths: picturesIn(html) };
}

test('names the host of the embed for every picture of a page, and loads media only when the reader plays them', async () => {
  const data = `data:image/png;base64,${Buffer.alloc(300, 'A').toString('base64')}`;
  const inside = `<figure><img src="/a.png?x=1&amp;y=2" srcset="/a.png 1x, /a@2.png 2x" alt="&quot;a &gt; b&quot; &lt;img src=&quot;http://alt.example/&quot;&gt;"></figure>
    <picture><source srcset="/wide.webp 800w, /narrow.webp 400w" type="image/webp"><img src="/photo.jpg" alt=""></picture>
    <p>Quoted: &lt;img src="http://quoted.example/"&gt;</p><img src="${data}" alt="">
    <video src="/film.mp4" poster="/poster.png" controls></video>
    <iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="A film"></iframe>`;
  const head = '<meta property="og:image" content="/hero.jpg"><link rel="icon" href="/icon.svg" sizes="any">';
  const site = await openPictureSite(() => inside, {}, head);
  const { html, policy, paths } = await openEmbed(await openProxy(), `${site.origin}/`);
  const quoted = '&lt;img src="http://quoted.example/"&gt;';
  expect(html).toContain(quoted);
  const body = html.slice(html.indexOf('<body')).replace(quoted, '');
  expect(policy).toContain("img-src 'self' data:;");
  expect(body.match(/(?:src|poster)="(?!\/image\/|data:)[^"]*"/g)).toEqual([`src="${site.origin}/film.mp4"`]);
  expect(body).toMatch(/srcset="\/image\/[\w-]{22} 1x, \/image\/[\w-]{22} 2x"/);
  expect(body).toMatch(/srcset="\/image\/[\w-]{22} 800w, \/image\/[\w-]{22} 400w"/);
  expect(body).toMatch(/src="\/image\/[\w-]{22}\.jpg"/);
  expect(body).toContain('preload="none"');
  expect(body).toContain(data);
  expect(new Set(paths).size).toBeGreaterThanOrEqual(9);
  expect(html).toContain(`<meta property="og:image" content="${site.origin}/hero.jpg">`);
});

test('names the host of the embed for the pictures of sources that are not HTML', async () => {
  const video = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');
  const site = await openPictureSite(() => '', {
    '/photo.png': sendAs('image/png', PNG),
    '/film.mp4': sendAs('video/mp4', video),
    '/notes.md': sendAs(
      'text/markdown',
      `# Notes\n\n${'Much to say about it. '.repeat(20)}\n\n![A photo](/photo.png)\n`,
    ),
  });
  const service = await openProxy();
  for (const path of ['/photo.png', '/notes.md']) {
    const { html, get, paths } = await openEmbed(service, site.origin + path);
    expect(html.match(/<img[^>]*src="http[^>]*>/g), path).toBeNull();
    expect((await get(paths[0] ?? '')).headers.get('content-type'), path).toBe('image/png');
  }
  const { html } = await openEmbed(service, `${site.origin}/film.mp4`);
  expect(html).toContain(`src="${site.origin}/film.mp4"`);
  expect(html).toContain('preload="none"');
});

test('names the sites of the pictures, and serves none, without the proxy', async () => {
  const site = await openPictureSite(() => '<img src="/a.png" alt="">');
  const { html, policy, get } = await openEmbed(await openApp({ allowPrivatePages: true }), `${site.origin}/`);
  expect(html).toContain(`<img src="${site.origin}/a.png"`);
  expect(policy).toContain('img-src http: https: data:;');
  expect((await get('/image/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(308);
});

test('serves pictures by their first bytes, and nothing else', async () => {
  let sent = 0;
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG);
    const chunk = Buffer.alloc(64 * 1024);
    const write = () => {
      sent += chunk.length;
      if (!response.destroyed) response.write(chunk, () => setImmediate(write));
    };
    write();
  };
  const bomb = gzipSync(Buffer.concat([PNG, Buffer.alloc(100 * 1024 * 1024)]));
  const html = '<!doctype html><script>alert(1)</script>';
  const cases: readonly (readonly [name: string, expected: string | 404, RequestListener])[] = [
    ['png', 'image/png', sendAs('image/png', PNG)],
    ['jpeg as text', 'image/jpeg', send(JPEG, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' })],
    ['gif as html', 'image/gif', sendAs('text/html', GIF)],
    ['webp without a type', 'image/webp', send(WEBP)],
    ['avif', 'image/avif', sendAs('image/avif', AVIF)],
    ['ico', 'image/x-icon', sendAs('image/x-icon', ICO)],
    ['bmp', 'image/bmp', sendAs('application/octet-stream', BMP)],
    ['svg', 'image/svg+xml', sendAs('image/svg+xml; charset=utf-8', SVG)],
    ['compressed png', 'image/png', send(gzipSync(PNG), { 'content-encoding': 'gzip', 'content-type': 'image/png' })],
    ['redirect', 'image/png', redirect('/0.png')],
    ['svg as text', 404, sendAs('text/plain', SVG)],
    ['html', 404, sendAs('text/html', html)],
    ['html as png', 404, sendAs('image/png', html)],
    ['html as svg', 404, sendAs('image/svg+xml', '<html xmlns="http://www.w3.org/1999/xhtml"><script/></html>')],
    ['pdf', 404, sendAs('application/pdf', '%PDF-1.7')],
    ['script as png', 404, sendAs('image/png', 'alert(1)')],
    ['empty', 404, sendAs('image/png', '')],
    ['not found', 404, (_request, response) => void response.writeHead(404).end(PNG)],
    ['endless', 404, endless],
    ['bomb', 404, send(bomb, { 'content-encoding': 'gzip', 'content-type': 'image/png' })],
    ['too large', 404, send(PNG, { 'content-length': String(MAX_PICTURE_BYTES + 1), 'content-type': 'image/png' })],
    ['own host', 404, redirect('http://localhost:4000/livez')],
    ['redirect loop', 404, redirect('/22.png')],
  ];
  const pictures = Object.fromEntries(cases.map(([, , listener], i) => [`/${i}.png`, listener]));
  const site = await openPictureSite(
    () => cases.map((_, i) => `<p><img src="/${i}.png" alt=""></p>`).join(''),
    pictures,
  );
  const { get, paths } = await openEmbed(await openProxy(), `${site.origin}/`);
  expect(paths).toHaveLength(cases.length);
  const responses = await Promise.all(paths.map((path) => get(path)));
  const found = responses.map(({ status, headers }, i) => {
    return [cases[i]?.[0], status === 200 ? headers.get('content-type') : status];
  });
  expect(found).toEqual(cases.map(([name, expected]) => [name, expected]));
  expect(sent).toBeLessThan(4 * MAX_PICTURE_BYTES);
  const svg = responses[7];
  expect(await svg?.text()).toBe(SVG);
  expect(Object.fromEntries(svg?.headers ?? [])).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none'; .*sandbox;/),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
  });
  expect(await responses[10]?.json()).toMatchObject({ status: 404, code: 'not_found' });
});

test('fetches pictures from public addresses only, also after a redirect', async () => {
  const inside = `<img src="/a.png" alt=""><img src="/redirect.png" alt=""><img src="http://10.0.0.7/b.png" alt="">
    <img src="http://169.254.169.254/c.png" alt=""><img src="http://site.example:8080/d.png" alt="">`;
  const picture = sendAs('image/png', PNG);
  const pictures = { '/a.png': picture, '/b.png': picture, '/redirect.png': redirect('http://10.0.0.7/b.png') };
  const site = await openPictureSite(() => inside, pictures);
  const dialed: string[] = [];
  const service = await openApp({ imageProxy: true }, undefined, {
    resolve: async () => ['93.184.215.14'],
    dial: (addresses, _port, signal) => {
      dialed.push(...addresses);
      return dialDirectly(['127.0.0.1'], Number(new URL(site.origin).port), signal);
    },
  });
  const { get, paths } = await openEmbed(service, 'http://site.example/');
  const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status));
  expect(statuses).toEqual([200, 404, 404, 404, 404]);
  expect(new Set(dialed)).toEqual(new Set(['93.184.215.14']));
  expect(site.requests.map(({ url }) => url).sort()).toEqual(['/', '/a.png', '/redirect.png']);
});

test('serves an embed only the pictures of its page, until it is deleted', async () => {
  const picture = sendAs('image/png', PNG);
  const pictures = { '/a.png': picture, '/b.png': picture };
  const site = await openPictureSite(() => '<img src="/a.png" alt="">', pictures);
  const other = await openPictureSite(() => '<img src="/b.png" alt="">', pictures);
  const service = await openProxy();
  const [a, b] = [await openEmbed(service, `${site.origin}/`), await openEmbed(service, `${other.origin}/`)];
  const [path = '', otherPath = ''] = [...a.paths, ...b.paths];
  const unknown = [
    otherPath,
    '/image/',
    '/image/x',
    `${path}/`,
    `/image/${encodeURIComponent(`${site.origin}/a.png`)}`,
  ];
  for (const one of unknown) expect((await a.get(one)).status, one).toBe(404);
  expect((await a.get(path, { method: 'POST' })).status).toBe(405);
  expect((await service.app.fetch(new Request(`http://localhost:4000${path}`))).status).toBe(404);
  expect(site.requests.map(({ url }) => url)).toEqual(['/']);
  expect((await a.get(path)).status).toBe(200);
  await a.ada.rest('DELETE', `/v1/embeds/${a.embed.id}`);
  expect((await a.get(path)).status).toBe(404);
});

test('fetches a picture once for all readers, again after the page is refreshed, and never once it is withdrawn', async () => {
  let version = 1;
  const resources: Record<string, RequestListener> = {
    '/a.png?v=1': sendAs('image/png', PNG),
    '/a.png?v=2': sendAs('image/png', PNG),
    '/withdrawn.png': sendAs('image/png', PNG),
  };
  const inside = () =>
    `<img src="/a.png?v=${version}" alt=""><img src="/gone.png" alt=""><img src="/withdrawn.png" alt="">`;
  const site = await openPictureSite(inside, resources);
  const service = await openProxy();
  const { ada, embed, get, paths } = await openEmbed(service, `${site.origin}/`);
  const [path = '', gone = '', withdrawn = ''] = paths;
  expect((await get(withdrawn)).status).toBe(200);
  const countOf = (url: string) => site.requests.filter((request) => request.url === url).length;
  const replies = await Promise.all(Array.from({ length: 10 }, () => get(path)));
  for (const reply of replies) expect(Buffer.from(await reply.arrayBuffer())).toEqual(PNG);
  const etag = replies[0]?.headers.get('etag') ?? '';
  const unchanged = await get(path, { headers: { 'if-none-match': etag } });
  expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, etag]);
  expect([(await get(gone)).status, (await get(gone)).status]).toEqual([404, 404]);
  expect([countOf('/a.png?v=1'), countOf('/gone.png')]).toEqual([1, 1]);

  version = 2;
  expect((await ada.rest('POST', `/v1/embeds/${embed.id}/refresh`)).status).toBe(200);
  const [changed = ''] = picturesIn((await loadArticle(service, embed.embed_url)).html);
  expect(changed).not.toBe(path);
  expect((await get(changed)).status).toBe(200);
  // a reader may still have the previous page open, and keeps its picture while the site fails
  resources['/a.png?v=1'] = (_request, response) => void response.writeHead(503).end();
  expect((await get(path)).status).toBe(200);
  expect((await get(path)).status).toBe(200);
  expect([countOf('/a.png?v=1'), countOf('/a.png?v=2')]).toEqual([2, 1]);
  resources['/withdrawn.png'] = (_request, response) => void response.writeHead(410).end();
  expect((await get(withdrawn)).status).toBe(404);

  resources['/'] = (_request, response) => void response.writeHead(410).end();
  const second = await ada.create({ page_url: `${site.origin}/` });
  expect((await ada.rest('POST', `/v1/embeds/${second.id}/refresh`)).body.page.state).toBe('gone');
  expect([(await get(changed)).status, (await get(path)).status]).toEqual([404, 404]);
});

test('asks a site for few pictures at once, and refuses those over the bound of the queue', async () => {
  const count = MAX_FETCHES_PER_HOST + MAX_WAITING + 20;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const picture: RequestListener = async (_request, response) => {
    most = Math.max(most, ++running);
    await released;
    running--;
    response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  };
  const numbers = Array.from({ length: count }, (_, i) => i);
  const site = await openPictureSite(
    () => numbers.map((i) => `<p><img src="/${i}.png" alt=""></p>`).join(''),
    Object.fromEntries(numbers.map((i) => [`/${i}.png`, picture])),
  );
  const { get, paths, embed } = await openEmbed(await openProxy(), `${site.origin}/`);
  expect(paths).toHaveLength(count);
  const pending = Promise.all(paths.map((path) => get(path)));
  await expect.poll(() => running).toBe(MAX_FETCHES_PER_HOST);
  // pages do not wait for pictures
  expect((await get(embed.embed_url)).status).toBe(200);
  release();
  const replies = await pending;
  const refused = replies.filter(({ status }) => status === 503);
  expect(refused).toHaveLength(20);
  expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(count - 20);
  expect(most).toBe(MAX_FETCHES_PER_HOST);
});

test.skipIf(noBrowser)(
  'a browser asks no other host for an embed with pictures, also in a sandbox without an origin',
  async () => {
    const svg = sendAs('image/svg+xml', SVG);
    const site = await openPictureSite(
      () => `<p><img src="/a.svg" alt="One"></p><p><img src="/b.jpg" srcset="/a.svg 1x, /b.svg 2x" alt="Two"></p>
        <picture><source srcset="/a.svg" media="(min-width: 1px)"><img src="/c.svg" alt="Three"></picture>
        <video src="/film.mp4" poster="/a.svg"></video>`,
      { '/a.svg': svg, '/b.svg': svg, '/c.svg': svg, '/hero.svg': svg },
      '<link rel="icon" href="/a.svg"><meta property="og:image" content="/hero.svg">',
    );
    const service = await openService((port) => {
      return { allowPrivatePages: true, imageProxy: true, embedHost: `embeds.localhost:${port}`, port };
    });
    const { embed } = await openEmbed(service, `${site.origin}/`);
    const host = await openSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><link rel="icon" href="data:,"><title>Host</title>
        <iframe src="${embed.embed_url}" sandbox="allow-scripts" width="800" height="3000"></iframe>`);
    });
    const page = await openPage({ viewport: { width: 1280, height: 3000 } });
    const origins = [new URL(embed.embed_url).origin, host.origin];
    const faults = collectFaults(page, {
      isAllowedUrl: (url) => url.startsWith('data:') || origins.includes(new URL(url).origin),
    });
    const unloaded = () =>
      page
        .frames()
        .at(-1)
        ?.locator('img')
        .evaluateAll((images) =>
          images.filter((image) => !((image as HTMLImageElement).naturalWidth > 0)).map((image) => image.outerHTML),
        );
    for (const url of [embed.embed_url, `${host.origin}/`]) {
      await page.goto(url);
      await expect.poll(unloaded).toEqual([]);
    }
    // an SVG that is opened by itself runs nothing
    const picture = await page.frames().at(-1)?.locator('img').first().getAttribute('src');
    await page.goto(new URL(picture ?? '', embed.embed_url).href);
    expect(new URL(page.url()).origin).toBe(origins[0]);
    expect(faults.filter((fault) => !fault.includes('Blocked script execution'))).toEqual([]);
  },
);

test.each([true, false])('lists get the icons of sites from the service, with imageProxy %s', async (imageProxy) => {
  const site = await openPictureSite(
    () => '',
    { '/icon.png': sendAs('image/png', PNG) },
    '<link rel="icon" href="/icon.png">',
  );
  const service = await openApp({ imageProxy, allowPrivatePages: true });
  const ada = await service.as('ada');
  const { id } = await ada.create({ page_url: `${site.origin}/` });
  const get = (name: string, headers = {}) => ada.fetch(`/icon/${name}`, { headers });
  // its title comes from the URL: the page was not fetched
  const unseen = await ada.create({ page_url: `${site.origin}/Unseen-${'0'.repeat(32)}` });
  expect([(await get(unseen.id)).status, (await get('nonsense')).status]).toEqual([204, 204]);
  await ada.rest('POST', `/v1/embeds/${id}/refresh`);
  const icon = await get(id);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(icon.headers.get('content-security-policy')).toContain('sandbox');
  expect(Buffer.from(await icon.arrayBuffer())).toEqual(PNG);
  expect((await get(id, { 'if-none-match': icon.headers.get('etag') ?? '' })).status).toBe(304);
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  expect((await get(id)).status).toBe(204);
});
