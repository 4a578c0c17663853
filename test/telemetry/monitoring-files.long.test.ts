import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../open-app.ts';
import { DASHBOARD, textsOf } from './deployed-files.ts';

test('each alert fires in its situation and only then, as `promtool test rules` shows', ({ skip }) => {
  if (spawnSync('promtool', ['--version']).error) skip('promtool is not installed: apt-get install prometheus');
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };
  expect(run('check', 'rules', 'deploy/alerts.yml')).toMatchObject({ status: 0 });
  expect(run('test', 'rules', 'deploy/alerts.test.yml')).toMatchObject({ status: 0 });
  // the dashboard as rules: promtool parses its expressions too
  const expressions = textsOf(DASHBOARD, 'expr').map((expr) => expr.replaceAll('$__rate_interval', '5m'));
  const rules = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
  const file = join(temporaryFolder(), 'dashboard.json');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  expect(run('check', 'rules', file)).toMatchObject({ status: 0 });
});
