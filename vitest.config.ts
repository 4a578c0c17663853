import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Load, faults, attacks, clusters, and what takes many seconds by itself: `npm run test:long` runs them. */
const LONG = ['test/**/*.long.test.ts'];

/** Tests that read or write stored data. They run on both databases. */
const ON_BOTH = [
  'test/{auth,store}/**/*.test.ts',
  'test/fuzz/{naughty-strings,filtered-lists}.test.ts',
  'test/graphql/{embed,subscription,event-streams,continued-streams}.test.ts',
  'test/rest/embeds.test.ts',
  'test/cli/{embeds,tokens}.test.ts',
  'test/contracts/{parity,refusals,filters,url-search}.test.ts',
  'test/hosted/routes.test.ts',
  'test/http/coalesce.test.ts',
  'test/pages/{article-cache,page-lease}.test.ts',
  'test/telemetry/metrics.test.ts',
];
const LONG_ON_POSTGRESQL = [
  'test/{store,graphql,cli,fuzz}/**/*.long.test.ts',
  'test/pages/page-lease.long.test.ts',
  'test/postgresql/**/*.long.test.ts',
];
/** Exceptions of ON_BOTH: behaviour of SQLite files, and tests without a database. */
const ONLY_SQLITE = ['test/store/{sqlite,lost-files,start,unavailable,batcher,embed-cache}.test.ts'];
/** Packages of the clients' workspace. */
const PACKAGES = ['**/node_modules/**'];
/** Tests of PostgreSQL itself. */
const ONLY_POSTGRESQL = ['test/postgresql/**/*.test.ts'];

// workers and the processes that tests start share compiled code
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  return {
    // one copy of graphql: the one that the packages get, which Node loads from its CommonJS entry
    resolve: { alias: { graphql: createRequire(import.meta.url).resolve('graphql') } },
    test: {
      testTimeout: 20_000,
      hookTimeout: 20_000,
      // polls end as soon as they succeed: the limit only leaves room for a busy machine
      expect: { poll: { timeout: 10_000 } },
      // a worker uses about half a core, because most tests wait for sockets, browsers and processes
      maxWorkers: 4,
      // the modules are loaded once per worker: the app keeps no state outside of what createApp returns
      isolate: false,
      projects: [
        {
          extends: true,
          test: {
            name: 'sqlite',
            include: isLong ? LONG : ['test/**/*.test.ts'],
            exclude: [...PACKAGES, ...ONLY_POSTGRESQL, ...(isLong ? [] : LONG)],
          },
        },
        {
          extends: true,
          test: {
            name: 'postgresql',
            include: isLong ? LONG_ON_POSTGRESQL : [...ON_BOTH, ...ONLY_POSTGRESQL],
            exclude: [...PACKAGES, ...ONLY_SQLITE, ...(isLong ? [] : LONG)],
            globalSetup: 'test/databases/server.ts',
          },
        },
      ],
    },
  };
});
