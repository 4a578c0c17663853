import { expect, test } from 'vitest';
import { insideOf, PARAGRAPH, readPage, TEXT } from './read-page.ts';

test('keeps headings and paragraphs around which an anchor without an address is open', () => {
  const section = (id: string, title: string) => `<div class="part"><div class="titlepage"><div><div>
    <h2 class="title"><a id="${id}"/>${title}</h2></div></div></div>${PARAGRAPH}</div>`;
  const { markdown, content } = readPage(`<title>Heat</title><body>${PARAGRAPH}
    <p>See <a href="#steam">steam</a>.</p>${section('steam', '2. Steam')}${section('stone', '3. Stone')}`);
  expect(markdown).toContain('## 2. Steam');
  expect(markdown).toContain('## 3. Stone');
  expect(content).toMatch(/<h2 id="([^"]+)">2\. Steam/);
  expect(content).toContain(`href="#${/<h2 id="([^"]+)">2\. Steam/.exec(content)?.[1]}"`);
});

test('keeps the paragraphs that a manual writes as boxes, also those of links', () => {
  const boxes = `<div class="para">Never buy a thermometer from
    <a href="https://one.example/">https://one.example/</a>, <a href="https://two.example/">https://two.example/</a>
    or <a href="https://three.example/">https://three.example/</a>.</div>
    <div class="para">Measure:<div class="itemizedlist"><ul><li><div class="para">the stone</div></li></ul></div></div>
    <div class="para">See <a href="stone.html">Section 3, “Stones and how to heat them”</a>.</div>`;
  expect(insideOf(boxes)).toMatch(
    /^Never buy a thermometer from .*three\.example\/>\.\n\nMeasure:\n\n- the stone\n\nSee \[Section 3, .*\)\.$/,
  );
});

