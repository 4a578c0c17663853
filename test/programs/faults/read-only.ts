/**
 * Makes the disk of a running service read-only, as ext4 does after a hardware error, and starts a second service on it.
 * Writes must return 503, reads must work, and the second start must fail with one line. Needs root on Linux.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createProgram } from '../program.ts';
import { mountExt4 } from './harness/disk.ts';
import { REST } from './harness/doors.ts';
import { Ledger } from './harness/ledger.ts';
import { reportResult } from './harness/report.ts';
import { beginService, startService } from './harness/service.ts';

const DISK_BYTES = 64 * 1024 * 1024;
const CLIENTS = 4;

createProgram(
  'faults:read-only',
  'Makes the disk of a running service read-only, and starts a second service on it. Needs root on Linux.',
).parse();

const disk = mountExt4(DISK_BYTES);
if (disk) {
  const file = join(disk.folder, 'embeds.db');
  const service = await startService(file);
  const ledger = new Ledger();
  const faults: string[] = [];
  const write = async (writes: number) => {
    for (let i = 0; i < writes; i++) await ledger.write(i % CLIENTS, service.origin);
  };
  await write(100);

  const device = basename(disk.run('findmnt', '-no', 'SOURCE', disk.folder).trim());
  writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
  if (!/[ ,](emergency_)?ro[, ]/.test(readFileSync('/proc/mounts', 'utf8').split(disk.folder)[1] ?? '')) {
    faults.push('the disk did not become read-only');
  }
  await write(100);
  const rejected = ledger.counts.unavailable;
  if (rejected === 0) faults.push('no write was rejected');
  await ledger.verify(service.origin);
  const { total } = await REST.list(service.origin);
  const ready = (await fetch(`${service.origin}/readyz`)).status;
  if (ready !== 503) faults.push(`/readyz returned ${ready}`);

  const second = await beginService(file);
  const output = await second.ready.then(
    () => 'it started',
    () =>
      second
        .log()
        .split('\n')
        .filter((line) => !line.startsWith('{'))
        .join('\n')
        .trim(),
  );
  console.log(`output of a start on the read-only disk: ${output}`);
  if (!/^The database \S+ cannot be written: .*$/.test(output))
    faults.push('the failed start did not print exactly one line');

  if (service.log().includes('"msg":"bug"')) faults.push('a read-only disk was logged as a bug');
  if (!service.isRunning()) faults.push('the service ended');
  if ((await service.stop()) !== 0) faults.push('the stop was not clean');
  reportResult({ ...ledger.counts, rejected, embeds: total }, [...faults, ...ledger.faults]);
}
