import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { medianOf } from './median.ts';

const SYNCS = 101;
/** A page of SQLite. */
const BLOCK = Buffer.alloc(4_096, 1);

/** Returns the median duration of a write of one block with its sync, in milliseconds. */
export function measureSync(folder: string): number {
  const file = openSync(join(folder, 'sync'), 'w');
  try {
    const durations = Array.from({ length: SYNCS }, () => {
      const startedAt = performance.now();
      writeSync(file, BLOCK);
      fdatasyncSync(file);
      return performance.now() - startedAt;
    });
    return medianOf(durations);
  } finally {
    closeSync(file);
  }
}
