/**
 * Turns the disk read-only under a service, as ext4 does when the hardware fails, and starts one on such a disk: 503s for
 * writes, reads go on, the process lives; at the start one line. Needs root on Linux.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createProgram } from '../../src/cli/program.ts';
import { mountExt4 } from './disk.ts';
import { REST } from './doors.ts';
import { Ledger } from './ledger.ts';
import { beginService, startService } from './service.ts';
import { conclude } from './verdict.ts';

const DISK_BYTES = 64 * 1024 * 1024;
const CLIENTS = 4;

createProgram(
  'faults:read-only',
  'Turns the disk read-only under a service, and starts one on such a disk. Needs root on Linux.',
).parse();

const disk = mountExt4(DISK_BYTES);
if (disk) {
  const file = join(disk.folder, 'embeds.db');
  const service = await startService(file);
  const ledger = new Ledger();
  const faults: string[] = [];
  const act = async (writes: number) => {
    for (let i = 0; i < writes; i++) await ledger.act(i % CLIENTS, service.origin);
  };
  await act(100);

  const device = basename(disk.run('findmnt', '-no', 'SOURCE', disk.folder).trim());
  writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
  if (!/[ ,](emergency_)?ro[, ]/.test(readFileSync('/proc/mounts', 'utf8').split(disk.folder)[1] ?? '')) {
    faults.push('the disk did not turn read-only');
  }
  await act(100);
  const refused = ledger.counts.busy;
  if (refused === 0) faults.push('nothing was refused');
  await ledger.account(service.origin);
  const { total } = await REST.list(service.origin);
  const ready = (await fetch(`${service.origin}/readyz`)).status;
  if (ready !== 503) faults.push(`readyz answered ${ready}`);

  const second = await beginService(file);
  const said = await second.ready.then(
    () => 'it started',
    () =>
      second
        .log()
        .split('\n')
        .filter((line) => !line.startsWith('{'))
        .join('\n')
        .trim(),
  );
  console.log(`a start on the read-only disk says: ${said}`);
  if (!/^The database \S+ cannot be written: .*$/.test(said)) faults.push('the start did not say it in one line');

  if (service.log().includes('"msg":"bug"')) faults.push('a read-only disk was logged as a bug');
  if (!service.isRunning()) faults.push('the service ended');
  if ((await service.stop()) !== 0) faults.push('the stop was not clean');
  conclude({ ...ledger.counts, refused, embeds: total }, [...faults, ...ledger.faults]);
}
