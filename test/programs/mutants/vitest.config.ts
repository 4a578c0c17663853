import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { stopIdleThread, WarmWorker } from './warm-worker.ts';

/** Sets the pool here, because Stryker names one of Vitest's own on the command line. */
const warmPool: Plugin = {
  name: 'warm-pool',
  configureVitest({ vitest, project }) {
    project.config.pool = 'warm' as 'threads';
    project.config.poolRunner = { name: 'warm', createPoolWorker: (options) => new WarmWorker(options) };
    vitest.onClose(stopIdleThread);
  },
};

/** Takes milliseconds, and notices most mutants of its room. */
const QUICK =
  /\/test\/(?:domain\/|http\/(?:body|built-files|client-address|encoding|replies|request-log|server\/(?:client-errors|send|unsent))|store\/(?:sqlite-changes|(?:sqlite|embeds)\/(?:data-version|health|integrity|posting-lists|row-rules))|fuzz\/filtered-lists)/;

/** Runs the quick tests first: the first test that fails ends the run of a mutant. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isQuick = ({ moduleId }: TestSpecification) => QUICK.test(moduleId);
    return [...files.filter(isQuick), ...files.filter((file) => !isQuick(file))];
  }
}

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  plugins: [warmPool],
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    isolate: false,
    setupFiles: ['test/programs/mutants/load-rooms.ts'],
    sequence: { sequencer: QuickFirst },
    include: ['{test,packages/*/test}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
  },
});
