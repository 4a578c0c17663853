import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const TEXT =
  'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help from the baker.';
const PARAGRAPH = `<p>${TEXT} ${TEXT}</p>`;

function articleOf(body: string, head = '') {
  const html = `<!doctype html><html lang="en"><head><title>Bread</title>${head}</head><body>${body}</body></html>`;
  const { content, ...article } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article;
  return { ...article, content: content ?? '' };
}
const contentWith = (markup: string) =>
  articleOf(`<article><h1>Bread</h1>${PARAGRAPH}${markup}${PARAGRAPH}</article>`).content;

/** Cards and buttons of editors, and what is shown of them. */
const CARDS: Readonly<Record<string, readonly [card: string, shown: RegExp]>> = {
  'a file': [
    '<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="/plan.pdf"><div class="kg-file-card-title">The plan</div><div class="kg-file-card-caption">Hour by hour</div></a></div>',
    /<p><a href="[^"]*plan\.pdf"[^>]*>The plan<\/a><br>Hour by hour<\/p>/,
  ],
  'a file with a button': [
    '<div class="wp-block-file"><a href="/plan.pdf">The plan</a><a href="/plan.pdf" class="wp-block-file__button" download>Download</a></div>',
    /<p><a href="[^"]*plan\.pdf"[^>]*>The plan<\/a><\/p>/,
  ],
  'two buttons': [
    '<div class="wp-block-buttons"><div class="wp-block-button"><a href="/course">Book it</a></div><div class="wp-block-button"><a href="/shop">Visit us</a></div></div>',
    />Book it<\/a><\/p>\s*<p><a [^>]*>Visit us</,
  ],
  'a bookmark': [
    '<figure><a href="https://rye.example/" class="bookmark"><div><div class="bookmark-title">Rye</div><div class="bookmark-description">It is sticky.</div></div><img src="/t.jpg"></a></figure>',
    /<p><a href="https:\/\/rye\.example\/"[^>]*>Rye<\/a><br>It is sticky\.<\/p>/,
  ],
  'a product': [
    '<div class="kg-card kg-product-card"><div class="kg-product-card-container"><h4>A tin</h4><p>It is heavy.</p><a href="/tin" class="kg-product-card-button"><span>Buy it</span></a></div></div>',
    /A tin<\/h4>\s*<p>It is heavy\.<\/p>\s*<p><a [^>]*><span>Buy it/,
  ],
};

test.each(Object.entries(CARDS))('shows %s in the text as a line with a link', (_, [card, shown]) => {
  expect(contentWith(card)).toMatch(shown);
});

test('leaves out the notices of a wiki', () => {
  const notices = `<div id="siteSub" class="noprint">MARKED from the encyclopedia</div><div class="hatnote" role="note">MARKED: this article is about bread. See <a href="/a">A</a> and <a href="/b">B</a>.</div>
    <table class="ambox"><tr><td>MARKED needs citations</td></tr></table>`;
  const body = `<main><h1>Bread</h1>${notices}${PARAGRAPH}<h2>Rye<span class="mw-editsection">[<a href="/e">MARKED</a>]</span></h2>${PARAGRAPH}<div class="navbox">MARKED</div></main>`;
  expect(articleOf(body).content).not.toContain('MARKED');
});

test('leaves out the buttons of a reference to source code', () => {
  const body = `<main><h2>Struct Oven <button id="copy-path">Copy item path</button></h2><a class="src" href="/src">Source</a>
    <details open><summary><span>Expand description</span></summary>${PARAGRAPH}</details><details><summary><a class="src rightside" href="/src">Source</a><h3>impl Oven</h3></summary>${PARAGRAPH}</details></main>`;
  const { content } = articleOf(body);
  expect(content).not.toMatch(/Copy|Source|Expand/);
  expect(content.match(/<details>/g)).toHaveLength(1);
});

