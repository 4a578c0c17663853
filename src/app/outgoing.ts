import { createPageFetcher, createRenderer, findBrowser, type PageFetcher } from '#fetcher';
import { findFontStyleSheet } from '#frame';
import type { ArticleReader } from '#reader/article-reader';
import type { Config } from '../config.ts';
import { embedOriginOf } from '../domain/embed/url.ts';
import { createErrorLog, type Log, logBug } from '../log.ts';
import { createArticleCache } from '../pages/article-cache.ts';
import { createFontCheck } from '../pages/font-check.ts';
import { createPictureCache } from '../pages/picture-cache.ts';
import { startWatcher } from '../pages/watcher.ts';
import type { Database } from '../store/database.ts';
import { instrument, type Observer } from '../telemetry/instrument.ts';
import { createDeliverer } from '../webhooks/deliverer.ts';
import { withPageEvents } from '../webhooks/page-events.ts';
import { withHeights } from './page-heights.ts';

export type Outgoing = ReturnType<typeof createOutgoing>;

/** Replacements of the system's name resolution and connections. */
export type PageAccess = Pick<Parameters<typeof createPageFetcher>[0], 'resolve' | 'dial'>;

interface Options {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly observers: readonly Observer[];
  readonly pageAccess: PageAccess;
  readonly articleReader: ArticleReader | undefined;
  /** Called when the text of a source page is another one. */
  readonly onChange: (pageUrl: string) => void;
}

/** Creates the components that send requests to other sites: for pages, pictures, fonts and the events of webhooks. */
export function createOutgoing({ config, database, log, observers, pageAccess, articleReader, onChange }: Options) {
  const fetcher = createPageFetcher({
    policy: { allowPrivatePages: config.allowPrivatePages },
    ownAddresses: config,
    // like crawlers: a name, and a URL for questions
    userAgent: `EmbedGateway (+${embedOriginOf(config)}/)`,
    ...pageAccess,
  });
  const ofPages = instrument('pages', fetcher, observers);
  const { renderer, announce } = createPageRenderer(config, ofPages, log, observers);
  const eventOptions = { ...database, onError: createErrorLog(log, 'webhooks') };
  const sources = { fetcher: ofPages, robotsMode: config.robots, now: database.now };
  const pages = createArticleCache({
    ...sources,
    copies: instrument('store.pages', withPageEvents(withHeights(database.pages), eventOptions), observers),
    versions: database.pageVersions,
    renderer,
    reader: articleReader,
    onEvent: (event) => {
      if ('error' in event) logBug(log, 'pages', event.error);
      else for (const observer of observers) observer.revalidated(event.outcome);
    },
    onChange,
  });
  const pictures = createPictureCache(instrument('pictures', fetcher, observers));
  const fonts = createFontCheck({
    fetcher,
    fontCssUrl: config.fontCssUrl,
    isBundled: (family) => findFontStyleSheet(family) !== null,
  });
  const deliverer = createDeliverer({ ...database, fetcher: ofPages, host: config, log });
  const onError = createErrorLog(log, 'watcher');
  const watcher = startWatcher({ ...sources, watches: database.watches, pages, onError });
  return {
    pages,
    pictures,
    fonts,
    sendDelivery: deliverer.send,
    announceRenderer: announce,
    async close() {
      await Promise.all([watcher.close(), pages.close(), pictures.close(), deliverer.close()]);
    },
  };
}

/**
 * Creates the renderer of the configured browser, null without one, and logs its failures. `announce` logs which browser renders
 * pages, or why none does.
 */
function createPageRenderer(config: Config, fetcher: PageFetcher, log: Log, observers: readonly Observer[]) {
  const stayCards = 'pages that are built by JavaScript are shown as cards';
  const browser = findBrowser(config.renderer, config.rendererSandbox);
  if ('reason' in browser) {
    const announce = async () => log.info({ reason: browser.reason }, `no browser: ${stayCards}`);
    return { renderer: null, announce };
  }
  const renderer = createRenderer({
    source: browser,
    fetcher,
    onEvent(event) {
      for (const observer of observers) observer.rendering(event);
      if (event.kind === 'unavailable') log.warn({ reason: event.reason }, 'the browser does not start');
      if (event.kind === 'ended' && event.isFault) log.warn({ reason: event.reason }, 'the browser was ended');
    },
  });
  // the URL of a remote browser may have a token
  const place = browser.kind === 'remote' ? { kind: browser.kind, host: new URL(browser.url).host } : browser;
  return {
    renderer,
    async announce() {
      const product = await renderer.check().catch(() => null);
      if (product) log.info({ browser: product, ...place }, 'pages that are built by JavaScript are rendered');
      else log.warn(place, `the browser cannot be used: ${stayCards}`);
    },
  };
}
