import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createAssetRoute } from '../../src/http/built-files.ts';
import { createPipeline } from '../../src/http/pipeline.ts';

const log = { info() {}, warn() {}, error() {} };

async function openFolder(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'built-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const replaceWith = async (name: string) => {
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await writeFile(join(folder, name), '');
  };
  const route = createAssetRoute('/assets/', pathToFileURL(`${folder}/`));
  const answerTo = createPipeline({ doors: [{ findRoute: () => route, maxInFlight: 9 }], log, corsOrigins: '*' });
  return {
    route,
    replaceWith,
    visit: async (name: string, headers: Record<string, string> = {}) => {
      const request = {
        method: 'GET',
        url: `http://localhost/assets/${name}`,
        headers: new Headers(headers),
        body: null,
      };
      const { status, headers: sent, body } = await answerTo(request);
      return { status, headers: new Headers(sent as Record<string, string>), body };
    },
  };
}

test('serves scripts, styles and fonts with their types, for a year', async () => {
  const { route, visit } = await openFolder({ 'a-1.js': 'let a;', 'a-1.css': 'a{}', 'a-1.woff2': 'font' });
  expect(route.name).toBe('/assets/<file>');
  for (const [name, type, content] of [
    ['a-1.js', 'text/javascript; charset=utf-8', 'let a;'],
    ['a-1.css', 'text/css; charset=utf-8', 'a{}'],
    ['a-1.woff2', 'font/woff2', 'font'],
  ] as const) {
    const { status, headers, body } = await visit(name);
    expect([status, headers.get('content-type'), Buffer.from(body as Uint8Array).toString()]).toEqual([
      200,
      type,
      content,
    ]);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test('compresses text, and sends fonts as they are', async () => {
  const { visit } = await openFolder({ 'a-1.js': 'let a;'.repeat(1_000), 'a-1.woff2': 'font'.repeat(1_000) });
  const accept = { 'accept-encoding': 'gzip' };
  expect((await visit('a-1.js', accept)).headers.get('content-encoding')).toBe('gzip');
  expect((await visit('a-1.woff2', accept)).headers.get('content-encoding')).toBeNull();
});

test('serves all files of the build that it has read, also after an upgrade has replaced them', async () => {
  const { visit, replaceWith } = await openFolder({ 'a-1.js': '', 'b-1.js': '' });
  expect((await visit('a-1.js')).status).toBe(200);
  await replaceWith('b-2.js');
  expect((await visit('b-1.js')).status).toBe(200);
});

test('answers 404 for a file that was not built', async () => {
  const { visit } = await openFolder({ 'a-1.js': '' });
  for (const name of ['a-2.js', '', '../a-1.js', 'assets/a-1.js']) {
    const { status, body } = await visit(name);
    expect([status, JSON.parse(String(body)).detail], name).toEqual([404, 'There is no file at this path.']);
  }
});
