import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
const PARAGRAPHS = `<p>${TEXT} ${TEXT}</p>`.repeat(4);

function contentOf(body: string): string {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title></head><body>${body}</body></html>`;
  return readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.content ?? '';
}

/** Returns the notes to which marks lead, with the text that has a link back to the mark. */
function notesOf(content: string): readonly string[] {
  return [...content.matchAll(/<sup[^>]*>(?:\[|<span[^>]*>|\()*<a ([^>]*)>/g)].map(([, attributes = '']) => {
    const [id, target] = [/id="([^"]+)"/, /href="#([^"]+)"/].map((pattern) => pattern.exec(attributes)?.[1] ?? '?');
    const note = new RegExp(`id="${decodeURIComponent(target ?? '')}".*?(?=<li|</ol>|$)`, 's').exec(content)?.[0] ?? '';
    const isLinkedBack = note.includes(`href="#${encodeURIComponent(id ?? '')}"`);
    return `${note.replace(/^[^>]*>|<[^>]*>|↩/g, '').trim()}${isLinkedBack ? '' : ' (no link back)'}`;
  });
}

const MARKED = `<p>${TEXT}<sup>1</sup> ${TEXT}<sup>2</sup></p>`;

test.each<readonly [name: string, body: string, notes: readonly string[]]>([
  [
    'paragraphs after a heading',
    `${MARKED}<h3>Notes</h3><p>1. First note.</p><p>2. Second note.</p>`,
    ['First note.', 'Second note.'],
  ],
  [
    'raised paragraphs after a heading',
    `${MARKED}<h2>Footnotes</h2><p><sup>1</sup> First note.</p><p><sup>2</sup> Second note.</p>`,
    ['First note.', 'Second note.'],
  ],
  [
    'lines of a paragraph that begin with the targets of their marks, and lead back by a script',
    `<p>${TEXT}<a href="#one"><sup>1</sup></a> ${TEXT}<a href="#two"><sup>2</sup></a></p><p id="footnote"><a name="one"><sup>1</sup></a> First note. <a href="#">↩</a><br><br><a name="two"><sup>2</sup></a> Second note. <a href="#">↩</a></p>`,
    ['First note.', 'Second note.'],
  ],
  [
    'a named box',
    `${MARKED}<aside class="footnotes"><p>[1] First note.</p><p>(2) Second note.</p></aside>`,
    ['First note.', 'Second note.'],
  ],
  [
    'rows of a table',
    `<p>${TEXT}<sup><a href="#n1" id="r1">1</a></sup></p><table class="footnotes"><tr><td id="n1"><a href="#r1">1</a></td><td>First note.</td></tr></table>`,
    ['First note.'],
  ],
  [
    'definitions',
    `<p>${TEXT}<sup><a href="#id2" id="id1">[1]</a></sup></p><dl class="footnote"><dt id="id2"><a href="#id1">1</a></dt><dd><p>First note.</p></dd></dl>`,
    ['First note.'],
  ],
  [
    'Org mode',
    `<p>${TEXT}<sup><a id="fnr.1" class="footref" href="#fn.1">1</a></sup></p><div id="footnotes"><h2>Footnotes: </h2><div><div class="footdef">
     <sup><a id="fn.1" class="footnum" href="#fnr.1">1</a></sup> <div><p>First note.</p></div></div></div></div>`,
    ['First note.'],
  ],
  [
    'Word',
    `<p>${TEXT}<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a></p><div><hr><div id="ftn1"><p><a href="#_ftnref1" name="_ftn1"><sup>[1]</sup></a> First note.</p></div></div>`,
    ['First note.'],
  ],
  [
    'LaTeXML',
    `<p>${TEXT}<span class="ltx_note"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span><sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>First note.</span></span></span></p>`,
    ['First note.'],
  ],
  [
    'notes that a click shows',
    `<p>${TEXT}<sup><a role="button">1</a></sup><span role="tooltip" class="modern-footnotes-footnote__note">First note.</span> ${TEXT}</p>`,
    ['First note.'],
  ],
  [
    'one paragraph with line breaks',
    `<p>${TEXT}[1] ${TEXT}[2]</p><p>[1] First note.<br>[2] Second note.</p>`,
    ['First note.', 'Second note.'],
  ],
  [
    'raised numbers in one paragraph',
    `${MARKED}<hr><p><sup>1</sup> First note.<br><sup>2</sup> Second note.</p>`,
    ['First note.', 'Second note.'],
  ],
  [
    'a list without marks',
    `<p>${TEXT}[1] ${TEXT}[2]</p><h2>Footnotes</h2><ol><li>First note.</li><li>Second note.</li></ol>`,
    ['First note.', 'Second note.'],
  ],
  [
    'a list whose links lead back',
    `<p>${TEXT}<sup id="r1">1</sup> ${TEXT}<sup id="r2">2</sup></p><h2>Notes</h2><ol><li id="n1">First note. <a href="#r1">↩</a></li><li id="n2">Second note. <a href="#r2">↩</a></li></ol>`,
    ['First note.', 'Second note.'],
  ],
  [
    'a list with a link to the text',
    `<p id="flour">${TEXT}</p>${MARKED}<h2>Notes</h2><ol><li>See <a href="#flour">above</a>.</li><li>Second note.</li></ol>`,
    ['See above.', 'Second note.'],
  ],
  [
    'boxes after a heading',
    `${MARKED}<div class="notes"><h4>Notes</h4><div><sup>1</sup> First note.</div><div><sup>2</sup> Second note.</div></div>`,
    ['First note.', 'Second note.'],
  ],
  [
    'raised digits',
    `<p>${TEXT}¹ ${TEXT}²</p><p>¹ First note.</p><p>² Second note.</p>`,
    ['First note.', 'Second note.'],
  ],
  [
    'a raised note with a link back',
    `<p>${TEXT}<sup><a href="#fn1" id="ref1">1</a></sup></p><p><sup id="fn1">1. First note.<a href="#ref1">↩</a></sup></p>`,
    ['1. First note.'],
  ],
])('links notes both ways: %s', (_, body, notes) => {
  const content = contentOf(`<article><h1>Bread</h1>${PARAGRAPHS}${body}</article>`);
  expect(notesOf(content)).toEqual(notes);
  expect(content).not.toMatch(/<table|<dl|<aside|Notes<|Footnotes|↩<\/a>\s*<a [^>]*>↩/);
});

test('keeps short notes that stand outside of the text', () => {
  const list = (text: string) =>
    `<section class="footnotes"><ol><li id="fn1"><p>${text} <a href="#r1">↩</a></p></li></ol></section>`;
  const body = (notes: string) =>
    `<main><div class="text"><h1>Bread</h1>${PARAGRAPHS}<p>${TEXT}<sup><a href="#fn1" id="r1">1</a></sup></p></div>${notes}</main>`;
  expect(notesOf(contentOf(body(list('Short.'))))).toEqual(['Short.']);
  expect(notesOf(contentOf(body('<div class="box"><p id="fn1"><a href="#r1">1</a> Short.</p></div>')))).toEqual([
    'Short.',
  ]);
});

test('shows the link back whose arrow comes from a style sheet', () => {
  const body = `<p>${TEXT}<span><a href="#b1"><sup>1</sup></a></span></p><ol class="footnotes"><li><span id="b1"></span>First note.<a href="#a1"></a></li></ol>`;
  expect(contentOf(`<article><h1>Bread</h1>${PARAGRAPHS}${body}</article>`)).toMatch(/First note\.<a [^>]*>↩<\/a>/);
});

test('keeps the target of links to a paragraph of notes', () => {
  const body = `<p>${TEXT}[1] ${TEXT}[2] See the <a href="#notes">notes</a>.</p><p id="notes">[1] First note.<br>[2] Second note.</p>`;
  const content = contentOf(`<article><h1>Bread</h1>${PARAGRAPHS}${body}</article>`);
  expect(content).toMatch(/<a href="#s-notes".*id="s-notes"/s);
  expect(notesOf(content)).toEqual(['First note.', 'Second note.']);
});

test.each([
  (text: string) =>
    `<section class="footnotes"><ol>${[1, 2, 3].map((i) => `<li id="fn${i}">${text} ${i}. <a href="#ref${i}">↩</a></li>`).join('')}</ol></section>`,
  (text: string) =>
    `<h2>Notes</h2>${[1, 2, 3].map((i) => `<p id="fn${i}"><a href="#ref${i}">${i}</a> ${text} ${i}.</p>`).join('')}`,
])('links no exponent to notes that have their marks', (notes) => {
  const mark = (i: number) => `<sup><a href="#fn${i}" id="ref${i}">${i}</a></sup>`;
  const body = `<p>The lake${mark(1)} has 12 km<sup>2</sup>${mark(2)} and 3 km<sup>3</sup>${mark(3)}.</p>${notes('Said by')}`;
  const content = contentOf(`<article><h1>Bread</h1>${PARAGRAPHS}${body}</article>`);
  expect(content).toMatch(/12 km<sup>2<\/sup>.*3 km<sup>3<\/sup>/s);
  expect(notesOf(content)).toEqual(['Said by 1.', 'Said by 2.', 'Said by 3.']);
});

test('shows a list in which each item has an arrow to its mark as notes', () => {
  const item = (n: number) => `<li><span id="b${n}"></span>Note ${n}.<a class="to-top" href="#a${n}"></a></li>`;
  const mark = (n: number) => `<span id="a${n}"></span><a href="#b${n}"><sup>${n}</sup></a>`;
  const content = contentOf(
    `<article>${PARAGRAPHS}<p>${TEXT}${mark(1)} ${TEXT}${mark(2)}</p><ol class="x1y2">${item(1)}${item(2)}</ol></article>`,
  );
  expect(content).toMatch(/<section class="footnotes"><ol><li>.*Note 1\.<a [^>]*>↩<\/a><\/li>/);
});

test('raises a number behind a word that links to a note, and no other number', () => {
  const list = '<div class="footnotes"><ol><li id="fn:a"><p>Note. <a href="#r">↩</a></p></li></ol></div>';
  const content = contentOf(
    `<article>${PARAGRAPHS}<p>${TEXT}<span id="r"><a href="#fn:a">1</a></span> See <a href="#fn:a">1</a>.</p>${list}</article>`,
  );
  expect(content.match(/<sup><a [^>]*>1<\/a><\/sup>/g)).toHaveLength(1);
  expect(content).toMatch(/See <a [^>]*>1<\/a>\./);
});

test('shows no steps as notes, with links to them and arrows to the top of the page', () => {
  const step = (n: number) => `<li id="s${n}">Step ${n}. <a href="#top">↑</a></li>`;
  const links = 'See (<a href="#s2">2</a>), steps <a href="#s1">1</a>–<a href="#s2">2</a>, eq.<a href="#s1">1</a>';
  const content = contentOf(
    `<article>${PARAGRAPHS}<ol>${step(1)}${step(2)}</ol><p>${links}</p>${PARAGRAPHS}</article>`,
  );
  expect(content).not.toMatch(/<sup>|footnotes|↩/);
});

test('raises no number in brackets that links to a note', () => {
  const list = '<ol><li id="n1">Note. <a href="#r1">↩</a></li></ol>';
  const content = contentOf(
    `<article>${PARAGRAPHS}<p>${TEXT}<a id="r1" href="#n1">1</a> ([<a href="#n1">1</a>])</p>${list}</article>`,
  );
  expect(content.match(/<sup>/g)).toHaveLength(1);
  expect(content).toMatch(/\(\[<a /);
});

test('puts the link back of a note into its last paragraph', () => {
  const linked = `<p>${TEXT}<sup class="footnote-reference"><a href="#d1">1</a></sup></p><div class="footnote-definition" id="d1"><sup>1</sup><p>A definition.</p></div>`;
  expect(contentOf(`<article>${PARAGRAPHS}${linked}</article>`)).toMatch(/<p>A definition\. <a [^>]*>↩<\/a><\/p>/);
});
