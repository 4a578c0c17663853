import { readFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isOnPostgresql, missingFile, newDatabase, openApp } from '../open-app.ts';
import { runTokensWithOpenApp, tokens } from './run-tokens.ts';

test('a running service accepts a token of the command line at once, and rejects it once it is revoked', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const databaseUrl = await newDatabase();
  const { database, withAuthorization } = await openApp({ databaseUrl });
  const options = ['--account', 'acme', '--name', 'ci', '--scope', 'read', '--expires', '90d'];
  const created = await runTokensWithOpenApp(databaseUrl, 'create', ...options);
  expect(created.code).toBe(0);
  expect(created.stdout).toMatch(/^emb_[0-9A-Za-z]{49}\n$/);
  const client = withAuthorization(`Bearer ${created.stdout.trim()}`);
  expect((await client.rest('GET', '/v1/embeds')).status).toBe(200);
  expect((await client.rest('POST', '/v1/embeds', { page_url: 'https://example.com' })).status).toBe(403);

  const [, id = ''] = /Token (\w+) of/.exec(created.stderr) ?? [];
  const revoked = await runTokensWithOpenApp(databaseUrl, 'revoke', id);
  expect(revoked).toMatchObject({ code: 0, stdout: `Token ${id} is revoked.\n` });
  vi.advanceTimersByTime(5_000);
  expect((await client.rest('GET', '/v1/embeds')).status).toBe(401);

  await database.close();
  const stderr = `There is no token ${id} that could be revoked.\n`;
  expect(await tokens(databaseUrl, 'revoke', id)).toEqual({ code: 1, stdout: '', stderr });
  expect(await rowsOf(databaseUrl)).toEqual([
    [
      id,
      'acme',
      'ci',
      'read',
      expect.any(String),
      expect.stringMatching(/^revoked /),
      expect.stringMatching(/^\d{4}-/),
    ],
  ]);
});

/** Returns the cells of the rows of `tokens list`. */
async function rowsOf(databaseUrl: string): Promise<readonly (readonly string[])[]> {
  const { stdout } = await tokens(databaseUrl, 'list');
  expect(stdout).not.toContain('emb_');
  const [header, ...rows] = stdout.trim().split('\n');
  expect(header?.split(/\s+/)).toEqual(['ID', 'ACCOUNT', 'NAME', 'SCOPE', 'CREATED', 'STATE', 'LAST', 'USED']);
  return rows.map((row) => row.trim().split(/\s{2,}/));
}

test('accepts scopes in one option or in several, also on a new database', async () => {
  const databaseUrl = isOnPostgresql ? await newDatabase() : missingFile();
  const create = (name: string, ...options: string[]) =>
    tokens(databaseUrl, 'create', '--account', 'acme', '--name', name, ...options);
  await create('one', '--scope', 'read', '--scope', 'write', '--expires', '2930-01-31T12:00+01:00');
  await create('two', '--scope', 'write', '--scope', 'write');
  await create('three', '--scope', 'admin,read');
  await create('four');
  const rows = await rowsOf(databaseUrl);
  expect(rows.map((row) => row[3])).toEqual(['read,write', 'write', 'read,admin', 'read,write']);
  expect(rows[0]?.[5]).toMatch(/^until /);
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
