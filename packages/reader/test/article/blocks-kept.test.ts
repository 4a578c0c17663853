import { expect, test } from 'vitest';
import { readArticle, readFragment } from '../../src/article/article.ts';

const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
const PARAGRAPHS = `<p>${TEXT} ${TEXT}</p>`.repeat(4);

function read(body: string, head = '') {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title>${head}</head><body>${body}</body></html>`;
  return readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article;
}

const contentOf = (part: string) =>
  read(`<article><h1>Bread</h1>${PARAGRAPHS}${part}${PARAGRAPHS}</article>`).content ?? '';

test.each(['math notranslate nohighlight', 'arithmatex'])(
  'reads TeX in a box that is named %s, without a script',
  (name) => {
    expect(contentOf(`<div class="${name}">\\[a^2\\]</div>`)).toMatch(/<math display="block" alttext="a\^2">/);
  },
);

test('keeps a declaration in code that has many links', () => {
  const code =
    '<div class="declaration"><pre>func <a href="/Do">Do</a>(a <a href="/int">int</a>) <a href="/error">error</a></pre></div>';
  expect(contentOf(code)).toMatch(/<pre>func <a[^>]*>Do<\/a>/);
});

test('reads code beside its line numbers, below the name of its file', () => {
  const code = `<div class="language-yaml highlight"><table><tr><th colspan="2">mkdocs.yml</th></tr><tr><td><pre>1\n2</pre></td><td><pre><code>theme:\n  name: x</code></pre></td></tr></table></div>`;
  const content = contentOf(code);
  expect(content).toMatch(/<code class="language-yaml">/);
  expect(content).not.toContain('<table');
});

test('turns a table of a picture and its caption into a figure', () => {
  const table =
    '<table><tr><td><a href="/b.jpg"><img src="/b.jpg" width="400" height="300"></a></td></tr><tr><td class="tr-caption">The oven</td></tr></table>';
  expect(contentOf(table)).toMatch(/<figure>.*<figcaption>The oven<\/figcaption><\/figure>/);
});

test('gathers a numbered caption', () => {
  expect(
    contentOf('<div><div><img src="/a.png" alt="A"></div><div class="title">Figure 1. The oven</div></div>'),
  ).toMatch(/<figcaption><span>Figure 1\. The oven<\/span><\/figcaption>/);
});

test.each([
  [
    '<figure><blockquote><p>Salt is all.</p></blockquote><figcaption>— Ada Holm, Bread</figcaption></figure>',
    '— Ada Holm, Bread',
  ],
  ['<div><blockquote>Salt is all.</blockquote><div class="attribution">Ada Holm</div></div>', 'Ada Holm'],
  ['<blockquote><p>Salt is all.</p></blockquote><p>– Ada Holm</p>', '– Ada Holm'],
])('keeps who said a quote: %s', (quote, speaker) => {
  expect(contentOf(quote)).toContain(`<p class="speaker">${speaker}</p></blockquote>`);
});

test('keeps blocks of page builders that stand beside those with the most text', () => {
  const block = (content: string) => `<div class="sqs-block"><div class="sqs-block-content">${content}</div></div>`;
  const figure = '<figure><img src="/a.jpg" width="800" height="500"><figcaption>The oven</figcaption></figure>';
  const content = read(
    `<main><div>${block(PARAGRAPHS)}${block(figure)}${block('<p>Short.</p>')}${block(PARAGRAPHS)}</div></main>`,
  ).content;
  expect(content).toContain('The oven');
  expect(content).toContain('Short.');
});

test('opens the parts of Confluence', () => {
  const macro =
    '<div class="confluence-information-macro confluence-information-macro-information"><div><p>Preheat the oven.</p></div></div>';
  const content = contentOf(
    `${macro}<div class="expand-content expand-hidden" style="display:none"><p>Folded text.</p></div>`,
  );
  expect(content).toMatch(/<aside class="callout note" role="note">.*Preheat/);
  expect(content).toContain('Folded text.');
});

test('leaves out menus, tables of contents and counts of readers', () => {
  const toc = '<div class="toc"><ul><li><a href="#a">Part A</a></li><li><a href="#b">Part B</a></li></ul></div>';
  const content = contentOf(`<nav><a href="/next">Next chapter</a></nav>${toc}<p>1,204 views</p>`);
  expect(content).not.toMatch(/Next chapter|Part A|views/);
});

test('finds the only author and the only date that elements name', () => {
  const post = (author: string) =>
    `<div class="post"><div class="text">${PARAGRAPHS}</div><div class="post-footer">Posted by <span itemprop="author"><a rel="author"><span itemprop="name">${author}</span></a></span> <time itemprop="datePublished" datetime="2015-06-21">21</time></div></div>`;
  expect(read(post('Peter Hahn'))).toMatchObject({ byline: 'Peter Hahn', publishedAt: '2015-06-21' });
  expect(read(`<h1>Message</h1><b>Tom Bay</b> <a href="mailto:tom@x.example">tom</a>${PARAGRAPHS}`).byline).toBe(
    'Tom Bay',
  );
});

test.each([
  ['<div class="headerbar"><h1>Stone Forum</h1></div>', 'Bread at home - Stone Forum'],
  ['<header><h1><a href="/">Stone Forum</a></h1></header>', 'Bread at home : Stone Forum'],
  ['<h1 class="menu-title">Stone Forum</h1>', 'Stone Forum | Bread at home'],
])('takes the heading of a site for its name: %s', (heading, title) => {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${heading}<main><h2>Bread at home</h2>${PARAGRAPHS}</main></body></html>`;
  const { article } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null });
  expect(article).toMatchObject({ title: 'Bread at home', site: 'Stone Forum' });
});

