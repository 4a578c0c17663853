import { type Command, InvalidArgumentError } from 'commander';
import { parseDatabaseUrl } from '../config/database-url.ts';
import { copyDatabase } from '../store/copy/copy.ts';
import { toStandardError } from '../store/open-options.ts';
import { filesOfDatabase } from '../store/sqlite/database-files.ts';
import { createProgress } from './bulk/progress.ts';
import { createResultCommand, printResult, type ResultOptions } from './program.ts';
import { isSameFileOrStream } from './protected-files.ts';
import { InputError, stopSignal } from './run.ts';

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

async function copy({ from, to, ...options }: ResultOptions & { from: string; to: string }): Promise<void> {
  requireApart(from, to);
  const progress = createProgress();
  const copying = copyDatabase(from, to, { progress, log: toStandardError, signal: stopSignal() });
  const copied = await copying.finally(progress.end);
  const rows = [...copied.rows].map(([name, count]) => `${count} ${name}`).join(', ');
  printResult(options, { rows: Object.fromEntries(copied.rows), resumedAt: copied.resumedAt }, [
    `Copied ${rows}. Both databases were read whole and are the same.`,
    ...(copied.resumedAt > 0 ? [`${copied.resumedAt} rows were there from an interrupted copy.`] : []),
  ]);
}

export function createCopyCommand(): Command {
  return createResultCommand(
    'copy',
    'Copies a database into an empty one, SQLite or PostgreSQL.',
    'Copies accounts, tokens, embeds, idempotency keys, audit events, views, webhooks with their secrets and deliveries, and the positions of imports into an empty database, and compares both databases. Sessions, pages with their former texts, and changes are not copied.',
  )
    .requiredOption('--from <url>', 'the source, which no process may write to during the copy', parseUrl)
    .requiredOption('--to <url>', 'the target; an interrupted copy continues where it stopped', parseUrl)
    .action(copy);
}
