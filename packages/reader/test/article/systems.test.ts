import { expect, test } from 'vitest';
import { readArticle } from '../../src/article/article.ts';
import { makeForm } from '../../src/article-forms.ts';

const TEXT = 'Bread wants flour, water, salt and time, and the oven does the rest of the work without any help.';
const PARAGRAPH = `<p>${TEXT} ${TEXT}</p>`;
const URL_OF_PAGE = 'https://www.baker.example/bread';

function read(markup: string) {
  const html = `<title>Bread</title><body><main><article><h1>Bread</h1>${PARAGRAPH}${markup}${PARAGRAPH}</article></main>`;
  const { article } = readArticle(html, { url: URL_OF_PAGE, robots: null });
  const content = article.content ?? '';
  const markdown = String(makeForm({ form: 'markdown', article: { ...article, content } }));
  return { content, inside: markdown.split(/Bread wants[^\n]*/)[1]?.trim() ?? '' };
}

test.each([
  [
    '<ul><li><span>•</span><div><p>Rye</p></div></li><li><span>•</span><div><p>Oats</p></div></li></ul>',
    '- Rye\n- Oats',
  ],
  ['<ol><li><span>1.</span> Rye</li><li><span>2.</span> Oats</li></ol>', '1. Rye\n2. Oats'],
  ['<ol start="4"><li><span>4)</span> Rye</li><li><span>7)</span> Oats</li></ol>', '4. Rye\n5. 7\\) Oats'],
  ['<ul><li><span>3.</span> Rye</li><li>A <span>•</span> is a sign</li></ul>', '- 3\\. Rye\n- A • is a sign'],
  ['<ul><li><span>●</span></li><li><span>○</span></li></ul>', '- ●\n- ○'],
])('leaves out the signs and numbers of items that the frame draws: %s', (list, expected) => {
  expect(read(list).inside.replace(/\n\n+/g, '\n')).toBe(expected);
});

test('keeps a link in a box between words in their line, and boxes of their own lines', () => {
  const line = '<div><span>Bake it in </span><div><a href="/pot">a pot</a></div><span> with a lid.</span></div>';
  expect(read(line).inside).toBe('Bake it in [a pot](https://www.baker.example/pot) with a lid.');
  expect(read('<div><span>Bake it.</span><div>Cool it.</div><span>Eat it.</span></div>').content).not.toContain(
    'it.Cool',
  );
  expect(read('<div>Bake the rye. <div>Cool the <a href="/pot">pot</a>.</div> Eat it.</div>').inside).toMatch(
    /^Bake the rye\.\n\nCool .*\n\nEat it\.$/,
  );
  expect(read('<div class="mixed-citation"><div>Holm A</div><div>Loaves</div></div>').inside).toBe('Holm A Loaves');
  const reference = `<div class="ref"><div class="mixed-citation"><div class="name"><div>Holm</div> <div>A</div></div>.
    <div class="source">Loaves</div>. <div class="year">2010</div></div></div>`;
  expect(read(reference).inside).toBe('Holm A. Loaves. 2010');
});

test('keeps boxes that are named by their styles, and code in boxes with a misleading name', () => {
  const box =
    '<div class="w-full overflow-hidden pl-8"><p class="scroll-mt-20">Heat the oven</p><p>To 250 degrees.</p></div>';
  expect(read(box).inside).toBe('Heat the oven\n\nTo 250 degrees.');
  const code = '<div class="nextra-code"><pre><code>bake();</code></pre><div><button>Copy</button></div></div>';
  expect(read(code).inside).toBe('```\nbake();\n```');
});

test('leaves out links of headings to their sections, without their numbers', () => {
  const heading = '<section id="s-2"><h2><a href="#s-2">2. </a><a href="#oven">Oven</a></h2><p>Hot.</p></section>';
  expect(read(heading).inside).toBe(
    '## 2. [Oven](#oven)\n\nHot.'.replace('[Oven](#oven)', '[Oven](https://www.baker.example/bread#oven)'),
  );
  const sign = '<section id="s-2"><h2>Oven <a href="#s-2">link</a></h2><p>Hot.</p></section>';
  expect(read(sign).inside).toBe('## Oven\n\nHot.');
});

