import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';

/** Why tests in a browser cannot run here; null when they can. */
export const noBrowser: string | null = existsSync(CHROMIUM)
  ? null
  : `skipped: there is no ${CHROMIUM} on this machine`;
if (noBrowser !== null) console.warn(`Tests in a browser are ${noBrowser}.`);

/** A headless Chromium that ends with the test. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  onTestFinished(() => browser.close());
  return browser;
}
