import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { openPage as openAnyPage, type PageOptions } from '../../../../test/browser.ts';
import type { Article } from '../../../reader/src/article.ts';
import { EMBED_SCRIPT } from '../../src/render/client-code.ts';
import { renderFrame } from '../../src/render/frame.ts';
import type { FrameView } from '../../src/render/frame-view.ts';
import { type ColourMode, renderSnippet } from '../../src/snippet.ts';
import { sampleArticle, sampleView } from '../samples.ts';
import { type LocalSites, openLocalSites, type Pause, servedHtml, servedPage } from './local-sites.ts';

/** Optional folder for screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS;

export const LIGHT = { paper: 'rgb(255, 255, 255)', ink: 'rgb(28, 31, 36)' };
export const DARK = { paper: 'rgb(23, 24, 28)', ink: 'rgb(227, 229, 234)' };

export const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" viewBox="0 0 1200 600"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#f6c58b"/><stop offset="1" stop-color="#e98a6d"/></linearGradient><linearGradient id="w" x2="0" y2="1"><stop stop-color="#4f7f9b"/><stop offset="1" stop-color="#1f4763"/></linearGradient></defs><path fill="url(#s)" d="M0 0h1200v600H0z"/><circle cx="820" cy="270" r="70" fill="#fff1d6"/><path fill="url(#w)" d="M0 330h1200v270H0z"/><path fill="#24394a" d="M0 330c140-60 220-90 330-70s150 70 260 70H0z"/><path fill="#d9b58a" d="M0 600c180-120 420-150 640-110s380 60 560 110z"/></svg>`;

/** Opens sites for the tests of a file, with a picture and the script of the snippets. */
export function useEmbeds() {
  let sites: LocalSites;
  let embedCount = 0;
  const origin = (name: string) => sites.origin(name);
  const serve: LocalSites['serve'] = (url, content) => sites.serve(url, content);
  const articleWithPicture = (changes: Partial<Article> = {}) => sampleArticle(`${origin('media')}/coast.svg`, changes);

  beforeAll(async () => {
    sites = await openLocalSites();
    serve(`${origin('media')}/coast.svg`, { body: PICTURE, headers: { 'content-type': 'image/svg+xml' } });
    serve(`${origin('www')}/embed.js`, { body: EMBED_SCRIPT, headers: { 'content-type': 'text/javascript' } });
  });
  afterAll(() => sites?.close());

  return {
    origin,
    serve,
    articleWithPicture,

    /** Serves an embed on an origin of its own and returns its URL. */
    serveEmbed(embed: Partial<FrameView['embed']> = {}, changes: Partial<FrameView> = {}, pause?: Pause) {
      embedCount += 1;
      const url = `${origin(`01kb3x5rj2v7q9m4t8d6w0${String(embedCount).padStart(4, '0')}.embeds`)}/page`;
      const view = sampleView(embed, { article: articleWithPicture(), embedUrl: url, ...changes });
      serve(url, servedPage(renderFrame(view), pause));
      return url;
    },

    script: () => `<script async src="${origin('www')}/embed.js"></script>`,

    snippetOf(embedUrl: string, mode: ColourMode = 'LIGHT'): string {
      return renderSnippet({ embedUrl, title: 'An embed', mode, scriptUrl: `${origin('www')}/embed.js` });
    },

    /** Opens a host page on another site than the embeds, which therefore have no access to storage. */
    async openHost(page: Page, html: string, name = 'host'): Promise<void> {
      serve(`${origin(name)}/`, servedHtml(html));
      await page.goto(`${origin(name)}/`);
    },
  };
}

/** Opens a page that fails the test if it logs errors or warnings. */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const page = await openAnyPage({ viewport: { width: 900, height: 900 }, ...options });
  const consoleErrors: string[] = [];
  onTestFinished(() => expect(consoleErrors, 'console errors').toEqual([]));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(String(error)));
  return page;
}

export function frameAt(page: Page, url: string): Frame {
  const frame = page.frames().find((one) => one.url() === url);
  if (!frame) throw new Error(`No frame shows ${url}`);
  return frame;
}

export const coloursOf = (page: Page | Frame) =>
  page.evaluate(() => {
    const { backgroundColor: paper, color: ink } = getComputedStyle(document.documentElement);
    return { paper, ink };
  });

export const heightOf = (page: Page, index = 0) =>
  page
    .locator('iframe')
    .nth(index)
    .evaluate((frame) => frame.clientHeight);

export const contentHeightOf = (frame: Frame) =>
  frame.evaluate(() => Math.ceil(document.getElementById('embed')?.getBoundingClientRect().height ?? 0));

/** Waits until an iframe has the height of its content, and returns the height. */
export async function expectFit(page: Page, url: string, index = 0): Promise<number> {
  await expect.poll(async () => (await heightOf(page, index)) - (await contentHeightOf(frameAt(page, url)))).toBe(0);
  return heightOf(page, index);
}

export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

export const hasSidewaysScroll = (page: Page | Frame) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
