import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly bin: Record<string, string>;
  readonly files: readonly string[];
};

test('the tarball contains what the build needs at run time, and no sources, tests or secrets', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  const packed = files.map(({ path }) => path);
  const needed = [
    ...Object.values(manifest.bin),
    'bin/check-node.js',
    'bin/end-early.js',
    'README.md',
    'deploy/embed-gateway.service',
    ...globSync('packages/frame/src/client/**/*.{css,js}'),
    ...globSync('src/generated/console/{index.html,console/*}'),
    ...globSync('prisma/**/*.{prisma,sql,toml}'),
  ];
  expect(needed.length).toBeGreaterThan(20);
  expect(needed.filter((file) => !packed.includes(file))).toEqual([]);
  expect(packed.filter((path) => /\.tsx?$|^test\/|node_modules|\.env|\.db$/.test(path))).toEqual([]);
  // the build may not exist here: `npm run test:package` installs and runs it
  expect(manifest.files).toContain('dist');
});
