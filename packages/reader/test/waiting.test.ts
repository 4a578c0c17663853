import { expect, test } from 'vitest';
import { readArticle } from '../src/article/article.ts';

const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters to a baker: ' +
  'the flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else. ';

function contentOf(body: string): string | null {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title></head><body>${body}</body></html>`;
  return readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.content;
}

const streamed = `<div hidden id="S:0"><p>${PROSE}</p><p>${PROSE}</p><template id="P:1"></template></div>
  <div hidden id="S:1"><p>The last part.</p></div><script>$RS("S:1","P:1");$RC("B:0","S:0")</script>`;

test('reads the parts that React streams after a page, in their places', () => {
  const content =
    contentOf(`<main><article><h1>Bread</h1><div><!--$?--><template id="B:0"></template><p>Loading the recipe
    <!--$-->of the day<!--/$--></p><!--/$--></div><p>After the part.</p></article></main>${streamed}`);
  expect(content?.match(/salt for the taste/g)).toHaveLength(2);
  expect(content).toMatch(/salt for the taste.*The last part\..*After the part\./s);
  expect(content).not.toMatch(/Loading|of the day/);
});

test('keeps a streamed part hidden if the page has no place for it', () => {
  expect(contentOf(`<main><article><h1>Bread</h1></article></main>${streamed}`)).toBeNull();
});

test('reads declarative shadow roots', () => {
  const root = (mode: string) =>
    `<bake-article><template ${mode}><article><p>${PROSE.repeat(3)}</p></article></template></bake-article>`;
  expect(contentOf(root('shadowrootmode="open"'))).toContain('salt for the taste');
  expect(contentOf(root(''))).toBeNull();
});

const PANELS: readonly string[] = [
  '<div role="tablist"><button role="tab" aria-controls="p">Rye</button></div><div id="p" style="display:none"><p>PANEL text.</p></div>',
  '<div role="tabpanel" hidden><p>PANEL text.</p></div>',
  '<h3><button aria-expanded="false" aria-controls="p">Rye</button></h3><div id="p" hidden><p>PANEL text.</p></div>',
  '<h3><button aria-expanded="false">Rye <svg aria-hidden="true"><path d="M0 0"/></svg></button></h3><div hidden><p>PANEL text.</p></div>',
  '<div><h3><span role="button" aria-expanded="false">Rye</span></h3></div><div style="display:none"><p>PANEL text.</p></div>',
  '<div hidden="until-found"><p>PANEL text.</p></div>',
  '<details><summary>Rye</summary><p>PANEL text.</p></details>',
  '<div class="callout"><p>Rye</p><div class="callout-content" style="display:none"><p>PANEL text.</p></div></div>',
  '<div class="faq-body faq__answer" hidden><p>PANEL text.</p></div>',
];

test.each(PANELS)('reads what a click shows: %s', (panel) => {
  const content = contentOf(`<article><p>${PROSE.repeat(2)}</p>${panel}<p>${PROSE.repeat(2)}</p></article>`);
  expect(content).toContain('PANEL text.');
});

test.each([
  '<button aria-expanded="false" aria-controls="m">Menu</button><div id="m" hidden><p>PANEL text.</p></div>',
  '<button aria-expanded="false">Menu</button><div hidden><p>PANEL text.</p></div>',
  '<h3>Rye <button aria-expanded="false" aria-haspopup="menu">Menu</button></h3><div hidden><p>PANEL text.</p></div>',
  '<h3><button aria-expanded="false">Rye</button></h3><p>Text.</p><div hidden><p>PANEL text.</p></div>',
  '<h1><button aria-expanded="false">Rye</button></h1><div hidden><p>PANEL text.</p></div>',
  '<h2>Rye <button aria-expanded="false">Share</button></h2><div hidden><p>PANEL text.</p></div>',
  '<h3><button aria-expanded="false">Breads</button></h3><ul hidden><li><a href="/rye">PANEL text</a></li></ul>',
])('does not read what is hidden behind a menu or another text: %s', (menu) => {
  expect(contentOf(`<article><p>${PROSE.repeat(2)}</p>${menu}<p>${PROSE.repeat(2)}</p></article>`)).not.toContain(
    'PANEL',
  );
});

test('reads blocks that are hidden from screen readers only if nothing else is there', () => {
  const letter = `<div aria-hidden="true"><h1>Bread</h1><p>${PROSE}</p><p>${PROSE}</p></div>`;
  expect(contentOf(`<main>${letter}<div>FPS: --</div></main>`)?.match(/salt for the taste/g)).toHaveLength(2);
  expect(
    contentOf(`<main><article><p>${PROSE.repeat(4)}</p></article>${letter}</main>`)?.match(/salt for/g),
  ).toHaveLength(4);
});

test('leaves out numbers of lines that cannot be selected', () => {
  const line = (i: number) =>
    `<span style="display:flex"><span style="user-select:none">${i}</span><span>knead(${i}0)\n</span></span>`;
  const content = contentOf(
    `<article><p>${PROSE.repeat(3)}</p><pre><code class="language-js">${line(1)}${line(2)}</code></pre></article>`,
  );
  const code = /<pre>.*<\/pre>/s.exec(content ?? '')?.[0].replace(/<[^>]*>/g, '');
  expect(code?.trim()).toBe('knead(10)\nknead(20)');
});

const NOTES: readonly string[] = [
  '</article><div><h4>Footnotes</h4><ol><li>NOTE one.</li><li>NOTE two.</li></ol></div>',
  '<aside><ol start="1"><li>NOTE one.</li></ol></aside><aside><ol start="2"><li>NOTE two.</li></ol></aside></article>',
  '<hr><p><sup>1</sup> NOTE one.</p><p><sup>2</sup> NOTE two.</p></article>',
  '<hr><p><span><sup><a href="//6CB562CC#_ftnref1">[1]</a> </sup>NOTE one.</span></p><p><span><sup><a href="//6CB562CC#_ftnref2">[2]</a></sup>NOTE two.</span></p></article>',
  '<h2>Anmerkungen</h2><ol class="plain"><li>NOTE one.</li><li>NOTE two.</li></ol></article>',
];

test.each(NOTES)('links marks and notes both ways: %s', (notes) => {
  const content =
    contentOf(
      `<main><article><p>${PROSE}<sup>1</sup></p><p>${PROSE}<sup class="x">2</sup></p><p>${PROSE}</p>${notes}</main>`,
    ) ?? '';
  for (const [number, text] of [
    [1, 'one'],
    [2, 'two'],
  ] as const) {
    const mark = new RegExp(`<sup><a id="([^"]+)" href="#([^"]+)">${number}</a></sup>`).exec(content);
    expect(mark, content).not.toBeNull();
    const note = new RegExp(`<li id="${mark?.[2]}">\\s*NOTE ${text}\\..*?</li>`, 's').exec(content)?.[0];
    expect(note).toContain(`href="#${mark?.[1]}"`);
  }
  expect(content.match(/NOTE/g)).toHaveLength(2);
});

