import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { CACHE_BYTES, MAX_CACHE_BYTES } from '../../src/cache-bytes.ts';

const FETCHER = '../packages/fetcher/src';
const FRAME = '../packages/frame/src';
const READER = '../packages/reader/src';

/**
 * The import table. Keys and values are path prefixes relative to `src/`; the longest matching key decides. A file may
 * always import from its own room.
 */
const ROOMS: Record<string, readonly string[]> = {
  'awaitable.ts': [],
  'cache-bytes.ts': [],
  'deadline.ts': [],
  'errors.ts': [],
  'limiter.ts': [],
  'retry.ts': [],
  'descriptors.ts': ['awaitable.ts', 'errors.ts'],
  'log.ts': ['errors.ts'],
  config: [],
  'config.ts': ['config'],
  domain: ['errors.ts', READER],
  http: ['awaitable.ts', 'errors.ts', 'log.ts'],
  edge: ['config/values.ts', FETCHER],
  store: [
    'awaitable.ts',
    'cache-bytes.ts',
    'descriptors.ts',
    'errors.ts',
    'limiter.ts',
    'log.ts',
    'retry.ts',
    'config.ts',
    'config/database-url.ts',
    'domain',
    READER,
    'generated/prisma',
    'generated/postgresql',
  ],
  pages: ['awaitable.ts', 'cache-bytes.ts', 'deadline.ts', 'errors.ts', 'limiter.ts', 'domain', FETCHER, READER],
  webhooks: [
    'deadline.ts',
    'errors.ts',
    'log.ts',
    'domain',
    FETCHER,
    READER,
    'store/embeds/lists.ts',
    'store/pages.ts',
    'store/webhooks',
  ],
  auth: ['awaitable.ts', 'cache-bytes.ts', 'errors.ts', 'domain', 'store'],
  graphql: [
    'awaitable.ts',
    'cache-bytes.ts',
    'errors.ts',
    'descriptors.ts',
    'config/environment.ts',
    'domain',
    READER,
    'store',
    'http/turns.ts',
  ],
  'doors/graphql': [
    'awaitable.ts',
    'cache-bytes.ts',
    'errors.ts',
    'log.ts',
    'domain',
    'auth/identify.ts',
    'auth/session-cookie.ts',
    'http',
    'graphql/execution',
  ],
  'doors/graphiql': ['awaitable.ts', 'descriptors.ts', 'http'],
  'doors/rest': [
    '../package.json',
    'awaitable.ts',
    'errors.ts',
    'domain',
    READER,
    'auth/identify.ts',
    'auth/session-cookie.ts',
    'http',
    'graphql/execution',
    'graphql/schema/schema.ts',
    'generated/operations.ts',
    'generated/rest-embed.ts',
  ],
  'doors/mcp': [
    '../package.json',
    'awaitable.ts',
    'errors.ts',
    'log.ts',
    'domain',
    READER,
    'auth/identify.ts',
    'http',
    'graphql/execution',
    'doors/rest',
    'generated/operations.ts',
    'generated/mcp-operations.ts',
  ],
  'doors/reference': ['errors.ts', 'domain', 'http'],
  'doors/hosted': [
    'awaitable.ts',
    'cache-bytes.ts',
    'deadline.ts',
    'errors.ts',
    'domain',
    FRAME,
    READER,
    'auth/identify.ts',
    'auth/quota.ts',
    'auth/session-cookie.ts',
    'http',
  ],
  'doors/sign-in': ['cache-bytes.ts', 'errors.ts', 'domain', READER, 'auth', 'http'],
  'doors/console': ['../package.json', 'awaitable.ts', 'domain', 'http'],
  telemetry: ['../package.json', 'awaitable.ts', 'config/environment.ts', 'http/exchange.ts'],
  cli: [
    '../package.json',
    'errors.ts',
    'retry.ts',
    'config',
    'config.ts',
    'domain',
    READER,
    'store',
    // the doctor checks what a start needs
    FETCHER,
    'auth/provider.ts',
    'graphql/execution/trusted-documents.ts',
  ],
  app: [
    'awaitable.ts',
    'cache-bytes.ts',
    'descriptors.ts',
    'log.ts',
    'config.ts',
    'domain',
    FETCHER,
    FRAME,
    READER,
    'http/exchange.ts',
    'store',
    'pages',
    'auth',
    'graphql/execution',
    'doors',
    'edge',
    'telemetry',
    'webhooks',
  ],
  'app.ts': [
    'app',
    'awaitable.ts',
    'errors.ts',
    'log.ts',
    'descriptors.ts',
    'config.ts',
    'domain',
    READER,
    'http',
    'store',
    'auth',
    'graphql',
    'doors',
    'telemetry',
  ],
  'gateway.ts': [
    '../bin/end-early.js',
    'errors.ts',
    'descriptors.ts',
    'retry.ts',
    'config/environment.ts',
    'config.ts',
    'log.ts',
    'domain',
    'graphql/execution/trusted-documents.ts',
    'http',
    'store',
    'telemetry',
    'app.ts',
  ],
  'main.ts': ['../bin/check-node.js', '../bin/end-early.js', 'gateway.ts', 'cli/command-line.ts'],
  [FETCHER]: [READER],
  [FRAME]: [READER],
  [READER]: [],
  // runs in the browser and uses only the public API
  '../packages/console/src': [],
  // builds the pages that doors/reference serves; its client runs in the browser
  '../packages/reference/src': ['doors/rest/openapi/document.ts', READER, '../packages/console/src/ui/copy-text.ts'],
};