test('keeps the text of a heading whose number and words are links to it', () => {
  const content = contentOf(
    '<h2 id="intro"><a href="#s1">1. </a><a href="#intro">Introduction</a></h2><p id="p1">Flour<a href="#p1">¶</a></p>',
  );
  expect(content).toMatch(/<h2[^>]*>(?:<a[^>]*>)?1\. (?:<\/a>)?Introduction<\/h2>/);
  expect(content).not.toContain('¶');
});

test('takes the kind of a call-out from the most telling word of its name', () => {
  const name = 'information-macro information-macro-warning';
  const box = `<div class="${name}"><p class="title">Careful</p><div class="body"><p>It is hot.</p></div></div>`;
  expect(contentOf(box)).toMatch(/<aside class="callout warning"[^>]*><p class="callout-title">Careful/);
});

test('reads a call-out in a figure, without its icon', () => {
  const content = contentOf('<figure class="callout"><div>💡</div><div><p>Mind the oven.</p></div></figure>');
  expect(content).toMatch(/<aside class="callout note"/);
  expect(content).not.toContain('💡');
});

test('reads tasks whose boxes are drawn', () => {
  const boxes = ['on', 'off'].map(
    (state) => `<li><div class="checkbox checkbox-${state}"></div> <span>Bake</span></li>`,
  );
  expect(contentOf(`<ul>${boxes.join('')}</ul>`).match(/<input type="checkbox"[^>]*>/g)).toEqual([
    expect.stringContaining('checked'),
    expect.not.stringContaining('checked'),
  ]);
});

test('takes the language of code from the bar above it', () => {
  const bar = '<div class="crayon-toolbar"><span class="crayon-language">Python</span></div>';
  const line = '<td class="crayon-code"><div class="crayon-pre"><div class="crayon-line">a = 1</div></div></td>';
  const box = `<div class="crayon-syntax">${bar}<div class="crayon-main"><table><tr>${line}</tr></table></div></div>`;
  expect(contentOf(box)).toContain('<code class="language-python">');
});

test('keeps short code below the number of an example', () => {
  const box = `<div class="example" id="example-1"><div><a href="#example-1">Example 1</a></div><pre><code>bake()</code></pre></div>`;
  expect(contentOf(box)).toContain('bake()');
});

test('shows a picture once that a figure repeats for pages without scripts', () => {
  const figure =
    '<figure><noscript><img src="/b.jpg"></noscript><img data-src="/b.jpg" src="/b.jpg"><figcaption>Bread</figcaption></figure>';
  expect(contentOf(figure).match(/<img/g)).toHaveLength(1);
});