test.each([
  [`<p>${PROSE} [1]</p><p>More [1].</p><h3>References</h3><p>[1] NOTE one.</p>`, '1'],
  [`<p>${PROSE.trim()}*</p><p>${PROSE}</p><p>* NOTE one.</p>`, '*'],
  [
    `<p>${PROSE}<a class="footnote-link" href="#n1"><sup>1</sup></a></p><aside id="n1" hidden><p>NOTE one.</p></aside>`,
    '1',
  ],
  [`<p>${PROSE}<sup><a href="#n1">1</a></sup></p><h2>Sources</h2><ol><li><p id="n1">NOTE one.</p></li></ol>`, '1'],
])('links a mark and its note both ways: %s', (body, label) => {
  const content = contentOf(`<main><article>${body}<p>${PROSE}</p></article></main>`) ?? '';
  const [, id, target] = /<a id="([^"]+)" href="#([^"]+)">([^<]*)<\/a><\/sup>/.exec(content) ?? [];
  expect(content).toContain(`>${label}</a></sup>`);
  const note = /<li[^>]*>(?:(?!<li).)*NOTE one\..*?<\/li>/s.exec(content)?.[0];
  expect(note).toContain(`id="${target}"`);
  expect(note).toContain(`href="#${id}">↩</a>`);
  expect(content.match(/NOTE/g)).toHaveLength(1);
});

