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
  ['<a href="/rye"><h3>Rye</h3><p>It is sticky.</p></a>', /<h3[^>]*>.*Rye/],
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
