import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // one copy of graphql: the one that the packages get, which Node loads from its CommonJS entry
  resolve: { alias: { graphql: createRequire(import.meta.url).resolve('graphql') } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // what is waited for comes when it comes: a busy machine is no defect
    expect: { poll: { timeout: 10_000 } },
    // most files wait for sockets, browsers and processes: two at a time are good even on two cores
    maxWorkers: 2,
  },
});
