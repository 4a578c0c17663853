import { createHash } from 'node:crypto';
import { createEmbed, type Draft } from '../../domain/embed/embed.ts';
import { createEmbedIdGenerator } from '../../domain/embed/id.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import type { ImportCheckpoint, ImportKey, ImportStore } from '../../store/imports.ts';
import { DatabaseError } from '../../store/open-options.ts';
import { InputError } from '../run.ts';
import type { Format } from './format.ts';
import { readLines } from './lines.ts';
import type { Progress } from './progress.ts';
import { type Row, type RowResult, validateRow } from './row.ts';
import type { Source } from './source.ts';

/** What is imported, and by which rules. */
export interface Input {
  readonly source: Source;
  readonly format: Format;
  readonly policy: PagePolicy;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What a source holds. */
export interface ValidationSummary {
  /** SHA-256 of its bytes, in hex. */
  readonly content: string;
  readonly rows: number;
  readonly refused: number;
}

/** Embeds in one transaction: what an interruption undoes at most, and for how long others wait to write. */
const BATCH_EMBEDS = 500;

/**
 * Reads all of it and writes nothing to the database, so that what cannot be read leaves nothing half imported.
 * @param refuse told of each row that the rules refuse
 * @throws {InputError} when it cannot be read to its end
 */
export async function validateAll(
  input: Input,
  refuse: (row: Row, reasons: readonly string[]) => Promise<void> | void,
): Promise<ValidationSummary> {
  const hash = createHash('sha256');
  let [rows, refused] = [0, 0];
  for await (const [row, verdict] of readVerdicts(input, 'checking', hash)) {
    rows++;
    if ('draft' in verdict) continue;
    refused++;
    await refuse(row, verdict.reasons);
  }
  return { content: hash.digest('hex'), rows, refused };
}

/**
 * Writes the embeds of all rows that were not refused, from a mark on.
 * @throws {InputError} when its content or the rules are not those of before
 */
export async function writeEmbeds(
  input: Input,
  key: ImportKey,
  begun: ImportCheckpoint,
  store: ImportStore,
): Promise<void> {
  const nextIdentity = createEmbedIdGenerator();
  const hash = createHash('sha256');
  const read = { rows: 0, embeds: 0 };
  let mark = begun;
  let drafts: Draft[] = [];
  const flush = async (finishedAt: Date | null) => {
    requireGoOn(input.signal);
    const to = { ...read, finishedAt };
    const embeds = drafts.map((draft) => createEmbed(nextIdentity(), key.accountId, draft));
    await store.advance(key, mark, to, embeds);
    mark = to;
    drafts = [];
  };

  for await (const [, verdict] of readVerdicts(input, 'importing', hash)) {
    read.rows++;
    if ('draft' in verdict) read.embeds++;
    if (read.rows === begun.rows) requireSame(read.embeds === begun.embeds, RULES_CHANGED);
    if (read.rows <= begun.rows || !('draft' in verdict)) continue;
    drafts.push(verdict.draft);
    if (drafts.length === BATCH_EMBEDS) await flush(null);
  }
  requireSame(hash.digest('hex') === key.content, `${input.source.name} was changed while it was imported.`);
  await flush(new Date());
}

const RULES_CHANGED =
  'Other rows are refused now than when this import began: set ALLOW_PRIVATE_PAGES as it was, or run the version of then.';

function requireSame(isSame: boolean, otherwise: string): void {
  if (!isSame) throw new InputError(otherwise);
}

function requireGoOn(signal: AbortSignal): void {
  if (signal.aborted) throw new DatabaseError('Stopped. The same command goes on where it was.');
}

async function* readVerdicts(
  { source, format, policy, progress, signal }: Input,
  phase: string,
  hash: { update(chunk: Buffer): void },
): AsyncGenerator<readonly [Row, RowResult]> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of source.read()) {
      requireGoOn(signal);
      hash.update(chunk);
      progress.advance(chunk.length);
      yield chunk;
    }
  }
  progress.begin(phase, source.bytes);
  for await (const row of format.read(readLines(chunks()))) yield [row, validateRow(row, policy)];
}
