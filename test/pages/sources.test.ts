import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FetchOptions } from '../../packages/fetcher/src/index.ts';
import { openInternet, openWebHost, type WebHost } from '../../packages/fetcher/test/fetch/internet.ts';
import { type ArticleReader, createArticleReader } from '../../packages/reader/src/article-reader.ts';
import type { PageVersion } from '../../src/domain/page-copy.ts';
import { fetchAndRead } from '../../src/pages/fetch-and-read.ts';
import { articlePage } from './site.ts';

let site: WebHost;
let reader: ArticleReader;
beforeAll(async () => {
  site = await openWebHost();
  reader = createArticleReader();
});
afterAll(async () => {
  reader.close();
  await site.close();
});

type Served = readonly [headers: Readonly<Record<string, string>> | string | null, body: string | Uint8Array];

function serve(path: string, [headers, body]: Served): void {
  const declared = typeof headers === 'string' ? { 'content-type': headers } : headers;
  const fields = { 'content-length': Buffer.byteLength(body), ...declared };
  site.serve(path, (_request, response) => response.writeHead(200, fields).end(body));
}

async function read(url: string) {
  const { fetcher } = openInternet(site, async () => ['93.184.215.14']);
  const result = await fetchAndRead(url, null, {
    // the site has no certificate for these hosts
    fetcher: {
      ...fetcher,
      fetch: (from, options) => fetcher.fetch(from.replace(/^https:\/\/(?=publish|raw)/, 'http://'), options),
    },
    reader,
    robotsMode: 'respect' as const,
    signal: new AbortController().signal,
  });
  if (result.kind !== 'read') return { kind: result.kind, reason: 'reason' in result ? result.reason : null };
  const { status, article, resource } = result;
  // on a busy machine, the time for colours may be over
  const content = article.content?.replace(/<\/?span[^>]*>/g, '') ?? null;
  return { state: status.state, reason: status.reason, ...article, content, url: resource.url };
}

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const PNG = Buffer.concat([
  bytes('89504e470d0a1a0a 0000000d 49484452 00000140 000000f0 08060000 00'),
  Buffer.alloc(2_000, 7),
]);
const GIF = Buffer.concat([Buffer.from('GIF89a'), bytes('4001 f000 000000'), Buffer.alloc(100)]);
const JPEG = bytes('ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 00f0 0140 03 012200 021101 031101 ffd9');
const WEBP = Buffer.concat([
  Buffer.from('RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
  bytes('00000000 3f0100 ef0000'),
  Buffer.alloc(40),
]);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><script>alert(1)</script></svg>';
const MP4 = Buffer.concat([bytes('00000018'), Buffer.from('ftypisom'), Buffer.alloc(100)]);
const WEBM = Buffer.concat([bytes('1a45dfa3 9f4282 84'), Buffer.from('webm'), Buffer.alloc(100)]);
const MP3 = Buffer.concat([Buffer.from('ID3\x03\0', 'latin1'), Buffer.alloc(100)]);
const OGG = Buffer.concat([Buffer.from('OggS\0', 'latin1'), Buffer.alloc(100)]);
const ZIP = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(2_996)]);

const pdf = (objects: string) => Buffer.from(`%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${objects}\n%%EOF`, 'latin1');
const info = (title: string) =>
  pdf(`4 0 obj\n<< /Producer (x) /Title ${title} >>\nendobj\ntrailer << /Root 1 0 R /Info 4 0 R >>`);

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>The Baker</title>
  <link>https://baker.example/</link><atom:link rel="self" href="/feed"/><description>Bread every day</description><language>de-AT</language>
  <item><title>Rye &amp; salt</title><link>/rye</link><pubDate>Tue, 03 Mar 2026 08:00:00 GMT</pubDate>
  <description>&lt;p&gt;Dark &lt;b&gt;rye&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;</description></item></channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title type="html">Notes &lt;i&gt;x&lt;/i&gt;</title>
  <entry><title>Rye</title><link rel="replies" href="/comments"/><link rel="alternate" href="/rye"/>
  <published>2026-03-03T08:00:00Z</published><updated>2026-04-03T08:00:00Z</updated><summary>Dark rye</summary></entry></feed>`;
const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="x"><title>The Baker</title><link>https://baker.example/</link><items><rdf:Seq><rdf:li/></rdf:Seq></items></channel>
  <item rdf:about="y"><title>Rye</title><link>https://baker.example/rye</link><dc:date>2026-03-03</dc:date></item></rdf:RDF>`;
