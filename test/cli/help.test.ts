import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';
import { runInProcess } from './run-in-process.ts';

const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  version: string;
};
const COMMANDS = ['serve', 'tokens', 'import', 'export', 'backup', 'restore', 'copy', 'distribute', 'embeds'];
/** The scripts of package.json that run a test file, with the file. */
const testScripts = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^node (test\/(?:bench|faults)\/\S+)$/.exec(line) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

const EXIT_CODES = / -h, --help +show this help\n[\s\S]*\nExit codes:\n {2}0 {2}done\n {2}1 {2}.*\n {2}2 {2}/;
const WRONG_OPTION = /^error: .*\n\(add --help for the options\)\n$/;

function environment() {
  return { DATABASE_URL: `file:${join(temporaryFolder(), 'x.db')}` };
}

test.each(COMMANDS)('%s prints its help, and rejects unknown options like all commands', async (name) => {
  const [subcommand = []] = name === 'embeds' ? [['import']] : [];
  const help = await runInProcess(name, [...subcommand, '--help'], environment());
  const usage = ['embed-gateway', name, ...subcommand].join(' ');
  expect(help.stdout).toMatch(new RegExp(`^Usage: ${usage} \\[options\\].*\n\n[A-Z]`));
  expect(help.stdout).toMatch(EXIT_CODES);
  expect(help.stdout.match(/Exit codes:/g)).toHaveLength(1);
  expect([help.code, help.stderr]).toEqual([0, '']);

  const wrong = await runInProcess(name, [...subcommand, '--colour'], environment());
  expect(wrong.stderr).toMatch(WRONG_OPTION);
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
});

test('--help lists the commands, and --version prints the version of the package', async () => {
  const help = await runInProcess('--help', [], environment());
  expect(help).toMatchObject({ code: 0, stderr: '' });
  const listed = [...help.stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
  expect(listed).toEqual([...COMMANDS.filter((name) => name !== 'embeds'), 'help']);
  expect(await runInProcess('--version', [], environment())).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('an unknown command is rejected with the one that was probably meant', async () => {
  const { code, stdout, stderr } = await runInProcess('token', ['list'], environment());
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe("error: unknown command 'token'\n(Did you mean tokens?)\n(add --help for the options)\n");
});

test('there are scripts for benchmarks and fault tests', () => {
  expect(testScripts.map(([name]) => name)).toEqual(expect.arrayContaining(['bench', 'faults:kill']));
});

test.each(testScripts)(
  'npm run %s prints its help, and rejects unknown options like all commands',
  async (name, file) => {
    const help = run(file, ['--help'], environment());
    const helpCode = await help.ended;
    expect(help.stdout()).toMatch(new RegExp(`^Usage: npm run ${name} -- \\[options\\].*\n\n[A-Z]`));
    expect(help.stdout()).toMatch(EXIT_CODES);
    expect([helpCode, help.stderr()]).toEqual([0, '']);

    const wrong = run(file, ['--colour'], environment());
    const code = await wrong.ended;
    expect(wrong.stderr()).toMatch(WRONG_OPTION);
    expect([code, wrong.stdout()]).toEqual([2, '']);
  },
);
