import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser, openPage as openAnyPage } from '../../../../test/browser.ts';
import { readArticle } from '../../../reader/src/article/article.ts';
import { findFontFile, findFontStyleSheet } from '../../src/bundled-fonts.ts';
import { sampleArticle } from '../samples.ts';
import {
  contentHeightOf,
  hasSidewaysScroll,
  openPage,
  PICTURE,
  saveScreenshot,
  useEmbeds,
} from './embeds-in-browser.ts';

const PROSE = `<p>${'The rise and fall of the sea could be taken apart into a handful of pure waves. '.repeat(20)}</p>`;
const MISSING = 'https://example.com/missing.jpg';
const SMALL = 'https://example.com/small.svg';

/** Returns the mean number of characters in the full lines of the first paragraph. */
function measureOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const paragraph = document.querySelector('.content p');
    const text = paragraph?.firstChild;
    if (!paragraph || !text) return 0;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    // the last line is not full
    const lastTop = [...range.getClientRects()].at(-1)?.top ?? 0;
    let full = text.textContent?.length ?? 0;
    for (; full > 0; full--) {
      range.setStart(text, full - 1);
      range.setEnd(text, full);
      if (range.getBoundingClientRect().top < lastTop - 1) break;
    }
    return full / (lines - 1);
  });
}

