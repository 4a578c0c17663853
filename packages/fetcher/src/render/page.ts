import type { PageFetcher } from '../fetch/fetch.ts';
import { findFetchableUrl } from '../fetch/response.ts';
import { type Devtools, DevtoolsError, type DevtoolsEvent, withinTime } from './devtools.ts';
import { DEAD_PROXY } from './flags.ts';
import { createPageControl, createTrySend, type TrySend, VIEWPORT } from './page-control.ts';
import { MEASURE_TEXT, type OpenPage, PREPARE_DOCUMENT, REMOVE_WORKER_INTERFACES, readPage } from './page-scripts.ts';
import { createPageRequests, type PageSource, type PausedRequest, type RequestRefusal } from './requests.ts';
import { leaveConsentWall, showRest } from './reveal/buttons.ts';
import { openDatabaseViews, openToggles } from './reveal/notion.ts';
import { openPanels } from './reveal/panels.ts';
import { scrollThrough } from './reveal/scroll.ts';
import { MIN_TEXT_LENGTH, PATIENCE, type VisibleText, waitUntilStill } from './stillness.ts';

interface Options {
  readonly fetcher: Pick<PageFetcher, 'fetchResource'>;
  readonly onRefusal: (reason: RequestRefusal) => void;
  /** Ends the rendering early, as its time limit does. */
  readonly signal: AbortSignal;
  /** From the first request to the end of the waiting for text. */
  readonly timeoutMs: number;
}

/** For what comes by clicks and by scrolling, also in a page that is never still. The page is then read as it is. */
const REVEAL_TIMEOUT_MS = 5_000;
/** For all else: the preparation of the context and its end. A browser that takes longer does not work. */
const OVERHEAD_TIMEOUT_MS = 20_000;
const MAX_TOGGLE_LEVELS = 5;

const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Targets of the page that may start. Shared workers, service workers and windows stay paused until they end with it. */
const STARTED_TARGETS = ['iframe', 'worker'];

/**
 * Renders a page in a browser context of its own, which is gone afterwards. Returns null if the page has too much markup, or
 * ends at something that is not a page.
 * @throws {DevtoolsError} if the browser ended, or does not answer in time: it is then no longer usable
 */
export function renderPage(devtools: Devtools, source: PageSource, options: Options): Promise<PageSource | null> {
  const timeoutMs = options.timeoutMs + REVEAL_TIMEOUT_MS + OVERHEAD_TIMEOUT_MS;
  return withinTime(renderInNewContext(devtools, source, options), timeoutMs);
}

async function renderInNewContext(
  devtools: Devtools,
  source: PageSource,
  options: Options,
): Promise<PageSource | null> {
  const { browserContextId } = await devtools.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    ...DEAD_PROXY,
  });
  try {
    return await renderInContext(devtools, source, { ...options, browserContextId });
  } finally {
    await devtools.send('Target.disposeBrowserContext', { browserContextId });
  }
}

