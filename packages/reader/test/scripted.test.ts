import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';
import { convertNotionPage } from '../src/article/scripted/notion.ts';

const URL = 'https://notes.example/Meal-Planner-95747105f402490eba51d52e00496c1c';
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
    '<h2>Monday</h2><a href="https://notes.example/next" target="_blank" rel="noopener noreferrer nofollow ugc">Rye &amp; oats</a><p>$5 a head</p>',
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

test('never shows what Notion says about itself on the card of a page that is not rendered', () => {
  const head = `<title>Notion – The all-in-one workspace</title><meta property="og:site_name" content="Notion">
    <meta name="description" content="A tool that connects everyday work."><meta property="og:image" content="/images/meta/default.png">`;
  const { article } = read('<div id="notion-app"></div><script src="/app.js"></script>', head);
  expect(article).toMatchObject({
    title: 'Meal Planner',
    headTitle: null,
    site: 'notes.example',
    description: null,
    image: null,
  });
});

const card = (name: string, picture = '') =>
  `<div class="notion-collection-item">${picture}<a href="/${name}"><div class="notion-record-icon">🍞</div><span>${name}</span></a><div>Flour</div></div>`;
const cell = (inner: string) => `<div class="notion-table-view-cell">${inner}</div>`;
const TABLE = `<div class="notion-table-view"><div><div class="notion-table-view-header-cell"><svg></svg><div>Name</div></div><div class="notion-table-view-header-cell">Done</div><div class="notion-table-view-header-cell"></div></div>
  <div class="notion-table-view-row">${cell('<a href="/rye"><span style="font-weight:600">Rye &amp; salt</span></a><div role="button">OPEN</div>')}${cell('<div role="checkbox" aria-checked="true"></div>')}</div>
  <div class="notion-table-view-row">${cell('Oats')}${cell('<div role="checkbox" aria-checked="false"></div>')}</div><div>+ New</div></div>`;
const TABLE_HTML =
  '<table><thead><tr><th>Name</th><th>Done</th></tr></thead><tbody><tr><td><a href="/rye"><strong>Rye &amp; salt</strong></a></td><td>✓</td></tr><tr><td>Oats</td><td></td></tr></tbody></table>';

test('shows a page of Notion that is a database as its table', () => {
  const page = `<html><head><title>Notion</title></head><body><div id="notion-app"><div class="notion-collection_view_page-block"><h1>Flours</h1></div>${TABLE}</div></body></html>`;
  const { status, article } = readArticle(page, { url: URL, robots: null });
  expect(status.state).toBe('SHOWN');
  expect(article.title).toBe('Flours');
  expect(article.content).toContain('<th>Name</th><th>Done</th>');
  expect(article.content).not.toMatch(/OPEN|\+ New/);
});

test('shows a page of Notion that is a calendar as its entries, and a call-out without a label of our own', () => {
  const read = (body: string) =>
    readArticle(`<title>Notion</title><div id="notion-app">${body}</div>`, { url: URL, robots: null }).article;
  const calendar = read(
    `<div class="notion-collection_view_page-block"><h1>Markets</h1></div><div class="notion-calendar-view">${card('Rye')}</div>`,
  );
  expect(calendar).toMatchObject({ title: 'Markets', content: expect.stringContaining('Rye</a> · Flour') });
  const leaf = (text: string) =>
    `<div class="notion-text-block"><div data-content-editable-leaf="true">${text}</div></div>`;
  const { content } = read(
    `<div class="notion-page-content">${leaf(TEXT)}<div class="notion-callout-block"><div class="notion-record-icon"><img alt="💡" src="data:,"></div>${leaf('Soak the beans.')}</div></div>`,
  );
  expect(content).toContain('<aside class="callout"');
  expect(content?.replace(/<[^>]*>/g, ' ')).toMatch(/💡\s+Soak the beans\./);
  expect(content).not.toContain('Note');
});

