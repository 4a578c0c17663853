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
const UTF8_MARK = Buffer.from('efbbbf', 'hex');

async function textOf(contentType: string, ...body: (string | Uint8Array)[]): Promise<string> {
  site.serve('/page', (_request, response) => {
    response.setHeader('content-type', contentType);
    response.end(Buffer.concat(body.map((part) => Buffer.from(part as string))));
  });
  const result = await openInternet(site).fetcher.fetch('http://site.example/page');
  return result.kind === 'page' ? result.html : JSON.stringify(result);
}

test('reads the charset of the Content-Type header, quoted or not, in any case', async () => {
  expect(await textOf('text/html; charset=Shift_JIS', JAPANESE)).toBe('こんにちは');
  expect(await textOf('text/html; Charset="windows-1251"', RUSSIAN)).toBe('Привет');
  expect(await textOf('text/html;charset=utf-16be', Buffer.from('04220435', 'hex'))).toBe('Те');
});

test('reads the charset that a page declares of itself', async () => {
  const inMeta = '<!-- <meta charset="koi8-r"> --><meta name="x"><META CharSet=windows-1251>';
  expect(await textOf('text/html', inMeta, RUSSIAN)).toBe(`${inMeta}Привет`);
  const inEquiv = `<meta content='text/html; charset=Shift_JIS' http-equiv="Content-Type">`;
  expect(await textOf('text/html', inEquiv, JAPANESE)).toBe(`${inEquiv}こんにちは`);
  const inXml = '<?xml version="1.0" encoding="windows-1251"?>';
  expect(await textOf('application/xhtml+xml', inXml, RUSSIAN)).toBe(`${inXml}Привет`);
});

test('looks for a declaration in the first 1,024 bytes only', async () => {
  const declaration = '<meta charset="windows-1251">';
  const near = ' '.repeat(1_024 - declaration.length) + declaration;
  expect(await textOf('text/html', near, RUSSIAN)).toBe(`${near}Привет`);
  const far = ' '.repeat(1_024) + declaration;
  expect(await textOf('text/html', far, RUSSIAN)).toBe(`${far}Ïðèâåò`);
});

test('a byte order mark outweighs the header, and the header the page', async () => {
  expect(await textOf('text/html; charset=windows-1251', UTF8_MARK, 'Привет')).toBe('Привет');
  expect(await textOf('text/html', Buffer.from('fffe', 'hex'), Buffer.from('Привет', 'utf16le'))).toBe('Привет');
  expect(await textOf('text/html', Buffer.from('feff041f0440', 'hex'))).toBe('Пр');
  const wrong = '<meta charset="shift_jis">';
  expect(await textOf('text/html; charset=windows-1251', wrong, RUSSIAN)).toBe(`${wrong}Привет`);
});

test('passes over labels that nobody knows', async () => {
  const declared = '<meta charset="martian"><meta charset="windows-1251">';
  expect(await textOf('text/html; charset=venusian', declared, RUSSIAN)).toBe(`${declared}Привет`);
});

test('a page that could be read as ASCII is not UTF-16, whatever it declares', async () => {
  expect(await textOf('text/html', '<meta charset="utf-16">Привет')).toBe('<meta charset="utf-16">Привет');
});

test('what declares nothing is UTF-8, or windows-1252 where it cannot be that', async () => {
  expect(await textOf('text/html', 'café Привет')).toBe('café Привет');
  expect(await textOf('text/html', FRENCH, Buffer.from('80', 'hex'))).toBe('café€');
  expect(await textOf('text/html; charset=utf-8', FRENCH)).toBe('caf\ufffd');
});
