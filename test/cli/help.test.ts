import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** All that an operator or a tester runs with options. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^node ((?:src\/cli|test)\/\S+)$/.exec(line) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

test('there are commands to look at', () => {
  expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(['tokens', 'embeds', 'bench', 'faults:kill']));
});

test.each(commands)('%s explains itself, and refuses what it does not know, like all others', async (name, file) => {
  const DATABASE_URL = `file:${join(temporaryFolder(), 'x.db')}`;
  const help = run(file, ['--help'], { DATABASE_URL });
  const helpCode = await help.ended;
  expect(help.stdout()).toMatch(new RegExp(`^Usage: npm run ${name} -- \\[options\\].*\n\n[A-Z]`));
  expect(help.stdout()).toMatch(
    / -h, --help +show this help\n[\s\S]*\nExit codes:\n {2}0 {2}done\n {2}1 {2}.*\n {2}2 {2}/,
  );
  expect([helpCode, help.stderr()]).toEqual([0, '']);

  const wrong = run(file, ['--colour'], { DATABASE_URL });
  const code = await wrong.ended;
  expect(wrong.stderr()).toMatch(/^error: .*\n\(add --help for the options\)\n$/);
  expect([code, wrong.stdout()]).toEqual([2, '']);
});
