import '../node-version.ts';
import { Presets, SingleBar } from 'cli-progress';
import { InvalidArgumentError } from 'commander';
import { parseDatabaseUrl } from '../config.ts';
import { copyDatabase } from '../store/copy/copy.ts';
import { toStandardError } from '../store/open-options.ts';
import { filesOfDatabase } from '../store/sqlite/database-files.ts';
import { stopSignal } from './copying.ts';
import { createProgram } from './program.ts';
import { isSameFileOrStream } from './protected-files.ts';
import { InputError, runCommand } from './run.ts';

function parseUrl(text: string): string {
  const url = parseDatabaseUrl(text);
  if (url !== undefined) return url;
  throw new InvalidArgumentError('It must be file:<path> or postgresql://<user>:<password>@<host>/<database>.');
}

/** Two databases that have a file in common would write over each other. */
function requireApart(from: string, to: string): void {
  const targets = filesOfDatabase(to);
  const common = filesOfDatabase(from).find((file) => targets.some((target) => isSameFileOrStream(file, target)));
  if (common !== undefined)
    throw new InputError(`--from and --to have the file ${common} in common: name two databases.`);
  if (from === to) throw new InputError('--from and --to are the same: name two databases.');
}

const program = createProgram(
  'copy',
  'Copies accounts, tokens, embeds, idempotency keys and the marks of imports into an empty database, and compares both.',
)
  .requiredOption('--from <url>', 'the database that is, which nobody may write meanwhile', parseUrl)
  .requiredOption('--to <url>', 'the database that shall be; an interrupted copy goes on where it was', parseUrl)
  .action(async ({ from, to }: { from: string; to: string }) => {
    requireApart(from, to);
    const format = '{phase} {bar} {percentage}% | {value} of {total} rows | {eta_formatted} left';
    const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 5_000, hideCursor: true }, Presets.rect);
    const progress = {
      begin: (total: number) => bar.start(total, 0, { phase: 'copying' }),
      advance: (rows: number, phase: string) => bar.increment(rows, { phase }),
    };
    const copied = await copyDatabase(from, to, { progress, log: toStandardError, signal: stopSignal() }).finally(() =>
      bar.stop(),
    );
    const rows = [...copied.rows].map(([name, count]) => `${count} ${name}`).join(', ');
    console.log(`Copied ${rows}. Both databases were read whole and are the same.`);
    if (copied.resumedAt > 0) console.log(`${copied.resumedAt} rows were there from an interrupted copy.`);
  });

await runCommand(program);
