import { type PageFetcher, RESOURCE_TIMEOUT_MS } from '../fetch/fetch.ts';
import { type BrowserSource, openBrowser } from './browser-source.ts';
import type { Browser } from './chromium.ts';
import { DevtoolsError, TimeoutError } from './devtools.ts';
import { CrashError, renderPage } from './page.ts';
import type { PageSource, RequestRefusal } from './requests.ts';

export type RenderResult =
  | ({ readonly kind: 'page' } & PageSource)
  /** The page took too much memory or markup, crashed or blocked its thread. */
  | { readonly kind: 'failed' }
  /** Not rendered: no browser starts, or the renderer is closed. */
  | { readonly kind: 'unavailable' };

/** Event for the metrics and the log. */
export type RendererEvent =
  | { readonly kind: 'rendered'; readonly result: RenderResult['kind']; readonly seconds: number }
  | { readonly kind: 'refused'; readonly reason: RequestRefusal }
  | { readonly kind: 'started'; readonly product: string }
  | { readonly kind: 'ended'; readonly reason: BrowserEnd; readonly isFault: boolean }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** `blocked`: a page blocked its thread. `pages`: it has rendered its share of pages. */
type BrowserEnd = 'idle' | 'pages' | 'closed' | (typeof FAULTS)[number];

const FAULTS = ['crash', 'memory', 'blocked'] as const;

/** `watcher`: no reader waits for the page. */
export type PageUser = 'reader' | 'watcher';

/** Renders pages in a browser, one at a time: most of readers before those of the watcher, each in the order of the calls. Never rejects. */
export interface Renderer {
  /** Returns null while the queue is full, and for a minute after a browser that did not start. */
  render(source: PageSource, user?: PageUser): Promise<RenderResult> | null;
  /** Starts the browser once, and returns its name and version. Rejects with the reason if it does not start. */
  check(): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  readonly source: BrowserSource;
  readonly fetcher: Pick<PageFetcher, 'fetchResource'>;
  readonly onEvent: (event: RendererEvent) => void;
  readonly timeoutMs?: number;
  readonly maxPages?: number;
  readonly maxBytes?: number;
}

/** Further pages are not rendered now. */
export const MAX_QUEUED = 16;
/** The rest of the queue is for pages of readers. */
export const MAX_QUEUED_OF_WATCHER = 8;
/** Pages of readers that are rendered before a watched one that waits longer. */
const MAX_AHEAD = 3;
/** A browser is replaced after so many pages. */
const MAX_PAGES = 100;
/**
 * Anonymous and shared memory of all processes of the browser, which is killed above it. It stays below 1 GB with its
 * mapped files, and with the memory that a page takes between two looks.
 */
const MAX_BYTES = 768 * 1024 * 1024;
/** Leaves 3 s for text that follows the last response. */
const RENDER_TIMEOUT_MS = RESOURCE_TIMEOUT_MS + 3_000;
/** A page can write 1 GB in a second. */
const MEMORY_INTERVAL_MS = 25;
const IDLE_MS = 60_000;
/** After a browser that did not start. */
const RETRY_START_MS = 60_000;

interface RunningBrowser {
  readonly opened: Promise<Browser>;
  pages: number;
}

