/**
 * Installs the packages of this folder from its lockfile, unless they are current.
 *
 *   node test/clients/install.ts
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = import.meta.dirname;
const MODULES = join(FOLDER, 'node_modules');
const LOCKFILE = 'package-lock.json';

export const INSTALL_TIMEOUT_MS = 300_000;

async function isInstalled(): Promise<boolean> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  return (await read(join(MODULES, LOCKFILE))) === (await read(join(FOLDER, LOCKFILE)));
}

/** Installs into a temporary folder and renames it, so that processes can install concurrently. */
export async function installClients(): Promise<void> {
  if (await isInstalled()) return;
  const folder = await mkdtemp(join(FOLDER, 'node_modules.'));
  try {
    for (const name of ['package.json', LOCKFILE]) await copyFile(join(FOLDER, name), join(folder, name));
    await promisify(execFile)('npm', ['ci', '--ignore-scripts'], { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
    await copyFile(join(folder, LOCKFILE), join(folder, 'node_modules', LOCKFILE));
    if (await isInstalled()) return;
    await rm(MODULES, { recursive: true, force: true });
    await rename(join(folder, 'node_modules'), MODULES);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await installClients();