describe.skipIf(noBrowser)('in a browser', () => {
  const { serveEmbed } = useEmbeds();

  test('lines have 60 to 75 characters above the width of a phone, and the text grows with the width', async () => {
    const page = await openPage();
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content: PROSE }) }));
    const sizes: number[] = [];
    for (const width of [390, 700, 900, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      sizes.push(Number.parseFloat(await page.locator('.content').evaluate((one) => getComputedStyle(one).fontSize)));
      const measure = await measureOf(page);
      if (width === 390) continue;
      expect(measure, `${width} px`).toBeGreaterThanOrEqual(60);
      expect(measure, `${width} px`).toBeLessThanOrEqual(75);
    }
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(sizes.at(-1)).toBeGreaterThan(sizes[0] ?? 0);
  });

  test.each([
    '<div><p></p><div><div></div></div></div><div><section><h2>First</h2></section></div>',
    '<p>&nbsp;</p><div><div><div><h2>First</h2></div></div></div>',
    '<p><br></p><p><span> </span></p><div><div id="x"></div></div><h3>First</h3>',
    '<ul><li><h3>First</h3></li></ul>',
    '<blockquote class="pullquote"><p>First</p></blockquote>',
  ])('an article never starts with blank space: %s', async (start) => {
    const html = `<!doctype html><html lang="en"><title>Tides</title><article><h1>Tides</h1>${start}${PROSE}<h2>Second</h2>${PROSE}</article>`;
    const { article } = readArticle(html, { url: 'https://tides.example/', robots: null });
    const page = await openPage();
    await page.goto(serveEmbed({}, { article }));
    const top = await page.locator('.content').evaluate((one) => one.getBoundingClientRect().top);
    const first = page.getByText('First');
    expect((await first.evaluate((one) => one.getBoundingClientRect().top)) - top).toBeLessThan(20);
  });

  test('captions follow their pictures, boxes end with their text, and facts fit into their box', async () => {
    const image = `data:image/svg+xml,${encodeURIComponent(PICTURE)}`;
    const picture = `<p><a href="/b"><img src="${image}" alt="x" width="300" height="200"></a></p>`;
    const caption = '<figcaption><p>By Ada</p><p>The oven</p></figcaption>';
    const content = `<figure><div>${picture}${caption}</div></figure><div id="beside"><figure>${picture}</figure>${caption}</div>${PROSE}
<aside class="callout"><div><p>Salt</p><p id="last">Water</p></div></aside>
<section class="footnotes"><h2>Notes</h2><ol><li>Rye</li></ol></section>
<div class="embed-table infobox"><table><tr><th>Developer(s)</th><td>January&nbsp;15,&nbsp;2024,&nbsp;and&nbsp;on&nbsp;every&nbsp;day&nbsp;of&nbsp;1965</td></tr></table></div>${PROSE}`;
    const page = await openPage();
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content }) }));
    const gaps = await page.evaluate(() => {
      const boxOf = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect();
      const captions = [...document.querySelectorAll('figcaption')].map(
        (one, i) => boxOf(one).top - boxOf(document.querySelectorAll('figure img')[i]).bottom,
      );
      const below =
        boxOf(document.querySelector('#beside + p')).top - boxOf(document.querySelector('#beside p:last-child')).bottom;
      const end = boxOf(document.querySelector('.callout')).bottom - boxOf(document.querySelector('#last')).bottom;
      const notes =
        boxOf(document.querySelector('.footnotes h2')).top - boxOf(document.querySelector('.footnotes')).top;
      const facts = document.querySelector('.infobox');
      return { captions, below, end, notes, overflow: (facts?.scrollWidth ?? 0) - (facts?.clientWidth ?? 0) };
    });
    expect(Math.max(...gaps.captions)).toBeLessThan(16);
    expect(gaps.below).toBeGreaterThan(16);
    expect(gaps.end).toBeLessThan(20);
    expect(gaps.notes).toBeLessThan(20);
    expect(gaps.overflow).toBe(0);
  });

  test('facts above the text use its width, notes have one line above, and a narrow bar shows the name of its site', async () => {
    const image = `data:image/svg+xml,${encodeURIComponent(PICTURE)}`;
    const facts = `<tr><td colspan="2"><img src="${image}" alt="x" width="100" height="50"></td></tr><tr><th>Mean radius of it</th><td colspan="1">1</td></tr>`;
    const content = `<div class="embed-table infobox"><table>${facts}</table></div>${PROSE}<hr><section class="footnotes"><ol><li>Rye</li></ol></section>`;
    const page = await openPage({ viewport: { width: 700, height: 900 } });
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content }) }));
    const { lines, offCentre } = await page.evaluate(() => {
      const boxOf = (name: string) => document.querySelector(name)?.getBoundingClientRect() ?? new DOMRect();
      const [image, cell, name] = ['.infobox img', '.infobox td', '.infobox th'].map(boxOf) as [
        DOMRect,
        DOMRect,
        DOMRect,
      ];
      return { lines: name.height, offCentre: image.left + image.right - cell.left - cell.right };
    });
    expect(lines).toBeLessThan(40);
    expect(await page.getByRole('cell', { name: '1' }).evaluate((one) => getComputedStyle(one).textAlign)).toBe(
      'start',
    );
    expect(Math.abs(offCentre)).toBeLessThan(2);
    expect(await page.locator('hr').isVisible()).toBe(false);
    const cut = () => page.locator('.bar .site').evaluate((one) => one.scrollWidth - one.clientWidth);
    await page.setViewportSize({ width: 180, height: 900 });
    expect(await cut()).toBe(0);
    await page.setViewportSize({ width: 320, height: 900 });
    await page.getByRole('button', { name: 'Reading settings' }).click();
    await page.getByLabel('Text size').selectOption('Largest');
    expect(await cut()).toBe(0);
  });

  test.each(['inline', 'block'])('a wide formula scrolls in its place, display %s', async (display) => {
    const page = await openPage({ viewport: { width: 320, height: 700 } });
    const content = `<p>Then <math display="${display}"><mrow>${'<mi>x</mi><mo>+</mo>'.repeat(40)}<mi>y</mi></mrow></math> holds.</p>`;
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content }) }));
    expect(await hasSidewaysScroll(page)).toBe(false);
    const { scrolled, tabIndex } = await page.locator('math').evaluate((one) => {
      one.scrollLeft = 50;
      return { scrolled: one.scrollLeft, tabIndex: (one as unknown as HTMLElement).tabIndex };
    });
    expect([scrolled, tabIndex]).toEqual([50, 0]);
  });

  test.each(['Inter', 'Source Serif 4', 'JetBrains Mono'])('lines of %s have 60 to 75 characters', async (family) => {
    const page = await openPage();
    const font = { family, cssUrl: `https://embeds.example/fonts/${findFontStyleSheet(family)}` };
    await page.route('https://embeds.example/fonts/*', async (route) => {
      const file = findFontFile(route.request().url().split('/').at(-1) ?? '');
      const headers = { 'content-type': file?.type ?? '', 'access-control-allow-origin': '*' };
      await route.fulfill({ body: file?.bytes ?? '', headers });
    });
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content: PROSE }), font }));
    expect(await page.evaluate(async (name) => (await document.fonts.load(`16px "${name}"`)).length, family)).toBe(1);
    for (const width of [700, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const measure = await measureOf(page);
      expect(measure, `${width} px`).toBeGreaterThanOrEqual(60);
      expect(measure, `${width} px`).toBeLessThanOrEqual(75);
    }
  });

  test("a font with wide letters has shorter lines, and the reader's monospaced font longer ones", async () => {
    const page = await openPage({ viewport: { width: 1280, height: 900 } });
    const article = sampleArticle(undefined, { content: PROSE });
    const widthOf = async () => (await page.locator('.content').boundingBox())?.width ?? 0;
    await page.goto(serveEmbed({}, { article }));
    const usual = await widthOf();
    await page.evaluate(() => document.documentElement.setAttribute('data-font', 'mono'));
    expect((await widthOf()) / usual).toBeCloseTo(38 / 35, 2);
    const font = { family: 'Inter', cssUrl: 'https://embeds.example/inter.css' };
    await page.route(/embeds\.example/, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
    await page.goto(serveEmbed({}, { article, font }));
    expect((await widthOf()) / usual).toBeCloseTo(33.5 / 35, 2);
  });

  test('the width that the owner sets is that of the text in px, whatever its size', async () => {
    const page = await openPage({ viewport: { width: 1280, height: 900 } });
    for (const baseSize of [14, 22]) {
      const settings = { allowedSites: null, look: { width: 500, baseSize } };
      await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content: PROSE }), settings }));
      expect((await page.locator('.content').boundingBox())?.width, `${baseSize} px`).toBe(500);
      await page.setViewportSize({ width: 390, height: 900 });
      expect((await page.locator('.content').boundingBox())?.width).toBeLessThan(390);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });

  test('a logo that is wider than the room for it keeps its shape', async () => {
    const page = await openPage();
    const shapes = '<path fill="#c00" d="M0 0h900v60H0z"/>';
    const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60" viewBox="0 0 900 60" preserveAspectRatio="none">${shapes}</svg>`;
    await page.route('https://example.com/logo.svg', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: logo }),
    );
    const settings = { allowedSites: null, look: { logoUrl: 'https://example.com/logo.svg' } };
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content: PROSE }), settings }));
    const box = page.locator('.site img');
    await expect.poll(() => box.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
    const shot = (await box.screenshot()).toString('base64');
    // its height is a fifteenth of its width, in the middle of a box that is higher
    const [above, middle] = await (await openPage()).evaluate(async (png) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
      const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d', { willReadFrequently: true });
      context?.drawImage(picture, 0, 0);
      return [2, picture.height / 2].map((y) => context?.getImageData(80, y, 1, 1).data.join());
    }, shot);
    expect(above).not.toBe(middle);
  });

  test('small pictures keep their size, and captions have the width of their picture', async () => {
    const page = await openPage({ viewport: { width: 900, height: 900 } });
    const picture = (width: number) =>
      `<figure><img src="${SMALL}" width="${width}" height="${width / 2}" alt=""><figcaption>${'A long caption. '.repeat(9)}</figcaption></figure>`;
    await page.route(SMALL, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }));
    const hero = { url: SMALL, alt: '', width: 300, height: 150 };
    const article = sampleArticle(undefined, { content: PROSE + picture(120) + picture(500) + picture(3000), hero });
    await page.goto(serveEmbed({}, { article }));
    const widthsOf = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
    const [column = 0] = await widthsOf('.content');
    expect(await widthsOf('.hero')).toEqual([300]);
    expect(await widthsOf('.content img')).toEqual([120, 500, column]);
    const [small = 0, ...large] = await widthsOf('figcaption');
    expect(small).toBeLessThan(column * 0.6);
    expect(large).toEqual([500, column]);
  });

  test('a picture that does not load leaves no gap, and its text can be read in the dark', async () => {
    const page = await openAnyPage({ viewport: { width: 900, height: 900 }, colorScheme: 'dark' });
    const missing = (alt: string) => `<p><img src="${MISSING}" alt="${alt}" width="1200" height="800"></p>`;
    await page.route(MISSING, (route) => route.abort());
    const hero = { url: MISSING, alt: '', width: null, height: null };
    const content = `${missing('')}${missing('A small boat')}<p>The text.</p>`;
    await page.goto(serveEmbed({ mode: 'AUTO' }, { article: sampleArticle(undefined, { content, hero, icon: null }) }));
    await expect.poll(() => page.locator('article img').count()).toBe(1);
    const [height, colour, ink] = await page.locator('article img').evaluate((image) => {
      const { color } = getComputedStyle(image);
      return [image.getBoundingClientRect().height, color, getComputedStyle(document.body).color] as const;
    });
    expect([height < 100, colour]).toEqual([true, ink]);
  });

  test('no line begins with the mark of a note', async () => {
    const page = await openPage();
    const mark = (n: number) => `<sup><a href="#n">[${n}]</a></sup>`;
    const content = `<p>Flour files.${mark(2)} Water in it (of it).${mark(12)} Salt, and “time”.${mark(3)} An oven.</p>`;
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content, icon: null }) }));
    for (let width = 280; width < 400; width += 2) {
      await page.setViewportSize({ width, height: 844 });
      const distances = await page.locator('.content sup').evaluateAll((marks) =>
        marks.map((one) => {
          const range = document.createRange();
          const text = one.previousSibling as Text;
          range.setStart(text, text.length - 1);
          range.setEnd(text, text.length);
          return Math.abs(range.getBoundingClientRect().right - one.getBoundingClientRect().left);
        }),
      );
      expect(Math.max(...distances), `${width} px`).toBeLessThan(2);
    }
  });

  test('pictures of a gallery fill their boxes, in rows with a common top', async () => {
    const page = await openPage();
    const picture = (width: number, height: number) =>
      `<figure><img src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%22${width}%22 height=%22${height}%22/>" alt="" width="${width}" height="${height}"></figure>`;
    const content = `<figure class="gallery">${picture(1600, 900)}${picture(1600, 900)}${picture(900, 1000)}${picture(1600, 900)}</figure>`;
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content, icon: null }) }));
    const boxes = await page.locator('.gallery img').evaluateAll((all) =>
      all.map((one) => {
        const { top, width, height } = one.getBoundingClientRect();
        return { top, ratio: (width / height).toFixed(2) };
      }),
    );
    expect(boxes.map(({ ratio }) => ratio)).toEqual(['1.78', '1.78', '0.90', '1.78']);
    expect(boxes[1]?.top).toBe(boxes[0]?.top);
    expect(boxes[3]?.top).toBe(boxes[2]?.top);
  });

  test('a small picture of a gallery stands right above its caption', async () => {
    const page = await openPage();
    const picture =
      '<figure><img src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%22160%22 height=%22160%22/>" alt="" width="160" height="160"><figcaption>A loaf</figcaption></figure>';
    const content = `<figure class="gallery">${picture.repeat(2)}</figure>`;
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content, icon: null }) }));
    const sizes = await page
      .locator('.gallery img')
      .evaluateAll((all) => all.map((one) => [one.clientWidth, one.clientHeight]));
    expect(sizes).toEqual([
      [160, 160],
      [160, 160],
    ]);
  });

  test('a table of five columns scrolls on a phone, and one of four wraps its words', async () => {
    const page = await openPage();
    await page.setViewportSize({ width: 390, height: 844 });
    const table = (columns: number) =>
      `<div class="embed-table"><table><tr>${'<td>A solid oven with an even heat</td>'.repeat(columns)}</tr></table></div>`;
    await page.goto(
      serveEmbed({}, { article: sampleArticle(undefined, { content: table(5) + table(4), icon: null }) }),
    );
    const [five = 0, four = 0] = await page
      .locator('td:first-child')
      .evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(five).toBeLessThan(four);
    expect(await hasSidewaysScroll(page)).toBe(false);
  });

  test('the text of a picture that does not load takes only its own room, also in figures', async () => {
    const page = await openAnyPage({ viewport: { width: 900, height: 900 } });
    await page.route(MISSING, (route) => route.abort());
    const figure = (name: string) =>
      `<figure class="${name}"><img src="${MISSING}" alt="A boat"><figcaption>Boats</figcaption></figure>`;
    const content = `${figure('')}${figure('gallery')}<p>The text.</p>`;
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content, icon: null }) }));
    await expect.poll(() => page.locator('figure .missing').count()).toBe(2);
    const heights = await page.locator('figure img').evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(50);
  });

  test('a page that is being fetched keeps the first height of its frame, and the place of its title', async () => {
    const page = await openPage();
    const article = sampleArticle(undefined, { content: null, byline: null, publishedAt: null, image: null });
    const titleTop = () => page.locator('h1').evaluate((title) => title.getBoundingClientRect().top);
    for (const showTopBar of [true, false]) {
      await page.goto(serveEmbed({ showTopBar }, { article, state: 'PENDING' }));
      expect(await contentHeightOf(page.mainFrame())).toBe(600);
      expect(await page.getByRole('status').innerText()).toContain('Still loading');
      await saveScreenshot(page, `pending-${showTopBar}`);
      const before = await titleTop();
      await page.goto(serveEmbed({ showTopBar }, { article: { ...article, content: PROSE } }));
      expect(await titleTop()).toBe(before);
    }
  });
});