const LINES: readonly string[] = [
  '<p>责任编辑：王小明</p>',
  '<p>【编辑:李四】</p>',
  '<div><a class="wprm-recipe-print" href="/p">Print</a></div>',
  '<p>Was this page helpful?</p>',
  '<p>4.8 from 12 votes</p>',
  '<p>Artikel anhören (3 Minuten)</p>',
  '<p>Listen to this article · 8:14 min</p>',
  '<p>👉 Подписывайтесь на наш <a href="https://t.example/x">Telegram-канал</a></p>',
];

test.each(LINES)('leaves out a line of a site: %s', (line) => {
  expect(contentWith(line).replace(/<[^>]*>/g, '')).not.toContain(line.replace(/<[^>]*>/g, ''));
});

test('says that a Japanese article goes on for members', () => {
  const text =
    '小麦の価格が上がり、街のパン屋も値段を見直している。店主は朝四時から生地をこね、夜までに五百個のパンを焼く。';
  const body = `<main><article><h1>パン</h1><p>${text.repeat(4)}</p><p>有料記事 残り 820 文字</p><p>ここから先は会員限定です。ログインして続きを読む</p></article></main>`;
  const { content, isPaywalled } = articleOf(body);
  expect({ isPaywalled, hasLine: /会員|820/.test(content) }).toEqual({ isPaywalled: true, hasLine: false });
});

test.each<readonly [name: string, body: string, head: string, expected: Readonly<Record<string, string>>]>([
  [
    'an author and a date in a German line',
    `<main><h1>Bread</h1><p>Von Ada Holm, 3. Mai 2024, 10:15 Uhr</p>${PARAGRAPH}</main>`,
    '',
    { byline: 'Ada Holm', publishedAt: '2024-05-03' },
  ],
  [
    'a date, a duration and an author',
    `<article><h1>Bread</h1><div><span title="2024-03-12 00:00:00 +0000 UTC">March 12, 2024</span>&nbsp;·&nbsp;5 min&nbsp;·&nbsp;Ada Holm</div>${PARAGRAPH}</article>`,
    '',
    { byline: 'Ada Holm', publishedAt: '2024-03-12' },
  ],
  [
    'several elements of authors',
    `<article><h1>Bread</h1>${PARAGRAPH}</article>`,
    '<meta name="author" content="Ada Holm"><meta name="author" content="Ben Ruiz">',
    { byline: 'Ada Holm, Ben Ruiz' },
  ],
  [
    'an author whose name is part of another one',
    `<article><h1>Bread</h1>${PARAGRAPH}</article>`,
    '<meta name="author" content="Anna-Maria Li"><meta name="author" content="Maria Li"><meta name="author" content="Maria Li">',
    { byline: 'Anna-Maria Li, Maria Li' },
  ],
  [
    'a last name first',
    `<article><h1>Bread</h1>${PARAGRAPH}</article>`,
    '<meta name="dc.creator" content="Holm, Ada">',
    { byline: 'Ada Holm' },
  ],
  [
    'a day and a time of the same day',
    `<h2 class="date-header">Tuesday, March 12, 2024</h2><div class="post"><h3>Bread</h3>${PARAGRAPH}${PARAGRAPH}${PARAGRAPH}<p><abbr itemprop="datePublished" title="2024-03-12T23:15:00-07:00">11:15 PM</abbr></p></div>`,
    '',
    { publishedAt: '2024-03-12' },
  ],
])('reads %s', (_, body, head, expected) => {
  const article = articleOf(body, head);
  expect(article).toMatchObject(expected);
  expect(article.content).not.toMatch(/Ada|, 2024/);
});

test('joins the lines of a poem that are boxes', () => {
  const line = (text: string) => `<div style="text-indent:-1em">${text} <br></div>`;
  const lines = [
    'The oven hums its song,',
    'the flour drifts like snow,',
    '&nbsp;',
    'the night was slow and long',
    'so that the dough could grow.',
  ];
  const { content } = articleOf(`<main><article><h1>Bread</h1><div>${lines.map(line).join('')}</div></article></main>`);
  expect(content).toMatch(/<p>The oven hums its song, <br>the flour drifts like snow, <\/p>\s*<p>the night/);
});