async function renderInContext(
  devtools: Devtools,
  source: PageSource,
  {
    browserContextId,
    fetcher,
    onRefusal,
    signal: closing,
    timeoutMs,
  }: Options & { readonly browserContextId: unknown },
): Promise<PageSource | null> {
  await devtools.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
  await devtools.send('Browser.grantPermissions', { permissions: [], browserContextId });
  const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: true });
  const session = String(sessionId);
  const frameId = String(targetId);
  const ending = new AbortController();
  const ended = AbortSignal.any([closing, ending.signal, AbortSignal.timeout(timeoutMs + REVEAL_TIMEOUT_MS)]);
  const requests = createPageRequests({ fetcher, document: source, mainFrameId: frameId, signal: ended, onRefusal });
  const sessions = new Set([session]);

  const trySend = createTrySend(devtools);
  const { evaluate, click, blink, move } = createPageControl(devtools, trySend, { session, frameId });

  async function handle({ method, params, sessionId: from }: DevtoolsEvent): Promise<void> {
    if (from === undefined || !sessions.has(from)) return;
    if (method === 'Fetch.requestPaused') {
      const answer = await requests.answer(params as unknown as PausedRequest);
      if (answer !== null) await trySend(answer.method, answer.params, from);
    } else if (method === 'Target.attachedToTarget') {
      const child = String(params.sessionId);
      const { type } = params.targetInfo as { readonly type: string };
      if (!STARTED_TARGETS.includes(type)) return;
      sessions.add(child);
      await (type === 'worker' ? prepareWorker(trySend, child) : prepareDocuments(trySend, child));
      await trySend('Runtime.runIfWaitingForDebugger', {}, child);
    } else if (method === 'Page.javascriptDialogOpening') {
      await trySend('Page.handleJavaScriptDialog', { accept: false }, from);
    } else if (method === 'Inspector.targetCrashed' && from === session) {
      ending.abort(new CrashError('The page crashed.'));
    }
  }

  const stopListening = devtools.listen(
    (event) => void handle(event).catch((error) => ending.abort(new CrashError(String(error)))),
  );
  try {
    await prepareDocuments(trySend, session);
    await devtools.send('Inspector.enable', {}, session);
    await devtools.send('Emulation.setDeviceMetricsOverride', VIEWPORT, session);
    const waiting = AbortSignal.timeout(timeoutMs);
    await withinTime(devtools.send('Page.navigate', { url: source.url }, session), timeoutMs);
    const waited = AbortSignal.any([ended, waiting]);
    const measureText = () => evaluate<VisibleText>(MEASURE_TEXT);
    const still = (until: AbortSignal, patience: Parameters<typeof waitUntilStill>[3]) =>
      waitUntilStill(requests, measureText, until, patience);
    const length = await still(waited, PATIENCE.first);
    const page: OpenPage = {
      evaluate,
      click,
      blink,
      waitUntilStill: () => still(ended, PATIENCE.reveal),
      signal: ended,
    };
    // some pages build their text when a reader moves
    if (length < MIN_TEXT_LENGTH) await move();
    if ((await leaveConsentWall(page)) || length < MIN_TEXT_LENGTH) {
      await still(waited, PATIENCE.rest);
      // a wall may come late
      if (await leaveConsentWall(page)) await still(waited, PATIENCE.rest);
    }
    requests.stay();
    const isCut = await reveal(page);
    ending.signal.throwIfAborted();
    const read = await evaluate<{ readonly url: string; readonly html: string | null }>(readPage(isCut));
    const url = read && findFetchableUrl(read.url);
    return url && read.html ? { url: url.href, html: read.html, robots: requests.robots || null } : null;
  } finally {
    stopListening();
    ending.abort();
  }
}

/** Shows what comes by clicks and by scrolling. Returns true if the page shows only a part at a time. */
async function reveal(page: OpenPage): Promise<boolean> {
  await showRest(page);
  await openPanels(page);
  // toggles may contain toggles
  for (let level = 0; level < MAX_TOGGLE_LEVELS && (await openToggles(page)) > 0; level++) await page.waitUntilStill();
  await openDatabaseViews(page);
  return scrollThrough(page);
}

async function prepareWorker(send: TrySend, to: string): Promise<void> {
  await Promise.all([
    send('Target.setAutoAttach', AUTO_ATTACH, to),
    // has no domain for requests: those come from the session of its page
    send('Runtime.evaluate', { expression: REMOVE_WORKER_INTERFACES }, to),
  ]);
}

async function prepareDocuments(send: TrySend, to: string): Promise<void> {
  await Promise.all([
    send('Target.setAutoAttach', AUTO_ATTACH, to),
    send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, to),
    send('Page.enable', {}, to),
    send('Page.addScriptToEvaluateOnNewDocument', { source: PREPARE_DOCUMENT, runImmediately: true }, to),
  ]);
}

/** The process of the page ended, and the browser lives on. */
export class CrashError extends DevtoolsError {}
