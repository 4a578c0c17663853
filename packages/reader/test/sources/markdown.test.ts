import { expect, test } from 'vitest';
import { readSource } from '../../src/sources/source.ts';

async function read(text: string) {
  const file = { url: 'https://www.baker.example/docs/rye.md', mediaType: 'text/markdown', disposition: null };
  const { article } = await readSource({ ...file, robots: null, size: null, content: text, isWhole: true }, 'respect');
  return { ...article, content: article.content ?? '' };
}

test.each([
  ['---\ntitle: "Rye: a bread"\nauthor: Ada\ndate: 2026-03-01\n---\n', 'Rye: a bread', 'Ada', '2026-03-01'],
  [
    '---\r\ntitle: Rye\r\nauthors: [Ada, "Bob"]\r\npublished: 2026-03-01T10:00:00Z\r\n---\r\n',
    'Rye',
    'Ada, Bob',
    '2026-03-01T10:00:00.000Z',
  ],
  [
    '---\ntitle: Rye # the bread\nauthors:\n  - name: Ada\n    url: x\n  - Bob\ndate: 2026-03-01 10:00:00 +0200\n---\n',
    'Rye',
    'Ada, Bob',
    '2026-03-01T08:00:00.000Z',
  ],
  [
    '+++\ntitle = "Rye"\nauthor = \'Ada\'\ndate = 2026-03-01T10:00:00+02:00\n+++\n',
    'Rye',
    'Ada',
    '2026-03-01T08:00:00.000Z',
  ],
  ['---\ntitle: Rye\nauthor:\ndate: soon\n---\n', 'Rye', null, null],
])('reads the front matter %j', async (metadata, title, byline, publishedAt) => {
  const article = await read(`${metadata}\nDark rye.\n`);
  expect(article).toMatchObject({ title, byline, publishedAt });
  expect(article.content.trim()).toBe('<p>Dark rye.</p>');
});

test('shows formulas as MathML, and leaves money and code', async () => {
  const { content } = await read(
    'A $a_1^*b_2^*$ and $`c_3`$ cost $5 and $6, in `$d$`.\n\n$$\n\\frac{1}{2} * 3 * 4\n$$\n\n```math\ne_5\n```\n\n$\\unknown{a}$',
  );
  expect(content.match(/<math/g)).toHaveLength(4);
  expect(content.match(/<math[^>]*display="block"/g)).toHaveLength(2);
  expect(content).toContain('cost $5 and $6, in <code>$d$</code>');
  expect(content).toContain('$\\unknown{a}$');
  expect(content).not.toContain('<em>');
});

test.each(['x', "x'", 'x^2', 'n-1', 'n - 10', 'a, b', 'f(x)', 'O(n)', '\\pi', 'a_i', 'a < b'])(
  'shows the formula %s between round brackets with backslashes',
  async (tex) => expect((await read(`It is \\(${tex}\\) so.`)).content).toContain('<math'),
);

test.each(['1', 'I', 'once more', 'e-mail', 'my\\_file', 'see f', '2020-2021', 'x86', 'a.b'])(
  'leaves %s between square brackets with backslashes',
  async (text) => {
    const { content } = await read(`It is \\[${text}\\] so.`);
    expect(content).toContain(`[${text.replace('\\', '')}]`);
    expect(content).not.toContain('<math');
  },
);

test.each(['[edit](/w/index.php?title=Rye&action=edit)', 'https://baker.example/?a=b', '<b class="x">a = b</b>'])(
  'shows the markup %s between brackets with backslashes as it is',
  async (text) => expect((await read(`Rye \\[${text}\\], so.`)).content).not.toContain('<math'),
);

test('shows formulas between brackets with backslashes, and leaves escaped brackets', async () => {
  const { content } = await read(
    'Both \\(x\\) and \\(a_1^*b_2^*\\) rise.\n\n\\[\n\\frac{1}{2} * 3 * 4\n\\]\n\nSee \\[1\\], \\[my\\_file\\] and \\(once more\\).',
  );
  expect(content.match(/<math/g)).toHaveLength(3);
  expect(content.match(/<math[^>]*display="block"/g)).toHaveLength(1);
  expect(content).toContain('See [1], [my_file] and (once more).');
});

