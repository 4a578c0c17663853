import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHealthMonitor } from '../../../src/store/sqlite/health.ts';
import type { FileFault } from '../../../src/store/sqlite/open-files.ts';
import { temporaryFolder } from '../../open-app.ts';

/** Opens a monitor of a file whose fault the test sets. */
function openMonitor() {
  const file = join(temporaryFolder(), 'embeds.db');
  writeFileSync(file, '');
  const monitor = createHealthMonitor(file);
  const files = { fault: null as FileFault | null };
  const opened = { findFault: () => files.fault, beforeClose() {}, close() {} };
  const failure = () => {
    try {
      monitor.inspect();
      return null;
    } catch (error) {
      const { originalCode, originalMessage } = (error as { cause: Record<string, string> }).cause;
      return [originalCode, originalMessage];
    }
  };
  return { file, files, monitor, failure, use: () => monitor.useFiles(opened) };
}

test('damage that was found stays until the process ends', async () => {
  const { monitor, failure } = openMonitor();
  expect([monitor.unavailableReason, failure()]).toEqual([null, null]);
  monitor.report('SQLITE_BUSY', 'locked');
  expect(monitor.unavailableReason).toBeNull();
  monitor.report('SQLITE_CORRUPT', 'malformed');
  expect(await monitor.run(true, async () => 7)).toBe(7);
  monitor.report('SQLITE_FULL', 'full');
  expect([monitor.unavailableReason, failure()]).toEqual(['damaged', ['SQLITE_CORRUPT', 'damage was found']]);
});

test('a full disk counts as full until a write succeeds', async () => {
  const { monitor, failure, use } = openMonitor();
  use();
  monitor.report('SQLITE_FULL', 'full');
  expect(monitor.unavailableReason).toBe('full');
  // there is room on the disk of the tests
  expect(failure()).toBeNull();
  expect(await monitor.run(false, async () => 7)).toBe(7);
  expect(monitor.unavailableReason).toBe('full');
  await monitor.run(true, async () => 7);
  expect(monitor.unavailableReason).toBeNull();
});

test('a file that cannot be written is found without a write', async () => {
  const { file, monitor, failure, use } = openMonitor();
  rmSync(file);
  expect(failure()).toBeNull();
  use();
  expect(failure()).toEqual(['SQLITE_READONLY', expect.stringContaining('ENOENT')]);
  expect(monitor.unavailableReason).toBe('read_only');
});

test('a write is rejected before and after it if the files are gone, and a read is not', async () => {
  const { files, monitor, failure, use } = openMonitor();
  use();
  const fault: FileFault = { code: 'EMBEDS_LOG_LOST', reason: 'the log was moved' };
  const lost = { cause: { originalCode: fault.code, originalMessage: fault.reason } };
  let writes = 0;
  await expect(
    monitor.run(true, async () => {
      writes++;
      files.fault = fault;
    }),
  ).rejects.toMatchObject(lost);
  await expect(monitor.run(true, async () => void writes++)).rejects.toMatchObject(lost);
  expect([writes, await monitor.run(false, async () => 7)]).toEqual([1, 7]);
  expect(failure()).toEqual([fault.code, fault.reason]);
  expect(monitor.unavailableReason).toBe('log_lost');
});
