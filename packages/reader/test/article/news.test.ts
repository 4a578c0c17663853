import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
const PARAGRAPH = `<p>${TEXT} ${TEXT}</p>`;

function read(body: string, head = '<title>Bread at home</title>') {
  const html = `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
  const { content, ...article } = readArticle(html, { url: 'https://www.paper.example/bread', robots: null }).article;
  return { ...article, content: content ?? '' };
}

function inside(markup: string): string {
  const { content } = read(`<main><article><h1>Bread at home</h1>${PARAGRAPH}${markup}${PARAGRAPH}</article></main>`);
  const [, between = ''] = content.split(`${TEXT} ${TEXT}</p>`);
  return between.replace(/<p>$/, '').trim();
}

const textOf = (markup: string) =>
  inside(markup)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test.each([
  '<h2>More on this story</h2><ul><li><a href="/rye">Rye for a week</a></li></ul>',
  '<p><b>More on this story</b></p><ul><li><a href="/rye">Rye for a week</a></li></ul>',
  '<h2>関連ニュース</h2><ul><li><a href="/rye">Rye for a week</a></li></ul>',
  '<p><a href="https://chat.example/c">Follow our WhatsApp channel for the latest news</a></p>',
  '<p>Add as a preferred source on Google</p>',
  '<p>Follow us on Google News</p>',
  '<p>ADVERTISING</p>',
  '<p>☆☆☆☆☆</p>',
  '<p>★ 5 from 3 reviews</p>',
  '<p>\u200d</p>',
])('leaves out %s', (markup) => {
  expect(inside(markup)).toBe('');
});

test.each([
  [
    '<p>More on this story will follow when the oven is hot.</p>',
    'More on this story will follow when the oven is hot.',
  ],
  ['<p>Updated: the oven is hot.</p>', 'Updated: the oven is hot.'],
  ['<p>Follow the Telegram steps to connect the oven.</p>', 'Follow the Telegram steps to connect the oven.'],
  ['<h3>Rye</h3><p>★★★★☆</p>', 'Rye ★★★★☆'],
  ['<h2>Advertising</h2><p>Bakers pay for signs.</p>', 'Advertising Bakers pay for signs.'],
  ['<p>\u200d<img src="/loaf.jpg" alt="Loaf"></p>', '\u200d'],
])('keeps lines of the text that resemble those of a site: %s', (markup, text) => {
  expect(textOf(markup)).toBe(text.trim());
});

test('leaves out a day without its year and the line of a change', () => {
  const start =
    '<time class="dt-published" datetime="Apr 18"><span>18 Apr</span></time><div>Updated: <span>Apr 20, 2023</span></div>';
  const head = '<title>Bread at home</title><meta property="article:published_time" content="2023-04-18T09:00:00Z">';
  const body = `<main><article><h1>Bread at home</h1>${start}${PARAGRAPH}<p><time>18 May</time> was hot.</p>${PARAGRAPH}</article></main>`;
  const { content } = read(body, head);
  expect(content).not.toMatch(/18 Apr|Updated/);
  expect(content).toContain('18 May');
});

test('keeps the days and times of the entries of a report in a list', () => {
  const entry = (time: string) =>
    `<li><div class="timestamp"><time datetime="2024-05-14T${time}:00Z">14 May 2024 - ${time}</time></div><h2>At ${time}</h2>${PARAGRAPH}</li>`;
  const head = '<title>Bread at home</title><meta property="article:published_time" content="2024-05-14T09:00:00Z">';
  const entries = ['18:10', '17:10', '16:40', '15:30'];
  const { content } = read(`<main><h1>Bread at home</h1><ul>${entries.map(entry).join('')}</ul></main>`, head);
  expect(content.match(/14 May 2024 - \d\d:\d\d/g)).toHaveLength(entries.length);
});

test('separates the parts of a caption, and leaves out labels, counters and pictures that only hold a place', () => {
  const figure = (caption: string) =>
    `<figure><div><img src="/grey-placeholder.png" alt=""><img src="/loaf.jpg" width="800" height="500" alt=""></div><figcaption>${caption}</figcaption></figure>`;
  const shown = inside(figure('<span>A loaf.</span><span><span>Credit...</span><span>Ada Holm</span></span>'));
  expect(
    shown
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe('A loaf. Ada Holm');
  expect(shown).not.toContain('placeholder');
  expect(textOf(figure('<span>1/3</span> A loaf'))).toBe('A loaf');
  expect(textOf(figure('Add <span>1/2</span> cup'))).toBe('Add 1/2 cup');
  expect(textOf(figure('<span>1/2</span> cup of rye'))).toBe('1/2 cup of rye');
  expect(inside('<p><img src="/placeholder.png" alt="A field"><img src="/focus.png" alt="Focus"></p>')).toContain(
    'placeholder.png',
  );
  expect(inside('<p><img src="/placeholder.png" width="800" height="500" alt="Loaf"></p>')).toContain(
    'placeholder.png',
  );
});

test('leaves out a heading of a kicker and a long part of the title', () => {
  const head = '<title>Rye: How bread rises at home</title>';
  const heading = (kicker: string, title: string) =>
    read(
      `<main><article><h2><span>${kicker}</span><span>${title}</span></h2>${PARAGRAPH.repeat(3)}</article></main>`,
      head,
    ).content;
  expect(heading('Baking', 'How bread rises at home')).not.toContain('<h2');
  expect(heading('Baking', 'How bread falls at home')).toContain('<h2');
});

test.each([
  ['GHENT, Belgium, March 7, 2024 (NEWSWIRE) -- The oven is hot.', '2024-03-07'],
  ['LOS ANGELES, 7 March 2024 /Wire/ -- The oven is hot.', '2024-03-07'],
  ['Ghent, Belgium, March 7, 2024 was a hot day.', null],
  ['</p><blockquote><p>Ghent, Belgium, March 7, 2024 — Dear Ada</p></blockquote><p>', null],
])('finds the date behind the place of a press release: %s', (start, publishedAt) => {
  expect(read(`<main><h1>Bread at home</h1><p>${start}</p>${PARAGRAPH.repeat(3)}</main>`).publishedAt).toBe(
    publishedAt,
  );
});

test('finds the date of a job', () => {
  const job = { '@context': 'https://schema.org', '@type': 'JobPosting', title: 'Baker', datePosted: '2024-04-01' };
  const head = `<title>Baker</title><script type="application/ld+json">${JSON.stringify(job)}</script>`;
  expect(read(`<main><h1>Baker</h1>${PARAGRAPH.repeat(3)}</main>`, head).publishedAt).toBe('2024-04-01');
});

test.each([
  ['<div class="post_author-wrap"><img src="/a.jpg"><div>Ada Holm</div><div>Head of Bread</div></div>', 'Ada Holm'],
  ['<div class="post_author-wrap"><div>Ada Holm</div><div>March 7, 2024</div></div>', 'Ada Holm'],
  ['<div class="post_author-wrap"><div>Ada Holm</div><div>Head of Bread</div></div>', 'Ada Holm'],
  ['<div class="author-hint"><img src="/a.jpg"><div>Popular Posts</div></div>', null],
  ['<ul><li class="vcard"><span class="fn org">Harrow Inn</span>, a bed and a bar</li></ul>', null],
])('finds the author in a box that is named for it: %s', (box, byline) => {
  expect(read(`<main><article><h1>Bread at home</h1>${box}${PARAGRAPH.repeat(3)}</article></main>`).byline).toBe(
    byline,
  );
});

test('finds the author in a box with a date that is in the head of a post, and in no other box', () => {
  const bylineOf = (box: string) => {
    const head = `<header class="blog-post-header"><h1>Bread at home</h1>${box}</header>`;
    return read(`<main>${head}<section><div class="text">${PARAGRAPH.repeat(3)}</div></section></main>`).byline;
  };
  const box = (name: string, end: string) =>
    `<div class="${name}"><img src="/a.jpg"><div><div>Ada Holm</div><div>${end}</div></div></div>`;
  expect(bylineOf(box('post-header_author-wrap', 'March 7, 2024'))).toBe('Ada Holm');
  expect(bylineOf(box('post-header_authority', 'Head of Bread'))).toBeNull();
});

test('keeps the only recording of an episode, which stands before the box of its text', () => {
  const audio = (name: string) => `<div class="player"><audio controls src="/${name}.mp3"></audio></div>`;
  const episode = (start: string, end = '') =>
    read(
      `<main><article><h1>Bread at home</h1>${start}<div class="notes">${PARAGRAPH.repeat(3)}</div>${end}</article></main>`,
    ).content;
  expect(episode(audio('rye'))).toMatch(/^.{0,40}<audio[^>]*rye\.mp3.*Bread wants/s);
  expect(episode(`<aside>${audio('rye')}</aside>`)).not.toContain('<audio');
});

test('leaves out the numbers of items that are boxes, and separates those of sections of a law', () => {
  const item = (sign: string, text: string) => `<li><div><div>${sign}</div></div><div><p>${text}</p></div></li>`;
  expect(textOf(`<ol>${item('1', 'Rye')}${item('2', 'Oats')}</ol>`)).toBe('Rye Oats');
  expect(textOf(`<ol>${item('7', 'Rye')}${item('9', 'Oats')}</ol>`)).toBe('7 Rye 9 Oats');
  expect(textOf('<p><span>(a)</span><span>where the bread is shared; or</span></p>')).toBe(
    '(a) where the bread is shared; or',
  );
  expect(textOf('<p><span>7</span><span>The bread is shared by all.</span></p>')).toBe('7 The bread is shared by all.');
  expect(inside('<p><span>19</span><span>th century bread was hard.</span></p>')).not.toContain('</span> <span>');
  expect(inside('<p><span>3</span><span>D printed bread is hard.</span></p>')).not.toContain('</span> <span>');
});

test('reads a word without an end behind the number of a section', () => {
  expect(textOf(`<p><span>(a)</span><span>${'ab'.repeat(200_000)}</span></p>`)).toMatch(/^\(a\) ?abab/);
});

test('joins two lines of a stanza', () => {
  const verse = '<div class="stanza"><div>The oven hums its song,</div><div>the flour drifts like snow.</div></div>';
  expect(inside(verse)).toMatch(/<p>The oven hums its song,\s*<br>the flour drifts like snow\.<\/p>/);
});

test.each([
  [
    '<p><span title="2024-02-11 08:00:00 +0000 UTC">May 11, 2024</span>&nbsp;·&nbsp;4 min&nbsp;·&nbsp;712 words&nbsp;·&nbsp;Ada Holm&nbsp;|&nbsp;<a href="/edit">Suggest Changes</a></p>',
    'Ada Holm',
  ],
  ['<div><div>Author</div><div><p>Ada Holm</p></div></div>', 'Ada Holm'],
  ['<dl><dt>Written by:</dt><dd>Ada Holm</dd></dl>', 'Ada Holm'],
  ['<table><tr><th>Author</th><td>Ada Holm</td></tr></table>', null],
  ['<table><tr><th>Author</th><th>First Published</th></tr><tr><td>Ada</td><td>1999</td></tr></table>', null],
  ['<dl><dt>Author</dt><dd>Ada Holm</dd><dt>ISBN</dt><dd>1</dd></dl>', null],
  [`${PARAGRAPH.repeat(2)}<dl><dt>author</dt><dd>The Writer</dd></dl>`, null],
  ['<dl><dt>Authors</dt><dd>Rye and oats, and what they need</dd></dl>', null],
  ['<aside><div>Author</div><div>Ada Holm</div></aside>', null],
])('finds the author behind facts or a label: %s', (start, byline) => {
  expect(read(`<main><article><h1>Bread at home</h1>${start}${PARAGRAPH.repeat(3)}</article></main>`).byline).toBe(
    byline,
  );
});

test('finds the date in a list of facts that is not that of a change', () => {
  const facts = (...labels: readonly string[]) =>
    `<dl>${labels.map((label, i) => `<dt>${label}</dt><dd>${i + 2} March 2023</dd>`).join('')}</dl>`;
  const dateOf = (list: string) =>
    read(`<main><div><h1>Bread at home</h1>${list}${PARAGRAPH.repeat(3)}</div></main>`).publishedAt;
  expect(dateOf(facts('Last updated', 'Published'))).toBe('2023-03-03');
  expect(dateOf(facts('Last updated'))).toBeNull();
  expect(dateOf(facts('Born', 'Died'))).toBeNull();
});

test('leaves out headings of lists that are gone, and lists of tags, and keeps headings of texts', () => {
  const toc =
    '<div><h2>Contents</h2><nav><a href="#a">Rye</a><a href="#b">Oats</a></nav></div><h2 id="a">Rye</h2><p>Dark.</p>';
  expect(textOf(toc)).toBe('Rye Dark.');
  expect(textOf('<p>Tags: <a href="/t/a">bread</a>, <a href="/t/b">rye</a></p>')).toBe('');
  expect(textOf('<h2>Tags</h2><p>A tag says of what age a loaf is, and who has baked it.</p>')).toMatch(/^Tags A tag/);
});
