import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOnPostgresql, missingFile, newDatabase, openApp } from '../open-app.ts';
import { tokens, tokensBeside } from './run-tokens.ts';

test('a token that the command line makes works at once in a running service, and is refused once revoked', async () => {
  const databaseUrl = await newDatabase();
  const { withAuthorization } = await openApp({ databaseUrl });
  const made = await tokensBeside(
    databaseUrl,
    'create',
    '--account',
    'acme',
    '--name',
    'ci',
    '--scope',
    'read',
    '--expires',
    '90d',
  );
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/^emb_[0-9A-Za-z]{49}\n$/);
  const client = withAuthorization(`Bearer ${made.stdout.trim()}`);
  expect((await client.rest('GET', '/v1/embeds')).status).toBe(200);
  expect((await client.rest('POST', '/v1/embeds', { page_url: 'https://example.com' })).status).toBe(403);

  const list = await tokensBeside(databaseUrl, 'list');
  const [header, row = ''] = list.stdout.trim().split('\n');
  expect(header?.split(/\s+/)).toEqual(['ID', 'ACCOUNT', 'NAME', 'SCOPE', 'CREATED', 'STATE', 'LAST', 'USED']);
  const [id = '', ...rest] = row.split(/\s{2,}/);
  expect(rest).toEqual([
    'acme',
    'ci',
    'read',
    expect.any(String),
    expect.stringMatching(/^until /),
    expect.stringMatching(/^\d{4}-/),
  ]);
  expect(list.stdout).not.toContain('emb_');

  const revoked = await tokensBeside(databaseUrl, 'revoke', id);
  expect(revoked).toMatchObject({ code: 0, stdout: `Token ${id} is revoked.\n` });
  await expect.poll(async () => (await client.rest('GET', '/v1/embeds')).status, { timeout: 5_000 }).toBe(401);
  expect(await tokens(databaseUrl, 'revoke', id)).toMatchObject({ code: 1 });
  expect((await tokens(databaseUrl, 'list')).stdout).toContain('revoked ');
});

test('scopes may be given in one option or in several, on a file that is not there yet too', async () => {
  const databaseUrl = isOnPostgresql ? await newDatabase() : missingFile();
  const create = (name: string, ...options: string[]) =>
    tokens(databaseUrl, 'create', '--account', 'acme', '--name', name, ...options);
  await create('one', '--scope', 'read', '--scope', 'write');
  await create('two', '--scope', 'write', '--scope', 'write');
  await create('three', '--scope', 'admin,read');
  await create('four');
  const { stdout } = await tokens(databaseUrl, 'list');
  const scopes = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(/\s{2,}/)[3]);
  expect(scopes).toEqual(['read,write', 'write', 'read,admin', 'read,write']);
});

/** On a server the audit is in the log of whoever did it: of a command, its standard error. */
function linesOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n');
}

test('making and revoking a token leaves lines that outlive both, without the token', async () => {
  const databaseUrl = await newDatabase();
  const made = await tokens(databaseUrl, 'create', '--account', 'acme', '--name', 'ci', '--scope', 'read');
  const id = /Token (\w+) of/.exec(made.stderr)?.[1] ?? '';
  const revoked = await tokens(databaseUrl, 'revoke', id);
  await tokens(databaseUrl, 'revoke', 'nope');
  const file = `${databaseUrl.slice(5)}.audit.jsonl`;
  const text = isOnPostgresql ? linesOf(made.stderr + revoked.stderr) : readFileSync(file, 'utf8');
  const common = {
    ...(!isOnPostgresql && { at: expect.stringMatching(/^\d{4}-.*Z$/) }),
    accountId: 'acme',
    tokenId: id,
    by: expect.stringMatching(/^cli:\w/),
  };
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { ...common, event: 'token.created', name: 'ci', scopes: ['read'], expiresAt: null },
    { ...common, event: 'token.revoked' },
  ]);
  expect(text).not.toContain(made.stdout.trim());
  if (!isOnPostgresql) expect(statSync(file).mode & 0o077).toBe(0);
});
