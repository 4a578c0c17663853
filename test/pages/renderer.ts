import { test } from 'vitest';
import { noBrowser } from '../browser.ts';

/** Settings of a service that renders pages. As root, Chromium has no sandbox. */
export const RENDERER = { renderer: '/usr/bin/chromium', rendererSandbox: process.getuid?.() !== 0 };

/** Skipped where there is no Chromium; `test/browser.ts` prints why. */
export const chromiumTest = test.skipIf(noBrowser !== null);
