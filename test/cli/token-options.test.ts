import { expect, test } from 'vitest';
import { missingFile } from '../open-app.ts';
import { tokens } from './run-tokens.ts';

test.each([
  [['create', '--account', 'acme'], '--name'],
  [['create', '--account', 'Ac me', '--name', 'ci'], '--account'],
  [['create', '--account', 'acme', '--name', 'ci', '--scope', 'owner'], '--scope'],
  [['create', '--account', 'acme', '--name', 'ci', '--expires', 'soon'], '--expires'],
  [['create', '--account', 'acme', '--name', 'ci', '--expires', '2001-01-01'], '--expires'],
  [['create', '--account', 'acme', '--name', 'ci', '--expires', '2930-02-31'], '--expires'],
  [['create', '--account', 'acme', '--name', 'ci', '--expires', '2930-02-31T12:00Z'], '--expires'],
  [['create', '--account', 'acme', '--name', 'ci', '--name', 'other'], '--name'],
  [['create', '--account', 'acme', '--account', 'other', '--name', 'ci'], '--account'],
  [['create', '--account', 'acme', '--name', 'ci', '--expires', '1d', '--expires', '2d'], '--expires'],
  [['destroy'], 'destroy'],
])('%j is refused with a message that names the fault', async (args, name) => {
  const { code, stderr } = await tokens(missingFile(), ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(name);
});

test('all faults of a new token are printed', async () => {
  const faulty = ['--account', 'Ac me', '--name', 'Bad Name', '--scope', 'read,foo', '--expires', 'yesterday'];
  const { code, stdout, stderr } = await tokens(missingFile(), 'create', ...faulty);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^--account must be 1 to 64 lower-case letters/),
    expect.stringMatching(/^--name must be 1 to 64 lower-case letters/),
    '--scope must be a list of one or more of read, write, admin, each once; not "foo"',
    '--expires must be a time from now (90d, 12h, 30m) or a date (2030-01-31), in the future',
  ]);
});

test('--help explains the commands', async () => {
  const { code, stdout } = await tokens(missingFile(), '--help');
  expect(code).toBe(0);
  for (const command of ['create', 'list', 'revoke']) expect(stdout).toContain(command);
});