test('links notes in the text both ways, among other footnotes', async () => {
  const { content } = await read(
    'Rye^[A *grain*, see [Ada](https://ada.example/).] is dark[^a], x^[^2] and sour^[As ever].\n\n[^a]: As night.',
  );
  expect(content).toContain('Rye<sup id="s-fnref-1"><a href="#s-fn-1">1</a></sup> is dark<sup id="s-fnref-2">');
  expect(content).toMatch(
    /<li id="s-fn-1"><p>A <em>grain<\/em>, see <a href="https:\/\/ada.example\/"[^>]*>Ada<\/a>. <a href="#s-fnref-1"/,
  );
  expect(content).toMatch(/<li id="s-fn-3"><p>.*<li id="s-fn-4"><p>As ever <a href="#s-fnref-4"/s);
});

test('links footnotes both ways, in the order of their references', async () => {
  const { content } = await read(
    'Rye[^b] is dark[^a], and rye[^b] is sour[^none].\n\n[^a]: As *night*[^c].\n[^b]: A grain.\n\n    Of the north.\n\n[^c]: Of winter.\n[^unused]: Nothing.\n\nThe end.',
  );
  expect(content).toContain('Rye<sup id="s-fnref-1"><a href="#s-fn-1">1</a></sup>');
  expect(content).toContain('rye<sup id="s-fnref-1-2"><a href="#s-fn-1">1</a></sup>');
  expect(content).toContain('dark<sup id="s-fnref-2"><a href="#s-fn-2">2</a></sup>');
  expect(content).toContain('sour[^none]');
  const notes = content.slice(content.indexOf('The end.'));
  expect(notes).toMatch(
    /<li id="s-fn-1"><p>A grain.<\/p>\s*<p>Of the north. <a href="#s-fnref-1"[^>]*>↩<\/a><\/p><\/li><li id="s-fn-2"><p>As <em>night<\/em><sup id="s-fnref-3">/,
  );
  expect(notes).toContain('<li id="s-fn-3"><p>Of winter. <a href="#s-fnref-3"');
  expect(content).not.toContain('Nothing');
});

test('takes the id at the end of a heading', async () => {
  const { content } = await read('Rye.\n\n## Dark *rye* {#dark .bread}\n\nText {#id}');
  expect(content).toContain('<h2 id="s-dark">Dark <em>rye</em></h2>');
  expect(content).toContain('Text {#id}');
});

test('shows containers as call-outs', async () => {
  const { content } = await read(
    'Rye.\n\n:::tip Dark rye\nWait a *night*.\n:::\n\n::::danger\n\n:::note[Oven]\nHot.\n:::\n\n- burns\n::::\n\n::: details\nA\n:::\n\n:::tip\nopen',
  );
  expect(content).toMatch(/class="callout tip"[^>]*><p[^>]*>Dark rye<\/p>\s*<p>Wait a <em>night<\/em>.<\/p>/);
  expect(content).toMatch(/class="callout caution".*class="callout note".*burns/s);
  expect(content).toContain('::: details');
  expect(content).toContain(':::tip\nopen');
});

test.each(['> ', '- ', '[^a]: '])('shows a document with too many %j in each other as it is', async (mark) => {
  const { content } = await read(`${mark.repeat(20_000)}Bread`);
  expect(content).toContain(`${mark.trim().replace('>', '&gt;')} Bread`);
});

test.each([
  ['open containers', ':::tip\n\n'.repeat(5_000)],
  ['containers', ':::tip\na\n:::\n'.repeat(1_000)],
  ['references', `${'[^a]'.repeat(10_000)}\n\n[^a]: x`],
  ['definitions', Array.from({ length: 5_000 }, (_, i) => `[^${i}]: x[^${i + 1}]\n`).join('')],
  ['dollars', '$'.repeat(100_000)],
  ['open formulas', '$a '.repeat(100_000)],
  ['open blocks', '$$a\n\n'.repeat(10_000)],
  ['open notes', '[^a'.repeat(160_000)],
  ['lines of open notes', '[^a\n'.repeat(120_000)],
  ['brackets', '['.repeat(480_000)],
  ['notes in the text', '^[a]'.repeat(40_000)],
  ['paragraphs', 'a\n\n'.repeat(80_000)],
  ['open notes in the text', '^[a[b '.repeat(80_000)],
  ['notes in notes', '^[a '.repeat(5_000) + ']'.repeat(5_000)],
  ['open formulas in brackets', '\\(a\\[x=1 '.repeat(5_000)],
  ['lines of front matter', `---\n${'a: [\n'.repeat(4_000)}---\nx`],
])(
  'the work on a document of many %s is bounded',
  async (_, text) => {
    const before = process.cpuUsage();
    await read(text);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
  },
  60_000,
);
