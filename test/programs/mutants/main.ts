/** Changes one expression of the service after another, and counts the changes that no test notices. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { installPackages } from '../../own-packages.ts';

const FOLDER = 'test/programs/mutants';
const RESULTS = 'node_modules/.cache/mutants';

/** Tests that must notice the mutants of a folder. A surviving mutant takes as long as all tests that reach it. */
const TESTS_OF_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [
    'test/domain/*',
    'test/graphql/bulk-embeds.test.ts',
    'test/webhooks/managing.test.ts',
    'test/webhooks/retries.test.ts',
  ],
  'packages/reader/src/page-url.ts': ['packages/reader/test/page-url.test.ts', 'test/domain/*'],
  'packages/reader/src/players.ts': ['packages/reader/test/sources/players.test.ts'],
  'packages/reader/src/public-address.ts': [
    'packages/reader/test/page-url.test.ts',
    'packages/reader/test/public-address.test.ts',
  ],
  'src/auth': [
    'test/auth/known-tokens.test.ts',
    'test/auth/people.test.ts',
    'test/auth/quota.test.ts',
    'test/auth/sessions.test.ts',
    'test/auth/tokens.test.ts',
    'test/http/client-address.test.ts',
  ],
  'src/http': [
    'test/http/body.test.ts',
    'test/http/built-files.test.ts',
    'test/http/client-address.test.ts',
    'test/http/encoding.test.ts',
    'test/http/pipeline.test.ts',
    'test/http/replies.test.ts',
    'test/http/request-log.test.ts',
    'test/http/server/turns.test.ts',
  ],
  'src/http/server': [
    'test/http/requests.test.ts',
    'test/http/server/client-errors.test.ts',
    'test/http/server/connections.test.ts',
    'test/http/server/listen.test.ts',
    'test/http/server/send.test.ts',
    'test/http/server/stopping.test.ts',
    'test/http/server/unread-body.test.ts',
    'test/http/server/unsent-bytes.test.ts',
  ],
  'src/store/embeds': [
    'test/fuzz/filtered-lists.test.ts',
    'test/store/embeds/external-ids.test.ts',
    'test/store/embeds/rows.test.ts',
    'test/store/embeds/lists.test.ts',
    'test/store/embeds/idempotency.test.ts',
    'test/store/embeds/page-states.test.ts',
    'test/store/embeds/posting-lists.test.ts',
    'test/store/embeds/scan-plans.test.ts',
    'test/store/embeds/whole-page-ids.test.ts',
  ],
  'src/store/sqlite': [
    'test/fuzz/filtered-lists.test.ts',
    'test/store/embeds/backfill.test.ts',
    'test/store/embeds/rows.test.ts',
    'test/store/changes.test.ts',
    'test/store/sqlite-changes.test.ts',
    'test/store/sqlite/data-version.test.ts',
    'test/store/sqlite/database-files.test.ts',
    'test/store/sqlite/driver.test.ts',
    'test/store/embeds/lists.test.ts',
    'test/store/sqlite/health.test.ts',
    'test/store/sqlite/integrity.test.ts',
    'test/store/sqlite/lock.test.ts',
    'test/store/sqlite/lost-files.test.ts',
    'test/store/sqlite/migration.test.ts',
    'test/store/embeds/posting-lists.test.ts',
    'test/store/sqlite/row-rules.test.ts',
    'test/store/sqlite/sqlite.test.ts',
    'test/store/sqlite/start.test.ts',
    'test/store/sqlite/unavailable.test.ts',
    'test/store/embeds/whole-page-ids.test.ts',
    'test/cli/backup/backup.test.ts',
    'test/cli/backup/interrupted.test.ts',
    'test/graphql/continued-streams.test.ts',
    'test/graphql/subscription.test.ts',
  ],
};

/** Files that only run with PostgreSQL, in other processes, or in threads of their own: these tests do not reach them. */
const LEFT_OUT = ['src/auth/shared-quota.ts', 'src/store/sqlite/integrity/page-check-worker.ts'];

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const rooms = Object.keys(TESTS_OF_ROOMS);

/** A folder belongs to the innermost room. */
function roomOf(path: string): string | undefined {
  return rooms.filter((room) => isWithin(path, room)).sort((a, b) => b.length - a.length)[0];
}

/** Runs Stryker for one room; `paths` are its mutated files and folders. Returns whether the score is reached. */
function mutate(room: string, paths: readonly string[], options: readonly string[]): boolean {
  const others = rooms.filter((other) => other !== room && isWithin(other, room)).map((other) => `${other}/**`);
  const patterns = [
    ...paths.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.ts` : path)),
    ...[...others, ...LEFT_OUT].map((pattern) => `!${pattern}`),
  ];
  const { status } = spawnSync(
    process.execPath,
    [
      join(FOLDER, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
      ...['run', join(FOLDER, 'stryker.json')],
      ...['--mutate', patterns.join()],
      ...['--testFiles', (TESTS_OF_ROOMS[room] ?? []).join()],
      ...['--incrementalFile', join(RESULTS, `${room.replaceAll('/', '-')}.json`)],
      ...options,
    ],
    { stdio: 'inherit' },
  );
  return status === 0;
}

const firstOption = process.argv.findIndex((text) => text.startsWith('-'));
const end = firstOption === -1 ? process.argv.length : firstOption;
const given = process.argv.slice(2, end).map((path) => normalize(path).replace(/\/$/, ''));
const options = process.argv.slice(end);
if (options.some((option) => option === '--help' || option === '-h')) {
  console.log(`Usage: npm run mutants -- [folder or file ...] [options of Stryker]

Changes one expression after another, and counts the changes that no test notices. Rooms:
${rooms.map((room) => `  ${room}`).join('\n')}

Options of Stryker: https://stryker-mutator.io/docs/stryker-js/configuration/`);
  process.exit();
}
const outside = given.filter((path) => !roomOf(path) && !rooms.some((room) => isWithin(room, path)));
if (outside.length > 0) throw new Error(`No room has ${outside.join(', ')}. Rooms are ${rooms.join(', ')}.`);

await installPackages(FOLDER, { omitPeers: true });
const failed: string[] = [];
for (const room of rooms) {
  const isWhole = given.length === 0 || given.some((path) => isWithin(room, path));
  const paths = isWhole ? [room] : given.filter((path) => roomOf(path) === room);
  if (paths.length > 0 && !mutate(room, paths, options)) failed.push(room);
}
if (failed.length > 0) {
  console.error(`Below the score, or not measured: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