const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'The Baker',
  items: [{ url: '/rye', title: 'Rye', content_html: 'Dark rye</p>', date_published: '2026-03-03T08:00:00Z' }],
});
const MARKDOWN = `---
title: "Rye bread"
---
# Rye bread

See [the steps](#the-steps), [flour](flour.md) and ![a loaf](loaf.png).

## The steps!

- [x] mix
- [ ] bake

| what | how much |
|------|----------|
| rye  | 500 g    |

\`\`\`js
bake("rye")
\`\`\`

<details open onclick="alert(1)"><summary>More</summary><script>alert(1)</script><b>raw</b></details>
`;

const SHOWN = { state: 'SHOWN', reason: null };
const has = (...texts: string[]) => expect.stringMatching(new RegExp(texts.map((text) => `(?=[^]*${text})`).join('')));
const file = (facts: string) => ({
  state: 'NOT_A_PAGE',
  content: null,
  description: facts,
  reason: `The URL leads to a file, which can only be opened: ${facts}.`,
});
const picture = (size = ' width="320" height="240"') =>
  has(`<figure><img${size} src="http://site.example/[^"]+" alt="`);
const feedEntry = has(
  '<h3><a href="http(s://baker|://site).example/rye" target="_blank" rel="[^"]+">Rye',
  '<time datetime="2026-03-03T0[08]:00:00.000Z" class="date">',
);
const code = (language: string) => has(`<pre><code class="language-${language}">`);
const text = (start: string) => expect.stringMatching(`^<pre class="embed-text">${start}`);
const type = (contentType: string, more = {}) => ({ 'content-type': contentType, ...more });
const NOSNIFF = { 'x-content-type-options': 'nosniff' };

