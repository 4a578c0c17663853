import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratchFolder } from './service.ts';

/** A small file system that the script mounted. */
export interface Disk {
  readonly folder: string;
  readonly run: (command: string, ...args: string[]) => string;
}

const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' });

/** Mounts a file system in memory. Returns null and prints the reason if the process may not mount. */
export function mountMemory(bytes: number): Disk | null {
  return mount((folder) => run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder));
}

/** Mounts a new ext4 file system that becomes read-only after an error, as on most servers. */
export function mountExt4(bytes: number): Disk | null {
  const image = join(createScratchFolder(), 'disk.img');
  writeFileSync(image, Buffer.alloc(bytes));
  return mount((folder) => {
    run('mkfs.ext4', '-q', '-F', image);
    return run('mount', '-o', 'loop,errors=remount-ro', image, folder);
  });
}

/** Leaves no free block: after a large write failed, a small one could still succeed. */
export function fillCompletely(filler: string): void {
  try {
    for (;;) appendFileSync(filler, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function mount(attach: (folder: string) => string): Disk | null {
  const folder = createScratchFolder();
  try {
    attach(folder);
  } catch (error) {
    console.log(`SKIPPED: cannot mount a file system, which needs root on Linux: ${(error as Error).message}`);
    return null;
  }
  // must run before the listener that removes the folder
  process.prependOnceListener('exit', () => run('umount', '-l', folder));
  return { folder, run };
}
