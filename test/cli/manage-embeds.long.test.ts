import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFrozenBrowser } from '../../packages/fetcher/test/render/frozen-browser.ts';
import { withDatabase } from '../../src/cli/run.ts';
import { MEAL_PLANNER, missingFile, newDatabase, openApp, openRaw, temporaryFolder } from '../open-app.ts';
import { runInProcess } from './run-in-process.ts';

test('embeds are created, listed, changed and deleted, as text and as JSON', async () => {
  const databaseUrl = missingFile();
  const embeds = (...args: string[]) => runInProcess('embeds', args, { DATABASE_URL: databaseUrl });
  const json = async (...args: string[]) => JSON.parse((await embeds(...args, '--json')).stdout);
  const create = ['create', '--page-url', MEAL_PLANNER, '--mode', 'dark', '--external-id', 'a'];
  const created = await embeds(...create);
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const [, id = ''] =
    /^Created embed (\w{26})\.\nhttp:\/\/\1\.embeds\.localhost:4000\/Meal-Planner-\w{32}\n$/.exec(created.stdout) ?? [];
  expect(await embeds(...create)).toMatchObject({
    code: 1,
    stderr:
      'Another embed of the account has this external id. Pass --on-conflict return to get it, or --on-conflict update to replace it.\n',
  });
  const unchanged = expect.stringMatching(`^Embed ${id} is unchanged.\nhttp://${id}.`);
  expect((await embeds(...create, '--on-conflict', 'update')).stdout).toEqual(unchanged);
  expect((await embeds(...create, '--on-conflict', 'return')).stdout).toEqual(unchanged);
  expect((await embeds(...create, '--font', 'Lora', '--on-conflict', 'update')).stdout).toMatch(
    `Updated embed ${id}.\nhttp://${id}.`,
  );
  const replace = ['create', '--page-url', MEAL_PLANNER, '--external-id', 'a', '--on-conflict', 'update'];
  expect(await json(...replace)).toEqual({
    embed: expect.objectContaining({ id, mode: 'light', page_url: MEAL_PLANNER }),
    created: false,
  });
  const unnamed = await embeds('create', '--page-url', MEAL_PLANNER, '--on-conflict', 'update');
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--on-conflict needs --external-id\n') });
  expect((await embeds('update', id, '--mode', 'light')).stdout).toEqual(unchanged);
  expect(await embeds('update', id)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Give at least one of --page-id, --page-url, --mode, --font(?:,| and) --show-top-bar\b/,
    ),
  });
  expect((await json('update', id, '--show-top-bar', 'false')).embed).toMatchObject({ id, show_top_bar: false });
  const { embed: recipes } = await json('create', '--page-url', 'https://example.com/Recipes');
  // only the stored embed shows whether its page id can be replaced
  expect(await embeds('update', recipes.id, '--page-id', '95747105f402490eba51d52e00496c1c')).toEqual({
    code: 2,
    stdout: '',
    stderr: "--page-id can be replaced only if the page's URL contains an id; send the new URL instead\n",
  });
  expect((await json('list', '--mode', 'light', '--first', '1')).next).toMatch(/^\w{26}$/);
  expect((await json('list', '--external-id', 'a')).embeds).toEqual([expect.objectContaining({ id })]);
  expect((await embeds('list')).stdout.trim().split('\n')).toHaveLength(3);
  expect(await embeds('delete', id)).toMatchObject({ code: 0, stdout: `Deleted embed ${id}.\n` });
  expect(await embeds('delete', id)).toMatchObject({ code: 1, stderr: 'There is no embed with this id.\n' });
  expect((await json('list')).embeds).toHaveLength(1);
  expect(await embeds('list', '--account', 'bob')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'There is no account bob.\n',
  });
  const { database } = await openApp({ databaseUrl });
  const { changes } = await database.changes.readPage('default', { size: 10, after: undefined });
  expect(changes.map(({ kind }) => kind)).toEqual(['CREATED', 'UPDATED', 'UPDATED', 'UPDATED', 'CREATED', 'DELETED']);
});

