import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openApp } from '../../../test/open-app.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-encoding': 'gzip, br' };
const MAX_FIRST_SCRIPT_BYTES = 60_000;
const MAX_SCRIPT_BYTES = 90_000;

test('browsers get the console at /, which other clients do not get', async () => {
  const anyone = (await openApp()).withAuthorization(null);
  const page = await anyone.fetch('/', { headers: BROWSER });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding');
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  const client = await anyone.fetch('/', { headers: { accept: 'application/json' } });
  expect(client.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect((await anyone.fetch('/', { method: 'POST', headers: BROWSER })).status).toBe(405);
  const icon = await anyone.fetch('/favicon.ico');
  expect([icon.status, icon.headers.get('cache-control')]).toEqual([204, 'public, max-age=86400']);
  const off = (await openApp({ console: false })).withAuthorization(null);
  expect((await off.fetch('/', { headers: BROWSER })).headers.get('content-type')).toMatch('application/json');
  for (const path of ['/console/x.js', '/preview', '/favicon.ico']) {
    expect((await off.fetch(path, { headers: BROWSER })).status, path).toBe(404);
  }
});

test('the Content-Security-Policy allows only the files of the console and frames of embeds and previews', async () => {
  const anyone = (await openApp({ embedHost: 'embeds.example.com' })).withAuthorization(null);
  const policy = (await anyone.fetch('/', { headers: BROWSER })).headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self' https://*.embeds.example.com",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
});

test('scripts and styles are compressed and immutable', async () => {
  const anyone = (await openApp()).withAuthorization(null);
  const html = await (await anyone.fetch('/', { headers: { accept: 'text/html' } })).text();
  const paths = pathsIn(html);
  const names = paths.map((path) => path.replace(/-[\w-]{8}\./, '.'));
  expect(names).toEqual(expect.arrayContaining(['/console/index.css', '/console/index.js']));
  for (const path of paths) {
    const file = await anyone.fetch(path, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('content-encoding'), path).toBe('br');
    expect(file.headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable');
  }
  const styles = await (await anyone.fetch(paths.find((path) => path.endsWith('.css')) ?? '')).text();
  const font = await anyone.fetch(/url\((\/console\/[^)]+\.woff2)\)/.exec(styles)?.[1] ?? '');
  expect(font.headers.get('content-type')).toBe('font/woff2');
  expect((await anyone.fetch('/console/other.js')).status).toBe(404);
  expect((await anyone.fetch('/console/..%2findex.html')).status).toBe(404);
});

test('the scripts of the first page are smaller than 60 kB compressed, and all of them smaller than 90 kB', () => {
  const folder = 'src/generated/console';
  const bytesOf = (path: string) => gzipSync(readFileSync(folder + path)).length;
  const sumOf = (paths: readonly string[]) => paths.map(bytesOf).reduce((sum, bytes) => sum + bytes, 0);
  const isScript = (name: string) => name.endsWith('.js');
  const first = pathsIn(readFileSync(`${folder}/index.html`, 'utf8')).filter(isScript);
  expect(sumOf(first)).toBeGreaterThan(10_000);
  expect(sumOf(first)).toBeLessThan(MAX_FIRST_SCRIPT_BYTES);
  const all = readdirSync(`${folder}/console`).filter(isScript);
  expect(sumOf(all.map((name) => `/console/${name}`))).toBeLessThan(MAX_SCRIPT_BYTES);
});

function pathsIn(html: string): readonly string[] {
  return [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path = '']) => path);
}
