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

test('decodes a page without a declaration as UTF-8, or as windows-1252 if it is not valid UTF-8', async () => {
  expect(await decode('text/html', 'café Привет')).toBe('café Привет');
  expect(await decode('text/html', FRENCH, Buffer.from('80', 'hex'))).toBe('café€');
  expect(await decode('text/html; charset=utf-8', FRENCH)).toBe('caf\ufffd');
});
