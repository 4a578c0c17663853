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
});

test('reads code in a box with its language, both in a pre', () => {
  const box =
    '<pre><div><div>python</div><div><pre><code class="language-python">bake()\nrest()</code></pre></div></div></pre>';
  expect(markdownOf(box)).toBe('```python\nbake()\nrest()\n```');
});