test.each([
  '<img src="/max/60/loaf.png?q=20" width="800" height="500"><img src="/max/1600/loaf.png" width="800" height="500">',
  '<img src="/w_1600/v2/loaf-large.png"><img src="/w_80/v2/loaf-small.png">',
  '<img src="/80x50/loaf.png" alt="A loaf on a table"><img src="/1600x1000/loaf.png" alt="A loaf on a table">',
])('shows the larger of two sizes of a picture: %s', (images) => {
  const content = contentOf(`<figure>${images}<figcaption>Bread</figcaption></figure>`);
  expect([...content.matchAll(/<img[^>]* src="[^"]*?1600[^"]*"/g)]).toHaveLength(1);
  expect(content.match(/<img/g)).toHaveLength(1);
});

test.each([
  ['years', '/2019/oven.jpg', '/2024/oven.jpg'],
  ['numbers of pictures', '/p12/oven.jpg', '/p13/oven.jpg'],
  ['parameters', '/picture.php?id=1', '/picture.php?id=2'],
])('keeps two pictures whose addresses differ in %s', (_name, first, second) => {
  expect(contentOf(`<figure><img src="${first}"><img src="${second}"></figure>`).match(/<img/g)).toHaveLength(2);
});

test('shows a picture once whose parameters differ in its size', () => {
  const images = '<img src="/loaf.png?id=1&w=60&q=20"><img src="/loaf.png?id=1&w=1600">';
  expect(contentOf(`<figure>${images}</figure>`).match(/<img/g)).toHaveLength(1);
});

test.each([
  '<p><img src="/spinner.gif" width="640" height="480" alt="A spinner"></p>',
  '<figure><img src="/css-spinner.svg"><figcaption>A spinner</figcaption></figure>',
])('keeps a picture that shows an animation of loading: %s', (markup) => {
  expect(contentOf(markup)).toMatch(/spinner\.(?:gif|svg)/);
});

test.each([
  ['a picture', '<div data-src="/oven.jpg" data-alt="Oven"><img src="/oven.jpg" width="300" height="200"></div>'],
  ['text', '<p>Hello <span data-src="/oven.jpg" data-alt="Oven">the oven<img src="/b.jpg"></span></p>'],
  ['a film', '<div data-src="/oven.mp4" data-alt="Oven"></div><img src="/b.jpg">'],
])('puts no picture into a box of %s', (_name, markup) => {
  expect(contentOf(markup).match(/<img/g)).toHaveLength(1);
});

test('shows a picture that scripts put into the place of a box', () => {
  const box = '<div class="delayed" data-src="/oven.jpg" data-alt="An oven" data-width="976" data-height="549"></div>';
  const content = contentOf(
    `<figure><span>${box}<span>Ada Holm</span></span><figcaption>The oven</figcaption></figure>`,
  );
  expect(content).toMatch(/<img width="976" height="549" src="[^"]*\/oven\.jpg" alt="An oven"/);
  expect(contentOf(box.replace('549', '1'))).not.toContain('<img');
});

test.each([
  ['an animation before something is loaded', '<p><img src="/images/ajax-loader.gif" alt="Processing…"></p>'],
  [
    'signs that drawings share',
    '<p><svg style="width:0"><defs><symbol id="play"><path d="M0 0h9"/></symbol></defs></svg></p>',
  ],
  [
    'a caption without its picture',
    '<figure><div class="player"></div><figcaption>Processing the loaf</figcaption></figure>',
  ],
  ['a figure without anything', '<figure class="wide"><span></span></figure>'],
])('leaves out %s', (_name, markup) => {
  expect(contentOf(markup)).not.toMatch(/<img|<figure|Processing/);
});

test('keeps the numbered caption of a figure without a picture', () => {
  expect(contentOf('<figure><figcaption>Figure 3. The oven at noon</figcaption></figure>')).toContain('Figure 3');
});

test('gathers the credit beside a caption in a box', () => {
  const meta = '<span class="meta"><figcaption>The oven</figcaption><cite><a href="/ada">Ada Holm</a></cite></span>';
  expect(contentOf(`<figure><img src="/a.jpg" width="800" height="500">${meta}</figure>`)).toMatch(
    /<figcaption>The oven<br><span><a [^>]*>Ada Holm<\/a><\/span><\/figcaption>/,
  );
});

