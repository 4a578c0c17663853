import { expect, test } from 'vitest';
import { newSqlite } from '../databases/database.ts';
import { findFreePort } from '../free-port.ts';
import { run } from './run.ts';

/** Runs before the service, and writes the URL of each file that it loads to standard error. */
const LIST_FILES = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, nextLoad) {
      writeSync(2, url + '\\n');
      return nextLoad(url, context);
    },
  });`)}`;

const TOKEN = 'sixteen chars ok';
const LATER = [/query_compiler_/, /\/node_modules\/graphql\//];

test('the service is ready before GraphQL and the query compiler of Prisma are loaded', async () => {
  const port = await findFreePort();
  const { stderr, waitForOutput } = run('bin/embed-gateway.js', [], {
    ...{ DATABASE_URL: await newSqlite(), PORT: String(port), LOG_LEVEL: 'info' },
    NODE_OPTIONS: `--import=${LIST_FILES}`,
    ACCESS_TOKEN: TOKEN,
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitForOutput('"msg":"ready"');
  expect(stderr()).toContain('/src/app.ts');
  for (const file of LATER) expect(stderr()).not.toMatch(file);
  expect((await fetch(`${origin}/v1/embeds`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  for (const file of LATER) expect(stderr()).toMatch(file);
});
