import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';
import { findPart } from '../src/article/part/part.ts';

/** Long enough for an article, and different in each place. */
const text = (subject: string) =>
  `${subject} is what this paragraph is about, and it says so in a sentence that is long enough to be read as an article, with commas, and more.`;

const PAGE = `<!doctype html><html lang="en"><title>Tides</title><body><article><h1 id="title">Tides</h1>
<p>${text('The opening')}</p>
<p id="second">${text('The second')} It ends with a naïve <em>remark</em> on Größe.</p>
<h2 id="wheels">Wheels</h2>
<p>${text('A wheel')}<sup><a href="#fn1" id="ref1">1</a></sup></p>
<h3 id="sub">Cranks</h3>
<p>${text('A crank')}</p>
<blockquote id="quote"><p>Nothing in the machine knows what a sea is.</p><p>Nor does it ask.</p></blockquote>
<h2 id="größe">Größe</h2>
<p>${text('Size')}</p>
<h2 id="twice">First of two</h2><p>${text('The first')}</p>
<h2 id="twice">Second of two</h2><p>${text('The second of two')}</p>
<h2><a name="named">Named</a></h2><p>${text('A named heading')}</p>
<p><a name="before-heading"></a></p><h2>After an anchor</h2><p>${text('The anchor')}</p>
<div id="wrapper"><h2 id="wrapped">Wrapped</h2></div><p>${text('The wrapper')}</p>
<section id="box"><h2 id="in-box">In a section</h2><p>${text('The section')}</p></section><p>${text('After the section')}</p>
<h2 id="things">Things</h2>
<table id="table"><caption>Constituents</caption><tr><th>Symbol</th><th>Name</th></tr><tr id="row"><td>M2</td><td><a id="cell"></a>Principal lunar</td></tr></table>
<ol start="3"><li>The third item is a wheel of brass.</li><li id="item">The fourth item is a wheel of wood.</li><li>The fifth item is a rope.</li></ol>
<dl><dt id="term">Amplitude</dt><dd>The height of a wave.</dd><dt>Phase</dt><dd id="description">The start of a wave.</dd></dl>
<pre id="listing"><code>first line
second line</code></pre>
<pre><a name="in-listing"></a>a plain line</pre>
<details><summary>More</summary><p id="closed">${text('The hidden')}</p></details>
<h2 id="user-content-readme">Readme</h2><p>${text('A readme')}</p>
<h2><span id="alias" aria-hidden="true">#</span><a id="100%25"></a>Percent</h2><p>${text('A percent sign')}</p>
<h2 id="two words">Two words</h2><p>${text('An id with a space')}</p>
<figure><img id="banner" src="/wheel.png" width="800" height="400" alt="A wheel"><figcaption>A wheel of iron, as it was.</figcaption></figure>
<p><a href="#banner">The picture</a> of ${text('a wheel')}</p>
<h2>Without an id</h2><p>${text('No id')}</p><h2>Without an id</h2><p>${text('No second id')}</p>
<hr id="rule"><p>${text('What follows a rule')}</p>
<h2 id="last">Last</h2><p>${text('The last one')}</p>
<section class="footnotes"><ol><li id="fn1">A note on wheels. <a href="#ref1">↩</a></li><li id="fn2">A note on nothing.</li></ol></section>
</article></body></html>`;

const content = readArticle(PAGE, { url: 'https://tides.example/page', robots: null }).article.content ?? '';

/** Returns the text of a part in short, with a line for each block. */
function shownBy(fragment: string): string | null {
  const part = findPart(content, fragment);
  if (part === null) return null;
  return part.content
    .replace(/ is what this paragraph[^<]*?more\./g, '')
    .replace(/<\/(?:p|h\d|li|dt|dd|pre|summary|caption|tr)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/\s*\n\s*/g, ' | ')
    .replace(/^[\s|]+|[\s|]+$/g, '');
}

const QUOTE = 'Nothing in the machine knows what a sea is. | Nor does it ask.';
const TABLE = 'Constituents | SymbolName | M2Principal lunar';
const NOTE = 'A note on wheels. ↩';
const SECOND = 'The second It ends with a naïve remark on Größe.';

