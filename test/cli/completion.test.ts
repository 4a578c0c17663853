import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasProgram } from '../edge/programs.ts';
import { temporaryFolder } from '../open-app.ts';
import { runInProcess } from './run-in-process.ts';

const run = promisify(execFile);

test('bash completes commands, options and their values', async () => {
  const { stdout } = await runInProcess('completion', ['bash'], {});
  const complete = async (...words: string[]) => {
    const line = ['embed-gateway', ...words].map((word) => `'${word}'`).join(' ');
    const script = `${stdout}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _embed_gateway; echo "\${COMPREPLY[*]}"`;
    return (await promisify(execFile)('bash', ['-c', script])).stdout.trim();
  };
  expect(await complete('do')).toBe('doctor');
  expect(await complete('embeds', 'c')).toBe('create');
  expect(await complete('embeds', '')).toBe('list create update delete');
  expect(await complete('embeds', 'create', '--ext')).toBe('--external-id');
  expect(await complete('embeds', 'create', '--json', '-')).toContain('--page-url --mode');
  expect(await complete('completion', '')).toBe('bash zsh fish');
  expect(await complete('embeds', 'create', '--mode', '')).toBe('light dark auto user_defined');
  expect(await complete('embeds', 'create', '--mode', 'd')).toBe('dark');
  expect(await complete('embeds', 'create', '--mode', 'dark', '--show-top-bar', '')).toBe('true false');
  expect(await complete('embeds', 'list', '--page-state', 'g')).toBe('gone');
  expect(await complete('webhooks', 'create', '--events', 'token')).toBe('token.created token.revoked');
  expect(await complete('tokens', 'create', '--scope', '')).toBe('read write admin');
  expect(await complete('import', 'pages.csv', '--format', '')).toBe('csv ndjson');
  // bash makes three words of the first two, zsh one
  expect(await complete('embeds', 'create', '--mode', '=')).toBe('light dark auto user_defined');
  expect(await complete('embeds', 'create', '--mode', '=', 'd')).toBe('dark');
  expect(await complete('embeds', 'create', '--mode=d')).toBe('--mode=dark');
  expect(await complete('tokens', 'create', '--scope', 'read,')).toBe('read,write read,admin');
  expect(await complete('tokens', 'create', '--scope', 'read,write,a')).toBe('read,write,admin');
  expect(await complete('tokens', 'create', '--scope=read,w')).toBe('--scope=read,write');
  expect(await complete('embeds', 'create', '--mode', 'light,d')).toBe('');
  // bash offers files where the function offers nothing
  for (const words of [
    ['import', ''],
    ['import', 'x.csv', '--rejects', ''],
    ['embeds', 'create', '--font', '-'],
  ]) {
    expect(await complete(...words)).toBe('');
  }
  expect(stdout).toContain('complete -o default ');
});

/** Lines to complete, and what the shell makes of them when the user presses Tab: the only value, or what is offered. */
const LINES = {
  comp: 'completion',
  'completion f': 'fish',
  'embeds create --mode d': 'dark',
  'embeds create --mode=d': '--mode=dark',
  'tokens create --scope read,w': 'read,write',
  'tokens create --scope=read,a': '--scope=read,admin',
  // a value that is in the list already is not completed again
  'tokens create --scope read,admin,': 'read,admin,write',
  'webhooks create --events embed.created,page.s': 'embed.created,page.state_changed',
  'embeds create --ext': '--external-id',
  'import pag': 'pages.csv',
};

test.skipIf(!hasProgram('fish', '--version'))('fish completes the same in a session', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'pages.csv'), '');
  const { stdout } = await runInProcess('completion', ['fish'], {});
  writeFileSync(join(folder, 'completion.fish'), stdout);
  for (const [line, completed] of Object.entries(LINES)) {
    const script = `source completion.fish; complete -C 'embed-gateway ${line}'`;
    const offered = await run('fish', ['-N', '-c', script], { cwd: folder });
    expect([line, offered.stdout.trim()]).toEqual([line, completed]);
  }
});

/** Types each line into an interactive shell and presses Tab. Ctrl-P writes the line to a file and empties it. */
const ZSH_SESSION = `zmodload zsh/zpty
zpty shell zsh -i
for line in "$@"; do
  rm -f line
  zpty -n -w shell "$line"$'\\t\\x10'
  until [[ -s line ]]; do sleep 0.05; zpty -r -t shell output; done
  cat line
done
zpty -d shell`;

test.skipIf(!hasProgram('zsh', '--version'))('zsh completes the same in a session', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'pages.csv'), '');
  const { stdout } = await runInProcess('completion', ['zsh'], {});
  const show = 'show() { print -r -- "$BUFFER" > line; zle kill-buffer }; zle -N show';
  writeFileSync(join(folder, '.zshrc'), `PROMPT=\n${stdout}\n${show}\nbindkey '^P' show; bindkey '^I' complete-word\n`);
  writeFileSync(join(folder, 'session.zsh'), ZSH_SESSION);
  const env = { ...process.env, ZDOTDIR: folder, TERM: 'xterm' };
  const lines = Object.keys(LINES).map((line) => `embed-gateway ${line}`);
  const typed = await run('zsh', ['-f', 'session.zsh', ...lines], { cwd: folder, env });
  const completed = lines.map((line) =>
    line.replace(/\S+$/, LINES[line.replace('embed-gateway ', '') as keyof typeof LINES]),
  );
  expect(
    typed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual(completed);
});

test('a shell that has no script is refused', async () => {
  expect((await runInProcess('completion', ['tcsh'], {})).code).toBe(2);
});
