import { existsSync } from 'node:fs';
import { type Browser, launchChromium } from './chromium.ts';
import { connectToBrowser } from './remote.ts';

/** A Chromium on this machine, or the WebSocket of a remote one. */
export type BrowserSource =
  | { readonly kind: 'local'; readonly path: string; readonly hasSandbox: boolean }
  | { readonly kind: 'remote'; readonly url: string };

const EXECUTABLES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds the browser of a setting: `auto`, `off`, a path or a WebSocket URL. Returns the reason if there is none. As root
 * Chromium has no sandbox, so that `auto` then finds a browser only if `hasSandbox` is false.
 */
export function findBrowser(setting: string, hasSandbox: boolean): BrowserSource | { readonly reason: string } {
  if (setting === 'off') return { reason: 'RENDERER is off' };
  if (/^wss?:/.test(setting)) return { kind: 'remote', url: setting };
  const path = setting === 'auto' ? EXECUTABLES.find((candidate) => existsSync(candidate)) : setting;
  if (path === undefined) return { reason: 'no Chromium is installed in a usual place' };
  if (hasSandbox && process.getuid?.() === 0) return { reason: `as root, ${path} has no sandbox` };
  return { kind: 'local', path, hasSandbox };
}

/** Starts a browser, or connects to a remote one. Rejects with a reason for the log. */
export function openBrowser(source: BrowserSource): Promise<Browser> {
  return source.kind === 'local' ? launchChromium(source.path, source.hasSandbox) : connectToBrowser(source.url);
}