test('puts lines between blocks into paragraphs, and large pictures into their own', () => {
  const picture = '<a href="/rye"><img src="/rye.jpg" width="640" height="480" alt="Rye"></a>';
  const icon = '<img src="/oven.png" width="16" height="16" alt="Hot">';
  const content = contentOf(
    `<section>Some rye. <b>Much</b> of it.<br><h2>Rye</h2>${picture}It is dark.<br><ul><li>Flour</li></ul>${icon} bake it.</section>`,
  ).replace(/ (?:target|rel|loading|decoding|referrerpolicy|id)="[^"]*"/g, '');
  expect(content).toMatch(
    /<p>Some rye\. <b>Much<\/b> of it\.<\/p><h2>Rye<\/h2><p><a [^>]*><img [^>]*><\/a><\/p><p>It is dark\.<\/p><ul>/,
  );
  expect(content).toMatch(/<p><img [^>]*oven\.png[^>]*> bake it\.<\/p>/);
});

test('puts a picture of unknown size between paragraphs into its own', () => {
  expect(contentOf('<p>One.</p><img src="/a.jpg" alt="Oven">')).toMatch(/<p><img [^>]*class="unsized"[^>]*><\/p>/);
});

test('leaves out the blanks that would stand in a line of their own at the end of a cell', () => {
  const content = contentOf(
    '<table><tr><th>Key</th><th>Use</th></tr><tr><td>Ctrl+S &nbsp;&nbsp;</td><td>Save</td></tr></table>',
  );
  expect(content).toContain('<td>Ctrl+S</td>');
});

test('leaves out the name of the language in a box at the start of code', () => {
  const code = (label: string) =>
    `<pre><code class="language-bash"><div class="code__header"><span>${label}</span></div><div>read name</div></code></pre>`;
  expect(contentOf(code('bash'))).not.toMatch(/<code[^>]*>bash/);
  expect(contentOf(code('install.sh'))).toContain('install.sh');
  const word = '<pre class="language-bash"><span class="hljs-title">bash</span> install.sh</pre>';
  expect(contentOf(word)).toMatch(/<code[^>]*>bash install/);
});

test('keeps a link in capital letters that is alone', () => {
  expect(contentOf('<p><a href="/results">CLICK FOR ALL RESULTS OF BAKING</a></p>')).toContain('CLICK FOR ALL');
});

test.each(['___', ' *** ', '—————'])('shows a line of signs as a line: %s', (line) => {
  expect(contentOf(`<p>${line}</p>`)).toContain('<hr>');
});

test('puts a credit into a line of its own, unless the caption ends with a sign', () => {
  const figure = (caption: string) =>
    contentOf(
      `<figure><span><img src="/a.jpg" width="800" height="500"><span>Ada</span></span><figcaption>${caption}</figcaption></figure>`,
    );
  expect(figure('The oven that she bought')).toContain('bought<br><span>Ada');
  expect(figure('The oven.')).toContain('The oven. <span>Ada');
  expect(figure('Figure 3')).toContain('Figure 3 <span>Ada');
});

test('keeps no paragraphs in a heading', () => {
  expect(contentOf('<h2><div><div>The oven</div></div><div>at noon</div></h2>')).toMatch(
    /<h2[^>]*>The oven\s+at noon<\/h2>/,
  );
  expect(contentOf('<h2><p id="salt">Salt</p></h2><p>See <a href="#salt">it</a>.</p>')).toContain(
    '<h2 id="s-salt">Salt',
  );
});

test('places a formula and its number without a table', () => {
  const row = '<tr><td></td><td><math display="block"><mi>E</mi></math></td><td></td><td>(1)</td></tr>';
  expect(contentOf(`<table>${row}</table>`)).toMatch(/<math(?!.*<table)/);
});

test('keeps a heading that is also a label, if text follows it', () => {
  expect(contentOf(`<h2>More</h2><p>${TEXT} ${TEXT}</p>`)).toContain('More</h2>');
});

test('leaves out the title where the text repeats it, and what stands before it', () => {
  const names = '<div><a href="/">The Baker</a></div><div><a href="/news">News</a></div>';
  const { content } = read(
    `<div class="page">${names}<h2>Bread at home</h2>${PARAGRAPHS}</div>`,
    '<meta property="og:title" content="Bread at home">',
  );
  expect(content).toMatch(/^(?:<div[^>]*>)*<p>Bread wants/);
  expect(read(`<div><p>Bread</p>${PARAGRAPHS}</div>`).content).not.toContain('<p>Bread</p>');
});

