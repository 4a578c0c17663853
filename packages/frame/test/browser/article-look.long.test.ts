import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, openPage, violationsOf } from '../../../../test/browser.ts';
import { readArticle } from '../../../reader/src/article/article.ts';
import { renderFrame } from '../../src/render/frame.ts';
import { sampleView } from '../samples.ts';
import { type LocalSites, openLocalSites, servedPage } from './local-sites.ts';

/** Optional folder for screenshots. */
const SCREENSHOTS = process.env.SCREENSHOTS;

const PROSE =
  'Bread wants flour, water, salt and time, and this paragraph tells at some length why each of them matters: the ' +
  'flour for the crumb, the water for the crust, the salt for the taste, and the time for everything else. ';
const KINDS = ['note', 'tip', 'important', 'warning', 'caution'];
const LINE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><path d="M10 30h220" stroke="#000" stroke-width="9"/></svg>';
/** Names of pictures that are transparent, with dark lines. */
const DRAWINGS = ['line.svg', 'line.png', 'line'];

const SOURCE = `<!doctype html><html lang="en"><head><title>Bread at home | The Baker</title>
<meta property="og:site_name" content="The Baker"><meta name="author" content="Ada Holm">
<meta property="article:published_time" content="2026-03-12"><meta property="og:image" content="/hero.jpg">
<link rel="icon" href="/line.svg">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"Bread at home","isAccessibleForFree":"False"}</script></head>
<body><main><article><h1>Bread at home</h1><p>By Ada Holm, 12 March 2026</p><p>${PROSE.repeat(3)}<sup id="r"><a href="#n">1</a></sup></p>
${KINDS.map((kind) => `<div class="markdown-alert markdown-alert-${kind}"><p class="markdown-alert-title">${kind}</p><p>Use <a href="/x">steam</a> and <code>salt</code>.</p></div>`).join('')}
<ul><li><input type="checkbox" checked> Flour</li><li><input type="checkbox"> Salt with <a href="/s">a link</a></li></ul>
<pre><code class="language-ts">// The constituents of a loaf
export class Loaf&lt;T&gt; { constructor(readonly weight: number = 0.5, name = \`a\${1}\`) { return /re/.test("text") ? true : null; } /* a line that is far wider than a phone */ }</code></pre>
<pre><code class="language-diff">- old\n+ new\n@@ 1 @@</code></pre>
<table><caption>Prices</caption><thead><tr>${'<th scope="col">A long header</th>'.repeat(8)}</tr></thead><tr>${'<td style="text-align:right">1.25</td>'.repeat(8)}</tr></table>
<p>${PROSE}</p>
<figure class="wp-block-gallery">${['a', 'b', 'c'].map((name) => `<figure><img src="/photo.jpg?${name}" alt="${name}"><figcaption>Loaf ${name}</figcaption></figure>`).join('')}</figure>
<p>${PROSE}</p>
${DRAWINGS.map((name) => `<figure><img class="drawing" src="/${name}" alt="A line" width="240" height="60"></figure>`).join('')}
<p>The formula <img src="/line.svg?inline" alt="x" width="80" height="20"> in a line.</p>
<figure><a href="/photo.jpg"><img src="/photo-120x80.jpg"></a><figcaption>The loaf</figcaption></figure>
<figure><img src="/late.jpg?unsized" alt="Late"></figure><figure><img src="/late-120x80.jpg" alt="Late"></figure>
<p id="after">${PROSE}</p><div class="footnotes"><ol><li id="n">A note <a href="#r">↩</a></li></ol></div></article></main></body></html>`;