export function createRenderer(options: Options): Renderer {
  const { source, fetcher, onEvent, maxPages = MAX_PAGES, maxBytes = MAX_BYTES } = options;
  const { timeoutMs = RENDER_TIMEOUT_MS } = options;
  const closing = new AbortController();
  let running: RunningBrowser | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let nextStartMs = 0;
  const queue = createQueue();

  function start(): RunningBrowser {
    const started: RunningBrowser = { opened: openBrowser(source), pages: 0 };
    running = started;
    started.opened.then(
      (browser) => {
        onEvent({ kind: 'started', product: browser.product });
        void browser.ended.then(() => end(started, 'crash'));
      },
      (error: Error) => {
        if (running === started) running = null;
        nextStartMs = performance.now() + RETRY_START_MS;
        onEvent({ kind: 'unavailable', reason: error.message });
      },
    );
    return started;
  }

  /** Skips browsers that were ended before. Only the first reason counts. */
  async function end(browser: RunningBrowser | null, reason: BrowserEnd): Promise<void> {
    clearTimeout(idleTimer);
    if (!browser || running !== browser) return;
    running = null;
    const opened = await browser.opened.catch(() => null);
    if (!opened) return;
    onEvent({ kind: 'ended', reason, isFault: FAULTS.some((fault) => fault === reason) });
    await opened.close();
  }

  async function renderWith(browser: RunningBrowser, page: PageSource): Promise<RenderResult | 'crashed'> {
    const opened = await browser.opened.catch(() => null);
    if (!opened) return { kind: 'unavailable' };
    browser.pages++;
    let usesTooMuchMemory = false;
    const watch = setInterval(() => {
      if ((opened.measureBytes() ?? 0) <= maxBytes) return;
      usesTooMuchMemory = true;
      void end(browser, 'memory');
    }, MEMORY_INTERVAL_MS);
    try {
      const onRefusal = (reason: RequestRefusal) => onEvent({ kind: 'refused', reason });
      const rendered = await renderPage(opened.devtools, page, {
        fetcher,
        onRefusal,
        signal: closing.signal,
        timeoutMs,
      });
      return rendered ? { kind: 'page', ...rendered } : { kind: 'failed' };
    } catch (error) {
      if (!(error instanceof DevtoolsError)) throw error;
      if (error instanceof TimeoutError) await end(browser, 'blocked');
      if (usesTooMuchMemory || error instanceof TimeoutError || error instanceof CrashError) return { kind: 'failed' };
      await end(browser, 'crash');
      return 'crashed';
    } finally {
      clearInterval(watch);
    }
  }

  async function renderNow(page: PageSource): Promise<RenderResult> {
    clearTimeout(idleTimer);
    let result: RenderResult | 'crashed' = 'crashed';
    // a browser may end for a reason outside the page
    for (let tries = 0; tries < 2 && result === 'crashed'; tries++) {
      if (!canRender()) return { kind: 'unavailable' };
      result = await renderWith(running ?? start(), page);
    }
    if (closing.signal.aborted) return { kind: 'unavailable' };
    if (running && running.pages >= maxPages) await end(running, 'pages');
    idleTimer = setTimeout(() => void end(running, 'idle'), IDLE_MS).unref();
    return result === 'crashed' ? { kind: 'failed' } : result;
  }

  async function renderAndReport(page: PageSource): Promise<RenderResult> {
    const startMs = performance.now();
    const result = await renderNow(page);
    onEvent({ kind: 'rendered', result: result.kind, seconds: (performance.now() - startMs) / 1_000 });
    return result;
  }

  function canRender(): boolean {
    return !closing.signal.aborted && (running !== null || performance.now() >= nextStartMs);
  }

  return {
    render(page, user = 'reader') {
      if (!queue.isFull(user) && canRender()) return queue.run(() => renderAndReport(page), user);
      onEvent({ kind: 'rendered', result: 'unavailable', seconds: 0 });
      return null;
    },
    async check() {
      const browser = running ?? start();
      const { product } = await browser.opened;
      if (browser.pages === 0 && queue.isEmpty()) await end(browser, 'idle');
      return product;
    },
    async close() {
      closing.abort();
      await end(running, 'closed');
      await queue.finish();
    },
  };
}

/** Creates a queue that runs one work at a time: three of readers before one of the watcher, each in the order of the calls. */
function createQueue() {
  const turns = new Set<Promise<unknown>>();
  const waiting = { reader: [] as (() => void)[], watcher: [] as (() => void)[] };
  /** Works of readers that have begun since one of the watcher waits. */
  let ahead = 0;
  let isRunning = false;

  function takeNext(): (() => void) | undefined {
    const [first, second] = ahead < MAX_AHEAD ? (['reader', 'watcher'] as const) : (['watcher', 'reader'] as const);
    const user = waiting[first].length > 0 ? first : second;
    ahead = user === 'reader' && waiting.watcher.length > 0 ? ahead + 1 : 0;
    return waiting[user].shift();
  }

  async function runInTurn<T>(work: () => Promise<T>, user: PageUser): Promise<T> {
    if (isRunning) await new Promise<void>((start) => waiting[user].push(start));
    isRunning = true;
    try {
      return await work();
    } finally {
      const startNext = takeNext();
      if (startNext) startNext();
      else isRunning = false;
    }
  }

  return {
    isEmpty: () => turns.size === 0,
    isFull: (user: PageUser) =>
      turns.size >= MAX_QUEUED || (user === 'watcher' && waiting.watcher.length >= MAX_QUEUED_OF_WATCHER),
    run<T>(work: () => Promise<T>, user: PageUser): Promise<T> {
      const turn = runInTurn(work, user).finally(() => turns.delete(turn));
      turns.add(turn);
      return turn;
    },
    async finish(): Promise<void> {
      await Promise.allSettled(turns);
    },
  };
}
