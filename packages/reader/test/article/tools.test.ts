import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';
import { makeForm } from '../../src/article-forms.ts';

const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
const PARAGRAPH = `<p>${TEXT} ${TEXT}</p>`;
const URL_OF_PAGE = 'https://docs.baker.example/bread';

function readPage(html: string) {
  const { article } = readArticle(html, { url: URL_OF_PAGE, robots: null });
  const content = article.content ?? '';
  return { ...article, content, markdown: String(makeForm({ form: 'markdown', article: { ...article, content } })) };
}

function markdownOf(markup: string): string {
  const html = `<title>Bread</title><body><main><article><h1>Bread</h1>${PARAGRAPH}${markup}${PARAGRAPH}</article></main>`;
  return (
    readPage(html)
      .markdown.split(/Bread wants[^\n]*/)[1]
      ?.trim() ?? ''
  );
}

test('leaves out buttons behind the text of a heading, and keeps those that open its section', () => {
  expect(markdownOf('<h3>Dough <button>1x</button> <div><button>2x</button></div></h3><p>Mix it.</p>')).toBe(
    '### Dough\n\nMix it.',
  );
  expect(markdownOf('<h3>1. <button aria-expanded="true">Dough</button></h3><p>Mix it.</p>')).toBe(
    '### 1. Dough\n\nMix it.',
  );
});

test('puts buttons of tabs before their panels, and leaves out tabs without panels', () => {
  const tab = (name: string) => `<button role="tab" aria-controls="${name}">${name}</button>`;
  const panel = (name: string) => `<div role="tabpanel" id="${name}" hidden><p>Bake the ${name}.</p></div>`;
  const tabs = `<div role="tablist">${tab('Rye')}${tab('Oats')}</div>`;
  expect(markdownOf(`<div>${tabs}${panel('Rye')}${panel('Oats')}</div>`)).toBe(
    '**Rye**\n\nBake the Rye.\n\n**Oats**\n\nBake the Oats.',
  );
  const links =
    '<ul role="tablist"><li role="tab"><a href="?a">Recipe</a></li><li role="tab"><a href="?b">Code</a></li></ul>';
  expect(markdownOf(`${tabs}${links}<p>Bake it.</p>`)).toBe('Bake it.');
});

test('writes a heading in a summary as a line', () => {
  expect(markdownOf('<details><summary><h3>How long?</h3></summary><p>An hour.</p></details>')).toBe(
    '**How long?**\n\nAn hour.',
  );
});

test('reads formulas of an address with blanks as entities', () => {
  expect(markdownOf('<p>Heat is <img src="https://latex.codecogs.com/svg.latex?g^2&space;+&space;1">.</p>')).toBe(
    'Heat is $g^2 + 1$.',
  );
});

test.each([
  ['Review 7 - Kitchen - Oven', '<div id="main-header"><h1><a href="/x/7">Review 7</a></h1></div>', 'Review 7'],
  ['The Baker - Bread', '<div id="main-header"><h1><a href="/">The Baker</a></h1></div>', 'The Baker - Bread'],
  ['Bread - The Baker', '<header><nav><h1>Bread</h1></nav></header><h1>Rye</h1>', 'Bread - The Baker'],
  ['Bakers - Bread', '<header><nav><h1>Bakers</h1></nav></header><h2>Bread</h2>', 'Bakers - Bread'],
])(
  'takes a heading in a banner for the title if the title of the page begins with it: %s',
  (title, heading, expected) => {
    expect(readPage(`<title>${title}</title><body>${heading}<main>${PARAGRAPH.repeat(4)}</main>`).title).toBe(expected);
  },
);

test('leaves out a note in brackets that only the metadata of a title have', () => {
  const head =
    '<title>Bread at home - Paper</title><meta property="og:title" content="Bread at home (Published 2014)">';
  const titleOf = (heading: string) =>
    readPage(`${head}<main><article><h1>${heading}</h1>${PARAGRAPH.repeat(3)}</article></main>`).title;
  expect(titleOf('Bread at home')).toBe('Bread at home');
  expect(titleOf('Bread')).toBe('Bread at home (Published 2014)');
});

