import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';
import { type ArticleForms, type FormName, makeForm } from '../src/article-forms.ts';
import { renderMarkdown } from '../src/sources/markdown.ts';
import { ATTACKS } from './fixtures/attacks.ts';
import { EVERYTHING } from './fixtures/everything.ts';

const PROSE = `<p>${'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters. '.repeat(5)}</p>`;

function articleOf(markup: string) {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title></head><body><main><article>${PROSE}${markup}${PROSE}</article></main></body></html>`;
  return readPage(html);
}

function readPage(html: string) {
  const { article } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null });
  return { ...article, content: article.content ?? '' };
}

function form<Name extends FormName>(name: Name, markup: string, anchor?: string): ArticleForms[Name] {
  const job = { form: name, article: articleOf(markup), ...(anchor !== undefined && { anchor }) };
  return makeForm(job) as ArticleForms[Name];
}

/** Returns the Markdown of a piece in the middle of an article. */
function markdownOf(markup: string): string {
  return (
    form('markdown', markup)
      .split(/Bread wants[^\n]*/)[1]
      ?.trim() ?? ''
  );
}

/** Returns the words of HTML, without formulas, which are TeX in one form and MathML in the other. */
function wordsOf(html: string): readonly string[] {
  const text = html.replace(/<math\b[\s\S]*?<\/math>/g, ' ').replace(/<[^>]*>/g, ' ');
  const decoded = text.replace(/&(?:amp|lt|gt|quot|nbsp|#\w+);/g, ' ');
  return decoded.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function shareOfWords(wanted: readonly string[], found: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  const kept = wanted.filter((word) => {
    const count = counts.get(word) ?? 0;
    counts.set(word, count - 1);
    return count > 0;
  });
  return kept.length / wanted.length;
}

const NOTES = `<p>Rye<sup><a href="#fn1" id="ref1">1</a></sup> is dark, and rye<sup><a href="#fn1">1</a></sup> is
  sour<sup>[<a href="#fn2">b</a>]</sup>.</p><h2>Notes</h2><ol><li id="fn1">A grain of the north. <a href="#ref1">↩</a></li>
  <li id="fn2"><p>In taste.</p><p>Not in mind.</p></li><li id="fn3">Nobody refers to this.</li></ol>`;

test.each<readonly [name: string, markup: string, markdown: string]>([
  ['headings', '<h2>Rye</h2><p>Dark.</p><h4>Sour</h4>', '## Rye\n\nDark.\n\n#### Sour'],
  ['code', '<pre><code class="language-js">let a = `*`;</code></pre>', '```js\nlet a = `*`;\n```'],
  [
    'text that looks like Markdown',
    '<p>*a* [b](c) # d &lt;e&gt; $5 and $6</p>',
    '\\*a\\* \\[b]\\(c) # d \\<e> \\$5 and \\$6',
  ],
  ['a link', '<p>See <a href="/rye">rye</a>.</p>', 'See [rye](https://www.baker.example/rye).'],
  ['a link within the article', '<p><a href="#rye">Rye</a></p><h2 id="rye">Rye</h2>', '[Rye](#rye)\n\n## Rye'],
  ['nested lists', '<ol><li>One<ul><li>Two</li></ul></li><li>Three</li></ol>', '1. One\n   - Two\n2. Three'],
  [
    'tasks',
    '<ul><li><input type="checkbox" checked> Knead</li><li><input type="checkbox"> Bake</li></ul>',
    '- [x] Knead\n- [ ] Bake',
  ],
  [
    'a table with blocks in its cells',
    '<table><tr><th>Grain</th><th>Taste</th></tr><tr><td><p>Rye</p><p>| Spelt</p></td><td><ul><li>dark</li><li>sour</li></ul></td></tr></table>',
    '| Grain | Taste |\n| - | - |\n| Rye<br>\\| Spelt | dark<br>sour |',
  ],
  [
    'a caption of a table',
    '<table><caption>Table 1. <em>Heat</em></caption><tr><th>Grain</th></tr><tr><td>Rye</td></tr></table>',
    'Table 1. *Heat*\n\n| Grain |\n| - |\n| Rye |',
  ],
  ['raised text', '<p>H<sub>2</sub>O, m<sup>2</sup></p>', 'H<sub>2</sub>O, m<sup>2</sup>'],
  [
    'a call-out',
    '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p></div>',
    '> [!Warning]\n>\n> Hot.',
  ],
  [
    'a call-out with a title',
    '<div class="admonition tip"><p class="admonition-title">For bakers</p><p>Wait.</p></div>',
    '> [!TIP]\n> **For bakers**\n>\n> Wait.',
  ],
  [
    'formulas',
    '<p>So <math><semantics><mi>a</mi><annotation encoding="application/x-tex">a_{|b|}</annotation></semantics></math> is.</p><math display="block"><mfrac><mn>1</mn><mi>x</mi></mfrac></math>',
    'So $a_{|b|}$ is.\n\n$$\n\\frac{1}{x}\n$$',
  ],
  [
    'a picture with a caption',
    '<figure><img src="/rye.jpg" alt="A loaf" width="600" height="400"><figcaption>Rye</figcaption></figure>',
    '![A loaf](https://www.baker.example/rye.jpg)\n\nRye',
  ],
  ['a definition', '<dl><dt>Rye</dt><dd>A grain.</dd></dl>', '- **Rye**\n\n  A grain.'],
])('writes %s', (_name, markup, markdown) => {
  const compact = markdownOf(markup)
    .replace(/ +\|/g, ' |')
    .replace(/-+(?= \|)/g, '-');
  expect(compact).toBe(markdown);
});

test('writes notes once, with a reference at each mark', () => {
  const markdown = form('markdown', NOTES);
  expect(markdown).toContain('Rye[^1] is dark, and rye[^1] is sour[^2].');
  expect(markdown).toContain('[^1]: A grain of the north.');
  expect(markdown).toContain('[^2]: In taste.\n\n    Not in mind.');
  expect(markdown).not.toContain('↩');
  const list = markdown.slice(markdown.indexOf('## Notes'), markdown.indexOf('[^1]:'));
  expect(list).toContain('1. Nobody refers to this.');
});

test('keeps the blanks on both sides of a reference', () => {
  const apart = '<p>Rye <sup><a href="#fn1">1</a></sup> is dark.</p><ol><li id="fn1">A grain.</li></ol>';
  expect(form('markdown', apart)).toContain('Rye [^1] is dark.');
});

test('text has references to notes, and formulas as TeX', () => {
  const notes = form('text', NOTES);
  expect(notes).toContain('Rye[1] is dark, and rye[1] is sour[2].');
  expect(notes).toMatch(/\nA grain of the north\.\n\s*In taste\.\n/);
  expect(notes).not.toContain('↩');
  const half = '<mfrac><mn>1</mn><mi>x</mi></mfrac>';
  const formulas = form(
    'text',
    `<p>So <math>${half}</math> is.</p><math display="block">${half}</math><p>Not less.</p>`,
  );
  expect(formulas).toContain('So \\frac{1}{x} is.\n\n\\frac{1}{x}\n\nNot less.');
});

test('writes notes that have their ids inside, without their links back', () => {
  const inside = form(
    'markdown',
    '<p>Rye<sup><a href="#n1" id="r1">1</a></sup> is dark.</p><ol><li><span>^ <a href="#r1">a</a> <a href="#r1">b</a></span> <span id="n1">A grain.</span></li></ol>',
  );
  expect(inside).toContain('Rye[^1] is dark.');
  expect(inside).toContain('[^1]: A grain.');
});

test.each([
  ['everything', EVERYTHING],
  ['notes', articleOf(NOTES).content],
  ['hostile markup', `<main><article>${PROSE}${ATTACKS.join(' ')}${PROSE}</article></main>`],
])('turns Markdown of %s into the same words again', (_name, html) => {
  const article = readPage(html.startsWith('<!doctype') ? html : `<main><article>${html}</article></main>`);
  const markdown = makeForm({ form: 'markdown', article }) as string;
  const wanted = wordsOf(article.content);
  expect(wanted.length).toBeGreaterThan(100);
  expect(shareOfWords(wanted, wordsOf(renderMarkdown(markdown)))).toBeGreaterThanOrEqual(0.99);
  const text = wordsOf(makeForm({ form: 'text', article }) as string);
  expect(shareOfWords(text, wordsOf(markdown))).toBeGreaterThanOrEqual(0.99);
});

test('Markdown of hostile markup contains no HTML but raised and lowered text, and links to web pages only', () => {
  const article = readPage(
    `<main><article>${PROSE}${ATTACKS.join('')}<p>&lt;img src=x onerror=alert(1)&gt;</p>${PROSE}</article></main>`,
  );
  const root = parseFragment(renderMarkdown(makeForm({ form: 'markdown', article }) as string));
  const names = new Set<string>();
  const urls = new Set<string>();
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ('tagName' in node) names.add(node.tagName);
    if ('attrs' in node) for (const { name, value } of node.attrs) if (/^(?:href|src)$/.test(name)) urls.add(value);
    if ('attrs' in node) expect(node.attrs.filter(({ name }) => name.startsWith('on'))).toEqual([]);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(root);
  expect(names).toContain('a');
  expect(
    [...names].filter((name) =>
      /^(?:script|iframe|svg|math|style|form|object|embed|video|audio|base|meta|link)$/.test(name),
    ),
  ).toEqual([]);
  expect([...urls].filter((url) => !/^(?:https?:|mailto:|tel:|#)/.test(url))).toEqual([]);
});

const PARTS = `<h2 id="rye">Rye</h2><p>Dark.</p><h3>Sour</h3><p>Yes, <span id="taste">sour</span>.</p><h2>Spelt</h2>
  <p>Light.</p><h2>Rye</h2><p>Again.</p>`;

test('lists headings with the anchors of their parts', () => {
  expect(form('headings', PARTS)).toEqual([
    { level: 2, text: 'Rye', anchor: 'rye' },
    { level: 3, text: 'Sour', anchor: 'sour' },
    { level: 2, text: 'Spelt', anchor: 'spelt' },
    { level: 2, text: 'Rye', anchor: 'rye-1' },
  ]);
});

test.each([
  ['rye', /^Rye Dark\. Sour Yes, sour .$/],
  ['sour', /^Sour Yes, sour .$/],
  ['taste', /^Yes, sour .$/],
  ['rye-1', /^Rye Again\. Bread wants .*$/],
  ['nowhere', null],
  ['', null],
])('cuts the part %s', (anchor, text) => {
  const part = form('part', PARTS, anchor)?.content ?? null;
  if (text === null) return expect(part).toBeNull();
  expect(
    part
      ?.replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toMatch(text);
  expect(serialize(parseFragment(part ?? ''))).toBe(part);
});

test('cuts parts of hostile pages into HTML that a browser reads as it is', () => {
  const { content } = readPage(EVERYTHING);
  for (const { anchor } of makeForm({ form: 'headings', article: readPage(EVERYTHING) }) as ArticleForms['headings']) {
    const part = makeForm({ form: 'part', article: { content, hero: null, language: null }, anchor });
    const { content: cut } = part as NonNullable<ArticleForms['part']>;
    expect(serialize(parseFragment(cut))).toBe(cut);
    expect(content.length).toBeGreaterThan(cut.length);
  }
});

test('lists pictures with captions and sizes, and no data', () => {
  const figure =
    '<figure><img src="/a.jpg" alt="A" width="600" height="400"><figcaption>The <b>A</b></figcaption></figure>';
  const data =
    '<p><img alt="dot" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></p>';
  expect(form('pictures', figure + data)).toEqual([
    { url: 'https://www.baker.example/a.jpg', alt: 'A', caption: 'The A', width: 600, height: 400 },
  ]);
});

test('counts words of languages without spaces', () => {
  const article = { content: '<p>今日はパンを焼きます。</p><p>Two words</p>', hero: null, language: 'ja' };
  expect(makeForm({ form: 'wordCount', article })).toBeGreaterThan(5);
});

test.each([
  ['<b>Note: </b>text', '**Note:** text'],
  ['<b>Q:</b>Why?', '**Q**:Why?'],
  ['a<b>„Rye“</b>b', 'a„**Rye**“b'],
  ['<a href="/x"><b><i>Both </i></b></a>here', '[**_Both_**](https://www.baker.example/x) here'],
  ['<a href="/x">Why?</a>Then', '[Why?](https://www.baker.example/x)Then'],
  ['<b>one<br></b>two', '**one**\\\ntwo'],
  ['<b>one</b><b> two</b>', '**one two**'],
  ['<b>Rye!</b> and <i>n</i>th', '**Rye!** and *n*th'],
  ['x <b> </b>y<i></i>', 'x y'],
  ['<code>a</code><code>b</code> <code> </code><code>c</code>', '`ab` `c`'],
  ['<audio src="/a/rye.mp3"></audio>', '[rye.mp3](https://www.baker.example/a/rye.mp3)'],
])('writes Markdown without character references: %s', (markup, expected) => {
  expect(markdownOf(`<p>${markup}</p>`)).toBe(expected);
});
