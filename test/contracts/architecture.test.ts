import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom: each room, and the rooms below it that it may know. Its own files are always allowed. */
const ROOMS: Record<string, readonly string[]> = {
  'errors.ts': [],
  'config.ts': [],
  'node-version.ts': ['../bin/check-node.js'],
  domain: ['errors.ts'],
  http: ['errors.ts'],
  store: ['errors.ts', 'domain', 'generated/prisma', 'generated/postgresql'],
  pages: ['errors.ts', 'domain'],
  auth: ['errors.ts', 'domain', 'store'],
  graphql: ['errors.ts', 'domain', 'store', 'pages'],
  rest: ['errors.ts', 'domain', 'http', 'graphql/execute.ts', 'generated/operations.ts'],
  hosted: ['errors.ts', 'domain', 'http', 'graphql/execute.ts', 'store', 'pages'],
  console: ['errors.ts', 'domain', 'http'],
  // what browsers run: of the service it knows what the API says, and the door only serves what is built of it
  'console/client': ['generated/console-operations.ts'],
  cli: ['errors.ts', 'config.ts', 'node-version.ts', 'domain', 'store', 'pages'],
  telemetry: [],
  'app.ts': [
    'errors.ts',
    'config.ts',
    'domain',
    'http',
    'store',
    'pages',
    'auth',
    'graphql',
    'rest',
    'hosted',
    'console',
    'telemetry',
  ],
  'gateway.ts': ['errors.ts', 'config.ts', 'domain', 'http', 'store', 'telemetry', 'app.ts'],
  'main.ts': ['node-version.ts', 'gateway.ts'],
};

/** The GraphQL door lives with its schema; unlike the resolvers beside it, it speaks HTTP. */
const DOOR_FILES = ['graphql/server.ts', 'graphql/graphiql.ts', 'graphql/parameters.ts', 'graphql/perform.ts'];

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.startsWith('src/generated/'));
const sources = new Map(files.map((file) => [relative('src', file), readFileSync(file, 'utf8')]));

function importsOf(file: string): string[] {
  const specifiers = [...(sources.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
  return specifiers.map(([, specifier = '']) => join(dirname(file), specifier));
}

function roomOf(path: string): string {
  return path.startsWith('console/client/') ? 'console/client' : (path.split('/')[0] ?? '');
}

test('every file stands in a room of the floor plan', () => {
  const homeless = [...sources.keys()].filter((file) => ROOMS[roomOf(file)] === undefined);
  expect(homeless).toEqual([]);
});

test('rooms import only from the rooms below them', () => {
  const trespasses: string[] = [];
  for (const file of sources.keys()) {
    const allowed = [...(ROOMS[roomOf(file)] ?? []), ...(DOOR_FILES.includes(file) ? ['http'] : [])];
    for (const target of importsOf(file)) {
      const isAllowed =
        roomOf(target) === roomOf(file) || allowed.some((room) => target === room || target.startsWith(`${room}/`));
      if (!isAllowed) trespasses.push(`${file} → ${target}`);
    }
  }
  expect(trespasses).toEqual([]);
});

test('no imports go in a circle, type imports included', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (done.has(file) || trail.includes(file)) return;
    for (const target of importsOf(file)) if (sources.has(target)) walk(target, [...trail, file]);
    done.add(file);
  };
  for (const file of sources.keys()) walk(file, []);
  expect(circles).toEqual([]);
});

test('the environment is read in one place', () => {
  expect([...sources].filter(([, source]) => source.includes('process.env')).map(([file]) => file)).toEqual([
    'config.ts',
  ]);
});

test('only the store speaks Prisma, and only pages leave the machine', () => {
  const users = (pattern: RegExp) =>
    [...sources].filter(([, source]) => pattern.test(source)).map(([file]) => roomOf(file));
  expect([...new Set(users(/generated\/(prisma|postgresql)|@prisma\/|better-sqlite3'|from 'pg'/))]).toEqual(['store']);
  expect(
    users(/from 'node:(https|net|tls|dns)|from 'undici'|\bfetch\(['"`]/).filter(
      // browsers ask the service that their page came from
      (room) => !['pages', 'http', 'console/client'].includes(room),
    ),
  ).toEqual([]);
});

test('what watches the service is loaded only when it is asked for', () => {
  const users = (pattern: RegExp) => [...sources].filter(([, source]) => pattern.test(source)).map(([file]) => file);
  expect(users(/@opentelemetry|prom-client/).sort()).toEqual(['telemetry/metrics.ts', 'telemetry/tracing.ts']);
  expect(users(/from '\..*\/(metrics|tracing)\.ts'/).filter((file) => file !== 'app.ts')).toEqual([]);
});

test('only the listener and the fetcher speak HTTP by themselves', () => {
  const speakers = [...sources].filter(([, source]) =>
    /import \{[^}]*\b(createServer|request)\b[^}]*\} from 'node:http'/.test(source),
  );
  expect(speakers.map(([file]) => file).sort()).toEqual(['http/listen.ts', 'pages/connect.ts']);
});

test('no file is called by what it is not', () => {
  const vague = /(^|\/)(utils?|common|helpers?|services?|types|misc|shared)(\.ts|\/)/;
  expect([...sources.keys()].filter((file) => vague.test(file))).toEqual([]);
});
