import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';

/** No sandbox (it does not run as root), no GPU, and no requests of the browser's own. */
const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
/** One renderer process for all pages, which takes half the CPU time. */
const ONE_PROCESS = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

/** Reason why the browser tests cannot run here; null if they can. */
export const noBrowser: string | null = existsSync(CHROMIUM)
  ? null
  : `skipped: there is no ${CHROMIUM} on this machine`;
if (noBrowser !== null) console.warn(`Tests in a browser are ${noBrowser}.`);

export interface PageOptions extends BrowserContextOptions {
  /** Gives each site a process of its own, as Chromium does on desktop computers. */
  readonly isolateSites?: boolean;
  /** Whether later tests may get the same page; true unless given. */
  readonly isShared?: boolean;
}

const browsers = new Map<boolean, Browser>();
/** Pages of finished tests, by their options. */
const idlePages = new Map<string, Page[]>();

/** Returns the headless Chromium that all tests of a worker share. It ends with the worker. */
async function launchBrowser(isolateSites: boolean): Promise<Browser> {
  const open = browsers.get(isolateSites);
  if (open?.isConnected()) return open;
  const args = isolateSites ? CHROMIUM_ARGUMENTS : [...CHROMIUM_ARGUMENTS, ...ONE_PROCESS];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  browsers.set(isolateSites, browser);
  return browser;
}

/**
 * Opens an empty page for the test, without cookies, storage, routes and listeners. Tests with the same options get the
 * same page one after the other: a new context starts renderer processes, which take more CPU time than most tests.
 */
export async function openPage(pageOptions: PageOptions = {}): Promise<Page> {
  const { isolateSites = false, isShared = true, ...options } = pageOptions;
  const key = JSON.stringify([isolateSites, options]);
  const idle = idlePages.get(key) ?? [];
  idlePages.set(key, idle);
  const reused = isShared ? idle.pop() : undefined;
  const page =
    reused && !reused.isClosed()
      ? reused
      : await (await (await launchBrowser(isolateSites)).newContext(options)).newPage();
  onTestFinished(async () => {
    if (!isShared) return page.context().close();
    await resetPage(page, options);
    idle.push(page);
  });
  return page;
}

/** Brings a page back to the state of a new one with these options. */
async function resetPage(page: Page, options: BrowserContextOptions): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  // some origins have no storage
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => {});
  await page.goto('about:blank');
  await context.clearCookies();
  const { colorScheme = null, reducedMotion = null, viewport } = options;
  await page.emulateMedia({ colorScheme, reducedMotion });
  if (viewport) await page.setViewportSize(viewport);
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

/** Returns the accessibility rules that axe finds broken, each with the elements that break it. */
export async function violationsOf(page: Page | Frame, { iframes = true } = {}): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (includesFrames) => {
    const options = { iframes: includesFrames, resultTypes: ['violations' as const] };
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, iframes);
}
