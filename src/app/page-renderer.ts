import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { PageFetcher } from '../pages/fetch/fetch.ts';
import { findBrowser } from '../pages/render/browser-source.ts';
import { createRenderer } from '../pages/render/renderer.ts';
import type { Observer } from '../telemetry/instrument.ts';

/**
 * Creates the renderer of the configured browser, null without one, and logs its failures. `announce` logs which browser renders
 * pages, or why none does.
 */
export function createPageRenderer(config: Config, fetcher: PageFetcher, log: Log, observers: readonly Observer[]) {
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
