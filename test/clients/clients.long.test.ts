import { beforeAll, expect, test } from 'vitest';
import { createOpenApiDocument } from '../../src/doors/rest/openapi/document.ts';
import { INSTALL_TIMEOUT_MS, installPackages } from '../own-packages.ts';
import { expectTourOf } from './expect-tour.ts';

beforeAll(async () => {
  await installPackages(import.meta.dirname);
  const { generate } = await import('./generate.ts');
  await generate(createOpenApiDocument({ embedHost: 'embeds.localhost:4000', embedScheme: null }));
}, INSTALL_TIMEOUT_MS + 60_000);

test('the clients compile in strict mode with their generated types', async () => {
  const { run } = await import('./generate.ts');
  expect(await run('typescript', 'bin/tsc', '--project', '../tsconfig.json')).toBe('');
});

test.each(['openapi-fetch', 'urql', 'apollo', 'relay'])('%s.ts creates, pages, updates and deletes', expectTourOf);