/** A path, what the site serves there, and what of the result matters. */
const SOURCES: readonly (readonly [string, Served, Readonly<Record<string, unknown>>])[] = [
  ['/a%20loaf.png', ['image/png', PNG], { ...SHOWN, title: 'a loaf.png', headTitle: null, content: picture() }],
  ['/loaf.jpg', ['image/jpg', JPEG], { ...SHOWN, content: picture(), image: 'http://site.example/loaf.jpg' }],
  ['/loaf.gif', ['image/gif', GIF], { content: picture() }],
  ['/loaf.webp', ['image/webp', WEBP], { content: picture() }],
  ['/drawing.svg', ['image/svg+xml', SVG], { content: picture() }],
  ['/mislabelled.png', ['text/html; charset=utf-8', PNG], { content: picture() }],
  ['/download', ['application/octet-stream', JPEG], { title: 'download', content: picture() }],
  ['/as-text.png', ['text/plain', PNG], { content: picture() }],
  ['/untyped', [null, PNG], { content: picture() }],
  ['/trusted.png', [type('application/octet-stream', NOSNIFF), PNG], file('PNG, 2 kB')],
  ['/broken.png', ['image/png', '<h1>Not found</h1>'], file('PNG, 18 bytes')],
  ['/scan.tiff', ['image/tiff', 'II*\0'], file('TIFF, 4 bytes')],
  [
    '/film.mp4',
    ['video/mp4', MP4],
    { ...SHOWN, title: 'film.mp4', content: has('<video .*preload="metadata" controls') },
  ],
  ['/film', ['binary/octet-stream', WEBM], { content: has('<video ') }],
  ['/song.mp3', [null, MP3], { ...SHOWN, content: has('<audio src="http://site.example/song.mp3" .*controls') }],
  ['/song.ogg', ['application/ogg', OGG], { content: has('<audio ') }],
  ['/film.avi', ['video/x-msvideo', 'RIFF'], file('AVI, 4 bytes')],
  [
    '/note.txt',
    ['text/plain', 'Rye & <b>salt</b>\n\n  water'],
    { title: 'note.txt', content: text('Rye &amp; &lt;b&gt;salt&lt;/b&gt;\n\n  water') },
  ],
  ['/page.txt', ['text/plain', '<!doctype html><title>x</title>'], { content: text('&lt;!doctype html&gt;') }],
  ['/empty.txt', ['text/plain', ''], file('TXT, 0 bytes')],
  ['/notes', ['application/octet-stream', 'Only text'], { content: text('Only text') }],
  ['/bake.py', ['text/plain', 'def bake():\n  pass'], { content: code('python') }],
  ['/bake.ts', ['video/mp2t', 'export {}'], { content: code('typescript') }],
  ['/bake.sh', ['application/x-sh', 'echo rye'], { content: code('bash') }],
  [
    '/data',
    ['application/json', '{"a":[1.50,{}],"b":"x{"}'],
    { content: has('\\{\n  "a": \\[\n    1\\.50,\n    \\{\\}\n  \\],\n  "b": "x\\{"\n\\}') },
  ],
  ['/data.xml', ['application/xml', '<a><b/></a>'], { content: code('xml') }],
  ['/page.xml', ['text/xml', `<?xml version="1.0"?>${articlePage('Bread')}`], { ...SHOWN, title: 'Bread' }],
  [
    '/table.csv',
    ['text/csv', 'what;how much\n"rye; dark";500 g\n'],
    { content: has('<div class="embed-table"><table>.*<th>how much</th>.*<td>rye; dark</td><td>500 g</td>') },
  ],
  ['/table.tsv', ['text/plain', 'a\tb\n1\t2'], { content: has('<td>1</td><td>2</td>') }],
  [
    '/README.md',
    [type('text/plain; charset=utf-8', NOSNIFF), MARKDOWN],
    {
      ...SHOWN,
      title: 'Rye bread',
      headTitle: 'Rye bread',
      content: expect.not.stringMatching(/alert|<h2[^>]*>Rye bread|onclick/),
    },
  ],
  [
    '/doc',
    ['text/markdown', MARKDOWN],
    {
      content: has(
        'href="#s-the-steps">the steps',
        'href="http://site.example/flour.md"',
        'src="http://site.example/loaf.png"',
        '<h2 id="s-the-steps">The steps!</h2>',
        '<input type="checkbox" disabled="" checked="" */?> ?mix',
        '<input type="checkbox" disabled="" */?> ?bake',
        '<div class="embed-table"><table>',
        'class="language-js',
        '<details open',
        '<b>raw</b>',
      ),
    },
  ],
  [
    '/feed',
    ['application/rss+xml', RSS],
    { ...SHOWN, title: 'The Baker', language: 'de-AT', content: feedEntry, description: 'Bread every day' },
  ],
  ['/rss-as-html', ['text/html', RSS], { content: has('Rye &amp; salt</a>', 'Dark rye</p>') }],
  ['/atom', ['text/xml', ATOM], { title: 'Notes x', language: 'en', content: feedEntry }],
  ['/rdf', ['application/rdf+xml', RDF], { title: 'The Baker', content: feedEntry }],
  ['/feed.json', ['application/json', JSON_FEED], { title: 'The Baker', content: feedEntry }],
  [
    '/no-entries',
    ['application/rss+xml', '<rss><channel><title>Quiet</title></channel></rss>'],
    { title: 'Quiet', state: 'NOT_A_PAGE' },
  ],
  [
    '/info.pdf',
    ['application/pdf', info('(Rye \\(dark\\) br\\353d)')],
    { ...file('PDF, 123 bytes'), title: 'Rye (dark) brëd', headTitle: 'Rye (dark) brëd' },
  ],
  ['/hex.pdf', ['application/octet-stream', info('<FEFF0052007900650021>')], { title: 'Rye!' }],
  [
    '/xmp.pdf',
    [null, pdf('<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Rye &amp; salt</rdf:li></rdf:Alt></dc:title>')],
    { title: 'Rye & salt' },
  ],
  ['/report.pdf', ['application/pdf', pdf('/Encrypt 9 0 R /Info 4 0 R')], { title: 'report.pdf', headTitle: null }],
  [
    '/files',
    [
      type('application/zip', { 'content-disposition': `attachment; filename="x"; filename*=UTF-8''br%C3%B6t.zip` }),
      ZIP,
    ],
    { ...file('ZIP, 3 kB'), title: 'bröt.zip' },
  ],
  ['/letter.docx', ['application/octet-stream', ZIP], file('DOCX, 3 kB')],
  ['/program.bin', ['application/x-thing', bytes('0001')], file('BIN, 2 bytes')],
  [
    '/forbidden.txt',
    [type('text/plain', { 'x-robots-tag': 'noarchive' }), 'Rye'],
    { state: 'NOT_ALLOWED', content: null },
  ],
  ['/packed.txt', [type('text/plain', { 'content-encoding': 'gzip' }), gzipSync('Rye')], { content: text('Rye') }],
];

