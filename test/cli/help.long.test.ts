import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../process/run.ts';
import { EXIT_CODES, WRONG_OPTION } from './usage.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** The scripts of package.json that run a test file, with the file. */
const testScripts = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^node (test\/programs\/(?:bench|faults)\/\S+)$/.exec(line) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

test.skipIf(process.getuid?.() !== 0)('a command runs as a user that the system does not know', () => {
  const options = { uid: 54_321, encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
  const { status, stderr } = spawnSync(process.execPath, ['src/main.ts', 'tokens', '--help'], options);
  expect([status, stderr]).toEqual([0, '']);
});

test('there are scripts for benchmarks and fault tests', () => {
  expect(testScripts.map(([name]) => name)).toEqual(expect.arrayContaining(['bench', 'faults:kill']));
});

test.each(testScripts)(
  'npm run %s prints its help, and rejects unknown options like all commands',
  async (name, file) => {
    const help = run(file, ['--help'], {});
    const helpCode = await help.ended;
    expect(help.stdout()).toMatch(new RegExp(`^Usage: npm run ${name} -- \\[options\\].*\n\n[A-Z]`));
    expect(help.stdout()).toMatch(EXIT_CODES);
    expect([helpCode, help.stderr()]).toEqual([0, '']);

    const wrong = run(file, ['--colour'], {});
    const code = await wrong.ended;
    expect(wrong.stderr()).toMatch(WRONG_OPTION);
    expect([code, wrong.stdout()]).toEqual([2, '']);
  },
);
