import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './service.ts';

/** A small file system of our own. */
export interface Disk {
  readonly folder: string;
  /** Runs a system command on it. */
  readonly run: (command: string, ...args: string[]) => string;
}

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' });

/** Mounts a file system in memory; null, with a printed reason, where that is not allowed. */
export function mountMemory(bytes: number): Disk | null {
  return mount((folder) => run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder));
}

/** Mounts a new ext4 file system that turns read-only on an error, as most servers' do. */
export function mountExt4(bytes: number): Disk | null {
  const image = join(scratchFolder(), 'disk.img');
  writeFileSync(image, Buffer.alloc(bytes));
  return mount((folder) => {
    run('mkfs.ext4', '-q', '-F', image);
    return run('mount', '-o', 'loop,errors=remount-ro', image, folder);
  });
}

function mount(attach: (folder: string) => string): Disk | null {
  const folder = scratchFolder();
  try {
    attach(folder);
  } catch (error) {
    console.log(`SKIPPED: no file system can be mounted here, which needs root on Linux: ${(error as Error).message}`);
    return null;
  }
  // before the folder itself goes
  process.prependOnceListener('exit', () => run('umount', '-l', folder));
  return { folder, run };
}