test.each([
  ['Bread | baker', 'baker'],
  ['Bread | oven', 'docs.baker.example'],
  ['Bread | Press', 'docs.baker.example'],
])('finds the name of the site in the title "%s"', (title, site) => {
  expect(readPage(`<title>${title}</title><main><h1>Bread</h1>${PARAGRAPH.repeat(3)}</main>`).site).toBe(site);
});

test('leaves out a section before a title with which another title begins', () => {
  const head = '<title>Flat bread? : baking</title><meta property="og:title" content="r/baking - Flat bread?">';
  expect(readPage(`${head}<main><h1>baking</h1>${PARAGRAPH.repeat(3)}</main>`).title).toBe('Flat bread?');
  const whole = '<title>Rye - Flat bread? | Forum</title><meta property="og:title" content="Rye - Flat bread?">';
  expect(readPage(`${whole}<main>${PARAGRAPH.repeat(3)}</main>`).title).toBe('Rye - Flat bread?');
  const headed = `${head}<main><h1>r/baking - Flat bread?</h1>${PARAGRAPH.repeat(3)}</main>`;
  expect(readPage(headed).title).toBe('r/baking - Flat bread?');
});

test('reads code in a box with its language, both in a pre', () => {
  const box =
    '<pre><div><div>python</div><div><pre><code class="language-python">bake()\nrest()</code></pre></div></div></pre>';
  expect(markdownOf(box)).toBe('```python\nbake()\nrest()\n```');
});

test('reads tables of numbered paragraphs as paragraphs, and other tables as tables', () => {
  const row = (sign: string, text: string) => `<tr><td><p>${sign}</p></td><td><p>${text}</p></td></tr>`;
  const law = `<table>${row('(a)', 'bread that is shared by several people;')}${row('(b)', `bread of rye:<table>${row('–', 'which is dark and sour.')}</table>`)}</table>`;
  expect(markdownOf(law)).toBe(
    '(a) bread that is shared by several people;\n\n(b) bread of rye:\n\n– which is dark and sour.',
  );
  expect(markdownOf(`<table>${row('(a)', 'Rye')}</table>`)).toContain('| (a) | Rye |');
  expect(markdownOf(`<table>${row('Rye', 'It is dark and sour and keeps well.')}</table>`)).toContain('| Rye |');
  const mixed = '<table><tr id="b"><td>(b)</td><td>bread of rye:<p>which is dark;</p></td></tr></table>';
  expect(markdownOf(`<p>See <a href="#b">point b</a>.</p>${mixed}`)).toBe(
    'See [point b](#b).\n\n(b) bread of rye:\n\nwhich is dark;',
  );
  const mark = '<p>Bake<sup><a id="r1" href="#n1">1</a></sup> it.</p>';
  const notes = '<table><tr><td><a id="n1" href="#r1">1.</a></td><td>In an oven that is hot.</td></tr></table>';
  expect(markdownOf(mark + notes)).toBe('Bake[^1] it.');
});

test('links notes whose marks in brackets link to each other', () => {
  const mark = '<p>Bake it <a id="a1" href="#n1">(<span>1</span>)</a>, then eat it.</p>';
  const note = (back: string) => `<p><a id="n1" href="${back}">(<span>1</span>)</a> In the oven.</p>`;
  const read = (back: string) =>
    readPage(
      `<title>Bread</title><main><article><h1>Bread</h1>${PARAGRAPH}${mark}${PARAGRAPH}${note(back)}</article></main>`,
    ).markdown;
  expect(read('#a1')).toMatch(/Bake it \[\^1\], then.*\[\^1\]: In the oven\./s);
  expect(read('#a2')).not.toContain('[^1]');
  const chapter = '<p><a id="c1" href="#s1">1</a> Rye</p><p><a id="s1" href="#c1">1</a> <b>Rye</b></p>';
  expect(markdownOf(chapter)).toBe('[1](#s1) Rye\n\n[1](#c1) **Rye**');
});

