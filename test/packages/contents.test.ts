import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { generateClient } from '../../packages/client/codegen.ts';
import { ROUTES } from '../../packages/client/src/generated/rest.ts';
import { EmbedGateway } from '../../packages/client/src/index.ts';

const MAX_CLIENT_BYTES = 6_000;

const PACKAGES = ['client', 'embed'];
const read = (...path: string[]) => readFileSync(join('packages', ...path), 'utf8');

/** Bundles and minifies a file with all that it imports and exports. */
async function minify(file: string): Promise<string> {
  const options = { input: file, preserveEntrySignatures: 'strict' as const };
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, modulePreload: { polyfill: false }, rolldownOptions: options },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput;
  expect(output).toHaveLength(1);
  return output[0].code;
}

test('the client has at most 6 kB, minified and compressed with gzip', async () => {
  const code = await minify('packages/client/src/index.ts');
  const documents = await minify('packages/client/src/graphql.ts');
  const sizes = [code, documents, code + documents].map((text) => [text.length, gzipSync(text).length]);
  console.info(
    `client, documents, both: ${sizes.map(([plain, gzipped]) => `${plain} bytes, ${gzipped} gzipped`).join('; ')}`,
  );
  expect(gzipSync(code + documents).length).toBeLessThanOrEqual(MAX_CLIENT_BYTES);
  expect(code).not.toMatch(/\b(require|process|Buffer|window|document)\b/);
});

test('the types and documents of the client are those of the service', async () => {
  for (const [name, text] of Object.entries(await generateClient())) {
    expect(read('client/src', name), `${name} is not current: run npm run generate`).toBe(text);
  }
  const methods = Object.getOwnPropertyNames(EmbedGateway.prototype);
  expect(methods).toEqual(expect.arrayContaining(Object.keys(ROUTES)));
});

test('the packages have the version and the licence of the service', () => {
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of PACKAGES) expect(JSON.parse(read(name, 'package.json'))).toMatchObject({ version, license });
});
