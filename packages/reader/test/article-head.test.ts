import { describe, expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';

const URL_OF_PAGE = 'https://www.baker.example/blog/bread';
const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters: the ' +
  'flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else. ';

function read(head: string, start = '', root = '<html lang="en">') {
  const text = `<p>${PROSE.repeat(2)}</p>`.repeat(2);
  const html = `<!doctype html>${root}<head>${head}</head><body><main><article>${start}${text}</article></main></body></html>`;
  return readArticle(html, { url: URL_OF_PAGE, robots: null }).article;
}

const jsonLd = (...things: readonly object[]) =>
  `<script type="application/ld+json">${JSON.stringify(things)}</script>`;
const article = (facts: object) => jsonLd({ '@type': 'NewsArticle', ...facts });

describe('the title', () => {
  test.each([
    ['Bread | The Baker', 'The Baker', 'Bread'],
    ['The Baker - Bread', 'The Baker', 'Bread'],
    ['Bread — The Baker', 'the  baker', 'Bread'],
    ['Bread :: The Baker', 'The Baker', 'Bread'],
    ['Bread · The Baker', 'The Baker', 'Bread'],
    ['パンの話｜ベーカー', 'ベーカー', 'パンの話'],
    ['Bread - Baker - News', 'Baker - News', 'Bread'],
    ['Bread | Recipes | The Baker', 'The Baker', 'Bread | Recipes'],
    // the host
    ['Bread | baker.example', '', 'Bread'],
    ['Bread | Baker', '', 'Bread'],
    // not the site
    ['Bread - a long story', 'The Baker', 'Bread - a long story'],
    ['Well-known bread', 'Well', 'Well-known bread'],
    ['The Baker', 'The Baker', 'The Baker'],
  ])('%s of the site %s', (title, site, expected) => {
    expect(read(`<title>${title}</title>${site && `<meta property="og:site_name" content="${site}">`}`).title).toBe(
      expected,
    );
    expect(read(`<meta property="og:title" content="${title}">${article({ publisher: { name: site } })}`).title).toBe(
      expected,
    );
  });

  test('is without its section if the first heading is', () => {
    expect(read('<title>Bread | Recipes</title>', '<h1>Bread</h1>').title).toBe('Bread');
  });

  test('comes from the article among the structured data, unless the page is about something else', () => {
    const other = { '@type': 'Product', name: 'Oven', description: 'An oven', headline: 'Buy an oven' };
    const teaser = {
      '@type': 'BlogPosting',
      headline: 'Ten cakes for tea',
      author: 'Bob',
      datePublished: '2001-01-01',
    };
    const own = { '@type': 'BlogPosting', headline: 'Bread at home', author: 'Ada', url: '/blog/bread/' };
    expect(read(jsonLd(other, own), '').title).toBe('Bread at home');
    expect(read(`<title>Bread at home now</title>${jsonLd(other, teaser, own)}`)).toMatchObject({ byline: 'Ada' });
    const mistaken = read(`<title>Bread at home</title>${jsonLd(other, teaser)}`);
    expect(mistaken).toMatchObject({ title: 'Bread at home', byline: null, publishedAt: null, description: null });
    const wild = { ...own, headline: 'lorem_default_headline' };
    expect(read(jsonLd(wild), '<h1>Bread at home</h1>')).toMatchObject({ title: 'Bread at home', byline: 'Ada' });
  });
});

describe('the date', () => {
  const meta = (content: string) => `<title>Bread</title><meta property="article:published_time" content="${content}">`;
  test.each([
    ['2026-03-12', '2026-03-12'],
    ['2026-03-12T09:30:00+02:00', '2026-03-12T07:30:00.000Z'],
    ['2026-03-12T23:30:00-0500', '2026-03-13T04:30:00.000Z'],
    ['2026-03-12 09:30', '2026-03-12T09:30:00.000Z'],
    ['2026/3/2', '2026-03-02'],
    ['March 12, 2026', '2026-03-12'],
    ['Thu, 12 Mar 2026 09:30:00 GMT', '2026-03-12'],
    ['2026-03-12T00:00:00+01:00', '2026-03-12'],
    ['2026-03-12T00:00:00Z', '2026-03-12T00:00:00.000Z'],
    ['2026-03-12 09:30 AM EST', '2026-03-12'],
    ['2026-03-12T09:30:00+02', '2026-03-12'],
    ['2026-03-12T09:30:00Z[GMT]', '2026-03-12T09:30:00.000Z'],
    ['20260312T093000Z', '2026-03-12'],
    ['Thu Mar 12 2026 09:30:00 GMT+0000 (Coordinated Universal Time)', '2026-03-12'],
    ['Thu Mar 12 09:30:00 EDT 2026', '2026-03-12'],
    ['Thurs, Mar 12, 2026', '2026-03-12'],
    ['12-Mar-2026', '2026-03-12'],
    ['2026-02-30 09:30 AM', null],
    ['2026-03-12T', null],
    ['2026-02-30', null],
    ['2026-13-01', null],
    ['2026-03-12T25:00', null],
    ['yesterday', null],
    ['12', null],
  ])('%s is %s', (text, expected) => {
    expect(read(meta(text)).publishedAt).toBe(expected);
    expect(read(`<title>Bread</title>${article({ datePublished: text })}`).publishedAt).toBe(expected);
  });

  test.each([
    ['<h1>Bread</h1><p>By Ada, <time datetime="2026-03-12">some day</time></p>', '2026-03-12'],
    ['<header><span itemprop="datePublished">2026-03-12</span><h1>Bread</h1></header>', '2026-03-12'],
    ['<meta itemprop="datePublished" content="2026-03-12"><h1>Bread</h1>', '2026-03-12'],
    [`<h1>Bread</h1><p>${PROSE.repeat(4)}</p><p>On <time datetime="1867-01-01">a day</time> of old</p>`, null],
  ])('is found near the heading: %#', (start, expected) => {
    expect(read('<title>Bread</title>', start).publishedAt).toBe(expected);
  });
});

test.each([
  ['<p>By Ada Holm</p>', ''],
  ['<p class="meta">By Ada Holm · 12 March 2026 · 5 min read</p>', ''],
  ['<p>Published on <time datetime="2026-03-12">March 12</time></p>', ''],
  ['<div><span>Ada Holm</span><span>12 March 2026</span></div>', ''],
  ['<ul><li>Ada Holm</li><li>Mar 12, 2026</li></ul>', ''],
  ['<div class="byline"><img src="/avatar.png" width="40"> Ada Holm</div>', ''],
  ['<p>By <a rel="author" href="/ada">Ada Holm</a></p>', ''],
  ['<p>Von: <a rel="author" href="/ada">Ada Holm</a> | </p>', ''],
  ['<p>Ada Holm has baked for ten years. On 12 March 2026 she stopped.</p>', 'Ada Holm has baked'],
  ['<figure><img src="/ada.jpg"><figcaption>Ada Holm</figcaption></figure>', '<figcaption>Ada Holm'],
])('the line with author and date is not repeated: %s', (line, left) => {
  const head = `<title>Bread</title><meta name="author" content="Ada Holm"><meta name="date" content="2026-03-12">`;
  const { content, byline } = read(head, `<h1>Bread</h1>${line}`);
  expect(byline).toBe('Ada Holm');
  const start = content?.split('<p>Bread wants')[0] ?? '';
  if (left === '') expect(start.replace(/<[^>]*>/g, '').trim()).toBe('');
  else expect(start).toContain(left);
});

test.each([
  ['<meta name="author" content="By Ada Holm">', '', 'Ada Holm'],
  ['<meta name="author" content="https://facebook.com/ada">', '', null],
  ['<meta name="author" content="admin">', '', null],
  ['<meta name="author" content="The Baker"><meta property="og:site_name" content="The Baker">', '', null],
  [
    article({ author: { '@id': '#ada' } }) + jsonLd({ '@id': '#ada', '@type': 'Person', name: 'Ada Holm' }),
    '',
    'Ada Holm',
  ],
  ['', '<p class="byline">Von Ada Holm · 12. März 2026</p>', 'Ada Holm'],
  ['', '<p>By <a rel="author" href="/ada">Ada Holm</a></p>', 'Ada Holm'],
])('the author is a name: %#', (head, start, expected) => {
  expect(read(`<title>Bread</title>${head}`, `<h1>Bread</h1>${start}`).byline).toBe(expected);
});

test.each([
  ['<link rel="icon" href="/16.png" sizes="16x16"><link rel="icon" href="/32.png" sizes="32x32">', '/32.png'],
  ['<link rel="icon" href="/32.png" sizes="32x32"><link rel="icon" href="/96.png" sizes="16x16 96x96">', '/96.png'],
  ['<link rel="icon" href="/32.png" sizes="32x32"><link rel="apple-touch-icon" href="/apple.png">', '/apple.png'],
  ['<link rel="icon" href="/96.png" sizes="96x96"><link rel="icon" href="/512.png" sizes="512x512">', '/96.png'],
  ['<link rel="shortcut icon" href="/favicon.ico">', '/favicon.ico'],
  ['<link rel="icon" href="/16.png" sizes="16x16"><link rel="apple-touch-icon" href="/apple.png">', '/apple.png'],
  ['<link rel="icon" href="/dark.svg" media="(prefers-color-scheme: dark)"><link rel="icon" href="/a.svg">', '/a.svg'],
  ['<link rel="mask-icon" href="/mask.svg">', null],
  ['<link rel="icon" href="data:image/svg+xml,x">', null],
  ['<link rel="icon" href="javascript:alert(1)">', null],
])('the icon of %s is %s', (links, path) => {
  expect(read(`<title>Bread</title>${links}`).icon).toBe(path && `https://www.baker.example${path}`);
});

describe('the hero picture', () => {
  const head = (url: string, more = '') => `<title>Bread</title><meta property="og:image" content="${url}">${more}`;
  const size = '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">';

  test('comes from the metadata, with its size and text', () => {
    const alt = '<meta property="og:image:alt" content="A loaf">';
    const expected = { url: 'https://www.baker.example/loaf.jpg', alt: 'A loaf', width: 1200, height: 630 };
    expect(read(head('/loaf.jpg', size + alt)).hero).toEqual(expected);
    expect(read(`<title>Bread</title>${article({ image: { url: '/ld.jpg' } })}`).hero).toMatchObject({ width: null });
  });

  test.each([
    ['an article that begins with a picture', '/loaf.jpg', '<figure><img src="/other.jpg"></figure>'],
    ['the same picture', '/loaf-1200x630.jpg', `<p>${PROSE.repeat(5)}</p><img src="/loaf-1024x683.jpg">`],
    [
      'the same picture at an image server',
      '/loaf.jpg',
      `<p>${PROSE.repeat(5)}</p><img src="/i?u=https%3A%2F%2Fx.example%2Floaf.jpg">`,
    ],
    ['a logo', '/img/logo.png', ''],
    ['a card for link previews', '/og/bread.png', ''],
    ['a drawing', '/bread.svg', ''],
    ['nothing on the web', 'data:image/png,x', ''],
  ])('is not shown for %s', (_, url, start) => {
    expect(read(head(url), start).hero).toBeNull();
  });

  test('is not shown if it is small, or the logo of the publisher', () => {
    expect(read(head('/loaf.jpg', size.replaceAll('1200', '300'))).hero).toBeNull();
    const publisher = article({ publisher: { name: 'Baker', logo: { url: 'https://www.baker.example/b.png' } } });
    expect(read(head('/b.png', publisher)).hero).toBeNull();
  });

  test('is shown above an article with only a small icon, or a picture far below', () => {
    expect(read(head('/loaf.jpg'), '<img src="/emoji.png" width="20" height="20">').hero).not.toBeNull();
    expect(read(head('/loaf.jpg'), `<p>${PROSE.repeat(5)}</p><img src="/other.jpg">`).hero).not.toBeNull();
  });
});

test('the direction follows the text if no direction is declared', () => {
  const arabic =
    '<p>الخبز يحتاج إلى الطحين والماء والملح والوقت، وهذه الفقرة تشرح لماذا يهم كل واحد منها في الخبز. </p>';
  const html = (root: string) => `${root}<title>خبز</title><article>${arabic.repeat(8)}</article>`;
  const directionOf = (root: string) => readArticle(html(root), { url: URL_OF_PAGE, robots: null }).article.direction;
  expect(directionOf('<html>')).toBe('rtl');
  // themes declare their own language
  expect(directionOf('<html lang="en-US">')).toBe('rtl');
  expect(directionOf('<html dir="ltr">')).toBe('ltr');
  expect(read('<title>Bread</title>', '', '<html lang="he">').direction).toBe('rtl');
});

test.each([
  [{ isAccessibleForFree: false }, true],
  [{ isAccessibleForFree: 'False' }, true],
  [{ hasPart: { '@type': 'WebPageElement', isAccessibleForFree: 'false', cssSelector: '.paid' } }, true],
  [{ hasPart: [{ isAccessibleForFree: true }, { isAccessibleForFree: false }] }, true],
  [{ isAccessibleForFree: true }, false],
  [{}, false],
])('an article with %j is behind a paywall: %s', (facts, expected) => {
  expect(read(`<title>Bread</title>${article(facts)}`).isPaywalled).toBe(expected);
});

test.each([
  [
    '<title>How bread rises</title><meta property="og:title" content="The Baker"><meta property="og:site_name" content="The Baker">',
    'How bread rises',
  ],
  ['<title>How bread rises</title><meta property="og:title" content="{{ page.title }}">', 'How bread rises'],
  ['<title>(3) How bread rises</title>', 'How bread rises'],
  ['<title>How bread rises | Notes on crumb.org</title>', 'How bread rises'],
  ['<title>How bread rises at night | Crumb and Crust</title>', 'How bread rises at night'],
  ['<title>Loaf</title><meta property="og:site_name" content="Loaf">', 'Loaf'],
  ['<title>Rye | Updated 2026</title>', 'Rye | Updated 2026'],
])('the title is not the name of the site: %s', (head, expected) => {
  expect(read(head).title).toBe(expected);
});

test.each([
  ['<title>Bread - Crumb</title><meta property="og:title" content="Bread">', 'Crumb'],
  ['<title>Bread</title><meta property="og:site_name" content="https://www.baker.example">', 'baker.example'],
  ['<title>Bread</title><meta property="og:site_name" content="{{site}}">', 'baker.example'],
])('the site is named by %s', (head, expected) => {
  expect(read(head).site).toBe(expected);
});

test.each([
  ['<meta name="author" content="March 12, 2026">', null],
  ['<meta name="author" content="Wednesday">', null],
  ['<meta name="author" content="8 min read">', null],
  ['<meta name="author" content="Posted on">', null],
  ['<meta name="author" content="siteadmin">', null],
  ['<meta name="author" content=". .">', null],
  ['<meta name="author" content="Ada Holm Monday, March 12, 2026">', 'Ada Holm'],
  ['<meta name="author" content="Ada Holm - https://baker.example/ada">', 'Ada Holm'],
  ['<meta name="author" content="Ada Holm"><meta property="og:site_name" content="Ada Holm">', 'Ada Holm'],
  ['<meta name="author" content="Текст: Ада Холм">', 'Ада Холм'],
  ['<meta name="author" content="April Holm">', 'April Holm'],
])('an author is a name, not what stands beside it: %s', (head, expected) => {
  expect(read(`<title>Bread</title>${head}`, '<h1>Bread</h1>').byline).toBe(expected);
});

test.each([
  ['<p>By <strong>Ada Holm</strong></p>', 'Ada Holm'],
  ['<p>By Ada Holm and Bo Lind | 5 min read</p>', 'Ada Holm and Bo Lind'],
  ['<p>Von: Ada Holm</p>', 'Ada Holm'],
  ['<p>Published 12 March 2026 · by Ada Holm</p>', 'Ada Holm'],
  ['<div>Von <span>Ada Holm</span>, 12. März 2026, 10:15 Uhr</div>', 'Ada Holm'],
  ['<p>By the oven it is warm.</p>', null],
  ['<div class="author"><p>Author Name</p><p>bakes bread and cakes in a small town.</p></div>', null],
])('an author is found in a line of the page: %s', (line, expected) => {
  expect(read('<title>Bread</title>', `<h1>Bread</h1>${line}`).byline).toBe(expected);
});

test.each([
  ['<p class="meta">January 12, 2026</p>', '2026-01-12'],
  ['<h6 class="dateline">Monday, 12 January 2026</h6>', '2026-01-12'],
  ['<div>Veröffentlicht am 12. Januar 2026</div>', '2026-01-12'],
  ['<div>Publicado el 12 de enero de 2026, 10:00</div>', '2026-01-12'],
  ['<p>Par <a href="/a">Ada Holm</a> - Publié le 12 janvier 2026 à 10h15</p>', '2026-01-12'],
  ['<p>Von Ada Holm, 12. Januar 2026, 10:15 Uhr</p>', '2026-01-12'],
  ['<p>Stand: 12.01.2026, 10:15 Uhr</p>', '2026-01-12'],
  ['<span>2026年1月12日</span>', '2026-01-12'],
  ['<span>12 января 2026</span>', '2026-01-12'],
  ['<span>Founded in 1850</span>', null],
  ['<p>31 April 2026</p>', null],
])('a date is found in a line of the page: %s', (line, expected) => {
  expect(read('<title>Bread</title>', `<h1>Bread</h1>${line}`).publishedAt).toBe(expected);
});

test('a date is found in the address, and is not before the first pages', () => {
  const html = (head: string) =>
    `<title>Bread</title>${head}<article><p>${'Bread wants flour, water, salt and time. '.repeat(9)}</p></article>`;
  const dateOf = (path: string, head = '') =>
    readArticle(html(head), { url: `https://www.baker.example${path}`, robots: null }).article.publishedAt;
  expect(dateOf('/2026/01/12/bread')).toBe('2026-01-12');
  expect(dateOf('/2026/13/12/bread')).toBeNull();
  expect(dateOf('/bread', '<meta name="date" content="0001-01-01T00:00:00Z">')).toBeNull();
});

test.each([
  ['<div role="banner" class="headerbar"><h1>Crumb Forum</h1></div>', 'Bread at home - Crumb Forum', 'Crumb Forum'],
  [
    '<div id="page-header"><h1>Crumb Forum</h1></div><h2>Bread at home</h2>',
    'Bread at home - Crumb Forum',
    'Crumb Forum',
  ],
  ['<h1>Bread at home #13</h1>', 'Bread at home by ben · Pull Request #13 · ada/oven', 'baker.example'],
])('leaves the name of the site and the author out of the title: %s', (start, title, site) => {
  const html = `<title>${title}</title><body>${start}<main><p>${PROSE.repeat(3)}</p></main></body>`;
  const { article } = readArticle(html, { url: URL_OF_PAGE, robots: null });
  expect(article).toMatchObject({ title: 'Bread at home', site });
});

test('leaves the category out of the line with the author', () => {
  const line = (category: string) =>
    `<p>Posted on <a href="/x">March 12, 2026</a> by <a href="/a">Ada Holm</a> in ${category}</p>`;
  expect(read('', line('<a href="/c">Bread</a>')).byline).toBe('Ada Holm');
});

test.each([
  [
    'the first paragraph',
    '<p>The ferry to the island goes <a href="/t">twice</a> a day.</p>',
    'The ferry to the island goes twice a day.',
  ],
  [
    'a box without a paragraph',
    '<div>3 notes<br>The ferry to the island goes twice a day.</div>',
    'The ferry to the island goes twice a day.',
  ],
  [
    'no data of an entry',
    '<div>384 points by ada 5 hours ago | 142 comments of it</div><p>The ferry to the island goes twice a day.</p>',
    'The ferry to the island goes twice a day.',
  ],
  ['no label in lines', `<p>Ferries${' '.repeat(20)}\n${' '.repeat(20)}today</p>`, null],
  ['a long text', `<p>${'The ferry goes. '.repeat(20)}</p>`, `${'The ferry goes. '.repeat(12)}The…`],
  ['no words of menus', '<nav>The ferry to the island goes twice a day.</nav><p>Home</p>', null],
  ['no notice', '<p>We use cookies and other files for you. Accept our privacy policy, or manage them.</p>', null],
  [
    'no words that robots may not show',
    '<meta name="robots" content="nosnippet"><p>The ferry to the island goes twice a day.</p>',
    null,
  ],
])('a page without an article and a description is described by its first words: %s', (_name, body, expected) => {
  const html = `<!doctype html><html lang="en"><title>Ferry</title><header role="banner"><a href="/">All the ferries of the islands and lakes</a></header>${body}</html>`;
  const { article, status } = readArticle(html, { url: 'https://ferry.example/', robots: null });
  expect([status.state === 'SHOWN', article.description]).toEqual([false, expected]);
});