test('keeps a list of references whose items are mostly links', () => {
  const item = (i: number) =>
    `<li id="ref${i}"><a href="https://doi.example/${i}">Holm, A. Bread, part ${i} (2001)</a></li>`;
  const body = `<article><h1>Bread</h1>${PARAGRAPH}<p>${TEXT}<sup><a href="#ref1">1</a></sup></p><h2>References</h2><div><ol class="article-references">${item(1)}${item(2)}</ol></div></article>`;
  expect(articleOf(body).content).toMatch(/<section class="footnotes">.*part 2/s);
});

test.each([
  [
    '<p>Our chef <a class="profile-card" href="/ada">Ada Holm</a> found that rye needs two days.</p>',
    'Our chef Ada Holm found that rye needs two days.',
  ],
  [
    '<p>Read <a class="inline-link-card" href="/rye">Rye</a> and <a class="inline-link-card" href="/oats">Oats</a>.</p>',
    'Read Rye and Oats.',
  ],
])('keeps the paragraph around a link that is named as a card: %s', (paragraph, text) => {
  expect(contentWith(paragraph).replace(/<[^>]*>/g, '')).toContain(text);
});

test('keeps a picture beside a link that is named as a card', () => {
  const picture = '<img src="/b.jpg" width="800" height="500">';
  expect(contentWith(`<p>${picture}<a class="link-card" href="/rye">Rye</a></p>`)).toContain('/b.jpg');
});

test('keeps a picture between boxes of one line', () => {
  const boxes = ['The oven hums.', '<img src="/b.jpg" width="800" height="500">', 'The flour drifts.'];
  const lines = boxes.map((line) => `<div>${line}<br></div>`).join('');
  expect(contentWith(`<div>${lines}</div>`)).toMatch(/hums.*b\.jpg.*drifts/s);
});

test.each(['main-interaction', 'transaction'])('keeps text in the slot "%s"', (slot) => {
  expect(contentWith(`<oven-box><p slot="${slot}">Rye needs two days in the bowl.</p></oven-box>`)).toContain(
    'two days',
  );
});

test('shows a link around the heading of a page of another site as a line', () => {
  const card = (href: string, title: string) =>
    `<div class="oz"><a href="${href}"><div><h2>${title}</h2><div><h3>About it</h3></div><p>www.rye.example</p></div></a></div>`;
  const content = contentWith(card('https://rye.example/', 'Rye') + card('https://shop.baker.example/', 'Shop'));
  expect(content).toMatch(/<p><a href="https:\/\/rye\.example\/"[^>]*>Rye<\/a><br>About it<\/p>/);
  expect(content).not.toMatch(/<p><a [^>]*>Shop</);
});

test('marks the kicker of the heading, unless it is of another heading or a part of the title', () => {
  const start = (head: string) => contentWith(head).split(TEXT)[0];
  const marked = '<p class="kicker">Baking</p>';
  expect(start('<header><p class="article__kicker"><a href="/b">Baking</a></p><h1>Bread</h1></header>')).toContain(
    marked,
  );
  expect(start('<div><div><span class="eyebrow">Baking</span><time>today</time></div><h1>Bread</h1></div>')).toContain(
    marked,
  );
  expect(start('<h1><span class="overline">Baking</span><br>Bread</h1>')).toContain(marked);
  expect(start('<div class="kicker">Bread</div><h1>Bread</h1>')).not.toContain('kicker');
  expect(start('<h1>Bread</h1><h2 class="kicker">Baking</h2>')).not.toContain('"kicker"');
});

test('leaves out a heading that is a kicker and the title, and the links to neighbouring pages', () => {
  const heading = '<h1><span class="kicker">Baking:</span> <span class="headline">Bread</span></h1>';
  const pager = '<div><a href="/next"><span>Next</span><span>MARKED</span></a></div>';
  const { content } = articleOf(`<main><article>${heading}${PARAGRAPH}${PARAGRAPH}${pager}</article></main>`);
  expect(content).not.toMatch(/MARKED|>Bread</);
});

