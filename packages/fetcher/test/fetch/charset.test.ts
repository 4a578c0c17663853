import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInternet, openWebHost, type WebHost } from './internet.ts';

let site: WebHost;
beforeAll(async () => {
  site = await openWebHost();
});
afterAll(() => site.close());

const JAPANESE = Buffer.from('82b182f182c982bf82cd', 'hex');
const RUSSIAN = Buffer.from('cff0e8e2e5f2', 'hex');
const FRENCH = Buffer.from('636166e9', 'hex');
const UTF8_BOM = Buffer.from('efbbbf', 'hex');

async function decode(contentType: string, ...body: (string | Uint8Array)[]): Promise<string> {
  site.serve('/page', (_request, response) => {
    response.setHeader('content-type', contentType);
    response.end(Buffer.concat(body.map((part) => Buffer.from(part as string))));
  });
  const result = await openInternet(site).fetcher.fetch('http://site.example/page');
  return result.kind === 'page' ? result.html : JSON.stringify(result);
}

test('reads the charset of the Content-Type header, quoted or not, in any case', async () => {
  expect(await decode('text/html; charset=Shift_JIS', JAPANESE)).toBe('こんにちは');
  expect(await decode('text/html; Charset="windows-1251"', RUSSIAN)).toBe('Привет');
  expect(await decode('text/html;charset=utf-16be', Buffer.from('04220435', 'hex'))).toBe('Те');
});

test('reads the charset that the markup of a page declares', async () => {
  const inMeta = '<!-- <meta charset="koi8-r"> --><meta name="x"><META CharSet=windows-1251>';
  expect(await decode('text/html', inMeta, RUSSIAN)).toBe(`${inMeta}Привет`);
  const inEquiv = `<meta content='text/html; charset=Shift_JIS' http-equiv="Content-Type">`;
  expect(await decode('text/html', inEquiv, JAPANESE)).toBe(`${inEquiv}こんにちは`);
  const inXml = '<?xml version="1.0" encoding="windows-1251"?>';
  expect(await decode('application/xhtml+xml', inXml, RUSSIAN)).toBe(`${inXml}Привет`);
});

test('looks for a declaration in the first 1,024 bytes only', async () => {
  const declaration = '<meta charset="windows-1251">';
  const near = ' '.repeat(1_024 - declaration.length) + declaration;
  expect(await decode('text/html', near, RUSSIAN)).toBe(`${near}Привет`);
  const far = ' '.repeat(1_024) + declaration;
  expect(await decode('text/html', far, RUSSIAN)).toBe(`${far}Ïðèâåò`);
});

test('prefers a byte order mark to the header, and the header to the markup', async () => {
  expect(await decode('text/html; charset=windows-1251', UTF8_BOM, 'Привет')).toBe('Привет');
  expect(await decode('text/html', Buffer.from('fffe', 'hex'), Buffer.from('Привет', 'utf16le'))).toBe('Привет');
  expect(await decode('text/html', Buffer.from('feff041f0440', 'hex'))).toBe('Пр');
  const wrong = '<meta charset="shift_jis">';
  expect(await decode('text/html; charset=windows-1251', wrong, RUSSIAN)).toBe(`${wrong}Привет`);
});

test('ignores unknown labels', async () => {
  const declared = '<meta charset="martian"><meta charset="windows-1251">';
  expect(await decode('text/html; charset=venusian', declared, RUSSIAN)).toBe(`${declared}Привет`);
});

test('does not decode a page as UTF-16 whose declaration is readable as ASCII', async () => {
  expect(await decode('text/html', '<meta charset="utf-16">Привет')).toBe('<meta charset="utf-16">Привет');
});

