import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'embed-gateway-browser-';
/** A browser that starts has its named pipe within milliseconds. */
const MAX_START_MS = 60_000;

/**
 * A shell script that runs its arguments and then removes the folder `$0`. The named pipe `running` has a reader until the
 * script is killed or ends. No process id says this as well: it may be used again, and means nothing in another container.
 */
export const LAUNCHER = `mkfifo "$0/opening" && exec 9<>"$0/opening" && mv "$0/opening" "$0/running" || exit 1
"$@"
code=$?
rm -rf "$0"
exit $code`;

/** Creates a folder for the files of one browser, and removes those of browsers that no longer run. */
export async function createBrowserFolder(): Promise<string> {
  await removeAbandonedFolders();
  return mkdtemp(join(tmpdir(), PREFIX));
}

export function removeBrowserFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Folders stay if the machine, the container or all processes of the service are stopped at once. */
async function removeAbandonedFolders(): Promise<void> {
  const names = await readdir(tmpdir());
  const folders = names.filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name));
  await Promise.all(folders.filter(isAbandoned).map((folder) => removeBrowserFolder(folder).catch(() => {})));
}

function isAbandoned(folder: string): boolean {
  try {
    const { uid, mtimeMs } = lstatSync(folder);
    if (uid !== process.getuid?.()) return false;
    const code = tryToWrite(join(folder, 'running'));
    return code === 'ENXIO' || (code === 'ENOENT' && Date.now() - mtimeMs > MAX_START_MS);
  } catch {
    // it has been removed
    return false;
  }
}

/** Returns the code of the error: `ENXIO` for a named pipe without a reader. */
function tryToWrite(path: string): string | undefined {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