test.each(SOURCES)('shows %s as what it is', async (path, served, expected) => {
  serve(path, served);
  expect(await read(`http://site.example${path}`)).toMatchObject(expected);
});

const refresh = (content: string, more = ''): Served => [
  'text/html',
  `<!doctype html><title>Moved</title><meta http-equiv="Refresh" content="${content}">${more}`,
];

test('follows a page without an article that refreshes itself within five seconds, with the checks of a redirect', async () => {
  serve('/bread', ['text/html', articlePage('Bread')]);
  for (const [content, title] of [
    ['0;url=/bread', 'Bread'],
    [`5 ; URL = '/bread' trailing`, 'Bread'],
    ['0, http://other.example/bread', 'Bread'],
    ['6;url=/bread', 'Moved'],
    ['0', 'Moved'],
    ['0;url=javascript:alert(1)', 'Moved'],
    ['0;url=/moved#here', 'Moved'],
  ] as const) {
    serve('/moved', refresh(content));
    expect(await read('http://site.example/moved'), content).toMatchObject({ title });
  }
  serve('/moved', refresh('0;url=http://private.example/'));
  const { fetcher } = openInternet(site);
  const access = { fetcher, reader, robotsMode: 'respect' as const, signal: new AbortController().signal };
  const blocked = await fetchAndRead('http://site.example/moved', null, access);
  expect(blocked).toEqual({ kind: 'failed', reason: 'blocked-address' });
  serve('/article', [
    'text/html',
    articlePage('Rye').replace('<title>', '<meta http-equiv=refresh content="0;url=/bread"><title>'),
  ]);
  expect(await read('http://site.example/article')).toMatchObject({ title: 'Rye' });
  serve('/scripts', [
    'text/html',
    '<title>App</title><noscript><meta http-equiv=refresh content="0;url=/bread"></noscript>',
  ]);
  expect(await read('http://site.example/scripts')).toMatchObject({ title: 'App' });
});

test('ends a loop of refreshes, and counts them with the redirects', async () => {
  serve('/a', refresh('0;url=/b'));
  serve('/b', refresh('0;url=/a'));
  site.requests.length = 0;
  expect(await read('http://site.example/a')).toMatchObject({ title: 'Moved', url: 'http://site.example/b' });
  expect(site.requests).toHaveLength(2);
  site.serve('/5', (_request, response) => response.writeHead(302, { location: '/4' }).end());
  for (let i = 4; i > 0; i--) serve(`/${i}`, refresh(`0;url=/${i - 1}`));
  serve('/0', ['text/html', articlePage('Bread')]);
  serve('/6', refresh('0;url=/5'));
  expect(await read('http://site.example/5')).toMatchObject({ title: 'Bread' });
  expect(await read('http://site.example/6')).toMatchObject({ title: 'Moved', url: 'http://site.example/1' });
});