const MAX_FILES_PER_FOLDER = 15;

const PRODUCTS = ['console', 'fetcher', 'frame', 'reader', 'reference'].map((name) => `packages/${name}/src`);

const files = globSync(`{src,${PRODUCTS}}/**/*.{ts,tsx}`).filter((file) => !file.includes('src/generated/'));
const sources = new Map(files.map((file) => [relative('src', file), readFileSync(file, 'utf8')]));

/** Returns what a file imports of this project, as it is written. */
function specifiersOf(file: string): string[] {
  const specifiers = (sources.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'([.#][^']+)'/g);
  return [...specifiers].map(([, specifier = '']) => specifier);
}

function importsOf(file: string): string[] {
  return specifiersOf(file).map((specifier) => {
    if (specifier === '#fetcher') return `${FETCHER}/index.ts`;
    if (specifier === '#frame') return `${FRAME}/index.ts`;
    if (specifier.startsWith('#reader/')) return `${specifier.replace('#reader', READER)}.ts`;
    return relative('src', join('src', dirname(file), specifier));
  });
}

function isWithin(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function roomOf(path: string): string {
  const rooms = Object.keys(ROOMS).filter((room) => isWithin(path, room));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? '';
}

function filesMatching(pattern: RegExp): string[] {
  return [...sources].filter(([, source]) => pattern.test(source)).map(([file]) => file);
}

test('every file belongs to a room', () => {
  expect([...sources.keys()].filter((file) => roomOf(file) === '')).toEqual([]);
});

test('rooms import only what the table allows', () => {
  const violations: string[] = [];
  for (const file of sources.keys()) {
    const room = roomOf(file);
    for (const target of importsOf(file)) {
      const isAllowed = roomOf(target) === room || ROOMS[room]?.some((allowed) => isWithin(target, allowed));
      if (!isAllowed) violations.push(`${file} → ${target}`);
    }
  }
  expect(violations).toEqual([]);
});

test('the service imports packages only by the indexes of the fetcher and the frame, and by files of the reader outside of its folders', () => {
  const inService = [...sources.keys()].filter((file) => !file.startsWith('..')).flatMap(specifiersOf);
  const ofPackages = inService.filter((specifier) => /^#|packages\//.test(specifier));
  expect(ofPackages.length).toBeGreaterThan(20);
  expect(ofPackages.filter((specifier) => !/^#(?:fetcher|frame|reader\/[\w-]+)$/.test(specifier))).toEqual([]);
});

test('every permission of the table is used', () => {
  const used = new Set(
    [...sources.keys()].flatMap((file) => importsOf(file).map((target) => `${roomOf(file)} ${target}`)),
  );
  const unused = Object.entries(ROOMS).flatMap(([room, allowed]) =>
    allowed
      .filter(
        (prefix) =>
          ![...used].some((use) => use.startsWith(`${room} `) && isWithin(use.slice(room.length + 1), prefix)),
      )
      .map((prefix) => `${room} → ${prefix}`),
  );
  expect(unused).toEqual([]);
});

/** Returns what the documentation calls the room of an import: `auth` for `auth/quota.ts`. Empty outside of the rooms. */
function documentedNameOf(path: string): string {
  const product = /^\.\.\/packages\/(\w+)/.exec(path)?.[1];
  return product ? `the ${product}` : (/^(?:doors\/\w+|[\w-]+)/.exec(path)?.[0] ?? '');
}

test('the table of rooms in the documentation allows the same imports', () => {
  const names = new Set(Object.values(ROOMS).flat().map(documentedNameOf));
  const rows = readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| (`.+?) \| .+? \| (.+) \|$/gm);
  const documented = [...rows].flatMap(([, rooms = '', imports = '']) => {
    const paths = [...rooms.matchAll(/`([\w/-]+?)\/?`/g)].map(([, name]) =>
      ROOMS[`${name}.ts`] ? `${name}.ts` : `${name}`,
    );
    // other tables have no rooms, and `app.ts` imports every room
    if (!paths.some((path) => ROOMS[path]) || /every room/.test(imports)) return [];
    const inCode = [...imports.matchAll(/`([\w/-]+)`/g)].map(([, path = '']) => documentedNameOf(path));
    const inWords = [...names].filter((name) => /^the |^generated$/.test(name) && imports.includes(name));
    return [{ paths, allowed: [...inCode.filter((name) => names.has(name)), ...inWords] }];
  });
  expect(documented.length).toBeGreaterThan(20);
  for (const { paths, allowed } of documented) {
    const own = new Set(paths.map(documentedNameOf));
    const ofTable = paths.flatMap((path) => ROOMS[path] ?? []).map(documentedNameOf);
    const expected = ofTable.filter((name) => name !== '' && !own.has(name));
    expect(`${paths}: ${[...new Set(allowed)].sort()}`).toBe(`${paths}: ${[...new Set(expected)].sort()}`);
  }
});

test('no imports form a cycle, type imports included', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (done.has(file) || trail.includes(file)) return;
    for (const target of importsOf(file)) if (sources.has(target)) walk(target, [...trail, file]);
    done.add(file);
  };
  for (const file of sources.keys()) walk(file, []);
  expect(cycles).toEqual([]);
});

test('a folder has at most 15 files', () => {
  const folders = Map.groupBy(sources.keys(), (file) => dirname(file));
  const crowded = [...folders].filter(([, entries]) => entries.length > MAX_FILES_PER_FOLDER).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});

test('only the configuration reads the environment', () => {
  // the samples are programs of readers
  expect(filesMatching(/process\.env/).filter((file) => !file.endsWith('/rest/samples.ts'))).toEqual(['config.ts']);
});

test('only the store uses Prisma and database drivers', () => {
  const users = filesMatching(/generated\/(prisma|postgresql)|@prisma\/|better-sqlite3'|from 'pg'/);
  expect([...new Set(users.map(roomOf))]).toEqual(['store']);
});

test('only the fetcher and purges make requests to other machines', () => {
  const users = filesMatching(/from 'node:(https|net|tls|dns)|from 'undici'|await fetch\(/).map(roomOf);
  // the console and the reference call the service that served them
  const allowed = [FETCHER, 'edge', 'http', '../packages/console/src', '../packages/reference/src'];
  expect(users.filter((room) => !allowed.includes(room))).toEqual([]);
});

test('only the listener and the page fetcher use node:http', () => {
  const users = filesMatching(
    /const \{[^}]*\b(createServer|request)\b[^}]*\} = process\.getBuiltinModule\('node:http'\)/,
  );
  expect(users.sort()).toEqual(['../packages/fetcher/src/fetch/connect.ts', 'http/server/listen.ts']);
  expect(filesMatching(/^import (?!type )[^;]* from 'node:http'/m)).toEqual([]);
});

test('metrics and traces are loaded only when they are configured', () => {
  expect(filesMatching(/@opentelemetry|prom-client/).sort()).toEqual(['telemetry/metrics.ts', 'telemetry/tracing.ts']);
  expect(filesMatching(/from '\..*\/(metrics|tracing)\.ts'/).filter((file) => file !== 'app.ts')).toEqual([]);
});

test('the product imports nothing from the tests', () => {
  expect([...sources.keys()].flatMap(importsOf).filter((target) => target.startsWith('../test'))).toEqual([]);
});

test('no file has a vague name', () => {
  const vague = /(^|\/)(utils?|common|helpers?|services?|types|misc|shared)(\.ts|\/)/;
  expect([...sources.keys()].filter((file) => vague.test(file))).toEqual([]);
});

test('each cache has its share of the memory of all caches', () => {
  const shares = Object.keys(CACHE_BYTES);
  const bounds = [...sources.values()].flatMap((source) => [...source.matchAll(/CACHE_BYTES\.(\w+)/g)]);
  expect(bounds.map(([, share]) => share).sort()).toEqual(shares.sort());
  const total = Object.values(CACHE_BYTES).reduce((sum, bytes) => sum + bytes);
  expect(total).toBeLessThanOrEqual(MAX_CACHE_BYTES);
});
