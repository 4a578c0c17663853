import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';

const TEXT =
  'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help from the baker.';
const PARAGRAPH = `<p>${TEXT} ${TEXT}</p>`;

function articleWith(markup: string, { title = 'Bread', head = '' } = {}): string {
  const body = `<article><h1>${title}</h1>${PARAGRAPH}${markup}${PARAGRAPH}</article>`;
  const html = `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
  return readArticle(html, { url: 'https://www.baker.example/bread', robots: null }).article.content ?? '';
}
const textOf = (content: string) => content.replace(/<[^>]*>/g, '');

test.each([
  ['<h2>Tools</h2><ul><li><a href="/g">Google Scholar</a>: the largest index</li></ul>', 'Google Scholar: the largest'],
  ['<h2>Tools</h2><ul><li><a href="/s">Scopus</a></li><li>Ask a library</li></ul>', 'Scopus'],
  ['<h2>References</h2><ul><li><a href="/s">Scopus</a></li><li>Ask a library</li></ul>', 'Scopus'],
  ['<ul><li>See <a href="/a">Ads</a> below</li></ul>', 'See Ads below'],
  [
    '<h2>Notes</h2><ol><li>All papers were counted in <a href="/a">Scopus</a> in March.</li></ol>',
    'in Scopus in March',
  ],
  ['<h2>References</h2><ol><li>All papers were counted in <a href="/a">Scopus</a> in March.</li></ol>', 'in Scopus in'],
])('keeps names of catalogues in the text: %s', (markup, text) => {
  expect(textOf(articleWith(markup))).toContain(text);
});

test.each(['<h2><em>Rye</em> in the north</h2>', '<h2>Why <em>Rye</em> needs two days</h2>'])(
  'keeps a heading in which the title is a word: %s',
  (heading) => {
    expect(textOf(articleWith(heading, { title: 'Rye' }))).toContain(heading.replace(/<[^>]*>/g, ''));
  },
);

test.each([
  [
    '<a href="https://other.example/x"><h3>Rye</h3><img src="/r.jpg" width="800" height="500"><p>It is sticky.</p></a>',
    /r\.jpg.*It is sticky/s,
  ],
  ['<a href="https://other.example/x"><h3>Rye</h3><p>It is sticky.</p><p>And sour.</p></a>', /sticky.*And sour/s],
  ['<a href="#details"><h3>Rye</h3><p>It is sticky.</p></a>', /<h3[^>]*>.*Rye/],
])('keeps all of a link around a heading: %s', (link, kept) => {
  expect(articleWith(`<div>${link}</div>`)).toMatch(kept);
});

test.each([
  '<a href="/big"><img src="/b.jpg" width="800" height="500"></a>',
  '<span><img src="/b.jpg" width="800" height="500"></span>',
])('keeps a picture between the lines of a poem: %s', (picture) => {
  const poem = `<div class="poem"><div>The boat</div><div>stands still</div><div>${picture}</div><div>and waits</div></div>`;
  expect(articleWith(poem)).toMatch(/The boat<br>stands still.*b\.jpg.*and waits/s);
});

test.each([
  'Он сказал мне: «подпишитесь на новости завода», и я подписался. Новости были плохие.',
  'Text anhören und verstehen.',
  'Copyright protects the expression of ideas, not the ideas themselves.',
  'Copyright 1999 was a bad year for pirates of every kind.',
  '© is the sign of copyright, and ® that of a trademark.',
  '(c) The third case is that of a mill without a river.',
  'The land was sold with all rights reserved to the crown.',
  'Patients may receive a referral to a cardiologist if the test is not clear.',
  'Affiliate links earn the author a commission, and the law demands that they are marked.',
  'The minister told us that the commission has links to the mill.',
  'A verification code is sent to your phone, and you type it into the field.',
  'Rules move messages to your inbox or to the archive.',
  'When the newsletter lands in an inbox, a pixel is loaded.',
  'The rivers of Normandy join the English Channel near Le Havre.',
  'Users register with an e-mail address and a password, which the server hashes.',
  'Members sign up for the weekly walk in the town hall.',
  'Sign in to view the report, then choose a month in the menu.',
  'Users who follow brands on Instagram buy more than those who do not.',
  'Few people follow Ada Holm on Twitter, but those who do are bakers.',
  'Got a tip? Waiters did not, before 1900.',
  'Contact us at once if the oven smokes, said the old manual.',
  'A version of this story appeared in print in 1901, and it was wrong.',
  'This entry was posted by the clerk in the ledger of 1901.',
  'Wer den Newsletter der Stadt liest, muss sich zum Fest nicht mehr anmelden.',
  'Inscrivez-vous sur la liste, écrivait-il dans sa dernière lettre au maire.',
  'Ele disse: assine a nossa newsletter, e ninguém assinou.',
  'If you buy the mill, we get a commission of inquiry, said the senator.',
  'If you buy a house, I get a commission, the agent said.',
  'I make a commission on every link in this chain.',
  'Hier können Sie im Newsletter vom Mai lesen, wie das Brot gebacken wird.',
  'Melden Sie sich, wenn der Newsletter fertig ist, sagte er.',
  'Abonnieren Sie einen Newsletter? fragte der Minister.',
  'He said: follow us on Facebook, and nobody did.',
  'Bake more, follow us on Twitter, the minister said.',
  '“For more bread, follow us on Facebook,” it read on the door.',
  'Subscribe to the channel with this call, then publish a message.',
  'This website uses cookies in its lesson on baking, and they are sweet.',
  'Подписаться на новости завода можно было только в конторе.',
  '编辑：他把这篇文章改了三遍。',
])('keeps a sentence with the words of a request: %s', (sentence) => {
  expect(articleWith(`<p>${sentence}</p>`)).toContain(sentence);
});

test.each([
  ['Search results: how pages are ranked', '<script type="application/ld+json">{"@type":"NewsArticle"}</script>'],
  ['Risultati della ricerca per la cura del diabete', '<meta property="og:type" content="article">'],
])('shows a long article that is titled "%s"', (title, head) => {
  expect(articleWith(PARAGRAPH.repeat(8), { title, head })).toContain(TEXT);
});

test.each([
  ['<blockquote class="pullquote"><footer>Time is the fifth thing.</footer></blockquote>', /Time is the fifth thing/],
  [
    '<p><a href="/x"><strong>Next</strong> year we bake rye in the town hall</a></p>',
    /Next<\/strong> year we bake rye/,
  ],
  [
    '<ol><li>Mix the flour.</li><li></li><li>Bake the bread.</li><li></li></ol>',
    /<li>Mix the flour\.<\/li>\s*<li><\/li>\s*<li>Bake the bread\.<\/li>\s*<\/ol>/,
  ],
])('keeps quotes, links and the numbers of items: %s', (markup, kept) => {
  expect(articleWith(markup)).toMatch(kept);
});

const NAMES =
  'how-to-share-a-page cookies biography reactions related-work tags comments consent social-preview user-content-related-work'.split(
    ' ',
  );

test.each(NAMES)('keeps a heading with the id %s, and its link target', (id) => {
  const line = '<p>It begins with a line that is short.</p>';
  const headings = [
    `<h2 id="${id}">Of this part</h2>`,
    `<div class="mw-heading"><h2 id="${id}">Of this part</h2></div>`,
    `<header><h2 id="${id}">Of this part</h2></header>`,
    `<h2><a id="${id}"></a>Of this part</h2>`,
    `<h2><span id="${id}">Of this part</span></h2>`,
  ];
  for (const heading of headings) {
    const content = articleWith(heading + line);
    expect(content).toMatch(/<h2[^>]*>.*Of this part.*<\/h2>/);
    expect(content).toContain(`id="s-${id}"`);
  }
});

test.each([
  ['biography', 'Biography'],
  ['related-work', '2. Related work'],
  ['user-content-reactions', 'Reactions'],
  ['tags', 'Tags'],
  ['comments', 'Comments<a href="#comments">¶</a>'],
])('keeps a section with the id %s below the heading "%s"', (id, heading) => {
  const text = '<p>Ada was born in the north, and baked.</p><p>She sold the mill.</p>';
  for (const name of ['section', 'div']) {
    const content = articleWith(`<${name} id="${id}"><h2>${heading}</h2>${text}</${name}>`);
    expect(content).toMatch(new RegExp(`<h2[^>]*>${heading.replace(/<.*/, '')}</h2>.*and baked.*sold the mill`, 's'));
    expect(content).toContain(`id="s-${id}"`);
  }
});

test('keeps sections with ids of parts of a site that begin with the words of a link to them, and no comments', () => {
  const links =
    '<ul><li><a href="#method-i-header">#header?</a></li><li><a href="#all-comments">Comments</a></li></ul>';
  const method =
    '<div id="method-i-header"><div><span>header?</span>()</div><div><p>Tells of the first row.</p><pre>end</pre></div></div>';
  const comments = '<div id="all-comments"><div>Comments (1)</div><ul><li>First!</li></ul></div>';
  const kommentare = '<a href="#comments">Kommentare</a><div id="comments"><h2>Kommentare</h2><p>Zuerst!</p></div>';
  const content = articleWith(links + PARAGRAPH + method + comments + kommentare);
  expect(content).not.toContain('Zuerst!');
  expect(content).toContain('Tells of the first row.');
  expect(content).toContain('id="s-method-i-header"');
  expect(content).not.toContain('First!');
});

test('keeps sections of Texinfo and headings of DocBook, without links to other pages', () => {
  const line =
    '<p>Next: <a href="#b" rel="next">Rye</a>, Up: <a href="#" rel="up">Top</a> &nbsp; [<a href="#">Contents</a>]</p>';
  const text = '<p>Ada was born in the north, and baked. She sold the mill.</p>';
  const section = `<div class="section" id="Related-mills"><div>${line}</div><span id="Related-mills-1"></span><h3>1.3 Related mills</h3>${text}</div>`;
  const titlePage =
    '<div class="titlepage">\n<div>\n<div>\n<h2 class="title"><a id="_oven"/>1.4 The oven</h2>\n</div>\n</div>\n</div>';
  const content = articleWith(`${section}<div>${titlePage}${text}</div>`);
  expect(content).toMatch(/<h3[^>]*>.*1.3 Related mills<\/h3>.*sold the mill.*<h2 id="s-_oven">1.4 The oven<\/h2>/s);
  expect(content).not.toContain('Next');
});

test.each(['', ' '.repeat(80)])('keeps a section of a manual that has many links, indented or not: %#', (indent) => {
  const links = ['Rye mills of the north', 'Dark breads of the south', 'Ovens of the old bakers'].map(
    (text) => `<p>On this: <a href="/x">${text}</a>.</p>`,
  );
  const part = `<div class="sect2"><h3 id="other">Other pages</h3>${links.join(`\n${indent}`)}</div>`;
  const content = articleWith(`<div class="sect1"><h2>Breads</h2>${PARAGRAPH}${PARAGRAPH}${part}</div>`);
  expect(textOf(content)).toMatch(/Other pages.*On this: Rye mills of the north/s);
});

test('keeps a picture that leads to the next page', () => {
  expect(
    articleWith('<p><a href="/2" rel="next"><img src="/loaf.jpg" alt="" width="800" height="500"></a></p>'),
  ).toContain('/loaf.jpg');
});

test.each([
  '<p>Good <span class="has-tooltip">hydration</span> counts for much.</p>',
  '<p>Gute <a class="tooltip" href="/h">Teigausbeute</a> zählt viel.</p>',
  '<p>Une bonne <em><span class="popover">hydratation</span></em> compte beaucoup.</p>',
  '<p><span class="has-tooltip">Flour</span>, <b>salt</b> and water are mixed.</p>',
  '<h2 class="related">Related breads of the north</h2>',
  '<p id="share-of-rye">The share of rye is a matter of taste.</p>',
  '<ul><li>Flour</li><li id="share">Share of the water in it</li></ul>',
  '<dl><dt id="cookies">cookies</dt><dd>Keep the session of the baker.</dd></dl>',
  '<div id="share-of-rye"><p>The share of rye is a matter of taste.</p></div>',
])('keeps a line with a name of a box of the site: %s', (line) => {
  expect(textOf(articleWith(line))).toContain(line.replace(/<[^>]*>/g, ''));
});

test.each(['<h2>Python</h2>', '<h3 id="python">python</h3>'])(
  'keeps a heading that is the name of the language: %s',
  (heading) => {
    const content = articleWith(`${heading}<pre class="language-python"><code>print(1)</code></pre>`);
    expect(content).toMatch(/<h[23][^>]*>python<\/h[23]>/i);
  },
);

test.each(['/caf%E9.jpg', '/i?url=https%3A%2F%2Fcdn.example%2Fcaf%E9.jpg', '/%'])(
  'shows an article with a picture whose address is not UTF-8: %s',
  (path) => {
    const head =
      '<meta property="og:image" content="https://www.baker.example/i?u=https%3A%2F%2Fcdn.example%2F%E9.jpg">';
    expect(articleWith(`<img src="${path}" width="800" height="500">`, { head })).toContain(TEXT);
    expect(articleWith(`<p><a href="#caf%E9">Below</a></p>`, { head })).toContain(TEXT);
  },
);

const TITLE = `${'Bread '.repeat(166)}abc😀`;
const BODY = (text: string) =>
  `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Bread \\ud83d","author":{"name":"Ada \\ud83d"},"articleBody":"${text}"}</script>`;

test.each([
  [`<p><img src="/loaf.jpg" alt="${TITLE}"></p>`, '/loaf.jpg'],
  [`<p><a href="/loaf"><img src="/loaf.jpg" alt="${TITLE}"></a></p>`, '/loaf.jpg'],
])('keeps no half of a character: %#', (markup, kept) => {
  const content = articleWith(markup);
  expect(content).toContain(kept);
  expect(content.isWellFormed()).toBe(true);
});

test('reads data with halves of characters as text that UTF-8 can write', () => {
  const html = `<!doctype html><html><head><title>Bread</title>${BODY(`${`${TEXT} `.repeat(9)}\\ud83d end`)}</head><body><div id="app"></div><script src="/app.js"></script></body></html>`;
  const { article } = readArticle(html, { url: 'https://www.baker.example/bread', robots: null });
  expect(article.content).toContain('end');
  expect(JSON.stringify(article)).not.toContain('\\ud83d');
});

test.each([
  'Login',
  'Comments',
  'Images',
  'Share',
  'Next',
  'Print',
  'Sign in',
  'Teilen',
  'Commentaires',
  'Compartir',
  'Комментарии',
])('keeps the heading "%s" above a short paragraph, code or a list', (heading) => {
  for (const next of ['<p>Shows a form.</p>', '<pre>rye --now</pre>', '<ul><li>A form</li><li>A loaf</li></ul>'])
    expect(articleWith(`<h3>${heading}</h3>${next}<p>${TEXT}</p>`)).toMatch(new RegExp(`<h3[^>]*>${heading}</h3>`));
});

test.each([
  ['Save', 'Print', 'Bake', 'Share', 'Close'],
  ['Öffnen', 'Teilen', 'Backen'],
  ['Ouvrir', 'Partager', 'Cuire'],
])('keeps labels among the other items of a list: %s', (...items) => {
  const list = `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  expect(articleWith(list).match(/<li>[^<]+<\/li>/g)).toHaveLength(items.length);
});
