import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

const UNIT = 'deploy/embed-gateway.service';
const SYSTEMD_ANALYZE = '/usr/bin/systemd-analyze';
const noSystemd = existsSync(SYSTEMD_ANALYZE) ? null : `skipped: there is no ${SYSTEMD_ANALYZE} on this machine`;
if (noSystemd !== null) console.warn(`The check of the systemd unit is ${noSystemd}.`);

const dockerfile = readFileSync('Dockerfile', 'utf8');

test('what the image is made of is there, and let through to its build', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(copied).toContain('src');
  const ignore = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const name of copied) {
    expect(globSync(name), name).not.toEqual([]);
    expect(ignore, name).toContain(`!${name}`);
  }
});

test('what the image leaves out is a dependency, and nothing that runs imports it', () => {
  const left = [...dockerfile.matchAll(/ dependencies\.(\S+)/g)].map(([, name = '']) => name);
  const removed = [...dockerfile.matchAll(/ node_modules\/(\S+)/g)].map(([, name = '']) => name);
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  expect(left.length).toBeGreaterThan(2);
  expect(left.filter((name) => !(name in dependencies))).toEqual([]);
  const sources = globSync('src/**/*.ts', { exclude: ['src/console-app/**'] }).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const imports = sources.flatMap((source) =>
    [...source.matchAll(/^(?:import|export) (?!type\b)[^;]*?'([^.'][^']*)'|import\('([^.'][^']*)'/gm)].map(
      ([, a, b]) => a ?? b,
    ),
  );
  expect(imports).toContain('graphql');
  for (const name of [...left, ...removed]) {
    expect(imports.filter((imported) => imported === name || imported?.startsWith(`${name}/`))).toEqual([]);
  }
});

test('the variables that the image and the unit set are read, and good', () => {
  const environment: Record<string, string> = {};
  const lines = [
    ...dockerfile.matchAll(/^ENV (.+)$/gm),
    ...readFileSync(UNIT, 'utf8').matchAll(/^Environment=(.+)$/gm),
  ];
  expect(lines).toHaveLength(2);
  const read = new Set<string>();
  for (const [, line = ''] of lines) {
    const set = line.split(' ').map((pair) => pair.split('=') as [string, string]);
    Object.assign(environment, Object.fromEntries(set));
    const get = (target: Record<string, string>, name: string) => {
      read.add(name);
      return target[name];
    };
    readConfig(new Proxy(Object.fromEntries(set), { get }));
  }
  const { NODE_ENV, ...ours } = environment;
  expect(NODE_ENV).toBe('production');
  expect(Object.keys(ours).filter((name) => !read.has(name))).toEqual([]);
});

test.skipIf(noSystemd)('systemd finds no fault in the unit', () => {
  // it prints what it finds, and fails, unless all is well
  expect(execFileSync(SYSTEMD_ANALYZE, ['verify', UNIT], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })).toBe(
    '',
  );
});