test('a list that stops at the limit of a scan names the place where the next one continues', async () => {
  const databaseUrl = missingFile();
  const rows = Array.from({ length: 2_301 }, (_, i) => `https://example.com/${i}`);
  await runInProcess('embeds', ['import', '-'], { DATABASE_URL: databaseUrl }, ['page_url', ...rows].join('\n'));
  for (const direction of ['asc', 'desc']) {
    const args = ['list', '--page-state', 'gone', '--order-by', 'created_at', '--direction', direction, '--json'];
    const { stdout } = await runInProcess('embeds', args, { DATABASE_URL: databaseUrl });
    const { embeds, next } = JSON.parse(stdout);
    expect([embeds, next]).toEqual([[], expect.stringMatching(/^\w{26}$/)]);
    const rest = await runInProcess('embeds', [...args, '--after', next], { DATABASE_URL: databaseUrl });
    expect(JSON.parse(rest.stdout)).toEqual({ embeds: [], next: null });
  }
});

test('all faults of the options are printed, and nothing is written', async () => {
  const databaseUrl = missingFile();
  const args = ['create', '--page-url', 'http://localhost/', '--mode', 'pink'];
  const { code, stdout, stderr } = await runInProcess('embeds', args, { DATABASE_URL: databaseUrl });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^--page-url must be on a public host/),
    '--mode must be one of light, dark, auto, user_defined',
  ]);
  expect((await runInProcess('embeds', ['list'], { DATABASE_URL: databaseUrl })).stderr).toBe(
    'There is no account default.\n',
  );
});

test('--help spells names and values as the options do', async () => {
  const helpOf = async (command: string) => {
    const { stdout } = await runInProcess('embeds', [command, '--help'], {});
    return stdout.replaceAll(/\s+/g, ' ');
  };
  expect(await helpOf('create')).toContain('Always true while the mode is `user_defined`.');
  expect(await helpOf('create')).toContain('`--on-conflict` says what happens if an embed has it.');
  expect(await helpOf('create')).toContain(
    'What happens if an embed has the external id. (choices: "error", "return", "update")',
  );
  expect(await helpOf('update')).toContain('`page_id` and `embed_url` change with it.');
  expect(await helpOf('list')).toContain('its state is `gone`, `forbidden`,');
  expect(await helpOf('list')).toContain('--page-id <value> Only embeds of the page with this id.');
  for (const command of ['list', 'create', 'update']) {
    expect(await helpOf(command)).not.toMatch(/`[a-z]+[A-Z]\w*`|`[A-Z]+`/);
  }
});

test('commands print one JSON document with --json', async () => {
  const environment = { DATABASE_URL: missingFile() };
  const run = async (command: string, ...args: string[]) => {
    const { code, stdout } = await runInProcess(command, [...args, '--json'], environment);
    return [code, JSON.parse(stdout)];
  };
  const [, { token, secret }] = await run('tokens', 'create', '--account', 'ada', '--name', 'ci');
  expect([token.account, token.scopes, secret]).toEqual(['ada', ['read', 'write'], expect.stringMatching(/^emb_/)]);
  expect(await run('tokens', 'list')).toEqual([0, { tokens: [token] }]);
  const [, revoked] = await run('tokens', 'revoke', token.id);
  expect(revoked.token).toMatchObject({ id: token.id, revoked_at: expect.any(String) });
  expect(await run('migrate')).toEqual([0, { applied: [] }]);
  const file = join(temporaryFolder(), 'copy.db');
  expect(await run('backup', file)).toEqual([0, expect.objectContaining({ file, embeds: 0, accounts: 1 })]);
  const rows = join(temporaryFolder(), 'pages.csv');
  writeFileSync(rows, `page_url\n${MEAL_PLANNER}\nx\n`);
  expect(await run('import', rows)).toEqual([1, expect.objectContaining({ rows: 2, rejected: 1 })]);
});