test('tells where a page has moved, but not where that to which it refreshes itself, or its file, has', async () => {
  const { fetcher } = openInternet(site, async () => ['93.184.215.14']);
  const access = {
    fetcher: {
      ...fetcher,
      fetch: (from: string, options?: FetchOptions) => fetcher.fetch(from.replace(/^https:/, 'http:'), options),
    },
    reader,
    robotsMode: 'respect' as const,
    signal: new AbortController().signal,
  };
  const html = articlePage('Bread');
  site.serve('/new', ({ headers }, response) => {
    const isSame = headers['if-none-match'] === '"1"';
    response.writeHead(isSame ? 304 : 200, { 'content-type': 'text/html', etag: '"1"' }).end(isSame ? '' : html);
  });
  site.serve('/old', (_request, response) => response.writeHead(301, { location: '/new' }).end());
  serve('/start', refresh('0;url=/old'));
  serve('/ada/rye/main/new.txt', ['text/plain', 'rye = 1\n']);
  site.serve('/ada/rye/main/old.txt', (_request, response) => response.writeHead(301, { location: 'new.txt' }).end());
  const known = { url: 'http://site.example/new', etag: '"1"' } as PageVersion;
  for (const [url, version, movedTo] of [
    ['http://site.example/old', null, 'http://site.example/new'],
    ['http://site.example/old', known, 'http://site.example/new'],
    ['http://site.example/start', null, null],
    ['http://site.example/start', known, null],
    ['https://github.com/ada/rye/blob/main/old.txt', null, null],
  ] as const) {
    const result = await fetchAndRead(url, version, access);
    const moved = result.kind === 'read' ? result.resource.movedTo : result.kind === 'unchanged' && result.movedTo;
    expect([result.kind, moved], url).toEqual([version ? 'unchanged' : 'read', movedTo]);
  }
});

test('downloads a file only as far as it is needed', async () => {
  for (const [path, start, maximum] of [
    ['/endless.mp4', MP4, 2],
    ['/endless.png', PNG, 3],
    ['/endless.zip', ZIP, 2],
    ['/endless.txt', Buffer.from('Rye '), 12],
  ] as const) {
    let sent = 0;
    site.serve(path, (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000_000_000 });
      response.write(start);
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'Rye '))) sent += 64 * 1024;
      };
      response.on('drain', send);
      send();
    });
    const { state, description } = (await read(`http://site.example${path}`)) as { state: string; description: string };
    expect([state, description]).toEqual(path.endsWith('zip') ? ['NOT_A_PAGE', 'ZIP, 1 TB'] : ['SHOWN', null]);
    expect(sent, path).toBeLessThan(maximum * 1024 * 1024);
  }
});

