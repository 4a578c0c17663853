/**
 * Installs the packages of folders with their own lockfile, unless they are current.
 *
 *   node test/own-packages.ts test/clients
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LOCKFILE = 'package-lock.json';

export const INSTALL_TIMEOUT_MS = 300_000;

async function isInstalled(folder: string): Promise<boolean> {
  const read = (...path: string[]) => readFile(join(folder, ...path), 'utf8').catch(() => '');
  return (await read('node_modules', LOCKFILE)) === (await read(LOCKFILE));
}

interface Options {
  /** Runs the install scripts of the packages; false by default. */
  readonly runScripts?: boolean;
  /** Leaves out peer dependencies that the folder does not name: those of the service stand in. False by default. */
  readonly omitPeers?: boolean;
}

/** Installs into a temporary folder and renames it, so that processes can install concurrently. */
export async function installPackages(folder: string, options: Options = {}): Promise<void> {
  if (await isInstalled(folder)) return;
  const modules = join(folder, 'node_modules');
  const temporary = await mkdtemp(join(folder, 'node_modules.'));
  try {
    for (const name of ['package.json', LOCKFILE]) await copyFile(join(folder, name), join(temporary, name));
    const flags = [...(options.runScripts ? [] : ['--ignore-scripts']), ...(options.omitPeers ? ['--omit=peer'] : [])];
    await promisify(execFile)('npm', ['ci', ...flags], { cwd: temporary, timeout: INSTALL_TIMEOUT_MS });
    await copyFile(join(temporary, LOCKFILE), join(temporary, 'node_modules', LOCKFILE));
    if (await isInstalled(folder)) return;
    await rm(modules, { recursive: true, force: true });
    await rename(join(temporary, 'node_modules'), modules);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

if (import.meta.main) for (const folder of process.argv.slice(2)) await installPackages(folder);