test('hostile content of a database and its toggles is filtered like that of a page', () => {
  const payload =
    '<a href="javascript:alert(1)"><img src=x onerror=alert(1)></a><svg onload=alert(1)></svg><script>alert(1)</script>&lt;img src=x onerror=alert(1)&gt;';
  const item = `<div class="notion-collection-item"><a href="javascript:alert(1)"><span>${payload}</span></a></div>`;
  const row = `<div class="notion-table-view-row"><div class="notion-table-view-cell">${payload}</div></div>`;
  const blocks = `<div class="notion-collection_view-block">${row}</div><div class="notion-collection_view-block"><div class="notion-board-group"><b>${payload}</b>${item}</div></div>
    <div class="notion-header-block"><div role="button" aria-expanded="x"></div><div contenteditable>${payload}</div></div>
    <div class="notion-page-block"><a href="data:text/html,x">${payload}</a></div><p class="notion-text-block">${TEXT}</p>`;
  const { content } = readArticle(`<title>x</title><div class="notion-page-content">${blocks}</div>`, {
    url: URL,
    robots: null,
  }).article;
  expect(content).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(content?.replace(/&lt;img src=x onerror=alert\(1\)&gt;/g, '')).not.toMatch(/script|onerror|onload|data:/i);
});

test('turns the blocks of Notion into elements with the state of tasks, formulas, languages and nested blocks', () => {
  const block = (type: string, inner: string) => `<div class="notion-selectable notion-${type}-block">${inner}</div>`;
  const leaf = (text: string, style = '') => `<div data-content-editable-leaf="true" style="${style}">${text}</div>`;
  const tex =
    '<span class="katex"><math><mi>E</mi><annotation encoding="application/x-tex">E</annotation></math></span>';
  const cases: readonly (readonly [string, string])[] = [
    [
      block('to_do', `<input type="checkbox" checked>${leaf('Done')}`),
      '<ul><li><input type="checkbox" disabled checked> Done</li></ul>',
    ],
    [
      block('to_do', `<input type="checkbox">${leaf('Open', 'text-decoration: line-through')}`),
      '<ul><li><input type="checkbox" disabled> Open</li></ul>',
    ],
    [block('to_do', `<div role="checkbox" aria-checked="true"></div>${leaf('Aria')}`), 'disabled checked> Aria'],
    [block('to_do', leaf('Struck', 'text-decoration: line-through')), 'disabled checked> Struck'],
    [block('equation', tex), '<math><mi>E</mi>'],
    [block('text', leaf(`Mass ${tex}`)), '<p>Mass <span class="katex">'],
    [
      block('code', `<div role="button">Plain Text</div>${leaf('a &lt; b\n  c')}`),
      '<pre><code>a &lt; b\n  c</code></pre>',
    ],
    [
      block('toggle', leaf('More') + block('bulleted_list', leaf('In it'))),
      '<details open><summary>More</summary><ul><li>In it</li></ul></details>',
    ],
    [block('header', leaf('Head') + block('text', leaf('Inside'))), '<h2>Head</h2><p>Inside</p>'],
    [
      block('callout', `<div class="notion-record-icon"><img alt="💡" src="data:,"></div>${leaf('Note')}`),
      '<div class="notion-callout"><p>💡 Note</p></div>',
    ],
    [block('numbered_list', leaf('A')) + block('bulleted_list', leaf('B')), '<ol><li>A</li></ol><ul><li>B</li></ul>'],
    [
      `<div class="notion-toggle-block" data-embed-opened=""><div role="button" aria-expanded="true"></div>${leaf('More')}${block('text', leaf('In it'))}</div>`,
      '<details><summary>More</summary><p>In it</p></details>',
    ],
    [
      block('header', `<div role="button" aria-expanded="true"></div>${leaf('Head')}${block('text', leaf('Inside'))}`),
      '<details open><summary><h2>Head</h2></summary><p>Inside</p></details>',
    ],
    [
      block('column_list', block('column', block('text', leaf('A'))) + block('column', block('text', leaf('B')))),
      '<div class="notion-columns"><div><p>A</p></div><div><p>B</p></div></div>',
    ],
    [block('equation', tex), '<p><span class="katex-display"><span class="katex">'],
    [
      block(
        'page',
        '<a href="/sub"><div class="notion-record-icon"><div>📄</div></div><div><span>Sub</span> page</div></a>',
      ),
      '<p><a href="/sub">Sub page</a></p>',
    ],
    [block('collection_view', TABLE), TABLE_HTML],
    [
      block(
        'collection_view',
        `<h3><div role="button">⋯</div>${leaf('Flours')}</h3>${leaf('Of the <b>mill</b>')}<div role="tablist"><h4>All</h4></div>${TABLE}${leaf('Below')}`,
      ),
      `<h3>Flours</h3><p>Of the <strong>mill</strong></p>${TABLE_HTML}`,
    ],
    [
      block(
        'pdf',
        '<iframe src="https://notes.example/viewer?file=https%3A%2F%2Ffiles.example%2FDark%2520rye.pdf%3Fa%3D1"></iframe>',
      ),
      '<p><a href="https://files.example/Dark%20rye.pdf?a=1">Dark rye.pdf</a></p>',
    ],
    [block('pdf', '<embed src="/files/Rye.pdf">'), '<p><a href="/files/Rye.pdf">Rye.pdf</a></p>'],
    [block('pdf', '<iframe src="about:blank"></iframe>'), '<h1>Week</h1>'],
    [
      block(
        'collection_view',
        `<div class="notion-board-view"><div class="notion-board-group"><div><span>To do</span><span>2</span></div>${card('Rye')}${card('Oats')}<div>+ New</div></div></div>`,
      ),
      '<h3>To do</h3><ul><li><a href="/Rye">Rye</a> · Flour</li><li><a href="/Oats">Oats</a> · Flour</li></ul>',
    ],
    [
      block('collection_view', `<div class="notion-gallery-view">${card('Rye', '<img src="/rye.jpg">')}</div>`),
      '<ul><li><img src="/rye.jpg" alt=""><br><a href="/Rye">Rye</a> · Flour</li></ul>',
    ],
    [block('transclusion_container', block('quote', leaf('Synced'))), '<blockquote><p>Synced</p></blockquote>'],
    [block('page', '<a href="/sub"><div>Sub page</div></a>'), '<p><a href="/sub">Sub page</a></p>'],
    [block('made_up', leaf('New kinds')), '<p>New kinds</p>'],
    [block('figma', '<iframe src="https://www.figma.com/x"></iframe>'), '<iframe src="https://www.figma.com/x">'],
    [block('tweet', '<a href="/post"><div>Post</div></a>'), '<p><a href="/post">Post</a></p>'],
    [
      block('text', leaf('See <a href="/p"><span class="notion-record-icon">📄</span><span>Plan</span></a>')),
      '<p>See <a href="/p">Plan</a></p>',
    ],
    [
      `<div class="notion-collection_view-block"><div class="notion-table-view-row">${cell('<div style="display:flex"><div><span>Rye</span></div><div><span>Oats</span></div></div>')}${cell('<span><span style="font-weight:600">a</span><span>b</span></span>')}</div></div>`,
      '<td>Rye, Oats</td><td><strong>a</strong>b</td>',
    ],
    [
      `<div class="notion-collection_view-block"><div class="notion-table-view-row">${cell('<div>Due soon: <div>Ada</div><div>Ben</div></div>')}${cell('<a href="/p"><div>Ada</div><div>Ben</div></a>')}${cell('<div><div class="notion-record-icon">📄</div><div>Plan</div></div>')}</div></div>`,
      '<td>Due soon: AdaBen</td><td><a href="/p">AdaBen</a></td><td>Plan</td>',
    ],
    [block('text', leaf('&lt;script&gt;alert(1)&lt;/script&gt;')), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    [block('table_of_contents', '<a href="#a">A</a>'), '<h1>Week</h1>'],
  ];
  for (const [blocks, expected] of cases) {
    const html = `<html lang="en"><head><title>Week</title></head><body><div class="notion-page-content">${blocks}</div></body></html>`;
    expect(convertNotionPage(html)?.replaceAll('\n\n', '')).toContain(expected);
  }
  expect(convertNotionPage('<p>notion-page-content</p>')).toBeNull();
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