test('leaves out empty definitions, and shows a picture that only its sources have', () => {
  expect(read('<dl><dt>Crumb</dt><dd>The inside.</dd><dd class="break"></dd></dl>').content).toMatch(
    /<dd>The inside\.<\/dd>\s*<\/dl>/,
  );
  const picture =
    '<picture><source srcset="/loaf.webp 2x, /small.webp 1x"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Loaf"></picture>';
  expect(read(`<figure>${picture}<figcaption>A loaf</figcaption></figure>`).content).toContain(
    '<img src="https://www.baker.example/loaf.webp"',
  );
});

test('takes code of several lines without other text beside it for a block', () => {
  const code = '<div><code class="hl block">oven.heat();\n\noven.bake();</code><pre>done</pre></div>';
  expect(read(code).inside).toBe('```\noven.heat();\n\noven.bake();\n```\n\n```\ndone\n```');
  expect(read('<p><code>oven.bake(\nloaf)</code></p>').inside).toBe('`oven.bake( loaf)`');
  expect(read('<p>Call <code>oven.bake(\nloaf)</code> twice.</p>').inside).toBe('Call `oven.bake( loaf)` twice.');
});

test('keeps sections of a manual that are named like boxes of a site, and no such boxes alone', () => {
  const section = (name: string) =>
    `<section id="${name.toLowerCase()}"><h2>${name}</h2><p>How the oven bakes its ${name}.</p></section>`;
  const manual = ['Ovens', 'Newsletter', 'Share', 'Footer', 'Loaves'];
  expect(read(manual.map(section).join('')).content.match(/(?<=<h2[^>]*>)[^<]+/g)).toEqual(manual);
  expect(read(section('Newsletter') + section('Ovens')).content).not.toContain('Newsletter');
});

test.each([
  '<div class="category-tags"><span>Product</span><span>News</span></div>',
  '<div class="wprm-call-to-action"><span>Tried this recipe?</span><span>Tell us!</span></div>',
  '<div class="elementor-posts-container"><article><h3><a href="/rye">Rye bread</a></h3></article></div>',
  '<div class="saboxplugin-wrap"><div class="saboxplugin-desc"><div><p>Ada bakes in a cold kitchen.</p></div></div></div>',
])('leaves out boxes of the site with several short parts: %s', (box) => {
  expect(read(box).inside).toBe('');
});

test('keeps a sentence with emphasis in a named box', () => {
  expect(read('<div class="share"><strong>40%</strong> of <em>all</em> bread</div>').inside).toBe(
    '**40%** of *all* bread',
  );
});

test('separates the number or the name of a reference from its text', () => {
  const list =
    '<ul><li><span>Lind (2020)</span><span>B. Lind. Loaves.</span></li><li><span>1.</span><cite>Rye.</cite></li></ul>';
  expect(read(list).content.replace(/<[^>]*>/g, '')).toMatch(/Lind \(2020\) B\. Lind.*1\. Rye/s);
  expect(read('<ul><li><span>H</span><span>ello</span></li></ul>').content.replace(/<[^>]*>/g, '')).toContain('Hello');
});

test('separates the name of a speaker from what is said, but not the parts of a word', () => {
  const textOf = (markup: string) => read(markup).content.replace(/<[^>]*>/g, '');
  expect(textOf('<div><span>ADA:</span><span>Why rye?</span></div>')).toContain('ADA: Why rye?');
  expect(textOf('<p><b>Q.</b><span>Why rye?</span></p>')).toContain('Q. Why rye?');
  for (const [first, second] of [
    ['Node.', 'js'],
    ['collections.', 'Counter'],
    ['U.', 'S. Army'],
    ['std::', 'String'],
    ['f(x)', 'G(x)'],
  ])
    expect(textOf(`<p>Use <span>${first}</span><span>${second}</span> here.</p>`)).toContain(
      `Use ${first}${second} here.`,
    );
});

