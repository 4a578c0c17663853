import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';

const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters: the ' +
  'flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else. ';
const PARAGRAPH = `<p>${PROSE.repeat(2)}</p>`;
const WORDS = 'lorem ipsum dolor sit amet, ';

const read = (html: string) => readArticle(html, { url: 'https://www.baker.example/blog/bread', robots: null }).article;
const messageOf = (author: string, text: string) =>
  `<div class="comment"><b class="author">${author}</b> <time datetime="2026-03-12">March 12</time>${text}</div>`;
const BLANKS = ' '.repeat(240_000);
const articleWith = (markup: string) => `<article><h1>Bread</h1>${PARAGRAPH}${markup}${PARAGRAPH}</article>`;

/**
 * Reads a page, and fails the test if that takes longer. Work that grows with the square of the page takes minutes; the
 * limits are some times what a slow machine needs.
 */
function expectWork(html: string, maxMs: number): void {
  const before = process.cpuUsage();
  expect(read(html).title).toBe('Bread');
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(maxMs);
}

test.each([
  ['half a million attributes', `<p ${Array.from({ length: 500_000 }, (_, i) => `a${i}`).join(' ')}>x`],
  ['a long run of blanks', `<p>${' '.repeat(4_000_000)}x`],
  ['only angle brackets', '<'.repeat(4_000_000)],
  ['many lines', `<div>${'a<br>'.repeat(29_000)}</div>`],
  ['many bold words in one box', `<div>${'<b>x</b> '.repeat(25_000)}</div>`],
  ['many links', `<div><a href="/x">${WORDS}</a></div>`.repeat(14_000)],
  ['many small trees', `${'<div>'.repeat(100)}${WORDS}${'</div>'.repeat(100)}`.repeat(300)],
])('the work on a page with %s is limited', (_, body) => expectWork(`<title>Bread</title>${body}`, 90_000), 300_000);

test.each([
  ['pieces of code', '<pre class="language-c"><code>let a;</code></pre>'],
  ['tables with code', '<table><tr><td>1</td><td><pre>let a;</pre></td></tr></table>'],
  ['pictures', '<a href="/x"><img src="/x.jpg"></a>'],
  ['tasks', '<li><input type="checkbox">x</li>'],
  ['headings', '<h2><a href="#x">x</a></h2><a id="y"></a>'],
  ['boxes', '<aside class="note"><p class="title">x</p><p>y</p></aside>'],
  ['asides between paragraphs', '<aside>Some text that is long enough to be one.</aside><p>x</p>'],
  ['lists of references', '<ol class="references"><li>x</li></ol>'],
  ['boxes of one line', '<div>x<br></div>'],
  ['forms', '<form>x</form>'],
  ['lines of a poem', '<div class="poem"><div>x</div><div>y</div><div>z</div></div>'],
  ['cards with a linked heading', '<div><h3><a href="/x">x</a></h3><p>y</p></div>'],
  ['fields for an address', '<form><p>x</p><input type="email"></form>'],
  ['targets of links', '<div id="a">x</div><a href="#a">y</a>'],
  ['cards of other sites', '<a href="https://x.example/"><h2>x</h2><p>y</p></a>'],
  ['lines with a date', '<div><time datetime="2026-01-01">x</time></div>'],
])(
  'the work on a page with thousands of %s is limited',
  (_, block) => {
    const head =
      '<title>Bread</title><meta name="date" content="2026-01-01"><meta property="og:image" content="/o.jpg">';
    expectWork(head + articleWith(block.repeat(2_000)), 45_000);
  },
  300_000,
);

test.each([
  [
    'a reference',
    articleWith(`<h2>References</h2><ul><li>Rye and its bakers${BLANKS}x [<a href="/c">CAS</a>] y</li></ul>`),
  ],
  [
    'a quote',
    messageOf('ada', PARAGRAPH) +
      messageOf('ben', `<blockquote><cite>a${BLANKS}x</cite>${PROSE}</blockquote>${PARAGRAPH}`),
  ],
])(
  'the work on %s with many blanks is limited',
  (_, body) => expectWork(`<title>Bread</title>${body}`, 10_000),
  60_000,
);

test('the work on parts of a formula inside each other is limited', () => {
  const parts = (tag: string) => `<${tag}>`.repeat(26);
  const formula = `<mjx-container><mjx-math>${parts('mjx-mover><mjx-base')}<mjx-mi><mjx-c class="mjx-c78"></mjx-c></mjx-mi>`;
  const ends = `${parts('/mjx-base></mjx-mover')}</mjx-math></mjx-container>`;
  expectWork(`<title>Bread</title>${articleWith(`<p>${formula}${ends}</p>`)}`, 45_000);
});

test('the work on messages with thousands of parts in a paragraph is limited', () => {
  const text = `<p>${'<span>x</span> '.repeat(14_000)}</p>`;
  expectWork(`<title>Bread</title>${messageOf('ada', text)}${messageOf('ben', text)}`, 45_000);
});

test('the colours of code stop at their limits of time and of characters', () => {
  const contentWith = (code: string) => read(`<title>Bread</title>${articleWith(code)}`).content ?? '';
  const hostile = contentWith(`<pre><code class="language-csharp">${'a&lt;b&gt;\n'.repeat(3_000)}</code></pre>`);
  expect(hostile).toContain('<code class="language-csharp">a&lt;b&gt;\n');
  const block = `<pre><code class="language-js">${'let a;\n'.repeat(2_000)}</code></pre>`;
  const coloured = contentWith(block.repeat(9))
    .split('</pre>')
    .filter((code) => code.includes('hljs-keyword'));
  expect(coloured.length).toBeGreaterThan(0);
  expect(coloured.length).toBeLessThanOrEqual(7);
});
