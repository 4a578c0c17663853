import { createHash } from 'node:crypto';
import type { PagePolicy } from '#reader/page-url';
import { createEmbed, type Draft } from '../../domain/embed/embed.ts';
import { createEmbedIdGenerator } from '../../domain/embed/id.ts';
import { DatabaseError } from '../../store/database-errors.ts';
import type { ImportCheckpoint, ImportKey, ImportStore } from '../../store/imports.ts';
import { InputError } from '../run.ts';
import type { Format } from './format.ts';
import { readLines } from './lines.ts';
import type { Progress } from './progress.ts';
import { type Row, type RowResult, validateRow } from './row.ts';
import type { Source } from './source.ts';

export interface Input {
  readonly source: Source;
  readonly format: Format;
  readonly policy: PagePolicy;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface ValidationSummary {
  /** SHA-256 of the source, in hex. */
  readonly content: string;
  readonly rows: number;
  readonly rejected: number;
}

/** Embeds per transaction. Bounds how much an interruption undoes, and for how long other writers wait. */
const BATCH_EMBEDS = 500;

/**
 * Validates the whole source before anything is written, so that an unreadable source is not imported in part.
 * @throws {InputError} if the source cannot be read to its end
 */
export async function validateAll(
  input: Input,
  onRejected: (row: Row, reasons: readonly string[]) => Promise<void> | void,
): Promise<ValidationSummary> {
  const hash = createHash('sha256');
  let [rows, rejected] = [0, 0];
  for await (const [row, result] of readRows(input, 'checking', hash)) {
    rows++;
    if ('draft' in result) continue;
    rejected++;
    await onRejected(row, result.reasons);
  }
  return { content: hash.digest('hex'), rows, rejected };
}

/**
 * Writes the embeds of all valid rows after a checkpoint.
 * @throws {InputError} if the source or the rules have changed since validation
 */
export async function writeEmbeds(
  input: Input,
  key: ImportKey,
  start: ImportCheckpoint,
  store: ImportStore,
): Promise<void> {
  const nextIdentity = createEmbedIdGenerator(() => store.now().getTime());
  const hash = createHash('sha256');
  const read = { rows: 0, embeds: 0 };
  let checkpoint = start;
  let drafts: Draft[] = [];
  const flush = async (finishedAt: Date | null) => {
    requireNotStopped(input.signal);
    const next = { ...read, finishedAt };
    const embeds = drafts.map((draft) => createEmbed(nextIdentity(key.accountId), key.accountId, draft));
    await store.advance(key, checkpoint, next, embeds);
    checkpoint = next;
    drafts = [];
  };

  for await (const [, result] of readRows(input, 'importing', hash)) {
    read.rows++;
    if ('draft' in result) read.embeds++;
    if (read.rows === start.rows && read.embeds !== start.embeds) throw new InputError(RULES_CHANGED);
    if (read.rows <= start.rows || !('draft' in result)) continue;
    drafts.push(result.draft);
    if (drafts.length === BATCH_EMBEDS) await flush(null);
  }
  if (hash.digest('hex') !== key.content) throw new InputError(`${input.source.name} changed during the import.`);
  await flush(store.now());
}

const RULES_CHANGED =
  'The rules have changed since this import began, so other rows are rejected now. Restore the value of ALLOW_PRIVATE_PAGES, or use the version that began the import.';

function requireNotStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new DatabaseError('Stopped. Repeat the command to continue.');
}

async function* readRows(
  { source, format, policy, progress, signal }: Input,
  phase: string,
  hash: { update(chunk: Buffer): void },
): AsyncGenerator<readonly [Row, RowResult]> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of source.read()) {
      requireNotStopped(signal);
      hash.update(chunk);
      progress.advance(chunk.length, 0);
      yield chunk;
    }
  }
  progress.begin(phase, source.bytes);
  for await (const row of format.read(readLines(chunks()))) {
    progress.advance(0, 1);
    yield [row, validateRow(row, policy)];
  }
}