test('links marks that are buttons of a script, and leaves out a table that repeats notes beside the text', () => {
  const button = '<p>Bake<sup id="fnref:1"><button data-footnote-number="1" id="fnref:1"></button></sup> it.</p>';
  const list =
    '<div class="footnotes"><ol><li id="fn:1" style="display:none"><p>Hot. <a href="#fnref:1">↩</a></p></li></ol></div>';
  const pageOf = (markup: string) =>
    readPage(`<title>Bread</title><main><article><h1>Bread</h1>${PARAGRAPH.repeat(2)}${markup}</article></main>`)
      .markdown;
  expect(pageOf(button + list)).toMatch(/Bake\[\^1\] it\.\s+\[\^1\]: Hot\.\s*$/);
  const tip = '<p>Bake<sup>[1]</sup><span class="footnote_tooltip">Hot.</span> it.</p>';
  const table =
    '<div><div><p><span>References</span></p></div><table><tr><th><a>↑1</a></th><td>Hot.</td></tr></table></div>';
  expect(pageOf(tip + table)).toMatch(/Bake\[\^1\] it\.(?:\s+References)?\s+\[\^1\]: Hot\.\s*$/);
});

test('reads a box that is named for a kind and begins with its word as a call-out', () => {
  const box = (title: string) =>
    `<div class="docs-note docs-tip"><div><h6>${title}</h6></div><div><p>Heat it.</p></div></div>`;
  expect(markdownOf(box('Tip'))).toBe('> [!Tip]\n>\n> Heat it.');
  const abstract = '<section class="abstract"><h2>Abstract</h2><p>Heat it.</p></section>';
  expect(markdownOf(abstract)).toBe('## Abstract\n\nHeat it.');
  expect(markdownOf(box('Ovens'))).toBe('###### Ovens\n\nHeat it.');
});

test('reads code that was pasted from an editor, and the name of its file', () => {
  const code =
    '<div style="font-family: Consolas, monospace; white-space: pre;"><div><span>if</span> hot:</div><div>  bake()</div></div>';
  expect(markdownOf(code)).toBe('```\nif hot:\n  bake()\n```');
  const file =
    '<div><figure><figcaption class="header"><span class="title">oven.py</span></figcaption><pre data-language="py"><code>bake()</code></pre></figure></div>';
  expect(markdownOf(file)).toBe('oven.py\n\n```py\nbake()\n```');
});

test('opens sections whose titles are buttons that data name', () => {
  const section = (part: string) =>
    `<div><button aria-controls="a1" aria-expanded="false" data-component-part="${part}"><p>How long?</p></button><div id="a1" role="region" hidden><p>${TEXT}</p></div></div>`;
  expect(markdownOf(section('accordion-button'))).toContain('### How long?');
  expect(markdownOf(section('menu-button'))).toBe('');
});

test('keeps accordions and texts that are marked as tabs', () => {
  const panel = (name: string) => `<div role="tabpanel"><p>Bake the ${name}.</p></div>`;
  const accordion = `<div role="tablist"><h3 role="tab">Rye</h3>${panel('Rye')}<h3 role="tab">Oats</h3>${panel('Oats')}</div>`;
  expect(markdownOf(accordion)).toBe('### Rye\n\nBake the Rye.\n\n### Oats\n\nBake the Oats.');
  expect(markdownOf('<h3 role="tab">Rye</h3><p>Bake it.</p><h3 role="tab">Oats</h3>')).toContain('### Rye\n\nBake it.');
});

test.each([
  ['<h3><a href="#q">#</a> <button>How long?</button></h3>', 'How long?'],
  ['<h3><span>1.</span> <button>Dough</button></h3>', '### 1. Dough'],
  ['<h3>2024 <button>Edit</button></h3>', '### 2024\n'],
  ['<h3><span>Dough</span><br><button>1x</button></h3>', '### Dough\n'],
])('reads a button behind the sign or the number of a heading as its text: %s', (heading, text) => {
  expect(markdownOf(`${heading}<p>Mix it.</p>`)).toContain(text);
});

test('keeps what is hidden on narrow screens only', () => {
  expect(markdownOf('<div class="tw-hidden">Raw</div><div class="tw-hidden md:tw-block"><p>Bake it.</p></div>')).toBe(
    'Bake it.',
  );
});