test.each<readonly [name: string, fragment: string, shown: string | null]>([
  [
    'a section with its subsections and the footnotes in it',
    'wheels',
    `Wheels | A wheel1 | Cranks | A crank | ${QUOTE} | ${NOTE}`,
  ],
  ['a subsection, to the next heading of a higher rank', 'sub', `Cranks | A crank | ${QUOTE}`],
  ['the last section, to the footnotes', 'last', 'Last | The last one'],
  ['the first of two with one id', 'twice', 'First of two | The first'],
  ['Unicode', 'größe', 'Größe | Size'],
  ['Unicode that is percent-encoded', 'gr%C3%B6%C3%9Fe', 'Größe | Size'],
  ['an id that looks encoded', '100%25', 'Percent | A percent sign'],
  ['an id that is encoded once more', '100%2525', 'Percent | A percent sign'],
  [
    'an id with a space, percent-encoded',
    'two%20words',
    'Two words | An id with a space | A wheel of iron, as it was.The picture of a wheel',
  ],
  ['a picture, with its caption', 'banner', 'A wheel of iron, as it was.'],
  ['an id that GitHub has given a prefix', 'readme', 'Readme | A readme'],
  ['a name in a heading', 'named', 'Named | A named heading'],
  ['a name before a heading', 'before-heading', 'After an anchor | The anchor'],
  ['an element around a heading only', 'wrapper', 'Wrapped | The wrapper'],
  ['a heading in it', 'wrapped', 'Wrapped | The wrapper'],
  ['a section element', 'box', 'In a section | The section'],
  ['the heading that begins a section element', 'in-box', 'In a section | The section'],
  ['a paragraph', 'second', SECOND],
  ['a quote', 'quote', QUOTE],
  ['a table', 'table', TABLE],
  ['a row', 'row', TABLE],
  ['an anchor in a cell', 'cell', TABLE],
  ['an item of a list', 'item', 'The fourth item is a wheel of wood.'],
  ['a term', 'term', 'Amplitude | The height of a wave.'],
  ['a description', 'description', 'Phase | The start of a wave.'],
  ['preformatted text', 'listing', 'first line | second line'],
  ['an anchor in preformatted text', 'in-listing', 'a plain line'],
  ['a passage in a closed toggle', 'closed', 'More | The hidden'],
  ['a hidden anchor in a heading', 'alias', 'Percent | A percent sign'],
  ['a footnote', 'fn2', 'A note on nothing.'],
  ['the reference of a footnote', 'ref1', `A wheel1 | ${NOTE}`],
  ['a rule', 'rule', 'What follows a rule'],
  ['no fragment', '', null],
  ['the top of the page', 'top', null],
  ['a heading without an id, by the one that GitHub would give to it', 'without-an-id', 'Without an id | No id'],
  ['the second of its text', 'without-an-id-1', 'Without an id | No second id | What follows a rule'],
  ['an unknown id', 'unknown', null],
  ['an id of the hosted page', 's-wheels', null],
  ['invalid percent-encoding', '%ZZ', null],
  ['markup', '"><script>alert(1)</script>', null],
  ['a property of objects', '__proto__', null],
  ['words', ':~:text=knows%20what', QUOTE],
  ['words in another case and without accents', ':~:text=NAIVE%20REMARK', SECOND],
  ['words over inline elements', ':~:text=na%C3%AFve%20remark%20on', SECOND],
  ['a part of a word', ':~:text=remar', null],
  ['words after a prefix', ':~:text=wood.-,the,item', 'The fifth item is a rope.'],
  ['words before a suffix', ':~:text=item%20is%20a,-rope', 'The fifth item is a rope.'],
  ['words between both', ':~:text=fourth-,item,-is%20a%20wheel', 'The fourth item is a wheel of wood.'],
  [
    'words from one block to another',
    ':~:text=fourth%20item,rope',
    'The fourth item is a wheel of wood. | The fifth item is a rope.',
  ],
  ['words from a table into a list', ':~:text=Principal,brass', `${TABLE} | The third item is a wheel of brass.`],
  ['an end that is only before the start', ':~:text=rope,brass', null],
  ['several passages', ':~:text=brass&text=rope', 'The third item is a wheel of brass. | The fifth item is a rope.'],
  ['several passages of which one is missing', ':~:text=absent&text=rope', 'The fifth item is a rope.'],
  ['words of a heading', ':~:text=Cranks', `Cranks | A crank | ${QUOTE}`],
  ['words with an id that counts if they are missing', 'last:~:text=absent', 'Last | The last one'],
  ['words with an id', 'last:~:text=rope', 'The fifth item is a rope.'],
  ['another directive', ':~:selector(type=CssSelector)', null],
  ['no words', ':~:text=', null],
  ['only a prefix', ':~:text=a-', null],
  ['too many words', ':~:text=a,b,c,d,e', null],
  ['words with invalid percent-encoding', ':~:text=%E0%A4%A', null],
])('%s: #%s', (_, fragment, shown) => {
  expect(shownBy(fragment)).toBe(shown);
});

test('items keep their numbers, toggles are open, and the anchor is an id of the part', () => {
  expect(findPart(content, 'item')).toEqual({
    content: '<div><ol start="3"><li id="s-item" value="4">The fourth item is a wheel of wood.</li></ol></div>',
    anchor: 's-item',
  });
  expect(findPart(content, 'closed')?.content).toContain('<details open="">');
  expect(findPart(content, ':~:text=rope')?.anchor).toBeNull();
});

test.each([
  ['<ol reversed>', '2'],
  ['<ol reversed start="10">', '9'],
  ['<ol>', '2'],
])('items of a list keep their numbers: %s', (list, number) => {
  const items = ['One', 'Two', 'Three'].map((name) => `<li id="s-${name}">${name}</li>`).join('');
  expect(findPart(`${list}${items}</ol>`, 'Two')?.content).toContain(`<li id="s-Two" value="${number}">`);
});

test('words of a script without spaces need no spaces around them', () => {
  const japanese = '<p>潮汐は海面の昇降である。</p><p>月の引力による。</p>';
  expect(findPart(japanese, `:~:text=${encodeURIComponent('引力')}`)?.content).toBe('<p>月の引力による。</p>');
});

test('a hostile fragment of a long article takes no more than a moment', { timeout: 10_000 }, () => {
  const long = `<p>${'a '.repeat(500)}</p>`.repeat(1_000);
  const fragment = `:~:text=${'a-,a,b,-a&text='.repeat(130)}`;
  expect(findPart(long, fragment)).toBeNull();
  expect(findPart(`${'<div>'.repeat(200)}x${'</div>'.repeat(200)}`, 'x')).toBeNull();
});
