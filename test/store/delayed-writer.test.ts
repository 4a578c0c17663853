import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { DIRECT_EXECUTOR } from '../../src/store/executor.ts';
import { createDelayedWriter } from '../../src/store/performance/delayed-writer.ts';

const ROWS = 1_600;

/** Opens a writer whose rows wait for a minute, and at most 1,000 of them. */
function openWriter(write: (rows: readonly object[]) => Promise<unknown>) {
  const warnings: string[] = [];
  const log = { warn: (_: unknown, message: string) => void warnings.push(message) } as never;
  const options = { name: 'rows', delayMs: 60_000, maxWritten: 100, maxPending: 1_000, executor: DIRECT_EXECUTOR };
  const writer = createDelayedWriter<{ accountId: string }>({ ...options, write, log });
  const addAll = async () => {
    for (let i = 0; i < ROWS; i++) {
      writer.add(String(i), { accountId: 'ada' });
      if (i % 100 === 0) await nextTurn();
    }
  };
  return { writer, warnings, addAll };
}

test('rows are written early before more of them wait than are kept', async () => {
  let written = 0;
  const { writer, warnings, addAll } = openWriter(async (rows) => {
    written += rows.length;
  });
  await addAll();
  await writer.close();
  expect([written, warnings]).toEqual([ROWS, []]);
});

test('while the database is away, rows are not tried again and again, and the oldest are dropped', async () => {
  let tries = 0;
  const { writer, warnings, addAll } = openWriter(async () => {
    tries += 1;
    throw new Refusal('unavailable', 'The database is away.');
  });
  await addAll();
  expect(tries).toBeLessThanOrEqual(2);
  await writer.close();
  expect(warnings).toEqual([
    'rows are dropped, because too many wait for the database',
    'rows were lost, because the database is away',
  ]);
});