test('shows the player of a page by its URL, or by its oEmbed description, and only of a known provider', async () => {
  const discovery = (href: string) => `<link rel="alternate" type="application/json+oembed" href="${href}">`;
  const describe = (frame: string) =>
    JSON.stringify({
      ...{ title: 'Rye <b>', author_name: 'Ada', thumbnail_url: 'https://i.example/a.jpg' },
      html: `<script>alert(1)</script><iframe src="${frame}" onload="alert(1)"></iframe>`,
    });
  const player = has('^<a class="embed-player"', 'data-frame="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ');
  serve('/oembed', ['application/json', describe('https://www.youtube.com/embed/aqz-KE-bpKQ')]);
  serve('/oembed-other', ['application/json', describe('https://evil.example/embed/aqz-KE-bpKQ')]);
  serve('/oembed-hostile', ['application/json', '['.repeat(1_000_000)]);

  serve('/watch?v=aqz-KE-bpKQ', ['text/html', `<title>Video</title>${discovery('/oembed')}`]);
  expect(await read('http://www.youtube.com/watch?v=aqz-KE-bpKQ')).toMatchObject({
    ...SHOWN,
    title: 'Rye <b>',
    byline: 'Ada',
    image: 'https://i.example/a.jpg',
    content: player,
  });
  for (const link of ['', discovery('/oembed-hostile'), discovery('http://127.0.0.1/'), discovery('/missing')]) {
    serve('/watch?v=aqz-KE-bpKQ', ['text/html', `<title>Video</title>${link}`]);
    expect(await read('http://www.youtube.com/watch?v=aqz-KE-bpKQ'), link).toMatchObject({
      title: 'Video',
      content: player,
    });
  }
  serve('/video', ['text/html', `<title>A site</title>${discovery('/oembed')}`]);
  expect(await read('http://site.example/video')).toMatchObject({ ...SHOWN, title: 'Rye <b>', content: player });
  serve('/video', ['text/html', `<title>A site</title>${discovery('/oembed-other')}`]);
  expect(await read('http://site.example/video')).toMatchObject({ title: 'A site', content: null });
  serve('/post', ['text/html', articlePage('Bread', '').replace('<title>', `${discovery('/oembed')}<title>`)]);
  expect(await read('http://site.example/post')).toMatchObject({ title: 'Bread' });

  const refused = { ...SHOWN, title: 'Vimeo', content: has('data-frame="https://player.vimeo.com/video/76979871') };
  for (const [status, expected] of [
    [403, refused],
    [404, { kind: 'failed' }],
  ] as const) {
    site.serve('/76979871', (_request, response) => response.writeHead(status).end());
    expect(await read('http://vimeo.com/76979871'), `${status}`).toMatchObject(expected);
  }
});

test('shows a file on a code host by its bytes, and else by its page', async () => {
  const page = 'http://github.com/ada/rye/blob/main/rye.py';
  serve('/ada/rye/main/rye.py', ['text/plain', 'rye = 1\n']);
  serve('/ada/rye/blob/main/rye.py', ['text/html', articlePage('Rye', '')]);
  const secure = page.replace('http:', 'https:');
  expect(await read(`${secure}#L1`)).toMatchObject({ title: 'rye.py', site: 'github.com', content: has('rye = ') });
  expect(await read(page)).toMatchObject({ title: 'Rye' });
  site.serve('/ada/rye/main/rye.py', (_request, response) => response.writeHead(404).end());
  expect(await read(secure)).toMatchObject({ kind: 'failed' });
  serve('/ada/rye/main/loaf.png', ['image/png', PNG]);
  const picture = has('src="http://raw.githubusercontent.com/ada/rye/main/loaf.png"');
  expect(await read(secure.replace('rye.py', 'loaf.png'))).toMatchObject({ content: picture });
});

test('shows a post as a quote with its author, by its oEmbed description', async () => {
  const describe = (html: string) => JSON.stringify({ type: 'rich', author_name: 'Ada <b>', html });
  const tweet =
    '<blockquote class="twitter-tweet"><p lang="en">Rye is best.<script>alert(1)</script></p>&mdash; Ada (@ada) ' +
    '<a href="https://x.com/ada/status/1" onclick="alert(1)">March 1</a></blockquote><script src="https://x.example/w.js"></script>';
  const quote = has(
    '^<blockquote><p lang="en">Rye is best.</p><p><cite>Ada \\(@ada\\) <a href="https://x.com/ada/status/1"',
  );
  site.serve('/ada/status/1', (_request, response) => response.writeHead(403).end());
  serve(`/oembed?omit_script=true&dnt=true&url=${encodeURIComponent('https://x.com/ada/status/1')}`, [
    'application/json',
    describe(tweet),
  ]);
  const post = (await read('http://x.com/ada/status/1')) as { content: string };
  expect(post).toMatchObject({ ...SHOWN, byline: 'Ada <b>', content: quote });
  expect(post.content).not.toMatch(/script|onclick|iframe/);

  const link = '<link rel="alternate" type="application/json+oembed" href="/api/oembed">';
  const html = `<title>Ada</title><meta name="description" content="Rye &lt;i&gt; is best.">${link}`;
  serve('/@ada/123456', ['text/html', html]);
  serve('/api/oembed', [
    'application/json',
    describe('<blockquote class="mastodon-embed"><a href="x"><div>View on Mastodon</div></a></blockquote>'),
  ]);
  const content = has('^<blockquote><p>Rye &lt;i&gt; is best.</p><p><cite><a href="http://site.example/@ada/123456"');
  expect(await read('http://site.example/@ada/123456')).toMatchObject({ ...SHOWN, content });
  serve('/api/oembed', ['application/json', describe('<blockquote class="other"><p>Rye</p></blockquote>')]);
  expect(await read('http://site.example/@ada/123456')).toMatchObject({ content: null });
});

