/** Starts the service on the current Node, creates an embed with REST, counts it with GraphQL, and stops the service. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-'));
const port = 4_000 + (process.pid % 20_000);
const authorization = 'Bearer a-token-for-the-check';
const child = spawn(process.execPath, ['bin/embed-gateway.js'], {
  env: {
    PATH: process.env.PATH,
    PORT: String(port),
    DATABASE_URL: `file:${join(folder, 'embeds.db')}`,
    ACCESS_TOKEN: 'a-token-for-the-check',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

try {
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('"ready"') && resolve());
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    setTimeout(() => reject(new Error('the service was not ready within 2 minutes')), 120_000).unref();
  });
  const url = `http://127.0.0.1:${port}`;
  const rest = await fetch(`${url}/v1/embeds`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ page_url: 'https://example.com/about' }),
  });
  const graphql = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ embeds { totalCount } }' }),
  });
  const response = JSON.stringify(await graphql.json());
  if (rest.status !== 201 || response !== '{"data":{"embeds":{"totalCount":1}}}') {
    throw new Error(`unexpected responses: ${rest.status}, ${response}`);
  }
  console.log(`${process.version}: created and counted an embed`);
} finally {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
