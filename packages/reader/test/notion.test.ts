import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';
import { convertNotionPage } from '../src/article/scripted/notion.ts';

const URL = 'https://notes.example/Meal-Planner-95747105f402490eba51d52e00496c1c';
const TEXT = 'The pantry list starts with what is already there, and ends with what the week still needs. '.repeat(8);

const read = (body: string, head = '<title>Seven dinners</title>') =>
  readArticle(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`, {
    url: URL,
    robots: null,
  });
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

test('reads a text of Notion with very many blanks and breaks', () => {
  const text = `Rye${' '.repeat(200_000)}oats${'<br>'.repeat(5_000)}<b>wheat${' '.repeat(200_000)}</b><br> `;
  const html = `<title>x</title><div class="notion-page-content"><div class="notion-text-block"><div data-content-editable-leaf="true">${text}</div></div></div>`;
  expect(convertNotionPage(html)).toMatch(/<strong>wheat<\/strong><\/p>/);
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
        `<div class="notion-board-view"><div class="notion-board-group"><div><span>To do</span><span>2</span></div>${card('Rye')}${card('Oats')}<div role="button">+ New page</div></div><div class="notion-board-group"><button>+ New page</button></div></div>`,
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

test('reads blocks of Notion beside the boxes of bullets and buttons, with their numbers, formats, captions and heads', () => {
  const block = (type: string, inner: string) => `<div class="notion-selectable notion-${type}-block">${inner}</div>`;
  const leaf = (text: string) => `<div data-content-editable-leaf="true" contenteditable="false">${text}</div>`;
  const item = (type: string, number: string, text: string, children = '') =>
    block(
      type,
      `<div contenteditable="false" data-content-editable-void="true"><span class="pseudoBefore" style="--pseudoBefore--content: &quot;${number}&quot;;"></span></div><div>${leaf(text)}${children}</div>`,
    );
  const td = (text: string, style = '') =>
    `<td><div data-content-editable-leaf="true" style="${style}">${text}</div></td>`;
  const head = (text: string) => td(text, 'font-weight: 500');
  const entry = (name: string) =>
    `<div class="notion-collection-item"><a href="/${name}"><div>${name}</div><div>Open</div></a></div>`;
  const group = (name: string) =>
    `<div><div role="button" aria-expanded="true"></div><div><span>${name}</span></div></div>`;
  const person = '<div style="display:flex"><div><img alt="Ada" src="/ada.png"></div><div>Ada</div></div>';
  const cases: readonly (readonly [string, string])[] = [
    [
      item(
        'numbered_list',
        '4.',
        'Wash',
        item('numbered_list', 'a.', 'Twice', item('numbered_list', 'i.', 'At least')),
      ),
      '<ol start="4"><li>Wash<ol type="a"><li>Twice<ol type="i"><li>At least</li></ol></li></ol></li></ol>',
    ],
    [item('toggle', '', 'More', block('text', leaf('In it'))), '<summary>More</summary><p>In it</p>'],
    [
      block(
        'code',
        `<div contenteditable="false" data-content-editable-void="true"><div role="button">Rust</div></div><div class="line-numbers notion-code-block">${leaf('<span>let a = </span><span>1</span>;')}</div>${leaf('Listing')}`,
      ),
      '<article><h1>Week</h1><pre><code class="language-rust">let a = 1;</code></pre><p>Listing</p></article>',
    ],
    [
      block(
        'text',
        leaf(
          '<span style="font-weight:600">Soak: </span>a <span style="background:rgba(251,243,219,1)">day</span>, <span style="border-bottom:.05em solid">cold</span>',
        ),
      ),
      '<p><strong>Soak: </strong>a <mark>day</mark>, <u>cold</u></p>',
    ],
    [
      block(
        'callout',
        `<div class="notion-record-icon">💡</div>${block('text', leaf('Note'))}${item('bulleted_list', '•', 'A')}`,
      ),
      '<p>💡 Note</p><ul><li>A</li></ul>',
    ],
    [
      block('table', `<table><tr>${head('Day')}${head('Meal')}</tr><tr>${head('Monday')}${td('Soup')}</tr></table>`),
      '<tr><th>Day</th><th>Meal</th></tr><tr><th scope="row">Monday</th><td>Soup</td></tr>',
    ],
    [
      block('table', `<table><tr>${head('Day')}${td('Meal')}</tr><tr>${head('Monday')}${td('Soup')}</tr></table>`),
      '<td>Meal</td>',
    ],
    [
      block(
        'image',
        `<div contenteditable="false"><img src="/a.png" alt="Oats">Original${leaf('Oats in a bowl')}</div>`,
      ),
      '<img src="/a.png" alt="Oats"><figcaption>Oats in a bowl</figcaption>',
    ],
    [
      block('bookmark', `<a href="https://oats.example/"><div>Oats</div></a>${leaf('Read this')}`),
      '<figure><p><a href="https://oats.example/">Oats</a></p><figcaption>Read this</figcaption></figure>',
    ],
    [
      block(
        'collection_view',
        `<div class="notion-table-view-row">${cell('<span>Rye</span><a href="/rye"><div>Open</div></a>')}${cell(person)}</div>`,
      ),
      '<td><a href="/rye">Rye</a></td><td>Ada</td>',
    ],
    [
      block(
        'collection_view',
        `<div class="notion-board-view"><div>${['To do', 'Done'].map((name) => `<div><span>${name}</span><div role="button">1</div></div>`).join('')}</div><div>${['Rye', 'Oats'].map((name) => `<div class="notion-board-group">${entry(name)}<div role="button">New page</div></div>`).join('')}</div></div>`,
      ),
      '<h3>To do</h3><ul><li><a href="/Rye">Rye</a> · Open</li></ul><h3>Done</h3><ul><li><a href="/Oats">Oats</a> · Open</li></ul>',
    ],
    [
      block(
        'collection_view',
        `<div class="notion-table-view"><div class="notion-table-view-row">${cell(group('Rye'))}</div><div class="notion-table-view-row">${cell('Oats')}</div></div>`,
      ),
      '<tbody><tr><td>Rye</td></tr><tr><td>Oats</td></tr></tbody>',
    ],
    [
      block(
        'collection_view',
        `<div class="notion-list-view">${group('New')}${entry('Rye')}${group('Old')}${entry('Oats')}</div>`,
      ),
      '<h3>New</h3><ul><li><a href="/Rye">Rye</a> · Open</li></ul><h3>Old</h3>',
    ],
  ];
  for (const [blocks, expected] of cases) {
    const html = `<html lang="en"><head><title>Week</title></head><body><div class="notion-page-content">${blocks}</div></body></html>`;
    expect(convertNotionPage(html)?.replaceAll('\n\n', '').replaceAll('\n', '')).toContain(expected);
  }
});

test('keeps a gallery of Notion, and reads other sites with the class names of Notion as they are', () => {
  const read = (content: string) =>
    readArticle(
      `<title>Week</title><main class="notion-page"><h1>Week</h1><div class="notion-page-content">${content}</div></main>`,
      {
        url: URL,
        robots: null,
      },
    ).article.content;
  const gallery = `<div class="notion-collection_view-block"><div class="notion-gallery-view">${['Rye', 'Oats', 'Barley', 'Wheat'].map((name) => card(name, '<img src="/a.jpg">')).join('')}</div></div>`;
  expect(
    read(`<div class="notion-text-block"><div data-content-editable-leaf="true">${TEXT}</div></div>${gallery}`),
  ).toContain('>Wheat</a> · Flour');
  expect(read(`<article>${`<div class="notion-text">${TEXT}</div>`.repeat(3)}</article>`)).toContain(TEXT.slice(0, 40));
});
