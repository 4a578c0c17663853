import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
const PARAGRAPHS = `<p>${TEXT} ${TEXT}</p>`.repeat(4);

function read(start: string, head = '<title>Bread</title>') {
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><main><article><h1>Bread at home</h1>${start}${PARAGRAPHS}</article></main></body></html>`;
  return readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article;
}

const jsonLd = (thing: object) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;

test.each([
  ['<title>Bread at home · V8</title>', 'V8'],
  ['<title>Bread at home</title><meta name="apple-mobile-web-app-title" content="Oven">', 'Oven'],
  [`<title>Bread at home</title>${jsonLd({ '@type': 'WebSite', name: 'Stone Times' })}`, 'Stone Times'],
  ['<title>[2401.00001] Bread at home</title>', 'baker.example'],
  ['<title>Baker - Bread at home</title>', 'Baker'],
  ['<title>2.1. Bread at home — The Book of Bread</title>', 'The Book of Bread'],
  [
    `<title>Bread at home - Baker</title>${jsonLd({ '@type': 'Article', headline: 'Bread at home', publisher: { name: 'Stone Foundation' } })}`,
    'Baker',
  ],
  [
    `<title>Bread at home - Rye</title>${jsonLd({ '@type': 'Article', headline: 'Bread at home', publisher: { name: 'Stone Foundation' } })}`,
    'Stone Foundation',
  ],
])('finds the name of the site: %s', (head, site) => {
  expect(read('', head)).toMatchObject({ title: 'Bread at home', site });
});

test('takes neither the name of a project nor the path of a page of a wiki for its title', () => {
  const titleOf = (title: string, body: string) =>
    readArticle(`<title>${title}</title><body>${body}${PARAGRAPHS}</body>`, {
      url: 'https://www.baker.example/1',
      robots: null,
    }).article;
  const issue = '<div id="header"><h1>Bread</h1></div><main><h2>Bug #4711</h2></main>';
  expect(titleOf('Bug #4711: It is flat - Bread - Tracker', issue).title).toBe(
    'Bug #4711: It is flat - Bread - Tracker',
  );
  const wiki = '<h1 class="logo"><a href="/doku.php">The Wiki</a></h1><div><h1>Bread at home</h1></div>';
  expect(titleOf('bread:at_home [The Wiki]', wiki)).toMatchObject({ title: 'Bread at home', site: 'The Wiki' });
});

test.each([
  ['pg_stat_activity', '<h1>PostgreSQL Documentation</h1>', 'pg_stat_activity'],
  ['NieR:Automata', '<h1>The Baker</h1>', 'NieR:Automata'],
  [`${'a_'.repeat(60)}!`, '<h1>Bread</h1>', `${'a_'.repeat(60)}!`],
  ['Opinion | The end of bread | The Times', '<h1>The end of bread</h1><h2>Opinion</h2>', 'The end of bread'],
  ['Chapter 1 - The Boy Who Baked', '<h1>The Boy Who Baked</h1>', 'The Boy Who Baked'],
  ['[2401.00001] Bread - at home', '<h1>Bread - at home</h1>', 'Bread - at home'],
])('reads the title "%s" of a page with %s', (title, headings, expected) => {
  const html = `<title>${title}</title><main><article>${headings}${PARAGRAPHS}</article></main>`;
  const { article } = readArticle(html, { url: 'https://www.paper.example/1', robots: null });
  expect(article).toMatchObject({ title: expected, site: 'paper.example' });
});

test.each([
  ['(500) Days of Summer', '(500) Days of Summer', '(500) Days of Summer'],
  ['(3) Bread at home', 'Bread at home', 'Bread at home'],
  ['(3) Bread at home', 'Other', 'Bread at home'],
  ['Express - Web framework for Node.js', 'Express', 'Express'],
  ['Express - Web framework for Node.js', 'Welcome', 'Express - Web framework for Node.js'],
  ['How to write tests - a guide for ASP.NET', '', 'How to write tests - a guide for ASP.NET'],
  ['Vergleich | Deno und Node.js', '', 'Vergleich | Deno und Node.js'],
  ['Where to buy - Booking.com', '', 'Where to buy - Booking.com'],
  ['Bread - a talk on paper.example', '', 'Bread'],
  ['Bread | a talk on crumb.org', '', 'Bread'],
  ['Bread | www.paper.example', '', 'Bread'],
  ['Paper: Bread | Times', 'Paper: Bread | Times', 'Paper: Bread | Times'],
])('reads the title "%s" of a page with the heading "%s"', (title, heading, expected) => {
  const html = `<title>${title}</title><main><article>${heading && `<h1>${heading}</h1>`}${PARAGRAPHS}</article></main>`;
  expect(readArticle(html, { url: 'https://www.paper.example/1', robots: null }).article.title).toBe(expected);
});

test('keeps the name of the site in a title if the heading has it', () => {
  const head = '<title>The Baker: Bread at home</title><meta property="og:site_name" content="The Baker">';
  const titleOf = (heading: string) =>
    readArticle(`${head}<main><article><h1>${heading}</h1>${PARAGRAPHS}</article></main>`, {
      url: 'https://www.baker.example/bread',
      robots: null,
    }).article.title;
  expect(titleOf('The Baker: Bread at home')).toBe('The Baker: Bread at home');
  expect(titleOf('Bread at home')).toBe('Bread at home');
});

test.each([
  ['', '<meta name="author" content="ada@baker.example (Ada Holm)">', 'Ada Holm'],
  ['<p>Veröffentlicht am 4. März 2024 von Ada Holm</p>', '', 'Ada Holm'],
  ['<div class="byline">By Ada Holm, Senior Science Reporter</div>', '', 'Ada Holm'],
  ['<p class="byline">Interview by <a href="/ada">Ada Holm</a></p>', '', 'Ada Holm'],
  ['<div class="byline">لكاتب</div>', '<meta name="author" content="كتب: أحمد علي">', 'أحمد علي'],
  [
    '',
    '<meta name="citation_author" content="Holm, Ada"><meta name="citation_author" content="Ben Ray">',
    'Ada Holm, Ben Ray',
  ],
  ['', '<meta name="dc.creator" content="Holm, Ada, 1809-1870">', 'Ada Holm'],
  [
    '',
    '<meta property="og:site_name" content="THE LOAF"><meta name="author" content="Ada Holm, THE LOAF">',
    'Ada Holm',
  ],
  [
    '',
    '<meta property="og:site_name" content="Ben"><meta name="author" content="Ada Holm, Ben Ray">',
    'Ada Holm, Ben Ray',
  ],
  [
    '<div class="ltx_authors"><span class="ltx_personname">Ada Holm</span><span class="ltx_author_notes">Institute</span> <span class="ltx_personname">Ben Ray<br>Oven</span></div>',
    '',
    'Ada Holm, Ben Ray',
  ],
  ['<p>김민수 기자 minsu@baker.example</p>', '', '김민수'],
  ['<p>글 목록</p><p>글 쓰기</p><p>글/사진</p><p>취재기자</p><p>本报记者</p>', '', null],
  ['<p>글: 김민수</p>', '', '김민수'],
  ['<p>文／山田太郎</p>', '', '山田太郎'],
  ['<p>作者：王小明</p>', '', '王小明'],
  ['<p>取材・文＝山田太郎</p>', '', '山田太郎'],
  ['<p>Автор: Анна Петрова</p>', '', 'Анна Петрова'],
  ['<p>كتب: أحمد منصور</p>', '', 'أحمد منصور'],
  ['<p>מאת: דנה לוי</p>', '', 'דנה לוי'],
  ['<p>लेखक: रवि शर्मा</p>', '', 'रवि शर्मा'],
  ['<p>โดย สมชาย ใจดี</p>', '', 'สมชาย ใจดี'],
  ['<p>Yazan: Ayşe Yılmaz</p>', '', 'Ayşe Yılmaz'],
  ['<p>Autor: Anna Nowak</p>', '', 'Anna Nowak'],
  ['<p>Autor der Woche</p><p>מאת הנהלת האתר הגדול של העיר</p>', '', null],
  ['<p>כתבה חדשה באתר</p>', '', null],
  ['<p>Title: Emma</p><p>Author: Jane Austen</p><p>Publisher: Penguin</p>', '', null],
  ['<p>Autor: Franz Kafka</p><p>Verlag: Rowohlt</p>', '', null],
  ['<p>Author: Ada Holm</p><p>Date: March 12, 2026</p>', '', 'Ada Holm'],
  ['<p>Published by Oxford University Press</p>', '', null],
  ['<p>كتب الأطفال الجديدة</p>', '', null],
  ['<p>लेखक की कहानी</p>', '', null],
  ['<p><a rel="author" href="/kim">김철수 기자</a></p>', '', '김철수'],
  ['<p class="byline">Oleh Kovalenko</p>', '', 'Oleh Kovalenko'],
  ['<p>Oleh Budi Santoso</p>', '', 'Budi Santoso'],
  ['<p>Story by Ada Holm / Photos by Ben Ray</p>', '', 'Ada Holm'],
  ['<p>Posted by Ada Holm on March 12, 2026</p>', '', 'Ada Holm'],
  ['<div><span>By Ada Holm</span><span>Mar 12, 2026</span></div>', '', 'Ada Holm'],
  ['<footer><div>Submitted by <a href="/u">Ada Holm</a> on Mon, 03/12/2026 - 10:20</div></footer>', '', 'Ada Holm'],
  [`<p>${TEXT}</p><div>${PARAGRAPHS}<footer>Submitted by Ada Holm</footer></div>`, '', null],
  [
    `${PARAGRAPHS}<section class="comments"><div><footer>Posted by Ben Ray</footer><p>Nice.</p></div></section>`,
    '',
    null,
  ],
  [`${PARAGRAPHS}<footer><p>Published by Oven Press</p></footer><div></div>`, '', null],
  ['<div><span>Par Ada Holm</span><span>Publié le 12 mars 2026 à 18h30</span></div>', '', 'Ada Holm'],
  [
    '<div class="post-foot"><span itemprop="author" itemscope><i itemprop="url">x</i><b itemprop="name">Pia</b></span></div>',
    '',
    'Pia',
  ],
  ['<p>Ein Gastbeitrag von <a href="/a">Ada Holm</a></p>', '', 'Ada Holm'],
  ['<p>Analysis by Ada Holm</p>', '', 'Ada Holm'],
  ['<p>Text: Ada Holm, Fotos: Ben Ray</p>', '', 'Ada Holm'],
  ['<p>Text und Fotos: Ada Holm</p>', '', 'Ada Holm'],
  ['<p>Von Ada Holm (Text) und Ben Ray (Fotos)</p>', '', 'Ada Holm'],
  [
    '<p><a href="/author/ada">Ada Holm</a> writes on bread</p><p><a href="/author/ada">All Posts</a></p>',
    '',
    'Ada Holm',
  ],
  ['', '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ada Holm">', 'Ada Holm'],
  ['', '<meta name="sailthru.author" content="Ada Holm">', 'Ada Holm'],
  ['', '<meta name="author" content="Di Zhang">', 'Di Zhang'],
  ['', '<meta name="citation_author" content="Zhang, Di">', 'Di Zhang'],
  ['', '<meta name="author" content="Por Santos">', 'Por Santos'],
  ['', jsonLd({ '@type': 'Article', headline: 'Bread at home', author: 'Von Hippel' }), 'Von Hippel'],
  ['<p class="byline">Di Zhang, Ada Holm</p>', '', 'Di Zhang, Ada Holm'],
  ['<p><a rel="author" href="/di">Di Zhang</a></p>', '', 'Di Zhang'],
  ['<p class="byline">Di Zhang and Ada Holm</p>', '', 'Di Zhang and Ada Holm'],
  ['<p class="byline">Di Maria Rossi</p>', '', 'Maria Rossi'],
  ['<p class="byline">Von Ada von Holm</p>', '', 'Ada von Holm'],
  ['<p class="byline">Av: Ada Holm</p>', '', 'Ada Holm'],
  ['<p class="byline">Por Ana Santos</p>', '', 'Ana Santos'],
  ['<p class="byline">Por Ana</p>', '', 'Ana'],
  ['<p class="byline">Par AFP</p>', '', 'AFP'],
  ['<p class="byline">por EFE</p>', '', 'EFE'],
  ['<p class="byline">Por Redacción</p>', '', 'Redacción'],
  ['<p class="byline">von Redaktion</p>', '', 'Redaktion'],
  ['<p class="byline">Di Redazione</p>', '', 'Redazione'],
  ['<p class="byline">Av Redaktionen</p>', '', 'Redaktionen'],
  ['', '<meta name="author" content="Von Ada Holm">', 'Ada Holm'],
  ['', '<meta name="author" content="Di Zhang and Ada Holm">', 'Di Zhang and Ada Holm'],
  ['', jsonLd({ '@type': 'Article', headline: 'Bread at home', author: 'Par Jean Dupont' }), 'Jean Dupont'],
  ['', jsonLd({ '@type': 'Article', headline: 'Bread at home', creator: ['Ada Holm'] }), 'Ada Holm'],
])('finds the author: %s %s', (start, head, byline) => {
  expect(read(start, `<title>Bread</title>${head}`).byline).toBe(byline);
});

test.each([
  ['vi', 'Thứ ba, 5/3/2024, 08:30 (GMT+7)'],
  ['vi', '08:30 05/03/2024'],
  ['th', 'วันที่ 05/03/2567'],
])('reads a date between slashes in %s: %s', (language, date) => {
  const html = `<!doctype html><html lang="${language}"><title>Bread</title><main><article><h1>Bread at home</h1><p>${date}</p>${PARAGRAPHS}</article></main></html>`;
  expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.publishedAt).toBe(
    '2024-03-05',
  );
});

test.each([
  ['03/25/2024', '2024-03-25'],
  ['25/03/2024', '2024-03-25'],
  ['(March 25, 2024)', '2024-03-25'],
  ['الثلاثاء 5 مارس 2024', '2024-03-05'],
  ['5 मार्च 2024', '2024-03-05'],
  ['5 मई 2024', '2024-05-05'],
  ['5 फ़रवरी 2024', '2024-02-05'],
  ['5 फरवरी 2024', '2024-02-05'],
  ['입력 2024.03.05. 09:14', '2024-03-05'],
  ['2024. 3. 5. 9:14', '2024-03-05'],
  ['公開：2024/03/05 09:14', '2024-03-05'],
  ['发布时间：2024-03-05 09:14', '2024-03-05'],
  ['Published: 9:14 AM EST, Tue March 5, 2024', '2024-03-05'],
  ['5. maaliskuuta 2024', '2024-03-05'],
  ['2024. március 5.', '2024-03-05'],
  ['5 Μαρτίου 2024', '2024-03-05'],
  ['5 במרץ 2024', '2024-03-05'],
  ['Ngày 5 tháng 3 năm 2024', '2024-03-05'],
  ['Thứ Ba, 5 tháng 3, 2024, 08:30 (GMT+7)', '2024-03-05'],
  ['วันอังคารที่ 5 มีนาคม พ.ศ. 2567', '2024-03-05'],
  ['เผยแพร่: 5 มี.ค. 2567 08:30 น.', '2024-03-05'],
  ['5. listopada 2024.', '2024-10-05'],
  ['5 listopada 2024', '2024-11-05'],
  ['5. listopadu 2024', '2024-11-05'],
  // either number may be the month
  ['03/05/2024', null],
])('reads the date %s', (date, expected) => {
  expect(read(`<p>${date}</p>`).publishedAt).toBe(expected);
});

test.each([
  ['fr', 'Publié le 05/03/2024 à 09h14'],
  ['pt-BR', '05/03/2024 09h14'],
  ['en-GB', '05/03/2024'],
])('takes the first number for the day in %s', (language, date) => {
  const html = `<html lang="${language}"><title>Bread</title><main><article><h1>Bread</h1><p>${date}</p>${PARAGRAPHS}</article></main>`;
  expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.publishedAt).toBe(
    '2024-03-05',
  );
});

test.each([
  '<meta name="pubdate" content="20240305">',
  '<meta name="created" content="2024-03-05"/>',
  '<meta name="sailthru.date" content="2024-03-05">',
  '<meta name="dcterms.date" content="2024-03-05">',
  jsonLd({ '@type': 'Article', headline: 'Bread at home', dateCreated: '2024-03-05' }),
])('finds the date in the head: %s', (head) => {
  expect(read('', `<title>Bread</title>${head}`).publishedAt).toBe('2024-03-05');
});

test.each([
  '<p>Published March 5, 2024. Updated April 6, 2024.</p>',
  '<p>Published <time datetime="2024-03-05">March 5</time>, last updated <time datetime="2024-04-06">April 6</time></p>',
  '<p><time class="published" datetime="2024-03-05">5</time><time class="updated" datetime="2024-04-06">6</time></p>',
  '<div><p>最終更新日 <time datetime="2024-04-06">2024年04月06日</time></p><p>投稿日 <time datetime="2024-03-05">2024年03月05日</time></p></div>',
])('finds the date of the last change: %s', (line) => {
  expect(read(line)).toMatchObject({ publishedAt: '2024-03-05', modifiedAt: '2024-04-06' });
});

test.each([
  '<div class="last-modified-date">This page was last modified on <time datetime="2024-04-06T10:00:00Z">Apr 6</time></div>',
  '<div class="docInfo"><bdi>bread.txt</bdi> · Last modified: 2024/04/06 10:11 by <bdi>ada</bdi></div>',
  '<ul><li id="footer-info-lastmod"> This page was last edited on 6 April 2024, at 10:11 (UTC).</li></ul>',
])('finds the date of the last change at the end of a page: %s', (line) => {
  const html = `<title>Bread</title><main><div><div><h1>Bread at home</h1></div></div>${PARAGRAPHS}</main><footer>${line}</footer>`;
  const { modifiedAt } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article;
  expect(modifiedAt?.slice(0, 10)).toBe('2024-04-06');
});

test.each([
  '<aside><p class="last-updated">Updated: 3 May 2025</p></aside>',
  '<p class="last-updated">Updated: 3 May 2019</p>',
])('takes no date of another text, or before the publication, for a change: %s', (line) => {
  const html = `<title>Bread</title><meta name="date" content="2024-03-05"><main><article><h1>Bread</h1>${PARAGRAPHS}</article></main><div>${line}</div>`;
  expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article).toMatchObject({
    publishedAt: '2024-03-05',
    modifiedAt: null,
  });
});

test('takes the first line of a box for its author, and no heading of a section', () => {
  const lines =
    'Ada Holm<br>The Mill,<br>University of the North<br>E-mail: <a href="mailto:a@mill.example">a@mill.example</a>';
  expect(read(`<div class="author">${lines}</div>`).byline).toBe('Ada Holm');
  const section = `<div class="section" id="Author"><h2 id="Author-1">2.1 Author</h2><p>${TEXT}</p></div>`;
  expect(read(section).byline).toBeNull();
  expect(read('<p class="byline">1.5 Degrees Staff</p>').byline).toBe('1.5 Degrees Staff');
});

test.each(['Index of /pub/', 'Subscribe to read | The Baker'])('takes a page titled "%s" for no article', (title) => {
  const html = `<title>${title}</title><main><h1>Bread</h1>${PARAGRAPHS.slice(0, 700)}</main>`;
  expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).status.state).toBe('NO_ARTICLE');
});

test('reads data in a text of JSON', () => {
  const data = JSON.stringify(JSON.stringify({ post: { content: PARAGRAPHS } })).replaceAll('<', '\\u003c');
  const html = `<title>Bread</title><div id="root"></div><script>window.__STATE__ = JSON.parse(${data});</script><script src="x.js"></script>`;
  expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.content).toContain(TEXT);
});

test.each(['h2', 'b'])('takes the posts of one author for a report, not for a conversation: %s', (heading) => {
  const post = (minute: number) =>
    `<article class="post"><header><time datetime="2024-05-01T10:${minute}:00Z">${minute}</time><${heading}>News of minute ${minute}</${heading}><span class="author">Ada Holm</span></header><p>${TEXT} ${TEXT}</p></article>`;
  const html = `<title>Live</title><main><h1>Live</h1><ul><li>${TEXT}</li></ul>${[10, 20, 30, 40].map(post).join('')}</main>`;
  const { content } = readArticle(html, { url: 'https://www.baker.example/live', robots: null }).article;
  expect(content).toContain('News of minute 20');
  expect(content).not.toContain('class="message"');
});

test('keeps pictures between boxes of text of one name', () => {
  const box = `<div class="rich-text">${PARAGRAPHS}</div>`;
  const figure = '<figure><img src="/a.jpg" width="800" height="500"><figcaption>The oven</figcaption></figure>';
  expect(read(`<div>${box}${figure}${box}${box}</div>`).content).toContain('<figcaption>The oven</figcaption>');
});

test('reads the main part again if much of its text or code would be lost', () => {
  const cell = (content: string) =>
    `<div class="cell"><div class="input"><div class="prompt"></div>${content}</div></div>`;
  const code = cell(`<div class="editor"><pre>loaf = knead(flour, water, salt)</pre></div>`);
  const html = `<title>Bread</title><main>${cell(`<div><h1>Bread</h1><p>${TEXT}</p></div>`)}${code.repeat(3)}<div class="cell"><div>${PARAGRAPHS.slice(0, 430)}</div></div></main>`;
  const { content } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article;
  expect(content?.match(/loaf = knead/g)).toHaveLength(3);
});

test.each([
  '<p>Last updated: <time datetime="2026-03-14">Mar 14, 2026</time></p>',
  '<p><time datetime="2026-03-14" itemprop="dateModified">Mar 14, 2026</time></p>',
])('takes no change for the date of the article: %s', (line) => {
  expect(read(line)).toMatchObject({ publishedAt: null, modifiedAt: '2026-03-14' });
});

test.each([
  ['<title>The Baker: Bread at home</title>', '<h1><a href="/">The Baker</a></h1>', 'The Baker'],
  ['<title>麵包的做法_生活中心_麵包網</title>', '<h1>麵包的做法</h1>', null],
  [
    '<title>パンの作り方：パン新聞</title><meta property="og:site_name" content="パン新聞">',
    '<h1>パンの作り方</h1>',
    'パン新聞',
  ],
])('shortens a title by the headings of the page: %s', (head, start, site) => {
  const [own] = /麵包的做法|パンの作り方/.exec(head) ?? ['Bread at home'];
  const heading = start.includes(own) ? '' : `<h3 class="post-title">${own}</h3>`;
  const html = `<html><head>${head}</head><body><header>${start.includes(own) ? '' : start}</header><div class="post">${start.includes(own) ? start : heading}${PARAGRAPHS}</div></body></html>`;
  const { article } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null });
  expect(article.title).toBe(own);
  if (site !== null) expect(article.site).toBe(site);
});

test.each([
  'Hi, I am Ada Holm, a baker.',
  'Ada Holm died today.',
  'Ada Holm ist tot!',
  'Is Ada Holm right?',
  '«Ada Holm est morte.»',
  'Ada Holm は今日亡くなった。',
])('keeps a first sentence with the name of the author: %s', (sentence) => {
  const head = '<title>Bread</title><meta name="author" content="Ada Holm">';
  for (const start of [`<p>${sentence}</p>`, `<div><p>${sentence}</p></div>`])
    expect(read(start, head).content?.replace(/<[^>]*>/g, '')).toContain(sentence);
});

test.each(['By Ada Holm.', 'Von Ada Holm.', 'Ada Holm, 5.3.2024.', 'Ada Holm, March 5, 2024, 9:12 a.m.'])(
  'leaves out the line of the author: %s',
  (line) => {
    const head = '<title>Bread</title><meta name="author" content="Ada Holm"><meta name="date" content="2024-03-05">';
    expect(read(`<p>${line}</p>`, head).content).not.toContain('Ada Holm');
  },
);

test.each([
  ['<p>Posted by Ada Holm on March 12, 2026</p>', ''],
  ['<div>By <a href="/x">Ada Holm</a>Published March 12, 2026</div>', ''],
  ['', jsonLd({ '@type': 'PodcastEpisode', url: 'https://www.baker.example/bread', datePublished: '2026-03-12' })],
])('finds the date of the line of the author, and of an episode: %s', (start, head) => {
  expect(read(start, `<title>Bread at home</title>${head}`).publishedAt).toBe('2026-03-12');
});

test('removes the date of the place of a time that is on another day in UTC', () => {
  const head = '<title>Bread at home</title><meta name="date" content="2026-03-12T23:30:00-05:00">';
  expect(read('<p>March 12, 2026</p>', head).content).not.toContain('March');
  expect(read('<p>March 10, 2026</p>', head).content).toContain('March 10, 2026');
  const noon = '<title>Bread at home</title><meta name="date" content="2026-03-12T10:00:00Z">';
  expect(read('<p>Friday, March 13, 2026, Town Hall</p>', noon).content).toContain('Town Hall');
});

test.each([
  ['<p>The bakery opened on March 12, 2016</p>', ''],
  ['<p>Geboren am 12. März 1926 in Bonn</p>', ''],
  ['<p>Posted by mistake on March 12, 2016</p>', ''],
  ['', jsonLd({ '@type': 'Book', url: 'https://www.baker.example/bread', datePublished: '1911-01-01' })],
  ['', jsonLd({ '@type': 'ImageObject', '@id': 'https://www.baker.example/bread#image', datePublished: '2011-01-01' })],
])('takes no date of the text, and of other things, for that of the article: %s', (start, head) => {
  expect(read(start, `<title>Bread at home</title>${head}`).publishedAt).toBeNull();
});

test('reads a date whose parts are in elements of their own', () => {
  expect(read('<p>2026年<span>3月12日</span></p>').publishedAt).toBe('2026-03-12');
});

test.each([
  ['zh-yue', 'yue'],
  ['zh-CHT', null],
  ['ar-EGY', null],
])('reads the language of a page, and no old names and regions for one: %s', (tag, language) => {
  const html = `<html lang="${tag}"><title>Bread</title><body><h1>Bread</h1>${PARAGRAPHS}`;
  expect(readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.language).toBe(language);
});

test.each([
  ['blog.stone.example', 'Blog', 'Stone Foundation'],
  ['docs.stone.example', 'Docs', 'Stone Foundation'],
  ['docs.stone.example', 'Stone', 'Stone'],
  ['stone.co.uk', 'Stone', 'Stone'],
])(
  'prefers the name of a host to that of its publisher, but not the name of a part of it: %s, %s',
  (host, name, site) => {
    const data = jsonLd({ '@type': 'Article', headline: 'Bread at home', publisher: { name: 'Stone Foundation' } });
    const html = `<title>Bread at home - ${name}</title>${data}<body><h1>Bread at home</h1>${PARAGRAPHS}`;
    expect(readArticle(html, { url: `https://${host}/bread`, robots: null }).article.site).toBe(site);
  },
);
