import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createOpenApiDocument } from '../../src/doors/rest/openapi/document.ts';

const UNIT = 'deploy/embed-gateway.service';
const SYSTEMD_ANALYZE = '/usr/bin/systemd-analyze';
const noSystemd = existsSync(SYSTEMD_ANALYZE) ? null : `skipped: there is no ${SYSTEMD_ANALYZE} on this machine`;
if (noSystemd !== null) console.warn(`The check of the systemd unit is ${noSystemd}.`);

interface Manifest {
  readonly version: string;
  readonly bin: Record<string, string>;
  readonly scripts: Record<string, string>;
  readonly workspaces: readonly string[];
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { optional: boolean }>;
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const declaredBy = ({ dependencies, devDependencies }: Manifest) => ({ ...dependencies, ...devDependencies });

const manifest = manifestOf('.');
const dockerfile = readFileSync('Dockerfile', 'utf8');

/** Lists the packages that files import at run time, without Node's modules and those of this repository. */
function packagesImportedBy(pattern: string): string[] {
  const specifiers = globSync(pattern).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const found = text.matchAll(
      /^(?:import|export) (?!type\b)(?:[\w*{}\s,]* from )?'([^.'][^']*)'|\bimport\(["']([^.'"][^'"]*)["']\)/gm,
    );
    return [...found].map(([, byStatement, byCall]) => byStatement ?? byCall ?? '');
  });
  const names = specifiers.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');
  return [...new Set(names)].filter((name) => !/^(?:node:|#)/.test(name) && !builtinModules.includes(name)).sort();
}

test('the package, its lockfile and the OpenAPI document have the same version', () => {
  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { version: string };
  const { info } = createOpenApiDocument({ embedHost: 'localhost:4000', embedScheme: null }) as {
    info: { version: string };
  };
  expect([lockfile.version, info.version]).toEqual([manifest.version, manifest.version]);
});

test('the service imports only packages that it declares, and all but the driver of SQLite are for the build', () => {
  const imported = packagesImportedBy('src/**/*.ts');
  expect(imported).toContain('graphql');
  expect(imported.filter((name) => !(name in declaredBy(manifest)))).toEqual([]);
  // all other packages become part of the build
  expect(Object.keys(manifest.dependencies)).toEqual(['better-sqlite3']);
});

test('OpenTelemetry is optional: a peer of the package in the versions that the tests use', () => {
  const peers = Object.keys(manifest.peerDependencies);
  expect(peers).toEqual(packagesImportedBy('src/telemetry/tracing.ts'));
  for (const name of peers) {
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(manifest.peerDependencies[name]).toBe(`^${manifest.devDependencies[name]}`);
  }
});

test.each(manifest.workspaces)(
  '%s imports only packages that it declares, in the versions of the service',
  (folder) => {
    const declared = declaredBy(manifestOf(folder));
    const files = join(folder, '{src/**/*,*}.{ts,tsx}');
    expect(globSync(files)).not.toEqual([]);
    const imported = packagesImportedBy(files);
    expect(imported.filter((name) => !(name in declared))).toEqual([]);
    const shared = Object.entries(declaredBy(manifest)).filter(([name]) => name in declared);
    expect(shared).toEqual(shared.map(([name]) => [name, declared[name]]));
  },
);

test('an installation of the package runs no script', () => {
  // npm runs only these scripts when it installs a package as a dependency
  const scripts = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(scripts.filter((name) => name in manifest.scripts)).toEqual([]);
});

test('the image is built without the files that git ignores', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const name of readFileSync('.gitignore', 'utf8').trim().split('\n')) expect(ignored).toContain(name);
  expect(ignored).toContain('.git');
  expect(dockerfile).toMatch(/^COPY \. \.$/m);
});

test('the image and the unit set only variables that the service reads, with valid values', () => {
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
  const { NODE_ENV, PATH: _, ...variables } = environment;
  expect(NODE_ENV).toBe('production');
  expect(Object.keys(variables).filter((name) => !read.has(name))).toEqual([]);
});

test.skipIf(noSystemd)('systemd finds no fault in the unit', () => {
  // systemd-analyze prints faults, and fails
  expect(execFileSync(SYSTEMD_ANALYZE, ['verify', UNIT], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })).toBe(
    '',
  );
});

test('a start does not load the undici of Node.js', () => {
  const script = `
    await Promise.all([import('./src/gateway.ts'), import('./src/app.ts')]);
    console.log(process.moduleLoadList.filter((name) => name.includes('undici')).join());`;
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', script]).toString().trim()).toBe('');
});