test('leaves marks without a note, and lists with stars', () => {
  const content = contentOf(`<article><p>${PROSE} [3] and 2*3.</p><p>${PROSE}</p><p>* one</p><p>* two</p></article>`);
  expect(content).toContain('[3] and 2*3.');
  expect(content).not.toContain('<sup>');
});

test('turns notes beside the text into footnotes', () => {
  const note = (number: number, text: string) =>
    `<label for="sn${number}">${number}</label><input type="checkbox" id="sn${number}"><span class="sidenote"><sup>${number}</sup> ${text}</span>`;
  const content = contentOf(
    `<article><p>${PROSE}${note(1, 'NOTE one.')} More.</p><p>${PROSE}${note(2, 'NOTE two.')}</p>
    <div><h2>All notes</h2><ol><li>NOTE one.</li><li>NOTE two.</li></ol></div></article>`,
  );
  expect(content?.match(/NOTE/g)).toHaveLength(2);
  expect(content).not.toContain('All notes');
  expect(content).toMatch(/everything else\. <sup><a id="[^"]*" href="[^"]*">1<\/a><\/sup> More\./);
  expect(content).toMatch(/<section class="footnotes"><ol><li id="[^"]*">\s*NOTE one\..*<li id="[^"]*">\s*NOTE two\./s);
});

test('shows hidden notes that marks name by an attribute', () => {
  const mark = (id: string) => `<span data-definition="${id}"><a href="#">*</a></span>`;
  const note = (id: string, text: string) => `<aside style="display:none" id="${id}">${text}</aside>`;
  const content = contentOf(
    `<article><p>${PROSE}${mark('n1')}</p><p>${PROSE}${mark('n2')}${mark('n1')}</p>${note('n1', 'NOTE one.')}${note('n2', 'NOTE two.')}
    ${note('n3', 'NOTE three.')}</article>`,
  );
  expect(content?.match(/<a id="[^"]*" href="[^"]*">\d<\/a>/g)).toHaveLength(3);
  expect(content).toMatch(
    /<li id="s-n1">NOTE one\. <a href="[^"]*">↩<\/a> <a href="[^"]*">↩<\/a><\/li><li id="s-n2">NOTE two/,
  );
  expect(content).not.toContain('three');
});

test.each([
  ['<button aria-controls="sn-1" aria-expanded="false">1</button>', '<aside id="sn-1" class="sidenote" hidden>'],
  ['<sup><button class="footnote-ref" popovertarget="a7">1</button></sup>', '<div id="a7" popover><sup>1</sup> '],
  ['<sup><button id="fnref-1" aria-controls="fn-1">1</button></sup>', '<div id="fn-1" style="display:none">'],
])('links the note that %s opens both ways', (mark, note) => {
  const end = /^<(\w+)/.exec(note)?.[1];
  const content = contentOf(
    `<article><p>${PROSE}${mark} More.</p><p>${PROSE}</p>${note}NOTE one. <button>Close</button></${end}></article>`,
  );
  expect(content?.match(/NOTE one/g)).toHaveLength(1);
  expect(content).toMatch(
    /<sup><a id="[^"]*" href="#([^"]*)">1<\/a><\/sup> More\..*<li id="\1">NOTE one\. +<a [^>]*>↩</s,
  );
});

test('does not take raised numbers without notes for marks', () => {
  const content = contentOf(
    `<article><p>${PROSE.repeat(3)} The oven has 2 m<sup>2</sup>.</p><ol><li>One</li><li>Two</li></ol></article>`,
  );
  expect(content).toContain('m<sup>2</sup>');
});

test.each([
  '<img src="https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D">',
  '<img src="https://chart.apis.google.com/chart?cht=tx&chl=%5Cfrac%7Ba%7D%7Bb%7D">',
  '<img src="/eq7.png" alt="$\\frac{a}{b}$">',
  '<span class="math-inline" data-math="\\frac{a}{b}"><span aria-hidden="true">a b</span></span>',
])('shows the formula of %s', (markup) => {
  const content = contentOf(`<article><p>${PROSE.repeat(3)}</p><p>Inline: ${markup}.</p></article>`);
  expect(content).toMatch(/Inline: <math[^>]*>.*<mfrac><mi>a<\/mi><mi>b<\/mi><\/mfrac>.*<\/math>\./s);
});
