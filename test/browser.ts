import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** Debian's headless shell takes half the processor time of its Chromium. */
const COMPLETE_CHROMIUM = '/usr/bin/chromium';
const SHELL = '/usr/bin/chromium-headless-shell';
export const CHROMIUM = existsSync(SHELL) ? SHELL : COMPLETE_CHROMIUM;
/** All that this machine has: they differ in flags, processes and interfaces. */
export const CHROMIUMS = [SHELL, COMPLETE_CHROMIUM].filter((path) => existsSync(path));

/** Chromium's sandbox does not work as root. The other options prevent requests of the browser itself. */
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--disable-background-networking',
];
/** One renderer process for all pages: half the CPU time. */
const ONE_PROCESS = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

/** Reason why the browser tests cannot run here; null if they can. */
export const noBrowser: string | null = existsSync(COMPLETE_CHROMIUM)
  ? null
  : `skipped: ${COMPLETE_CHROMIUM} does not exist`;
if (noBrowser !== null) console.warn(`Tests in a browser are ${noBrowser}.`);

export interface PageOptions extends BrowserContextOptions {
  /** Isolates sites in processes, as Chromium does on desktop computers. */
  readonly isolateSites?: boolean;
  /** Uses a complete Chromium, which denies storage to frames of other sites. */
  readonly isComplete?: boolean;
  /** Lets later tests use the same page; true by default. A page keeps its clock and the scripts of `addInitScript`. */
  readonly isShared?: boolean;
}

/** That of Playwright. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

const browsers = new Map<string, Browser>();
/** Pages of finished tests, by their options. */
const idlePages = new Map<string, Page[]>();

/** Returns the headless Chromium that all tests of a worker share. It ends with the worker. */
async function launchBrowser(isolateSites: boolean, executablePath: string): Promise<Browser> {
  const key = `${executablePath} ${isolateSites}`;
  const open = browsers.get(key);
  if (open?.isConnected()) return open;
  const args = isolateSites ? CHROMIUM_ARGUMENTS : [...CHROMIUM_ARGUMENTS, ...ONE_PROCESS];
  const browser = await chromium.launch({ executablePath, args });
  browsers.set(key, browser);
  return browser;
}

/**
 * Opens an empty page for the test, without cookies, storage, routes and listeners. Tests with the same options get the
 * same page one after the other: a new context starts renderer processes, which take more CPU time than most tests.
 */
export async function openPage(pageOptions: PageOptions = {}): Promise<Page> {
  const { isolateSites = false, isComplete = false, isShared = true, ...options } = pageOptions;
  const path = isComplete ? COMPLETE_CHROMIUM : CHROMIUM;
  const key = JSON.stringify([isolateSites, path, options]);
  const idle = idlePages.get(key) ?? [];
  idlePages.set(key, idle);
  const reused = isShared ? idle.pop() : undefined;
  const page =
    reused && !reused.isClosed()
      ? reused
      : await (await (await launchBrowser(isolateSites, path)).newContext(options)).newPage();
  page.setDefaultTimeout(60_000);
  onTestFinished(async () => {
    if (!isShared) return page.context().close();
    await resetPage(page, options);
    idle.push(page);
  });
  return page;
}

/** Resets a page to the state of a new one with these options. */
async function resetPage(page: Page, options: BrowserContextOptions): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  // origins such as about:blank have no storage
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => {});
  await page.goto('about:blank');
  await context.clearCookies();
  await context.clearPermissions();
  const { colorScheme = null, reducedMotion = null, viewport = DEFAULT_VIEWPORT } = options;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors: null, contrast: null });
  if (viewport) await page.setViewportSize(viewport);
}

interface Allowed {
  /** Tests if the page may send a request to the URL. */
  readonly isAllowedUrl: (url: string) => boolean;
  /** Tests if an error in the console is expected; none are by default. */
  readonly isExpectedError?: (error: string) => boolean;
}

/** Collects exceptions, errors in the console, and forbidden requests of a page from now on. */
export function collectFaults(page: Page, { isAllowedUrl, isExpectedError = () => false }: Allowed): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !isExpectedError(line.text())) faults.push(line.text());
  });
  page.on('request', (request) => {
    if (!isAllowedUrl(request.url())) faults.push(request.url());
  });
  return faults;
}

/** Returns the accessibility rules that the page violates, each with the elements. */
export async function violationsOf(page: Page | Frame, { iframes = true } = {}): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (includesFrames) => {
    const options = { iframes: includesFrames, resultTypes: ['violations' as const] };
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, iframes);
}
