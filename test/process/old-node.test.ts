import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const COMMANDS = ['backup', 'copy', 'embeds', 'restore', 'tokens'];
/** The scripts that run without the devDependencies, and so on the Node of the machine. */
const SCRIPTS = ['start', ...COMMANDS, 'generate', 'generate:code', 'migration'];

/** A Node of this machine that cannot run TypeScript; undefined if there is none. */
function findOldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith('node_modules/.bin'));
  const files = folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file));
  return files.find((file) => Number(execFileSync(file, ['-p', 'parseInt(process.versions.node)'])) < 22);
}

const oldNode = findOldNode();
if (!oldNode)
  console.warn('The check of a Node that is too old is skipped: the PATH of this machine has no Node below 22.');

/** Runs a script of package.json as npm does, except that the machine's Node comes first. */
function runOnOldNode(script: string) {
  const PATH = [dirname(oldNode ?? ''), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', scripts[script] ?? ''], {
    env: { PATH },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.skipIf(!oldNode).each(SCRIPTS)('%s says in one line which Node it needs and which it runs on', (script) => {
  const { status, stdout, stderr } = runOnOldNode(script);
  expect(stderr).toMatch(/^Embed Gateway needs Node 22\.18 or newer, and this is Node \d+\.\d+\.\d+ .*\n$/);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

test('what starts a process of the gateway checks its Node first', () => {
  const units = [readFileSync('Dockerfile', 'utf8'), readFileSync('deploy/embed-gateway.service', 'utf8')];
  const starts = units.map((text) => /^(?:CMD|ExecStart)\b.*$/m.exec(text)?.[0]);
  for (const start of starts) expect(start).toContain('bin/embed-gateway.js');
});

test('the launcher runs each command, and names them all where it knows none of that name', () => {
  const launch = (...args: string[]) =>
    spawnSync(process.execPath, ['bin/embed-gateway.js', ...args], { encoding: 'utf8' });
  for (const command of COMMANDS) {
    const { status, stdout } = launch(command, '--help');
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(`npm run ${command} --`) });
  }
  const { status, stderr } = launch('nonsense');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'There is no command "nonsense". The commands are serve, backup, copy, embeds, restore, tokens.\n',
  });
});