test('keeps the times of a ticker that are named as those of a page, and leaves out a single one', () => {
  const entry = (time: string) => `<div class="timestamp">${time}</div><p>The water rises on the quay at ${time}.</p>`;
  const ticker = read(['10:40', '11:02', '11:15'].map(entry).join('')).inside;
  expect(ticker.match(/^\d\d:\d\d$/gm)).toEqual(['10:40', '11:02', '11:15']);
  expect(read(entry('10:40')).inside).not.toMatch(/^10:40$/m);
});

test.each(['Paylaş', '공유하기', 'Κοινοποίηση', 'Zapisz się do naszego newslettera', 'หมายเหตุ'])(
  'leaves out labels in many languages, and keeps other lines: %s',
  (line) => {
    expect(read(`<p>${line}</p>`).inside).toBe(line === 'หมายเหตุ' ? line : '');
  },
);

test.each([
  'Jaa!',
  '뉴스레터 구독자가 크게 늘었다고 회사가 밝혔다.',
  'メールマガジンに登録した人は一万人を超えたという。',
  '订阅我们的电子报的读者去年增加了百分之二十。',
  'Zapisz się na kurs, mówi autor newslettera.',
])('keeps a sentence that begins like such a line: %s', (line) => {
  expect(read(`<p>${line}</p>`).inside).toBe(line);
});

test.each(['Läs också', 'Διαβάστε επίσης', '관련기사', 'Xem thêm'])(
  'leaves out pointers to other pages: %s',
  (label) => {
    expect(read(`<p>${label}: <a href="/rye">Bread of rye for a week</a></p>`).inside).toBe('');
  },
);

test.each([
  ['<div data-callout="warning" class="callout"><p>Hot.</p></div>', '> [!Warning]\n>\n> Hot.'],
  ['<div data-callout="quote" class="callout-quote"><p>Hot.</p></div>', 'Hot.'],
  ['<div data-callout="pricing" class="box"><p>Hot.</p></div>', 'Hot.'],
  ['<div class="prompt example"><p>Hot.</p></div>', 'Hot.'],
  ['<blockquote class="prompt-tip"><p>Hot.</p></blockquote>', '> [!Tip]\n>\n> Hot.'],
  ['<div class="NOTE"><p>Note</p><p>Hot.</p></div>', '> [!Note]\n>\n> Hot.'],
  ['<div class="NOTE"><p>Note the heat.</p></div>', '> [!Note]\n>\n> Note the heat.'],
])('takes the kind of a call-out from its data and its name: %s', (callout, expected) => {
  expect(read(callout).inside).toBe(expected);
});

test('reads headings by their role, and formulas and pictures by what their systems write', () => {
  expect(read('<div role="heading" aria-level="3">Oven</div><p>Hot.</p>').inside).toBe('### Oven\n\nHot.');
  expect(read('<div role="heading"><p>Oven</p></div><p>Hot.</p>').inside).toBe('Oven\n\nHot.');
  const formula = '<img src="/ql.png" class="ql-img-inline-formula" alt="g^2">';
  expect(read(`<p>Heat is ${formula}.</p>`).inside).toBe('Heat is $g^2$.');
  expect(read('<img class="photo" src="/a.jpg" alt="g^2">').inside).toContain('![g^2]');
  expect(read('<img srcset="/a-1.jpg 1x, /a-2.jpg 2x" alt="Loaf">').inside).toBe(
    '![Loaf](https://www.baker.example/a-1.jpg)',
  );
});

test('keeps notes in an aside whose marks are broken links', () => {
  const notes =
    '<p>Rye <a href="javascript:void(0)">1</a> rises.</p><aside class="footnotes"><p><sup>1</sup> Slowly.</p></aside>';
  expect(read(notes).content).toContain('Slowly.');
});
