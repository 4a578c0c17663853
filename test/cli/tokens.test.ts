import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOnPostgresql, missingFile, newDatabase, openApp } from '../open-app.ts';
import { runTokensWithOpenApp, tokens } from './run-tokens.ts';

test('a running service accepts a token of the command line at once, and rejects it once it is revoked', async () => {
  const databaseUrl = await newDatabase();
  const { withAuthorization } = await openApp({ databaseUrl });
  const created = await runTokensWithOpenApp(
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
  expect(created.code).toBe(0);
  expect(created.stdout).toMatch(/^emb_[0-9A-Za-z]{49}\n$/);
  const client = withAuthorization(`Bearer ${created.stdout.trim()}`);
  expect((await client.rest('GET', '/v1/embeds')).status).toBe(200);
  expect((await client.rest('POST', '/v1/embeds', { page_url: 'https://example.com' })).status).toBe(403);

  const list = await runTokensWithOpenApp(databaseUrl, 'list');
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

  const revoked = await runTokensWithOpenApp(databaseUrl, 'revoke', id);
  expect(revoked).toMatchObject({ code: 0, stdout: `Token ${id} is revoked.\n` });
  await expect.poll(async () => (await client.rest('GET', '/v1/embeds')).status, { timeout: 5_000 }).toBe(401);
  expect(await tokens(databaseUrl, 'revoke', id)).toMatchObject({ code: 1 });
  expect((await tokens(databaseUrl, 'list')).stdout).toContain('revoked ');
});

test('accepts scopes in one option or in several, also on a new database', async () => {
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

/** Returns the JSON lines of standard error, where commands write the audit log of PostgreSQL. */
function jsonLinesOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n');
}

test('the audit log has lines for created and revoked tokens, without the token itself', async () => {
  const databaseUrl = await newDatabase();
  const created = await tokens(databaseUrl, 'create', '--account', 'acme', '--name', 'ci', '--scope', 'read');
  const id = /Token (\w+) of/.exec(created.stderr)?.[1] ?? '';
  const revoked = await tokens(databaseUrl, 'revoke', id);
  await tokens(databaseUrl, 'revoke', 'nope');
  const file = `${databaseUrl.slice(5)}.audit.jsonl`;
  const text = isOnPostgresql ? jsonLinesOf(created.stderr + revoked.stderr) : readFileSync(file, 'utf8');
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
  expect(text).not.toContain(created.stdout.trim());
  if (!isOnPostgresql) expect(statSync(file).mode & 0o077).toBe(0);
});
