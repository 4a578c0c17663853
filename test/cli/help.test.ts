import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../open-app.ts';
import { runInProcess } from './run-in-process.ts';
import { EXIT_CODES, WRONG_OPTION } from './usage.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const COMMANDS = [
  'serve',
  'migrate',
  'tokens',
  'webhooks',
  'import',
  'export',
  'backup',
  'restore',
  'copy',
  'distribute',
  'recount',
  'embeds',
  'doctor',
  'completion',
];

function environment() {
  return { DATABASE_URL: `file:${join(temporaryFolder(), 'x.db')}` };
}

test.each(COMMANDS)('%s prints its help, and rejects unknown options like all commands', async (name) => {
  const help = await runInProcess(name, ['--help'], environment());
  expect(help.stdout).toMatch(new RegExp(`^Usage: embed-gateway ${name} \\[options\\].*\n\n[A-Z]`));
  expect(help.stdout).toMatch(EXIT_CODES);
  expect(help.stdout.match(/Exit codes:/g)).toHaveLength(1);
  expect([help.code, help.stderr]).toEqual([0, '']);

  const wrong = await runInProcess(name, ['--colour'], environment());
  expect(wrong.stderr).toMatch(WRONG_OPTION);
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
});

test('--help lists the commands, and --version prints the version of the package', async () => {
  const help = await runInProcess('--help', [], environment());
  expect(help).toMatchObject({ code: 0, stderr: '' });
  const listed = [...help.stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
  expect(listed).toEqual([...COMMANDS, 'help']);
  expect(await runInProcess('--version', [], environment())).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('an unknown command is rejected with the one that was probably meant', async () => {
  const { code, stdout, stderr } = await runInProcess('token', ['list'], environment());
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe("error: unknown command 'token'\n(Did you mean tokens?)\n(add --help for the options)\n");
});
