import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';
import { insideOf, PARAGRAPH, readPage, TEXT, URL_OF_PAGE } from './read-page.ts';

test('takes the heading of the page for its title, not that of the manual', () => {
  const numbered = `<title>Steam and stone | Oven v18 Documentation</title><body><header><h1>Oven v18 documentation</h1></header>
    <div><h2>Steam and stone<a class="mark" href="#steam">#</a></h2>${PARAGRAPH.repeat(3)}</div>`;
  expect(readPage(numbered)).toMatchObject({ title: 'Steam and stone', site: 'Oven v18 documentation' });
  const second = `<title>Steam and stone — Oven Documentation</title><body><div><h1><a href="./">Oven Documentation</a></h1></div>
    <div role="main"><h1>Steam  and stone<a class="headerlink" href="#steam">¶</a></h1>${PARAGRAPH.repeat(3)}</div>`;
  expect(readPage(second)).toMatchObject({ title: 'Steam and stone', site: 'Oven Documentation' });
  const dashes = `<title>Oven -- steam</title><body><h1>steam</h1>${PARAGRAPH.repeat(3)}`;
  expect(readPage(dashes)).toMatchObject({ title: 'steam' });
});

test('does not repeat the title with its number, or without the name of the manual', () => {
  const page = (title: string, heading: string) =>
    readPage(`<title>${title}</title><body><h3>${heading}</h3>${PARAGRAPH.repeat(3)}`).markdown;
  expect(page('Steam and stone (Oven 3.1)', '6.11 Steam and stone')).toMatch(/^Bread/);
  expect(page('Oven.Range.set_steam', '<a href="oven.html">Oven</a><a href="range.html">Range</a>set_steam')).toMatch(
    /^Bread/,
  );
  expect(page('Steam and stone (Oven 3.1)', '6.11 Steam')).toMatch(/^### 6\.11 Steam/);
});

test('shows a short text of a tool that makes manuals, and no list of links', () => {
  const page = (body: string, tool = 'DocBook XSL Stylesheets') => {
    const html = `<html><head><title>Heat</title><meta name="generator" content="${tool}"></head><body>${body}</body></html>`;
    return readArticle(html, { url: URL_OF_PAGE, robots: null }).status.state;
  };
  const text = `<div class="section"><h2>Heat</h2><p>The oven heats by itself. ${TEXT}</p></div>`;
  expect(page(text)).toBe('SHOWN');
  expect(page(text, 'Shop 3')).toBe('NO_ARTICLE');
  const links = ['Steam and its uses', 'Stones and how to heat them', 'Doors of all sizes', 'Pans for bread and cakes'];
  expect(page(`<ul>${links.map((link) => `<li><a href="x.html">${link}</a></li>`).join('')}</ul>`)).toBe('NO_ARTICLE');
});

test('keeps what stands before and after the definitions that are most of a page', () => {
  const terms = ['Heat', 'Steam', 'Stone', 'Door'].map((term) => `<dt>${term}</dt><dd>${PARAGRAPH.repeat(2)}</dd>`);
  const page = `<title>Terms</title><body><div class="section"><h2>Terms</h2><p>An oven has many parts.</p>
    <div class="table"><table><tr><th>Term</th><th>Meaning</th></tr><tr><td><a href="#h">Heat</a></td>
    <td>What the oven gives.</td></tr></table></div>
    <dl>${terms.join('')}</dl><p>And that is all.</p></div>`;
  const { markdown } = readPage(page);
  expect(markdown).toMatch(
    /^An oven[\s\S]*What the oven gives[\s\S]*- \*\*Heat\*\*\n\n {2}Bread[\s\S]*And that is all\.$/m,
  );
  const inItem = `<title>Terms</title><body><h3>1. Terms</h3><dl><dt>bake(rye)</dt><dd>${PARAGRAPH.repeat(4)}</dd></dl>
    <dl><dt>cool(rye)</dt><dd><p>Cools the bread.</p></dd></dl>`;
  expect(readPage(inItem).markdown).toMatch(/\*\*bake\(rye\)\*\*[\s\S]*\*\*cool\(rye\)\*\*\n\n {2}Cools the bread\./);
});

test('keeps all of a table of which one cell has most of the text', () => {
  const row = (name: string) => `<tr><td>int</td><td><a href="x.html">${name}</a> (int oven, int heat)</td></tr>`;
  const rows = ['heat', 'cool', 'steam', 'dry', 'light', 'clean', 'rest', 'close', 'open'].map(row).join('');
  const table = `<table class="memberdecls"><tr><td colspan="2"><h2>Functions</h2></td></tr>${rows}
    <tr><td colspan="2"><div>${PARAGRAPH.repeat(4)}</div></td></tr>${row('break')}</table>`;
  const { markdown } = readPage(`<title>Oven</title><body><div class="contents"><p>How to bake.</p>${table}</div>`);
  expect(markdown).toMatch(/How to bake[\s\S]*heat[\s\S]*close[\s\S]*Bread[\s\S]*break/);
});

test('shows pages of which most links are types in declarations', () => {
  const method = (name: string) => `<h4>${name}</h4><pre>fn ${name}(<a href="steam.html">SteamOfTheOven</a>,
    <a href="stone.html">StoneOfTheOven</a>, <a href="door.html">DoorOfTheOven</a>)</pre><p>Sets the ${name}.</p>`;
  const { markdown } = readPage(
    `<title>Oven</title><body><p>It bakes.</p>${['heat', 'cool', 'steam', 'dry', 'light', 'clean', 'rest', 'close'].map(method).join('')}`,
  );
  expect(markdown).toContain('fn close(SteamOfTheOven,');
  const item = (
    name: string,
  ) => `<details open><summary><section><h4>pub fn <a href="#${name}">${name}</a>(&amp;self, rye:
    <a href="rye.html">Rye</a>) -&gt; <a href="result.html">Result</a>&lt;<a href="bread.html">Bread</a>&gt;</h4></section></summary>
    <p>Bakes the rye with ${name}, and returns the bread or the reason why there is none.</p></details>`;
  const items = readPage(
    `<title>Oven</title><body><p>It bakes.</p>${['steam', 'stone', 'heat', 'air', 'salt'].map(item).join('')}`,
  );
  expect(items.markdown).toContain('pub fn [steam]');
});

test('keeps the heading of a section whose words are in the title', () => {
  const page = `<title>oven-heat(1)</title><body><div id="header"><h1>oven-heat(1) Manual Page</h1></div><div id="content">
    <h2>DESCRIPTION</h2>${PARAGRAPH.repeat(3)}<h2>OVEN</h2><p>Part of the oven.</p></div>`;
  expect(readPage(page).markdown).toMatch(/## OVEN\n\nPart of the oven\./);
});

test('leaves out the head and the foot of a page of DocBook, and the signs before sections of Javadoc', () => {
  const foot = `<ul class="docnav"><li class="previous"><a href="a.html"><strong>Prev</strong>A.12. Stone</a></li>
    <li class="next"><a href="b.html"><strong>Next</strong>A.14. Door</a></li></ul>`;
  const page = `<title>A.13. Heat</title><meta name="generator" content="publican v4.3.2"><body>${foot}<div class="section"><h2>A.13. Heat</h2><div class="para">${TEXT}</div></div>${foot}`;
  expect(readPage(page).markdown.trim()).toBe(TEXT);
  const head = `<div class="navheader"><table><tr><th colspan="2">Heat</th></tr><tr><td><a href="a.html"><img src="l.png"></a></td>
    <td><a href="b.html"><img src="r.png"></a></td></tr></table></div>`;
  expect(insideOf(head)).toBe('');
  const sections = `<ul class="details-list"><li><section><h3>Bake</h3><p>Bakes the bread.</p></section></li>
    <li><section><h3>Cool</h3><p>Cools the bread.</p></section></li></ul>`;
  expect(insideOf(sections)).toBe('### Bake\n\nBakes the bread.\n\n### Cool\n\nCools the bread.');
});

test('takes the list of files of a folder, and headings with one link each, for no article', () => {
  const files = Array.from({ length: 30 }, (_, i) => `<a href="f${i}.txt">file-number-${i}-of-the-mill.txt</a> 2020`);
  expect(readPage(`<title>Files of the mill</title><body><pre>${files.join('\n')}</pre>`).content).toBe('');
  const teasers = Array.from(
    { length: 8 },
    (_, i) => `<div><h3>Live: <a href="/s${i}">Story ${i}</a> of the north and of the south</h3>${PARAGRAPH}</div>`,
  );
  expect(readPage(`<title>Front page</title><body>${teasers.join('')}`).content).toBe('');
  const linked = Array.from(
    { length: 8 },
    (_, i) =>
      `<div><h3><a href="/town">Town</a> | <a href="/ada">Ada</a> | <a href="/s${i}">Story ${i} of the mill</a></h3>${PARAGRAPH}</div>`,
  );
  expect(readPage(`<title>Front page</title><body>${linked.join('')}`).content).toBe('');
  const release = (i: number) => `<pre>Release ${i}: <a href="/r${i}">The oven of the year ${i}</a></pre>`;
  const releases = Array.from({ length: 20 }, (_, i) => release(i));
  expect(readPage(`<title>Releases</title><body><main>${releases.join('')}</main>`).content).toBe('');
});

test('reads one definition that only aligns the parts of a page', () => {
  const foot = '<div><p>Made by the people of the mill, in the house of the mill, since 1999.</p></div>';
  const page = `<title>Rye</title><body><dl><dt>Rye</dt><dd>${PARAGRAPH.repeat(4)}</dd></dl>${foot}`;
  expect(readPage(page).markdown).not.toContain('since 1999');
});

test('reads a short main part with many links, not the foot of the site', () => {
  const lines = '© The bakers<br>This page is licensed under the licence of bread, version 2.<br>'.repeat(4);
  const links = Array.from({ length: 20 }, (_, i) => `<li><a href="o${i}.html">Functions of the oven ${i}</a></li>`);
  const main = `<div role="main"><h1>Ovens</h1><p>${TEXT} See <a href="a.html">the doors of all of the ovens</a>.</p>`;
  const { markdown } = readPage(`<title>Ovens</title><meta name="generator" content="Docutils 0.19"><body>
    <div class="document">${main}<ul>${links.join('')}</ul></div></div><div class="footer">${lines}</div>`);
  expect(markdown).toContain(TEXT);
  expect(markdown).not.toContain('licence of bread');
});

test('leaves out the picture and the links beside a title above the article', () => {
  const hero = `<div class="hero hero--blog"><div class="hero__content"><h1>Why rye bread of the north rises so well, and when</h1></div>
    <a href="/blog"><i>chevron_left</i> Browse all posts</a><div class="hero__background"><img src="//pictures.example/rye.jpg"></div></div>`;
  const page = `<title>Why rye bread of the north rises so well, and when</title><body><main>${hero}<article>${PARAGRAPH.repeat(6)}</article></main>`;
  expect(readPage(page).markdown).toMatch(/^Bread/);
});

test('takes no short foot of the site for the text of a short page', () => {
  const foot =
    '<footer><p>The Mill, 12 River Street, in the house with the red door. All rights reserved by the bakers of this bread.</p></footer>';
  const read = (main: string) => {
    const generator = '<meta name="generator" content="mkdocs-1.5">';
    return readPage(`<title>Doors</title>${generator}<body><main><h1>Doors</h1>${main}</main>${foot}`).content;
  };
  expect(read('<p>The oven has no doors.</p>')).toBe('');
  const terms = Array.from({ length: 9 }, (_, i) => `<dt>Door ${i}</dt><dd>Opens to the left, and to the right.</dd>`);
  const content = read(`<dl>${terms.join('')}</dl>`);
  expect(content).toContain('Opens to the left');
  expect(content).not.toContain('River Street');
});

test('keeps notes and texts in the foot of a page', () => {
  const note = '<ol><li id="n1">So says the miller of the north. <a href="#r1">↩</a></li></ol>';
  const main = `<main><h1>Rye</h1>${PARAGRAPH.repeat(3)}<p>Rye is old.<sup><a id="r1" href="#n1">1</a></sup></p></main>`;
  expect(readPage(`<title>Rye</title><body>${main}<footer>${note}</footer>`).markdown).toContain('[^1]: So says');
  const footed = `<main><p>Welcome to the site of the mill.</p></main><div class="footer">${PARAGRAPH.repeat(4)}</div>`;
  expect(readPage(`<title>Rye</title><body>${footed}`).markdown).toContain(TEXT);
});

test('takes no section of a name such as "authority" for the author', () => {
  const section = (id: string) => `<h4><code><a id="${id}"></a><span id="${id}">${id}</span></code></h4>${PARAGRAPH}`;
  expect(readPage(`<title>Errors</title><body>${PARAGRAPH}${section('ERR_AUTHORITY')}`).byline).toBeNull();
});

test('does not repeat a heading that is most of the title', () => {
  const page = (title: string, heading: string) =>
    readPage(`<title>${title}</title><body><article><h2>${heading}</h2>${PARAGRAPH.repeat(3)}</article>`).markdown;
  expect(page('Why rye bread rises so well', 'Why rye bread rises well')).toMatch(/^Bread/);
  expect(page('The manual of the oven: doors and how to open them', 'Doors and how to open them')).toMatch(/^Bread/);
  expect(page('Rye bread rises in the north, as the miller says', 'Rye bread rises')).toMatch(/^Bread/);
  expect(page('Rye bread', 'Why rye bread rises well')).toMatch(/^## Why/);
  expect(page('Rye bread rises', 'Rye')).toMatch(/^## Rye/);
});
