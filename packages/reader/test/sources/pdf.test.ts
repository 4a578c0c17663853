import { expect, test } from 'vitest';
import { readSource } from '../../src/sources/source.ts';

interface Line {
  readonly text: string;
  readonly y: number;
  readonly size?: number;
}

/** Creates a PDF of pages of lines. Its tables are left out: the library finds the objects. */
function pdf(pages: readonly (readonly Line[])[], info = ''): Buffer {
  const ids = pages.map((_, i) => 10 + 2 * i);
  const objects = pages.map((lines, i) => {
    const text = lines.map(
      ({ text, y, size = 12 }) => `/F1 ${size} Tf 1 0 0 1 20 ${y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj`,
    );
    const stream = `BT ${text.join('\n')} ET`;
    return `${ids[i]} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${(ids[i] ?? 0) + 1} 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
${(ids[i] ?? 0) + 1} 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj`;
  });
  return Buffer.from(
    `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[${ids.map((id) => `${id} 0 R`).join(' ')}]/Count ${pages.length}>>endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<<${info}>>endobj
${objects.join('\n')}
trailer<</Root 1 0 R/Info 6 0 R>>
%%EOF`,
    'latin1',
  );
}

async function read(content: Uint8Array, isWhole = true) {
  const file = { url: 'https://www.baker.example/rye.pdf', mediaType: 'application/pdf', disposition: null };
  return readSource({ ...file, robots: null, size: content.length, content, isWhole }, 'respect');
}

const words = (text: string) => `<span lang="en" class="frame-words">${text}</span>`;
const COUNT = (pages: number) => `<p><small>PDF · ${words(`Pages: ${pages}`)}</small></p>`;

test('shows the text of a PDF by page, with its title, author and number of pages', async () => {
  const { status, article } = await read(
    pdf(
      [
        [
          { text: 'Rye bread', y: 700, size: 20 },
          { text: 'Rye is a dark and sour exam-', y: 660 },
          { text: 'ple of bread (of the North).', y: 646 },
          { text: 'Another paragraph & <b>more</b>.', y: 600 },
        ],
        [{ text: 'The second page.', y: 700 }],
      ],
      '/Title(On rye)/Author(Ada)',
    ),
  );
  expect(status.state).toBe('SHOWN');
  expect(article).toMatchObject({ title: 'On rye', byline: 'Ada' });
  expect(article.content).toBe(
    `${COUNT(2)}<h2 id="s-page-1">${words('Page 1')}</h2><h3>Rye bread</h3>` +
      '<p>Rye is a dark and sour example of bread (of the North).</p><p>Another paragraph &amp; &lt;b&gt;more&lt;/b&gt;.</p>' +
      '<h2 id="s-page-2">' +
      `${words('Page 2')}</h2><p>The second page.</p>`,
  );
});

test.each([
  ['Microsoft Word - On rye', 'On rye'],
  ['Microsoft Word - rye_final.docx', 'rye.pdf'],
  ['untitled', 'rye.pdf'],
  ['--- ?', 'rye.pdf'],
  // "О хлебе" in UTF-16
  ['\u00fe\u00ff\u0004\u001e\u0000 \u0004E\u0004;\u00045\u00041\u00045', 'О хлебе'],
])('a PDF that calls itself "%s" has the title "%s"', async (name, title) => {
  const { article } = await read(pdf([[{ text: 'Rye.', y: 700 }]], `/Title(${name})`));
  expect(article.title).toBe(title);
});

test('shows a PDF of one page without its number', async () => {
  const { article } = await read(pdf([[{ text: 'Rye.', y: 700 }]]));
  expect(article).toMatchObject({ title: 'rye.pdf', byline: null, content: `${COUNT(1)}<p>Rye.</p>` });
});

test.each([
  ['without text', pdf([[]]), true],
  ['of which only the start was read', pdf([[{ text: 'Rye.', y: 700 }]]), false],
  ['that is broken', Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj trailer<</Root 1 0 R>>'), true],
  ['that is empty', Buffer.from('%PDF-1.4'), true],
])('a PDF %s can only be opened', async (_, content, isWhole) => {
  const { status, article } = await read(content, isWhole);
  expect([status.state, article.content]).toEqual(['NOT_A_PAGE', null]);
});

test.each([
  ['pages', pdf(Array.from({ length: 2_000 }, () => [{ text: 'Rye.', y: 700 }]))],
  ['lines', pdf([Array.from({ length: 60_000 }, (_, i) => ({ text: 'Rye bread. '.repeat(3), y: i }))])],
])(
  'the work on a PDF of many %s is bounded, and the rest is said to be left out',
  async (kind, content) => {
    const before = process.cpuUsage();
    const { article } = await read(content);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
    expect(article.content?.length).toBeLessThan(500_000);
    if (kind === 'pages') expect(article.content).toContain('Open the original for the other pages.');
  },
  60_000,
);
