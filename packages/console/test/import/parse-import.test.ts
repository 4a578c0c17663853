import { expect, test } from 'vitest';
import { parseImport } from '../../src/import/parse-import.ts';

test('a file of a spreadsheet has booleans in capital letters', () => {
  const parsed = parseImport(
    'pages.csv',
    Buffer.from('\ufeffpage_url;show_top_bar\r\nhttps://example.com/a;FALSE\r\nhttps://example.com/b;True\r\n'),
  );
  expect(parsed).toMatchObject({
    rejected: [],
    rows: [{ draft: { showTopBar: false } }, { draft: { showTopBar: true } }],
  });
});

test.each(['latin1', 'utf16le'] as const)('a file in %s is rejected with the remedy', (encoding) => {
  const bytes = Buffer.from('\ufeffpage_url\nhttps://example.com/caf\u00e9\n', encoding);
  expect(parseImport('pages.csv', bytes)).toEqual({ fault: expect.stringContaining('save it as “CSV UTF-8”') });
});

test('a replacement character in a file of UTF-8 is text', () => {
  const bytes = Buffer.from('page_url,font\nhttps://example.com/a,caf\ufffd\n');
  expect(parseImport('pages.csv', bytes)).toMatchObject({
    rejected: [],
    rows: [{ draft: { font: 'caf\ufffd' } }],
  });
});