test('decodes a page without a declaration as UTF-8, or as windows-1252 if it is too short to tell', async () => {
  expect(await decode('text/html', 'café Привет')).toBe('café Привет');
  expect(await decode('text/html', FRENCH, Buffer.from('80', 'hex'))).toBe('café€');
  expect(await decode('text/html; charset=utf-8', FRENCH)).toBe('caf\ufffd');
  const ascii = '<p>Rye</p>'.repeat(1_000);
  expect(await decode('text/html', ascii, FRENCH)).toBe(`${ascii}café`);
  const cut = Buffer.concat([Buffer.from('Хлеб пекут из муки, воды и соли. '.repeat(20)), Buffer.from([0xd0])]);
  expect(await decode('text/html', cut)).toMatch(/^Хлеб пекут .*соли. \ufffd$/);
});

test.each([
  ['Shift_JIS', '8370839382cd8fac949e95b282c6908582c6899682c58dec82e882dc82b78142', 'パンは小麦粉と水と塩で作ります。'],
  ['EUC-JP', 'a5d1a5f3a4cfbeaec7fecab4a4c8bfe5a4c8b1f6a4c7baeea4eaa4dea4b9a1a3', 'パンは小麦粉と水と塩で作ります。'],
  ['GB18030', 'c3e6b0fccac7d3c3c3e6b7dba1a2cbaebacdd1ced7f6b3c9b5c4a1a3', '面包是用面粉、水和盐做成的。'],
  ['Big5', 'c4d1a55dac4fa5cec4d1afbba142a4f4a94dc651b0b5a6a8aabaa143', '麵包是用麵粉、水和鹽做成的。'],
  [
    'EUC-KR',
    'bba7c0ba20b9d0b0a1b7e7bfcd20b9b0b0fa20bcd2b1ddc0b8b7ce20b8b8b5ecb4cfb4d92e',
    '빵은 밀가루와 물과 소금으로 만듭니다.',
  ],
  [
    'KOI8-R',
    'e8ccc5c220d0c5cbd5d420c9da20cdd5cbc92c20d7cfc4d920c920d3cfccc92e20f4c5d3d4cf20c4cfccd6cecf20d0cfc4cfcad4c920d720d4c5d0cccfcd20cdc5d3d4c52c20c120d0cfd4cfcd20c5c7cf20d3d4c1d7d1d420d720d0c5ded820cec120dec1d32e',
    'Хлеб пекут из муки, воды и соли. Тесто должно подойти в теплом месте, а потом его ставят в печь на час.',
  ],
  [
    'windows-1251',
    'd5ebe5e120efe5eaf3f220e8e720ecf3eae82c20e2eee4fb20e820f1eeebe82e20d2e5f1f2ee20e4eeebe6edee20efeee4eee9f2e820e220f2e5efebeeec20ece5f1f2e52c20e020efeef2eeec20e5e3ee20f1f2e0e2fff220e220efe5f7fc20ede020f7e0f12e',
    'Хлеб пекут из муки, воды и соли. Тесто должно подойти в теплом месте, а потом его ставят в печь на час.',
  ],
  [
    'windows-1252',
    '4c65207061696e2065737420666169742064926561752e204c612070e27465206ce876652064e96ae02e',
    'Le pain est fait d’eau. La pâte lève déjà.',
  ],
])('recognises %s in a page that does not declare it', async (_label, hex, text) => {
  const start = '<!doctype html><script>var x = document.getElementById("y");</script><div class="wide">About us</div>';
  const encoded = Buffer.from(hex, 'hex');
  expect(await decode('text/html', start, ...Array(4).fill(encoded))).toBe(start + text.repeat(4));
});

test('recognises UTF-16 without a byte order mark, and not in binary files', async () => {
  const text = '<!doctype html><title>Хлеб</title><p>Rye bread</p>';
  const little = Buffer.from(text, 'utf16le');
  expect(await decode('text/html', little)).toBe(text);
  expect(await decode('text/html', Buffer.from(little).swap16())).toBe(text);
  expect(await decode('text/html', Buffer.alloc(600, '\0\0a\0'))).toMatch(/^\0/);
});
