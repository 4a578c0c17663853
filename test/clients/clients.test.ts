import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { createOpenApiDocument } from '../../src/doors/rest/openapi/document.ts';
import { openService } from '../open-service.ts';
import { INSTALL_TIMEOUT_MS, installPackages } from '../own-packages.ts';
import type { Service, Tour } from './examples/tour.ts';

const EXAMPLES = join(import.meta.dirname, 'examples');
const NO_CURL = existsSync('/usr/bin/curl') ? null : 'skipped: there is no /usr/bin/curl on this machine';
if (NO_CURL !== null) console.warn(`The test of curl.sh is ${NO_CURL}.`);

beforeAll(async () => {
  await installPackages(import.meta.dirname);
  const { generate } = await import('./generate.ts');
  await generate(createOpenApiDocument({ embedHost: 'embeds.localhost:4000', embedScheme: null }));
}, INSTALL_TIMEOUT_MS + 60_000);

test('the clients compile in strict mode with their generated types', { timeout: 60_000 }, async () => {
  const { run } = await import('./generate.ts');
  expect(await run('typescript', 'bin/tsc', '--project', '../tsconfig.json')).toBe('');
});

/** Runs the tour with a client, for a new account. */
async function expectTour(client: (service: Service) => Promise<Tour>): Promise<void> {
  const { as, origin } = await openService();
  const ada = await as('ada');
  const token = ada.authorization.replace('Bearer ', '');
  const { listed, updated, deleted } = await client({ origin, token });
  expect(listed).toHaveLength(3);
  expect(listed).toEqual([...listed].sort().reverse());
  expect(updated.mode.toLowerCase()).toBe('dark');
  const { embeds } = (await ada.rest('GET', '/v1/embeds')).body;
  expect(embeds.map(({ id, mode }: { id: string; mode: string }) => [id, mode])).toEqual([
    [listed[0], 'dark'],
    [listed[2], 'light'],
  ]);
  expect([updated.id, deleted]).toEqual(listed.slice(0, 2));
}

test.each(['fetch', 'openapi-fetch', 'urql', 'apollo', 'relay'])(
  '%s.ts creates, pages, updates and deletes',
  async (name) => {
    const { tour } = (await import(join(EXAMPLES, `${name}.ts`))) as { tour: (service: Service) => Promise<Tour> };
    await expectTour(tour);
  },
);

test.skipIf(NO_CURL)('curl.sh creates, pages, updates and deletes', async () => {
  await expectTour(async ({ origin, token }) => {
    const env = { ...process.env, ORIGIN: origin, TOKEN: token };
    const { stdout } = await promisify(execFile)('sh', [join(EXAMPLES, 'curl.sh')], { env });
    return JSON.parse(stdout) as Tour;
  });
});
