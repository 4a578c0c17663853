import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const COMMANDS = ['backup', 'copy', 'embeds', 'restore', 'tokens'];
const SCRIPTS = ['start', ...COMMANDS, 'generate', 'generate:code', 'migration'];

/** Finds a Node on the PATH that cannot run TypeScript. */
function findOldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith('node_modules/.bin'));
  const files = folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file));
  return files.find((file) => Number(execFileSync(file, ['-p', 'parseInt(process.versions.node)'])) < 22);
}

const oldNode = findOldNode();
if (!oldNode) console.warn('The check on an unsupported Node is skipped: the PATH has no Node below 22.');

/** Runs a script of package.json as npm does, but on the old Node. */
function runOnOldNode(script: string) {
  const PATH = [dirname(oldNode ?? ''), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', scripts[script] ?? ''], {
    env: { PATH },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.skipIf(!oldNode).each(SCRIPTS)(
  '%s prints one line with the required and the current version of Node',
  (script) => {
    const { status, stdout, stderr } = runOnOldNode(script);
    expect(stderr).toMatch(/^Embed Gateway needs Node 22\.18 or newer, and this is Node \d+\.\d+\.\d+ .*\n$/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  },
);

test('the image and the unit start the launcher, which checks the version of Node first', () => {
  const units = [readFileSync('Dockerfile', 'utf8'), readFileSync('deploy/embed-gateway.service', 'utf8')];
  const starts = units.map((text) => /^(?:CMD|ExecStart)\b.*$/m.exec(text)?.[0]);
  for (const start of starts) expect(start).toContain('node_modules/.bin/embed-gateway');
});

test('the script of a start replaces its shell, which signals to npm end, and passes its arguments on', () => {
  expect(scripts.start).toMatch(/^exec [^&|;]+$/);
  const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  // npm adds the arguments to the end of the script
  const start = (option: string) => spawnSync('sh', ['-c', `${scripts.start} ${option}`], { env, encoding: 'utf8' });
  expect(start('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: embed-gateway serve') });
  expect(start('--port 5000')).toMatchObject({ status: 2, stderr: expect.stringContaining('PORT=5000') });
});

test('the launcher runs the commands', () => {
  const launch = (...args: string[]) =>
    spawnSync(process.execPath, ['bin/embed-gateway.js', ...args], { encoding: 'utf8' });
  const help = launch('tokens', '--help');
  expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: embed-gateway tokens ') });
  const unknown = launch('nonsense');
  expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining("unknown command 'nonsense'") });
});