test('commands wait while another process locks the database', async () => {
  const databaseUrl = await newDatabase();
  const raw = await openRaw(databaseUrl);
  /** Locks the database for longer than an opening and a statement wait by themselves. */
  const lock = async () => {
    await raw.query('BEGIN IMMEDIATE');
    setTimeout(() => void raw.query('COMMIT'), 2_500);
  };
  await lock();
  const environment = { DATABASE_URL: databaseUrl };
  const created = await runInProcess('tokens', ['create', '--account', 'ada', '--name', 'ci'], environment);
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^emb_/) });
  const rows = join(temporaryFolder(), 'pages.csv');
  writeFileSync(rows, `page_url\n${MEAL_PLANNER}\n`);
  await lock();
  expect(await runInProcess('import', [rows, '--account', 'ada'], environment)).toMatchObject({ code: 0, stderr: '' });
  await lock();
  expect((await runInProcess('export', ['--account', 'ada'], environment)).stdout).toContain(MEAL_PLANNER);

  vi.stubEnv('DATABASE_URL', databaseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  let runs = 0;
  const isNew = await withDatabase(async ({ tokens }) => {
    if (runs++ === 0) await lock();
    return tokens.ensureAccount('bob', new Date());
  });
  expect(isNew).toBe(true);
  expect(runs).toBeGreaterThan(1);
});

test('doctor says what is wrong and what to do', async () => {
  // a program that is no browser
  const environment = { DATABASE_URL: missingFile(), RENDERER: process.execPath, RENDERER_SANDBOX: 'false' };
  const none = await runInProcess('doctor', [], environment);
  expect(none.stdout).toMatch(/^note +database +.* does not exist; the first start creates it\.$/m);
  const lost = missingFile();
  writeFileSync(`${lost.slice('file:'.length)}-wal`, 'x');
  const { stdout: refused } = await runInProcess('doctor', [], { ...environment, DATABASE_URL: lost });
  expect(refused).toMatch(/^wrong +database +.* has no content, but .*-wal has: restore a backup/m);
  await runInProcess('migrate', [], environment);
  const { code, stdout } = await runInProcess('doctor', ['--json'], environment);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; message: string }[] };
  expect(code).toBe(1);
  expect(findings.map(({ check, state }) => [check, state])).toEqual([
    ...[
      ['configuration', 'ok'],
      ['database', 'ok'],
      ['disk', 'ok'],
      ['browser', 'wrong'],
    ],
    // the machine of a test may have no network
    ['network', expect.stringMatching(/^(ok|wrong)$/)],
    ['clock', expect.stringMatching(/^(ok|note|wrong)$/)],
  ]);
  expect(findings[3]?.message).toContain('Set RENDERER to a Chromium that starts, or to off.');
  const away = await runInProcess('doctor', [], {
    DATABASE_URL: `file:${temporaryFolder()}`,
    RENDERER: 'ws://127.0.0.1:1',
    TRUSTED_DOCUMENTS: '/no/manifest.json',
    OIDC_ISSUER: 'http://127.0.0.1:1',
    OIDC_CLIENT_ID: 'gateway',
    OIDC_CLIENT_SECRET: 'secret',
  });
  expect(away.code).toBe(1);
  for (const [check, remedy] of [
    ['database', 'Check DATABASE_URL: a file in a folder that can be written'],
    ['browser', 'Set RENDERER to a Chromium that starts, or to off.'],
    ['sign-in', 'Check OIDC_ISSUER, and that this machine can reach it.'],
    ['documents', 'Set TRUSTED_DOCUMENTS to a manifest, or remove it.'],
  ]) {
    expect(away.stdout).toMatch(new RegExp(`^wrong +${check} +.*\\. ${remedy}`, 'm'));
  }
  const wrong = await runInProcess('doctor', [], { ...environment, PORT: 'x' });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('PORT')]);
});

test('doctor names the host of a remote browser, and nothing else of its URL', async () => {
  const host = await startFrozenBrowser();
  const environment = { DATABASE_URL: missingFile(), RENDERER: `ws://${host}/devtools/browser/1?token=hidden` };
  const { stdout } = await runInProcess('doctor', [], environment);
  expect(stdout).toContain(` ${host} starts.\n`);
  expect(stdout).not.toContain('hidden');
});

test('serve names the variable for an option that it does not have', async () => {
  const { code, stderr } = await runInProcess('serve', ['--port', '5000'], {});
  expect([code, stderr]).toEqual([2, expect.stringContaining('Set the environment variable PORT: PORT=5000')]);
});