test('leaves out the second size of a picture, by its address', () => {
  const figure = (...names: readonly string[]) =>
    `<figure>${names.map((name) => `<div><img src="/${name}"></div>`).join('')}<figcaption>Loaves</figcaption></figure>`;
  const content = contentWith(figure('a-large.webp', 'a-300x200.jpg') + figure('DSC_1234.jpg', 'DSC_1235.jpg'));
  const shown = [...content.matchAll(/ src="[^"]*\/([^"]*)"/g)].map(([, name]) => name);
  expect(shown).toEqual(['a-large.webp', 'DSC_1234.jpg', 'DSC_1235.jpg']);
});

test('keeps the times of the parts of a report', () => {
  const part = (time: string) =>
    `<article><p><time datetime="2026-03-12T${time}:00Z">${time} GMT</time></p><h2>At ${time}</h2>${PARAGRAPH}</article>`;
  const { content } = articleOf(
    `<main><h1>Bread</h1>${['10:40', '10:12', '09:30', '09:01'].map(part).join('')}</main>`,
  );
  expect(content).toMatch(/>10:40 GMT<\/time>.*>10:12 GMT<\/time>/s);
});

test('leaves out a pull quote in a figure that repeats the text, and takes no speaker for the author', () => {
  const pull = `<figure class="wp-block-pullquote"><blockquote><p>the oven does the rest of the work</p><cite>MARKED</cite></blockquote></figure>`;
  const quote = '<div class="quote-block"><q>All is crumb.</q> <span class="quote-author">Ben Ray</span></div>';
  const { content, byline } = articleOf(`<article><h1>Bread</h1>${PARAGRAPH}${pull}${quote}${PARAGRAPH}</article>`);
  expect({ content, byline }).toMatchObject({ content: expect.not.stringContaining('MARKED'), byline: null });
  expect(content).toContain('Ben Ray');
});

test('keeps the lines and the stanzas of a poem whose lines are boxes', () => {
  const poem =
    '<div class="poem"><div>The boat</div><div>stands <em>still</em></div><div><br></div><div>and waits</div></div>';
  expect(contentWith(poem)).toMatch(/<p>The boat<br>stands <em>still<\/em><\/p>\s*<p>and waits<\/p>/);
});

test('leaves out items of lists that have lost their text', () => {
  const review = '<li><div class="comment_container"><div class="comment-text">Good bread</div></div></li>';
  expect(contentWith(`<ol>${review}${review}</ol>`)).not.toContain('<li></li>');
});

test('reads the blanks of a formula in the address of a picture', () => {
  const picture =
    '<p>So <img class="latex" src="https://s0.wp.com/latex.php?latex=E+%3D+mc%2Bd" alt="E = mc+d"> it is.</p>';
  expect(contentWith(picture)).toContain('alttext="E = mc+d"');
});

test('keeps a short section whose name has the word of a table of contents', () => {
  expect(contentWith(`<div class="abstract toc-section"><h2>Abstract</h2><p>${TEXT}</p></div>`)).toContain('Abstract');
});

test('leaves out links of references to catalogues', () => {
  const links = '[<a href="/d">DOI</a>] [<a href="/p">PubMed</a>] [<a href="/s">Google Scholar</a>]';
  const content = contentWith(`<h2>References</h2><ul><li id="r1">${TEXT} ${links}</li></ul>`);
  expect(content.replace(/<[^>]*>/g, '')).toMatch(/baker\. \[DOI\]\s*Bread/);
});

test('leaves out a row of labels', () => {
  const row =
    '<div><span>Last updated <time datetime="2026-03-12">3 months ago</time></span><span>Was this helpful?</span></div>';
  expect(contentWith(row)).not.toMatch(/updated|helpful/);
});

test('keeps the properties of a page that Notion exports', () => {
  const head = '<header><h1>Bread</h1><table class="properties"><tr><th>Owner</th><td>Ada</td></tr></table></header>';
  const { content } = articleOf(
    `<article class="page">${head}<div class="page-body">${PARAGRAPH.repeat(3)}</div></article>`,
  );
  expect(content).toMatch(/<th>Owner<\/th><td>Ada/);
});
