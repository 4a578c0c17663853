import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestCase } from 'vitest/node';

/** Browsers, processes, load, faults, attacks, clusters, and what takes many seconds by itself: `npm run test:long` runs them. */
const LONG = ['{test,packages/*/test}/**/*.long.test.ts'];

/** Tests of behaviour for which the databases have statements, locks or errors of their own. They run on PostgreSQL too, in the long run. */
const ON_BOTH = [
  'test/{auth,store,webhooks}/**/*.test.ts',
  'test/graphql/{bulk-embeds,embed,subscription,continued-streams,event-streams}.test.ts',
  'test/rest/embeds.test.ts',
  'test/pages/{page-versions,article-cache,page-lease}.test.ts',
  'test/settings/settings.test.ts',
  'test/contracts/{parity,filters,url-search}.test.ts',
  'test/cli/{embeds,tokens}.test.ts',
  'test/hosted/routes.test.ts',
  'test/http/reads-after-writes.test.ts',
  'test/telemetry/metrics.test.ts',
];
const LONG_ON_POSTGRESQL = [
  'test/{fuzz,postgresql}/**/*.long.test.ts',
  'test/{cli/embeds,contracts/refusals,graphql/event-streams,pages/page-lease,settings/watch}.long.test.ts',
  ...ON_BOTH,
];
/** Exceptions of ON_BOTH: behaviour of SQLite files, and tests without a database. */
const ONLY_SQLITE = [
  'test/store/{database-away,database-clock,batcher}.test.ts',
  'test/store/embeds/embed-cache.test.ts',
  'test/store/sqlite/**/*.test.ts',
];
/** Packages of the clients' workspace. */
const PACKAGES = ['**/node_modules/**'];
/** Tests of PostgreSQL itself. */
const ONLY_POSTGRESQL = ['test/postgresql/**/*.test.ts'];

// workers and the processes that tests start share compiled code
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Nobody would notice a test that often needs its second run. */
function reportFlaky(test: TestCase): void {
  if (!test.diagnostic()?.flaky) return;
  console.log(`Flaky: ${test.module.relativeModuleId} > ${test.fullName}\n${test.result().errors?.[0]?.stack}`);
}

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  return {
    // one copy of graphql: the one that the packages get, which Node loads from its CommonJS entry
    resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
    test: {
      // only what hangs or fails takes so long: the limits leave room for a busy machine
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } },
      // in CI, on a shared machine, a test that fails is run once more
      retry: process.env.CI ? 1 : 0,
      reporters: ['default', { onTestCaseResult: reportFlaky }],
      // a worker uses about half a core, because most tests wait for sockets, browsers and processes
      maxWorkers: 4,
      // the modules are loaded once per worker: the app keeps no state outside of what createApp returns
      isolate: false,
      projects: [
        {
          extends: true,
          test: {
            name: 'sqlite',
            include: isLong ? LONG : ['{test,packages/*/test}/**/*.test.ts'],
            exclude: [...PACKAGES, ...ONLY_POSTGRESQL, ...(isLong ? [] : LONG)],
          },
        },
        {
          extends: true,
          test: {
            name: 'postgresql',
            include: isLong ? LONG_ON_POSTGRESQL : ONLY_POSTGRESQL,
            exclude: [...PACKAGES, ...ONLY_SQLITE, ...(isLong ? [] : LONG)],
            globalSetup: 'test/databases/server.ts',
          },
        },
      ],
    },
  };
});
