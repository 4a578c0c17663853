import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Log } from '../../log.ts';
import { migrateDatabase, openEngine } from '../database.ts';
import { continueLater, DatabaseError } from '../database-errors.ts';
import { describeLocation, locationOf } from '../database-url.ts';
import type { Engine } from '../engine.ts';
import { requireSqliteFile } from '../sqlite/file.ts';
import { takeExclusiveLock } from '../sqlite/lock.ts';
import { removeCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { type CopiedTable, copiedTables } from './tables.ts';

export interface Copied {
  readonly rows: ReadonlyMap<string, number>;
  readonly resumedAt: number;
}

interface CopyProgress {
  begin(phase: 'copying' | 'checking', total: number): void;
  advance(rows: number): void;
}

interface Options {
  readonly progress: CopyProgress;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const BATCH_ROWS = 500;

/** Omits the cache of pages. Copies rows in the order of their keys, so that an interrupted copy can continue. */
export function copyDatabase(from: string, to: string, options: Options): Promise<Copied> {
  return copy(from, to, options).catch(continueLater);
}

async function copy(from: string, to: string, { progress, log, signal }: Options): Promise<Copied> {
  requireUnused(from, { mustExist: true });
  requireUnused(to);
  const options = { durability: 'full' as const, poolSize: 2, log, auditLog: log };
  const source = await openEngine(from, { ...options, isCopySource: true });
  try {
    await migrateDatabase(to, log);
    const target = await openEngine(to, options);
    try {
      await requireEmpty(target, JSON.stringify(describeLocation(from)));
      const rows = await countRows(source);
      const resumedAt = sum(await countRows(target));
      progress.begin('copying', sum(rows));
      progress.advance(resumedAt);
      for (const pair of pairsOf(source, target)) await copyTable(pair, progress, signal);
      progress.begin('checking', sum(rows));
      for (const pair of pairsOf(source, target)) await compareTable(pair, progress, signal);
      await compareTotals(source, target);
      await removeCheckpoint(target);
      return { rows, resumedAt };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** @param options.mustExist because opening a file that does not exist would create it */
function requireUnused(url: string, { mustExist = false } = {}): void {
  const place = locationOf(url);
  if (!('file' in place)) return;
  if (mustExist && !existsSync(place.file)) throw new DatabaseError(`There is no database ${place.file}.`);
  requireSqliteFile(place.file);
  takeExclusiveLock(place.file).release();
}

/** Also accepts the target of an interrupted copy from the same source. */
async function requireEmpty(target: Engine, source: string): Promise<void> {
  const earlier = target.checkpoint;
  if (earlier === source) return;
  if (typeof earlier === 'string')
    throw new DatabaseError(
      `The target has an unfinished copy of ${earlier}: finish that copy, or use another target.`,
    );
  if (sum(await countRows(target)) > 0) throw new DatabaseError('The target is not empty: use an empty database.');
  await writeCheckpoint(target, source);
}

interface Pair {
  readonly source: CopiedTable;
  readonly target: CopiedTable;
}

function pairsOf(source: Engine, target: Engine): readonly Pair[] {
  const targets = copiedTables(target);
  return copiedTables(source).map((table, i) => ({ source: table, target: targets[i] as CopiedTable }));
}

async function copyTable({ source, target }: Pair, progress: CopyProgress, signal: AbortSignal): Promise<void> {
  for await (const rows of batchesOf(source, await target.last(), signal)) {
    await target.insert(rows);
    progress.advance(rows.length);
  }
}

/** Reads the rows of a table after one of them. */
async function* batchesOf(table: CopiedTable, after: object | null, signal: AbortSignal) {
  for (let last = after; ; ) {
    if (signal.aborted) throw new DatabaseError('Stopped. Run the same command again to continue.');
    const rows = await table.readAfter(last, BATCH_ROWS);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1) ?? null;
  }
}

async function compareTable({ source, target }: Pair, progress: CopyProgress, signal: AbortSignal): Promise<void> {
  const digestOf = async (table: CopiedTable, isReported: boolean) => {
    const hash = createHash('sha256');
    for await (const rows of batchesOf(table, null, signal)) {
      hash.update(JSON.stringify(rows));
      if (isReported) progress.advance(rows.length);
    }
    return hash.digest('hex');
  };
  const [expected, found] = await Promise.all([digestOf(source, false), digestOf(target, true)]);
  if (expected !== found) throw copyDiffers(`the rows of ${source.name}`);
}

async function compareTotals(source: Engine, target: Engine): Promise<void> {
  const totalsOf = async ({ client }: Engine) =>
    JSON.stringify(
      (await client.account.findMany({ orderBy: { id: 'asc' } })).map(({ id, embedCount }) => [id, embedCount]),
    );
  if ((await totalsOf(source)) !== (await totalsOf(target))) throw copyDiffers('the totals of accounts');
}

function copyDiffers(part: string): DatabaseError {
  return new DatabaseError(
    `The copy differs from its source in ${part}: was either written meanwhile? Stop all gateways, and copy into an empty database.`,
  );
}

async function countRows(engine: Engine): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of copiedTables(engine)) counts.set(table.name, await table.count());
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, each) => all + each, 0);
}