test('keeps the text, code and lists before the first section of a manual', () => {
  const page = `<title>Heat</title><body><h1>Heat</h1><p>Set the oven with a knob, and turn it to the right:</p>
    <div class="code" id="c1"><pre><code>turn(right)\nwait(20)</code></pre></div><ul><li>Wait until the light goes out.</li></ul>
    <div id="steam" class="section level2"><h2>Steam</h2>${PARAGRAPH.repeat(5)}</div>`;
  expect(readPage(page).markdown).toMatch(/turn\(right\)[\s\S]*- Wait until[\s\S]*## Steam/);
});

test('keeps short sections with many links', () => {
  const section = (id: string, title: string) => `<div class="section" id="${id}">
    <div class="header"><p>Next: <a href="#b" rel="next">Stone</a>, Up: <a href="#a" rel="up">Heat</a></p></div>
    <span id="${id}-1"></span><h3 class="section">${title}</h3>
    <p>Ask <a href="https://help.example/">https://help.example/oven-and-steam-and-stone/</a> for ${title}.</p></div>`;
  const { markdown, content } = readPage(`<title>Heat</title><body><h1>Heat</h1>${PARAGRAPH}
    <p><a href="#steam">To the steam</a></p>${section('steam', 'Steam')}${section('stone', 'Stone')}${PARAGRAPH}`);
  expect(markdown).toMatch(/### Steam\n\nAsk \[.*\) for Steam\.\n\n### Stone\n\nAsk \[.*\) for Stone\./);
  expect(markdown).not.toContain('Next:');
  expect(content).toContain(`id="${/href="#([^"]+)"/.exec(content)?.[1]}"`);
});

test('keeps the contents of examples and definitions that are mostly links', () => {
  const example = `<div class="example"><a id="e1"></a><p class="title"><strong>Example 2. Steam</strong></p>
    <div class="example-contents"><p><code><a href="turn.html">turn</a>(<a href="right.html">right</a>)</code></p></div></div>
    <br class="example-break">`;
  expect(insideOf(example)).toMatch(/^\*\*Example 2\. Steam\*\*\n\n.*turn.*right/);
  const member = `<h2 class="memtitle">bake()</h2><div class="memitem"><div class="memproto"><table class="memname"><tr>
    <td class="memname">void bake</td></tr></table></div><div class="memdoc"><p>Heats the oven.</p>
    <p>Defined in <a href="oven_source.html">oven.h, the header of the oven</a>.</p></div></div>`;
  expect(insideOf(member)).toMatch(/## bake\(\)\n\n[\s\S]*void bake[\s\S]*Heats the oven\.\n\nDefined in \[oven\.h/);
});

test('keeps declarations with their links as code', () => {
  const java = `<section><h3>Bake</h3><div class="member-signature"><span class="modifiers">public</span>&nbsp;<span
    class="element-name">bake</span><wbr><span class="parameters">(<a href="Bread.html">Bread</a>&nbsp;rye,
 <a href="Oven.html">Oven</a>&nbsp;old)</span></div><div class="block">Bakes.</div></section>`;
  expect(insideOf(java)).toBe('### Bake\n\n```\npublic bake(Bread rye,\n Oven old)\n```\n\nBakes.');
  const rows = `<h3>Bake</h3><div class="memproto"><table class="mlabels"><tr><td><table class="memname"><tr><td class="memname">void bake</td><td>(</td>
    <td class="paramtype"><a href="Bread.html">Bread</a>&#160;</td><td class="paramname"><em>rye</em>,</td></tr>
    <tr><td></td><td></td><td class="paramtype"><a href="Oven.html">Oven</a>&#160;</td><td class="paramname"><em>old</em></td></tr>
    <tr><td></td><td>)</td><td></td><td></td></tr></table></td>
    <td><span class="mlabels"><span class="mlabel">inline</span><span class="mlabel">slow</span></span></td></tr></table></div>
    <div class="memdoc"><p>Bakes.</p></div>`;
  expect(insideOf(rows).replaceAll('\u00a0', ' ')).toBe(
    '### Bake\n\n```\nvoid bake ( Bread rye,\nOven old\n) [inline, slow]\n```\n\nBakes.',
  );
});

test('keeps the headings of sections whose text is in a box of its own', () => {
  const section = (title: string) => `<div class="sect1"><h2 id="_${title}">${title}</h2><div class="sectionbody">
    <div class="paragraph"><p>Ask <a href="https://help.example/">the help of the oven</a>.</p></div></div></div>`;
  const { markdown } = readPage(`<title>Heat</title><body><div id="content">
    ${section('STEAM')}<div class="sect1"><h2>STONE</h2><div class="sectionbody">${PARAGRAPH.repeat(3)}</div></div>${section('DOOR')}</div>`);
  expect(markdown.match(/^## \w+$/gm)).toEqual(['## STEAM', '## STONE', '## DOOR']);
});

test('shows the boxes beside the text of a manual as call-outs with their titles', () => {
  const titled = `<div class="sidebar"><div class="titlepage"><div><div><p class="title"><strong>BACK TO BASICS Stones</strong></p>
    </div></div></div><div class="para">A stone holds heat.</div><div class="para">So it needs an hour.</div></div>`;
  expect(insideOf(titled)).toBe('> **BACK TO BASICS Stones**\n>\n> A stone holds heat.\n>\n> So it needs an hour.');
  const docutils =
    '<div class="sidebar"><p class="first sidebar-title">Stones</p><p class="last">A stone holds heat.</p></div>';
  expect(insideOf(docutils)).toBe('> **Stones**\n>\n> A stone holds heat.');
  expect(insideOf('<div class="sidebar"><p>Our <a href="/shop">shop for stones and pans</a></p></div>')).toBe('');
});

test('takes the picture and the label of a call-out from the table that aligns them', () => {
  const note = `<div class="note"><table border="0" summary="Note"><tr><td rowspan="2" width="25"><img alt="[Note]" src="note.png"></td>
    <th align="left">Heat</th></tr><tr><td><p>Mind the door.</p></td></tr></table></div>`;
  expect(insideOf(note)).toBe('> [!NOTE]\n> **Heat**\n>\n> Mind the door.');
  const untitled = `<div class="warning"><table><tr><td rowspan="2"><img alt="[Warning]" src="warning.png"></td><th></th></tr>
    <tr><td><p>Mind the door.</p></td></tr></table></div>`;
  expect(insideOf(untitled)).toBe('> [!Warning]\n>\n> Mind the door.');
});

test('keeps call-outs beside each other', () => {
  const note = (text: string) => `<div class="note"><h3 class="title">Note</h3><p>${text} ${TEXT} ${TEXT}</p></div>`;
  expect(insideOf(note('First.') + note('Second.'))).toMatch(/^> \[!Note\]\n>\n> First\./);
});

test('leaves out links to the neighbours of a page, also in tables', () => {
  const links = `<table class="nav_table"><tr><td>[<a href="a.html"> &lt;&lt; Stones </a>]</td><td>[<a href="./" rel="start">Top</a>]</td></tr>
    <tr><td>[<a href="b.html" rel="previous"> &lt; Doors </a>]</td><td>[<a href="c.html" rel="next"> Pans &gt; </a>]</td></tr></table>`;
  const { markdown } =
    readPage(`<title>Heat</title><meta name="generator" content="texi2html 1.82"><body><div id="main">${links}
    <h3>3.2 Heat</h3><p>${TEXT}</p><p>${TEXT} See <a href="d.html">Pans and how to heat them well</a>.</p><hr>${links}</div>`);
  expect(markdown).toMatch(/^Bread/);
  expect(markdown).not.toMatch(/Stones|Doors|Top/);
  const menu = `<nav><h5>Methods</h5><p>Made by the tool of the baker, 2022</p>
    <p><a href="get_heat.html">get_heat</a> <a href="set_heat.html">set_heat</a></p></nav>`;
  expect(insideOf(menu)).toBe('');
  const panel =
    '<p><b>Next:</b> <a href="stone.html">Stone</a> <b>Up:</b> <a href="oven.html">The oven</a> &nbsp; <b><a href="i.html">Index</a></b></p>';
  expect(insideOf(panel)).toBe('');
  const sentence = '<p>Next: <a href="stone.html">Stone</a> is heated, see <a href="oven.html">the oven</a>.</p>';
  expect(insideOf(sentence)).toContain('Next: [Stone]');
  const speakers = '<p>Up next: <a href="ada.html">Ada</a>, <a href="ben.html">Ben</a></p>';
  expect(insideOf(speakers)).toContain('Up next: [Ada]');
});

test('leaves out empty rows of tables, and the hints of RDoc', () => {
  const table = `<table><tr><td>void</td><td>bake()</td></tr><tr><td colspan="2">&nbsp;</td></tr>
    <tr><td>int</td><td>heat()</td></tr><tr><td></td><td></td></tr></table>`;
  expect(insideOf(table)).toBe('| | |\n| - | - |\n| void | bake() |\n| int | heat() |\n| | |');
  const hint =
    '<div class="method-heading"><span>bake</span><span>()</span> <span class="method-click-advice">click to toggle source</span></div>';
  expect(insideOf(hint)).toBe('bake()');
});

test('shows the summaries of Javadoc as tables', () => {
  const cell = (column: string, text: string) => `<div class="${column} even-row-color">${text}</div>`;
  const summary = `<div class="caption"><span>Constructors</span></div>
    <div class="summary-table two-column-summary"><div class="table-header col-first">Constructor</div>
    <div class="table-header col-last">Description</div>
    ${cell('col-constructor-name', '<code><a href="#bake">Bread</a>()</code>')}${cell('col-last', '<div class="block">Bakes.</div>')}
    ${cell('col-constructor-name', '<code><a href="#b2">Bread</a>(<a href="Rye.html">Rye</a> r)</code>')}${cell('col-last', '&nbsp;')}</div>`;
  expect(insideOf(summary)).toBe(
    'Constructors\n\n| Constructor | Description |\n| - | - |\n| `Bread()` | Bakes. |\n| `Bread(Rye r)` | \u00a0 |',
  );
});

test('keeps the last paragraphs of sections with long titles', () => {
  const section = (
    title: string,
  ) => `<div class="section"><div class="titlepage"><div><div><h2 class="title">${title}</h2></div></div></div>
    ${PARAGRAPH}<p>Heat <a class="xref" href="stone.html">the stone of the oven, which is the most of it</a></p></div>`;
  const titles = [
    'May I heat the stone, the door, and the pan before the bread, or after it?',
    'May I sell bread, cake, and pans?',
  ];
  const { markdown } = readPage(`<title>Heat</title><body>${PARAGRAPH}${titles.map(section).join('')}`);
  expect(markdown.match(/^Heat \[the stone/gm)).toHaveLength(2);
});

test('leaves out sections of links to other pages, with teasers or without', () => {
  const links = ['North', 'South', 'East'].map((name) => `<p><a href="/${name}">The mills of the ${name}</a></p>`);
  expect(insideOf(`<div class="section" id="more"><h2>More of the mills</h2>${links.join('')}</div>`)).toBe('');
  const cards = ['North', 'South', 'East'].map(
    (name) => `<div class="card"><a href="/${name}"><h3>The mills of the ${name}</h3></a><p>They turn.</p></div>`,
  );
  expect(insideOf(`<div class="section" id="more"><h2>More of the mills</h2>${cards.join('')}</div>`)).toBe('');
  const news = (title: string, text: string) => `<div class="section" id="a"><h2>${title}</h2>${text}</div>`;
  const top = news(
    'Top stories',
    '<p>All of the news from <a href="/north">the mills of the north</a>, told by us.</p>',
  );
  const page = `<title>Heat</title><body>${top}${news('Heat', PARAGRAPH.repeat(5))}`;
  expect(readPage(page).markdown).toMatch(/^Bread/);
  const advertisement = '<p class="sidebar-title">Our sponsor</p><p>Buy an oven of the best make that there is.</p>';
  expect(insideOf(`<div class="sidebar">${advertisement}</div>`)).toBe('');
});

test('keeps rows of tables into which a cell above reaches', () => {
  const rows = '<tr><td rowspan="2">Rye</td><td>dark</td></tr><tr><td></td></tr><tr><td>Oat</td><td>light</td></tr>';
  expect(insideOf(`<table>${rows}</table>`)).toMatch(/dark[\s\S]*\n[\s\S]*\n\| Oat \| light/);
});

test('takes a picture with the word of a call-out for its sign', () => {
  const box = '<div class="warning"><div><img src="w.svg" alt="warning"></div><div><p>Mind the door.</p></div></div>';
  expect(insideOf(box)).toBe('> [!Warning]\n>\n> Mind the door.');
});

test('leaves out pictures that lead to the neighbours of a page, and keeps one to look at', () => {
  const arrows = '<a href="a.html"><img src="l.png" alt="Prev"></a> <a href="b.html"><img src="r.png" alt="Next"></a>';
  expect(insideOf(`<table><tr><td>${arrows}</td><th>The oven</th></tr></table>`)).toBe('');
  const picture = '<a href="b.html"><img src="loaf.png" alt="A loaf" width="800" height="600"></a>';
  expect(insideOf(`<div>${picture} ${arrows}</div>`)).toContain('loaf.png');
});
