import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';

/** No surroundings, and nothing that it asks for by itself. */
const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];

/** Why tests in a browser cannot run here; null when they can. */
export const noBrowser: string | null = existsSync(CHROMIUM)
  ? null
  : `skipped: there is no ${CHROMIUM} on this machine`;
if (noBrowser !== null) console.warn(`Tests in a browser are ${noBrowser}.`);

/** A process for each site, as Chromium has it on computers; all in one, as on small phones, takes half the work. */
interface Sites {
  readonly areApart?: boolean;
}

const running = new Map<boolean, Browser>();

/** A headless Chromium that all tests of a process share: to start one takes a second. It ends with the process. */
export async function launchBrowser({ areApart = false }: Sites = {}): Promise<Browser> {
  const open = running.get(areApart);
  if (open?.isConnected()) return open;
  const args = areApart ? CHROMIUM_ARGUMENTS : [...CHROMIUM_ARGUMENTS, '--disable-site-isolation-trials'];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  running.set(areApart, browser);
  return browser;
}

/** {@link launchBrowser}, of which nothing outlives the test: each page has cookies and a cache of its own. */
export async function openBrowser(sites: Sites = {}): Promise<Browser> {
  const browser = await launchBrowser(sites);
  onTestFinished(() => closePages(browser));
  return browser;
}

export async function closePages(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close();
}

interface Tolerance {
  /** Where the page may send requests. */
  readonly mayAsk: (url: string) => boolean;
  /** Errors in the console that belong to the test. */
  readonly maySay?: (error: string) => boolean;
}

/** What is wrong with a page as it goes on: errors, those in its console, and requests to where it must not ask. */
export function complaintsOf(page: Page, { mayAsk, maySay = () => false }: Tolerance): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !maySay(line.text())) complaints.push(line.text());
  });
  page.on('request', (request) => {
    if (!mayAsk(request.url())) complaints.push(request.url());
  });
  return complaints;
}