describe.skipIf(noBrowser)('an article in a browser', () => {
  let sites: LocalSites;
  beforeAll(async () => {
    sites = await openLocalSites();
  });
  afterAll(() => sites?.close());

  /** Draws pictures in the browser, which also encodes them. */
  async function servePictures(page: Page, late: Promise<unknown>): Promise<void> {
    const [photo = '', line = ''] = await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [240, 160];
      const context = canvas.getContext('2d');
      if (!context) return [];
      context.fillRect(10, 25, 220, 10);
      const png = canvas.toDataURL('image/png');
      context.fillStyle = '#c08040';
      context.fillRect(0, 0, 240, 160);
      return [canvas.toDataURL('image/jpeg'), png];
    });
    const serve = (path: string, type: string, body: string | Buffer, after?: Promise<unknown>) =>
      sites.serve(`${sites.origin('media')}/${path}`, {
        body,
        headers: { 'content-type': type },
        ...(after && { after }),
      });
    const decode = (url: string) => Buffer.from(url.split(',')[1] ?? '', 'base64');
    for (const path of ['hero.jpg', 'photo.jpg', 'photo-120x80.jpg', 'photo.jpg?a', 'photo.jpg?b', 'photo.jpg?c']) {
      serve(path, 'image/jpeg', decode(photo));
    }
    for (const path of ['late.jpg?unsized', 'late-120x80.jpg']) serve(path, 'image/jpeg', decode(photo), late);
    for (const path of ['line.svg', 'line.svg?inline']) serve(path, 'image/svg+xml', LINE);
    for (const path of ['line.png', 'line']) serve(path, 'image/png', decode(line));
  }

  function serveArticle(mode: 'LIGHT' | 'DARK', showTopBar: boolean): string {
    const url = `${sites.origin(`01kb3x5rj2v7q9m4t8d6w0h1cz.${mode.toLowerCase()}${showTopBar}`)}/page`;
    const { article } = readArticle(SOURCE, { url: `${sites.origin('media')}/bread`, robots: null });
    sites.serve(url, servedPage(renderFrame(sampleView({ mode, showTopBar }, { article, embedUrl: url }))));
    return url;
  }

  /** Returns the contrast (WCAG 2) of the darkest and the lightest pixel of an image on the screen. */
  async function pixelContrastOf(page: Page, selector: string): Promise<number> {
    const picture = await page.locator(selector).first().screenshot();
    return page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data: pixels } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
      const linear = (value = 0) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      let [low, high] = [1, 0];
      for (let i = 0; i < pixels.length; i += 4) {
        const y = 0.2126 * linear(pixels[i]) + 0.7152 * linear(pixels[i + 1]) + 0.0722 * linear(pixels[i + 2]);
        [low, high] = [Math.min(low, y), Math.max(high, y)];
      }
      return (high + 0.05) / (low + 0.05);
    }, picture.toString('base64'));
  }

  /** Returns the colours of code that have a contrast below 4.5, or none of their own, by class name. */
  function faintTokensOf(page: Page): Promise<readonly string[]> {
    return page.evaluate(() => {
      const pre = document.querySelector('pre');
      const css = document.querySelector('style')?.textContent ?? '';
      if (!pre) return ['no code'];
      const luminance = (colour: string) => {
        const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
          const share = Number(value) / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = luminance(getComputedStyle(pre).backgroundColor);
      const plain = getComputedStyle(pre).color;
      const faint = [...new Set(css.match(/hljs-[a-z_-]+/g))].filter((name) => {
        const token = pre.appendChild(document.createElement('span'));
        token.className = name;
        const { color } = getComputedStyle(token);
        token.remove();
        const [low, high] = [luminance(color), ground].sort((a, b) => a - b);
        return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05) < 4.5 || color === plain;
      });
      return css.includes('hljs-keyword') ? faint : ['no colours'];
    });
  }

  /** Checks the layout at both widths, and the colours. */
  async function expectReadable(page: Page, mode: string): Promise<void> {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      for (const drawing of await page.locator('.content figure > img, .site img, p > img').all()) {
        await drawing.scrollIntoViewIfNeeded();
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${mode} at ${width} px`).toBe(0);
      if (SCREENSHOTS) {
        const path = join(SCREENSHOTS, `article-${mode.toLowerCase()}-${width}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
    expect(await violationsOf(page), mode).toEqual([]);
    expect(await faintTokensOf(page), mode).toEqual([]);
    for (const name of DRAWINGS) {
      const contrast = await pixelContrastOf(page, `img[src$="/${name}"]:not(.site img)`);
      expect(contrast, `${mode} ${name}`).toBeGreaterThanOrEqual(3);
    }
    expect(await pixelContrastOf(page, 'img[src$="?inline"]'), mode).toBeGreaterThanOrEqual(3);
  }

  test('is readable in modes LIGHT and DARK, on a phone and on a desktop', async () => {
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    const sent = Promise.withResolvers<void>();
    await servePictures(page, sent.promise);
    await page.goto(serveArticle('LIGHT', true), { waitUntil: 'domcontentloaded' });
    const boxOf = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect());
    const late = 'img[src*="late-"]';
    await page.locator(late).scrollIntoViewIfNeeded();

    // before the late pictures
    const unsized = await boxOf('.unsized');
    expect(unsized.height).toBeCloseTo((unsized.width * 2) / 3, 0);
    const reserved = await boxOf(late);
    sent.resolve();
    await page.waitForFunction(() => [...document.images].filter((image) => image.complete).length >= 6);
    await expect.poll(() => page.locator('.unsized').count()).toBe(0);
    expect((await boxOf(late)).height).toBe(reserved.height);
    expect((await boxOf('img[src*="?unsized"]')).width).toBe(240);
    await expectReadable(page, 'LIGHT');

    expect(await page.locator('.byline').innerText()).toBe('Ada Holm · March 12, 2026');
    expect(await page.getByText('By Ada Holm').count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: 'Flour' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Salt' }).isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'The loaf' }).count()).toBe(1);
    await page.locator('sup a').click();
    expect(await page.evaluate(() => document.querySelector(':target')?.textContent)).toContain('A note');
    await page.getByText('↩').click();
    expect(await page.evaluate(() => document.querySelector(':target')?.localName)).toBe('sup');

    await page.goto(serveArticle('DARK', false));
    await expectReadable(page, 'DARK');
  });
});