test('takes no language of people for one of code', () => {
  expect(contentOf('<pre data-lang="en">Dear baker,\nthank you</pre>')).not.toContain('language-en');
});

test('keeps the headings and pictures below a header with a standfirst', () => {
  const header = `<header class="article-header"><h2>Bread</h2><p class="standfirst">${TEXT}</p><div><span>By <a>Ada</a></span><time datetime="2024-03-05">5 March 2024, 9:12</time><span>Reading time: 3 min.</span></div></header>`;
  const picture = '<figure><img src="/b.jpg" width="800" height="500"><figcaption>Bread</figcaption></figure>';
  const text = `<p>${TEXT}</p><h2>The oven</h2><p>${TEXT}</p><p>${TEXT}</p>`;
  const { content } = read(`<main><article>${header}${picture}${text}</article></main>`);
  expect(content).toContain('The oven</h2>');
  expect(content).toContain('/b.jpg');
});

test.each([
  '<p class="note">Press <b>▶</b> to start the oven, then <kbd>⚙</kbd>.</p>',
  '<p class="note"><b>▶</b> starts the oven.</p>',
  '<div class="note">Press <b>▶</b> to start the oven.</div>',
])('keeps a sign that is a word of a call-out: %s', (box) => {
  expect(contentOf(box)).toMatch(/<aside class="callout note".*<b>▶<\/b> (?:to start|starts) the oven/);
});

test('leaves out a sign before the first sentence of a call-out', () => {
  const content = contentOf('<p class="note"><span>💡</span> Mind the oven.</p>');
  expect(content).toMatch(/<aside class="callout note".*Mind the oven/);
  expect(content).not.toContain('💡');
});

test('moves the id of a permalink to its heading or paragraph', () => {
  const heading = contentOf('<h2>Install <a id="setup" href="#setup">¶</a></h2>');
  expect(heading).toMatch(/<h2 id="s-setup">Install/);
  const paragraph = contentOf(`<p>${TEXT}<a id="p1" href="#p1">§</a></p>`);
  expect(paragraph).toMatch(/<p><a id="s-p1"><\/a>Bread/);
  expect(heading + paragraph).not.toMatch(/[¶§]/);
});

test('keeps signs that lead to notes and to other places', () => {
  const note = `<p id="p4">${TEXT}<sup><a href="#fn4">§</a></sup></p><p id="fn4">§ A note.</p>`;
  const law = `<p id="p5">${TEXT} See <a href="/law#p5">§</a> 5 and <a href="#p4">¶</a> 4.</p>`;
  const content = contentOf(note + law);
  expect(content).toMatch(/<sup[^>]*><a [^>]*>§<\/a><\/sup>/);
  expect(content).toMatch(/<a href="[^"]*\/law#p5"[^>]*>§<\/a> 5/);
  expect(content).toMatch(/<a href="#s-p4"[^>]*>¶<\/a> 4/);
});

test.each([
  ['<p><img src="/banner.png" alt="banner"></p><h1>Bread</h1>', '/banner.png'],
  ['<p>😂😂</p>', '😂😂'],
])('keeps what has no words if there is no title: %s', (html, kept) => {
  const fragment = readFragment(html, { url: 'https://www.baker.example/bread.md', title: '' });
  expect(fragment?.content).toContain(kept);
});

test('leaves out the title where the first heading repeats it below an introduction', () => {
  const html = `<p>${TEXT} ${TEXT}</p><h1>Bread at home</h1>${PARAGRAPHS}<h2>The oven</h2>`;
  const fragment = readFragment(html, { url: 'https://www.baker.example/bread.md', title: 'Bread at home' });
  expect(fragment?.content).not.toContain('Bread at home');
  expect(fragment?.content).toMatch(/^<p>Bread wants.*The oven/s);
});

