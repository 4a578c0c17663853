import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Registers a function that runs after the test, by default, or after several. */
export type RegisterCleanup = (cleanUp: () => void | Promise<void>) => void;

/** Creates a folder that is removed after the test. */
export function temporaryFolder(registerCleanup: RegisterCleanup = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-'));
  registerCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
