import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';

const URL = 'https://www.pantry.example/dinners';
const SENTENCE = 'The pantry list starts with what is already there, and ends with what the week still needs. ';
const TEXT = SENTENCE.repeat(8);
const HTML = `<h2>Monday</h2><p>${TEXT}</p><ul><li>Wash the lentils</li></ul>`;
const SHELL = '<div id="root"></div><script src="/app.js"></script>';

const read = (body: string, head = '<title>Seven dinners</title>') =>
  readArticle(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`, {
    url: URL,
    robots: null,
  });
const json = (data: unknown, attributes = 'type="application/json"') =>
  `<script ${attributes}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
const jsonLd = (data: object) =>
  json(
    { '@context': 'https://schema.org', '@type': 'Article', headline: 'Seven dinners', ...data },
    'type="application/ld+json"',
  );

test.each([
  ['the articleBody of JSON-LD', jsonLd({ articleBody: `${TEXT}\n\n${TEXT}` }), `${TEXT.trim()}</p><p>`],
  [
    'JSON-LD beside a long menu',
    `<ul>${'<li><a href="/a">Menu</a></li>'.repeat(60)}</ul>${jsonLd({ articleBody: TEXT })}`,
    'pantry',
  ],
  [
    'a noscript element',
    `<noscript><article><h1>Seven dinners</h1>${HTML}</article></noscript>`,
    '<li>Wash the lentils</li>',
  ],
  [
    'the data of Next',
    json({ props: { pageProps: { post: { contentHtml: HTML } } } }, 'id="__NEXT_DATA__" type="application/json"'),
    '<h2>Monday</h2>',
  ],
  [
    'the flat data of Nuxt',
    json([{ data: 1 }, 'title', HTML], 'id="__NUXT_DATA__" type="application/json"'),
    '<h2>Monday</h2>',
  ],
  [
    'the stream of Next',
    [
      '0:{"P":null,"f":[["$","div",null,{"className":"menu","children":"$L1"}]]}\n1:["$","$L2",null,{"children":["$","article",null,{"children":["$L3",["$","h2",null,{"children":"Monday"}],',
      '["$","a",null,{"href":"/next","children":"Rye & oats"}],"$5"]}]}]\n3:["$","p",null,{"children":"$4"}]\n2:I["chunk"]\n',
      `4:T${Buffer.byteLength(TEXT).toString(16)},${TEXT}5:["$","p",null,{"children":"$$5 a head"}]\n`,
    ]
      .map((part) => `<script>self.__next_f.push(${JSON.stringify([1, part])})</script>`)
      .join(''),
    '<h2>Monday</h2><p><a href="https://www.pantry.example/next" target="_blank" rel="noopener noreferrer nofollow ugc">Rye &amp; oats</a></p><p>$5 a head</p>',
  ],
  [
    'the properties of a component in the stream of Next',
    [
      '1:I["chunk"]\n0:{"P":null,"f":[["$","html",null,{"children":["$","body",null,{"children":[["$","p",null,{"children":"Loading"}],',
      `["$","$L1",null,{"post":{"title":"Seven dinners","html":"$3"}}]]}]}]]}\n3:T${Buffer.byteLength(HTML).toString(16)},${HTML}`,
    ]
      .map((part) => `<script>self.__next_f.push(${JSON.stringify([1, part]).replaceAll('<', '\\u003c')})</script>`)
      .join(''),
    '<h2>Monday</h2>',
  ],
  [
    'the model of Google Docs',
    `<script>DOCS_modelChunk = {"chunk":${JSON.stringify([
      { ty: 'is', ibi: 1, s: `Monday\n${TEXT}\nRye\nOats\n` },
      { ty: 'as', st: 'paragraph', si: 7, ei: 7, sm: { ps_hd: 2 } },
      ...[1, 5].map((at) => ({ ty: 'as', st: 'list', si: 8, ei: TEXT.length + 10 + at + 1, sm: { ls_id: 'x' } })),
    ])},"revision":1}; DOCS_modelChunkParseStart = new Date().getTime();</script>`,
    '<h2>Monday</h2>',
  ],
  [
    'the context of Remix',
    `<script>window.__remixContext = ${JSON.stringify({ state: { loaderData: { page: { body: TEXT } } } })};</script>`,
    'pantry',
  ],
])('shows an article from %s without a browser', (_from, body, part) => {
  const { status, article, mayNeedBrowser } = read(SHELL + body);
  expect({ status, mayNeedBrowser, title: article.title }).toEqual({
    status: { state: 'SHOWN', reason: null },
    mayNeedBrowser: undefined,
    title: 'Seven dinners',
  });
  expect(article.content).toContain(part);
});

test.each([
  ['an articleBody behind a paywall', jsonLd({ articleBody: TEXT, isAccessibleForFree: 'False' })],
  [
    'a noscript element that only asks for scripts',
    `<noscript>You need to enable JavaScript to run this app.</noscript>`,
  ],
  ['data of a list of articles', json({ posts: [{ content: HTML }, { content: HTML.replace('Monday', 'Tuesday') }] })],
  ['data without a text', json({ user: null, tokens: ['x'.repeat(2_000)] })],
  ['data that is not JSON', '<script>window.__STATE__ = {a: 1, b: function () {}};</script>'],
])('shows a card instead of %s', (_what, body) => {
  const { status, article, mayNeedBrowser } = read(SHELL + body);
  expect({ state: status.state, content: article.content, mayNeedBrowser }).toEqual({
    state: 'NEEDS_BROWSER',
    content: null,
    mayNeedBrowser: true,
  });
});

test('asks for no browser where robots forbid a copy, without scripts, or for a page with much text', () => {
  const forbidden = read(SHELL, '<meta name="robots" content="noarchive">');
  expect(forbidden.status.state).toBe('NOT_ALLOWED');
  expect(forbidden.mayNeedBrowser).toBeUndefined();
  for (const [frame, mayNeedBrowser] of [
    ['<iframe src="/text"></iframe>', true],
    ['<frameset><frame src="/text"></frameset>', true],
    ['<iframe srcdoc="&lt;p&gt;Text"></iframe>', true],
    ['<iframe src="https://maps.example/"></iframe>', false],
    ['<iframe></iframe>', false],
    ['<div hidden><iframe src="/text"></iframe></div>', false],
  ] as const)
    expect({ frame, mayNeedBrowser: read(frame).mayNeedBrowser }).toEqual({ frame, mayNeedBrowser });
  expect(read('<div id="root"></div>').mayNeedBrowser).toBe(false);
  const links = '<a href="/a">A page of many links</a> '.repeat(480);
  expect(read(SHELL + links)).toMatchObject({ status: { state: 'NO_ARTICLE' }, mayNeedBrowser: false });
});

test.each([
  ['a menu', `<div class="menu">${'<a href="/a">An entry of the menu</a> '.repeat(120)}</div>`],
  [
    'hidden text',
    `<div hidden><p>${TEXT}</p><p>${TEXT}</p></div><div style="color: red; display: none"><p>${TEXT.repeat(3)}</p></div>`,
  ],
])('asks for a browser for a page with %s and without an article', (_what, body) => {
  expect(read(SHELL + body)).toMatchObject({ article: { content: null }, mayNeedBrowser: true });
});

test.each([
  ['a menu without links', `<ul class="navbar main">${'<li>Entry of the menu</li> '.repeat(120)}</ul>`],
  ['a menu with a name of its own', `<div class="mega-menu">${'<span>Entry of the menu</span> '.repeat(120)}</div>`],
  [
    'text that a style sheet hides',
    `<style>@media print { p { color: red } } .a, .terms { color: red; display: none }</style><div class="terms">${`<p>${TEXT}</p>`.repeat(9)}</div>`,
  ],
  ['text of a hiding class', `<div class="box d-none"><p>${TEXT}</p><p>${TEXT.repeat(2)}</p></div>`],
])('asks for a browser for an application that shows only %s', (_what, body) => {
  expect(read(SHELL + body).mayNeedBrowser).toBe(true);
});

const TERMS = `<div class="terms">${`<p>${TEXT}</p>`.repeat(9)}</div>`;
const HIDE = '.terms { display: none }';

test.each([
  ['after a comment and a string', `@charset "}";/* { */ .a::before { content: "{" } ${HIDE}`],
  ['in a list', '.terms, .a { display: block; display: none }'],
  ['after many rules', `${'.a { color: red }'.repeat(4_500)} ${HIDE}`],
])('does not count text that a style sheet hides %s', (_what, styles) => {
  expect(read(`${SHELL}<style>${styles}</style>${TERMS}`).mayNeedBrowser).toBe(true);
});

test.each([
  ['hides only on some screens', `@media print { ${HIDE} }`],
  ['hides in a long rule for some screens', `@media print { ${'.a { color: red }'.repeat(300)} ${HIDE} }`],
  ['hides for some screens after a brace in a string', `@media print { .a { content: "}" } ${HIDE} }`],
  ['gives another property', '.terms { --menu-display: none }'],
  ['shows again', `${HIDE} .a, .terms { display: block }`],
  ['hides only in another box', '.a { .terms { display: none } }'],
  ['does not name', '.a:not(.b, .terms, .c) { display: none }'],
])('counts text that a style sheet %s', (_what, styles) => {
  expect(read(`${SHELL}<style>${styles}</style>${TERMS}`).mayNeedBrowser).toBeUndefined();
});

test('asks for a browser for a short article of an application, whatever is hidden beside it', () => {
  const article = (length: number) => `<div id="root"><article><p>${SENTENCE.repeat(length)}</p></article></div>`;
  const hidden = `<div aria-hidden="true">${TEXT.repeat(3)}</div><script src="/app.js"></script>`;
  expect(read(article(19) + hidden)).toMatchObject({ status: { state: 'SHOWN' }, mayNeedBrowser: true });
  expect(read(article(25) + hidden).mayNeedBrowser).toBeUndefined();
});

test.each(['<div id="q-app">', '<div data-reactroot="">', '<body><div ng-version="17.3.0">'])(
  'asks for a browser for a short article of an application in %s',
  (root) => {
    const body = `${root}<article><p>${SENTENCE.repeat(6)}</p></article></div><script src="/app.js"></script>`;
    expect(read(body)).toMatchObject({ status: { state: 'SHOWN' }, mayNeedBrowser: true });
    expect(read(body.replace(/ (?:id|data-|ng-)[^>]*/, '')).mayNeedBrowser).toBeUndefined();
  },
);

test.each([
  ['<div hx-get="/rest" hx-trigger="revealed once"></div>', '<div hx-get="/rest" hx-trigger="click"></div>'],
  ['<turbo-frame id="rest" src="/rest" loading="lazy"></turbo-frame>', '<turbo-frame id="rest"></turbo-frame>'],
  [
    '<div data-hx-get="/rest" data-hx-trigger="click, load delay:1s"></div>',
    '<div hx-trigger="click from:#load"></div>',
  ],
  ['<div hx-get="/rest" hx-trigger="load[isOpen]"></div>', '<nav><div hx-get="/menu" hx-trigger="load"></div></nav>'],
  ['<turbo-frame src="/rest"></turbo-frame>', '<form><input hx-get="/search" hx-trigger="load, keyup"></form>'],
  ['<include-fragment src="/rest"></include-fragment>', '<div hidden><turbo-frame src="/cart"></turbo-frame></div>'],
])('asks a browser for the rest of a short text whose page loads it: %s', (part, other) => {
  const withPart = (markup: string, script = '<script src="/app.js"></script>') =>
    read(`<article><h1>Seven dinners</h1><p>${TEXT}</p>${markup}</article>${script}`).mayNeedBrowser;
  expect(withPart(part)).toBe(true);
  expect(withPart(part, '')).toBeUndefined();
  expect(withPart(other)).toBeUndefined();
});

test('asks a browser for the rest of a short text that ends in the middle of a sentence', () => {
  const teaser = (end: string) =>
    read(`<article><h1>Seven dinners</h1><p>${TEXT}${end}</p></article><script src="/app.js"></script>`);
  expect(teaser('and then…')).toMatchObject({ status: { state: 'SHOWN' }, mayNeedBrowser: true });
  expect(teaser('and then.').mayNeedBrowser).toBeUndefined();
});

test('takes a placeholder for no article', () => {
  const placeholder = (words: string) => `${SHELL}<div id="root"><p>${words}</p><p>${TEXT}</p></div>`;
  expect(read(placeholder('Loading the article, please wait…'))).toMatchObject({
    status: { state: 'NO_ARTICLE' },
    mayNeedBrowser: true,
  });
  expect(read(placeholder('Loading the oven takes an hour.')).status.state).toBe('SHOWN');
});

test('shows the description of an API that Swagger UI has built, with the names of its operations', () => {
  const operation = (id: string, method: string, path: string, body: string) =>
    `<div class="opblock is-open" id="${id}"><div class="opblock-summary"><button><span class="opblock-summary-method">${method}</span><span class="opblock-summary-path"><a><span>${path}</span></a></span>
    <div class="opblock-summary-description">Dinners &lt;of&gt; a week</div></button><button>Copy</button></div>${body}</div>`;
  const body = `<div class="opblock-description"><div class="renderedMarkdown"><p>All of <b>them</b>.</p></div></div>
    <div class="opblock-section-header"><h4>Parameters</h4><button>Try it out</button></div><table class="parameters"><tr data-param-name="day"><td><div class="parameter__name">day</div><div class="parameter__type">string</div><div class="parameter__in">(query)</div></td>
    <td><div class="renderedMarkdown"><p>Its name</p></div><input></td></tr></table><div class="responses-wrapper"><h4>Responses</h4><table class="responses-table"><tr data-code="200"><td class="response-col_status">200</td><td><div class="renderedMarkdown"><p>OK</p></div></td></tr></table></div>`;
  const page = `<div class="swagger-ui"><div class="info"><h1 class="title">Pantry<small>1.2</small></h1><div class="renderedMarkdown"><p>What there is.</p></div></div>
    <h3 class="opblock-tag"><a>dinners</a><button>Collapse</button></h3>${operation('a', 'GET', '/dinners', body)}${operation('b', 'POST', '/<wbr>dinners', '')}</div><script src="/ui.js"></script>`;
  const { status, article } = read(`<title>Swagger UI</title>${page}`);
  expect({ state: status.state, title: article.title }).toEqual({ state: 'SHOWN', title: 'Pantry' });
  const text = article.content?.replace(/<[^>]*>/g, '|').replace(/\|[\s|]*\|/g, '|');
  expect(text).toBe(
    '|What there is.|dinners|GET /dinners|Dinners &lt;of&gt; a week|All of |them|.|Parameters|day string (query)|Its name|Responses|200|OK|POST /dinners|Dinners &lt;of&gt; a week|',
  );
});
