import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that read or write what is kept: they run on both databases. */
const OF_THE_STORE = [
  'test/{auth,store}/**/*.test.ts',
  'test/fuzz/{lists,finding}.test.ts',
  'test/graphql/{embed,subscription,event-streams}.test.ts',
  'test/rest/embeds.test.ts',
  'test/cli/{embeds,tokens}.test.ts',
  'test/contracts/{parity,refusals,finding,finding-urls}.test.ts',
  'test/hosted/routes.test.ts',
  'test/http/sharing.test.ts',
  'test/pages/article-cache.test.ts',
  'test/telemetry/metrics.test.ts',
];
/** What only a SQLite file has, and what keeps nothing. */
const OF_FILES = ['test/store/{sqlite,start,trouble,together,known-embeds,known-lists}.test.ts'];
/** Clients have packages of their own. */
const PACKAGES = ['**/node_modules/**'];
/** What only a server has. */
const OF_SERVERS = ['test/postgresql/**/*.test.ts'];

// what one process has compiled, no other compiles again: neither workers nor what tests start
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  // one copy of graphql: the one that the packages get, which Node loads from its CommonJS entry
  resolve: { alias: { graphql: createRequire(import.meta.url).resolve('graphql') } },
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // what is waited for comes when it comes: a busy machine is no defect
    expect: { poll: { timeout: 10_000 } },
    // most files wait for sockets, browsers and processes: two at a time are good even on two cores
    maxWorkers: 2,
    // the app is loaded once for all files of a worker: it keeps nothing outside what createApp returns
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'sqlite', include: ['test/**/*.test.ts'], exclude: [...PACKAGES, ...OF_SERVERS] },
      },
      {
        extends: true,
        test: {
          name: 'postgresql',
          include: [...OF_THE_STORE, ...OF_SERVERS],
          exclude: [...PACKAGES, ...OF_FILES],
          globalSetup: 'test/databases/server.ts',
        },
      },
    ],
  },
});
