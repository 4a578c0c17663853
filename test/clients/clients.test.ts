import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'vitest';
import type { Tour } from './examples/tour.ts';
import { EXAMPLES, expectTour, expectTourOf } from './expect-tour.ts';

const NO_CURL = existsSync('/usr/bin/curl') ? null : 'skipped: there is no /usr/bin/curl on this machine';
if (NO_CURL !== null) console.warn(`The test of curl.sh is ${NO_CURL}.`);

test('fetch.ts creates, pages, updates and deletes', () => expectTourOf('fetch'));

test.skipIf(NO_CURL)('curl.sh creates, pages, updates and deletes', async () => {
  await expectTour(async ({ origin, token }) => {
    const env = { ...process.env, ORIGIN: origin, TOKEN: token };
    const { stdout } = await promisify(execFile)('sh', [join(EXAMPLES, 'curl.sh')], { env });
    return JSON.parse(stdout) as Tour;
  });
});