test.each([
  '<img src="/b.jpg" width="800" height="500"><figcaption>Trending</figcaption>',
  '<img src="/b.jpg" width="800" height="500"><div><figcaption>Trending</figcaption></div>',
  '<img src="/b.jpg" width="800" height="500"><p>Read more</p><figcaption>Trending</figcaption>',
])('keeps a caption that is also a label: %s', (figure) => {
  const content = contentOf(`<figure>${figure}</figure>`);
  expect(content).toMatch(/<figcaption>Trending/);
  expect(content).not.toContain('Read more');
});

test.each([
  ['<video src="/rye.mp4" controls></video>', /<summary>.*<video.*<\/summary>/],
  ['<iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ"></iframe>', /<summary>.*<\/summary>/],
])('keeps a summary without words: %s', (summary, kept) => {
  expect(contentOf(`<details><summary>${summary}</summary><p>${TEXT}</p></details>`)).toMatch(kept);
});

test.each([
  ['Hello<p></p><p> </p>World', /Hello<\/p><p>World/],
  ['<b>Hello</b><p></p><i>World</i>', /Hello<\/b><\/p><p><i>World/],
  ['<p>Hello</p><p></p><p>World</p>', /Hello<\/p><p>World/],
])('keeps words apart that an empty paragraph separates: %s', (html, kept) => {
  const fragment = readFragment(`<div>${html}</div>`, { url: 'https://www.baker.example/bread.md', title: '' });
  expect(fragment?.content).toMatch(kept);
});

test('keeps the abstract in the head of a document of Pandoc, and the targets of its citations', () => {
  const head = `<header id="title-block-header"><h1>Bread</h1><p class="subtitle">From rye</p><div class="abstract">${TEXT}</div></header>`;
  const entry = '<div id="ref-holm" class="csl-entry" role="listitem">Holm, Ada. 1984. <em>The Oven</em>.</div>';
  const { content } = read(
    `${head}<section>${PARAGRAPHS}<p>As <a href="#ref-holm">Holm</a> says.</p></section><div id="refs">${entry}</div>`,
  );
  expect(content).toMatch(/From rye.*oven does.*href="#s-ref-holm".*id="s-ref-holm"/s);
});

test('keeps text that scripts show by and by, and boxes of layout programs', () => {
  const { content } = read(`<div id="js_content" style="visibility: hidden; opacity: 0;">${PARAGRAPHS}</div>`);
  expect(content).toContain('the oven does');
  const page = `<div id="_idContainer001"><p>A standfirst of some words.</p></div><div id="_idContainer002">${PARAGRAPHS}</div>`;
  expect(read(page).content).toContain('A standfirst');
});

test.each(['visibility:hidden;opacity:0', 'opacity: 0; visibility: hidden'])(
  'leaves out a dialog with the style %s, and asks a browser for the text of a page',
  (style) => {
    const dialog = `<div style="${style}"><h2>The dialog</h2><p>${TEXT}</p></div>`;
    expect(contentOf(dialog)).not.toContain('The dialog');
    const html = `<title>Bread</title><body><div style="${style}">${PARAGRAPHS}</div><script src="/a.js"></script></body>`;
    expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).status.state).toBe(
      'NEEDS_BROWSER',
    );
  },
);

test('keeps an aside of docutils, and leaves out the numbers of lines of code in a list', () => {
  const aside = '<aside class="margin sidebar"><p class="sidebar-title">Rye</p><p>It is darker.</p></aside>';
  const code = '<pre><code class="language-java">class A {}</code><ul class="pre-numbering"><li>1</li></ul></pre>';
  expect(contentOf(aside)).toMatch(/Rye<\/p><p>It is darker/);
  expect(contentOf(code)).toMatch(/\{\}<\/code>/);
});

test.each([
  ['<p>A <constructor> of a bread calls its oven.</p>', 'of a bread calls its oven'],
  ['<div class="notice constructor">Mind the oven.</div>', '<aside class="callout note"'],
  ['<blockquote><p>[!constructor] Mind the oven.</p></blockquote>', '[!constructor] Mind the oven'],
  ['<div class="note">constructor: mind the oven.</div>', '<aside class="callout note"'],
  ['<p>It is <math><mi mathvariant="constructor">x</mi></math>.</p>', '<mi>x</mi>'],
])('reads words that objects of JavaScript have as members: %s', (markup, kept) => {
  expect(contentOf(markup)).toContain(kept);
});