const laughs = `<!DOCTYPE lolz [<!ENTITY a "lol">${'bcdefghij'
  .split('')
  .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghi'[i]};`.repeat(10)}">`)
  .join('')}]>`;
const million = (text: string) => text.repeat(1_000_000);

test.each([
  [
    'a feed with expanding entities',
    'application/rss+xml',
    `${laughs}<rss><channel><title>&j;</title><item><title>Rye &j;</title></item></channel></rss>`,
  ],
  ['a feed of deep elements', 'application/rss+xml', `<rss><channel><item><title>${million('<a>')}`],
  [
    'a feed of many entries',
    'application/rss+xml',
    `<rss><channel>${'<item><title>Rye</title></item>'.repeat(60_000)}`,
  ],
  [
    'a feed of deep JSON',
    'application/feed+json',
    `{"version":"https://jsonfeed.org/version/1","items":[${million('[')}`,
  ],
  ['deep JSON', 'application/json', million('[')],
  ['deep balanced JSON', 'application/json', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['an unclosed string', 'application/json', `"${million('\\\\')}`],
  ['Markdown of deep quotes', 'text/markdown', '>'.repeat(10_000)],
  ['Markdown of deep lists', 'text/markdown', '- '.repeat(5_000)],
  ['Markdown of open brackets', 'text/markdown', '['.repeat(10_000)],
  ['Markdown of emphasis', 'text/markdown', '*a_ '.repeat(5_000)],
  ['Markdown of open tags', 'text/markdown', '<div><b>'.repeat(10_000)],
  [
    'Markdown of a wide table',
    'text/markdown',
    `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n${`${'|b'.repeat(500)}\n`.repeat(10)}`,
  ],
  ['a table of one open quote', 'text/csv', `a,"${million('x,')}`],
  ['a table of many columns', 'text/csv', ','.repeat(100_000)],
  ['a PDF of titles', 'application/pdf', `%PDF-1.7\n/Info 1 0 R 1 0 obj /Title (${million('(')}`],
  ['a PDF of references', 'application/pdf', `%PDF-1.7\n${'/Info 1 0 R 1 0 obj '.repeat(100_000)}`],
  [
    'a picture of endless chunks',
    'image/jpeg',
    Buffer.concat([bytes('ffd8'), Buffer.alloc(1_000_000, bytes('ffe00002'))]),
  ],
  [
    'a picture of enormous size',
    'image/png',
    Buffer.concat([PNG.subarray(0, 16), bytes('ffffffff ffffffff'), PNG.subarray(24)]),
  ],
  ['a drawing of a million elements', 'image/svg+xml', `<svg ${million('a ')}`],
])('reads %s within its limits', async (_title, mediaType, body) => {
  serve('/hostile', [mediaType, body]);
  const result = await read('http://site.example/hostile');
  expect(JSON.stringify(result).length).toBeLessThan(2_500_000);
  expect(result).not.toHaveProperty('kind', 'dropped');
  serve('/after.txt', ['text/plain', 'Rye']);
  expect(await read('http://site.example/after.txt')).toMatchObject(SHOWN);
});
