import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../../test/browser.ts';
import type { Article } from '../../../reader/src/article.ts';
import { estimateHeights } from '../../src/height.ts';
import { heightsOf as heightsWithMode } from '../../src/snippet.ts';
import { sampleArticle } from '../samples.ts';
import { contentHeightOf, openPage, useEmbeds } from './embeds-in-browser.ts';

/** Widths of the two frames of an estimate. */
const WIDTHS = [374, 760] as const;
const LINE = 'One line.';
const TIMES = 8;
const IMAGE = 'https://example.com/none.jpg';
const PICTURE = `<figure><img src="${IMAGE}" width="100" height="50" alt=""><figcaption>${LINE}</figcaption></figure>`;
const PLAIN: Partial<Article> = { title: 'Title', byline: null, publishedAt: null, image: null, description: null };

/** The estimate cannot know the fonts of readers, so no text here is longer than a line. */
describe.skipIf(noBrowser)('the estimated height', () => {
  const { serveEmbed } = useEmbeds();

  /** Opens a page of a browser in which the picture is there. */
  async function openPageWithPicture(): Promise<Page> {
    const page = await openPage();
    await page.route(IMAGE, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    return page;
  }

  /** Returns the heights of the article in a browser and in the estimate, at both widths. */
  async function heightsOf(page: Page, changes: Partial<Article>): Promise<readonly (readonly [number, number])[]> {
    const article = sampleArticle(undefined, { ...PLAIN, ...changes });
    const { narrowPx, widePx } = estimateHeights(article);
    await page.goto(serveEmbed({}, { article, state: article.content === null ? 'NO_ARTICLE' : 'SHOWN' }));
    const actual: (readonly [number, number])[] = [];
    for (const [i, width] of WIDTHS.entries()) {
      await page.setViewportSize({ width, height: 900 });
      actual.push([await contentHeightOf(page.mainFrame()), [narrowPx, widePx][i] ?? 0]);
    }
    return actual;
  }

  test.each([
    ['paragraphs', `<p>${LINE}</p>`],
    ['headings', `<p>${LINE}</p><h2>Two</h2>`],
    ['subheadings', `<p>${LINE}</p><h3>Three</h3>`],
    ['small headings', `<p>${LINE}</p><h4>Four</h4>`],
    ['items', '<p>One</p><ul><li>One</li><li>Two</li><li>Three</li><li>Four</li><li>Five</li></ul>'],
    ['captions of pictures', PICTURE],
    ['tables', '<div class="embed-table"><table><tr><td>a</td></tr><tr><td>b</td></tr></table></div>'],
    ['code', '<pre><code>One\nTwo\nThree</code></pre>'],
    ['rules', `<p>${LINE}</p><hr>`],
  ])('follows the style sheet for %s', async (_what, content) => {
    const page = await openPageWithPicture();
    const few = await heightsOf(page, { content });
    const many = await heightsOf(page, { content: content.repeat(TIMES) });
    for (const [i, [actual, estimate]] of many.entries()) {
      const [fewActual, fewEstimate] = few[i] ?? [0, 0];
      const perBlock = (actual - fewActual) / (TIMES - 1);
      expect(Math.abs((estimate - fewEstimate) / (TIMES - 1) - perBlock) / perBlock, `${WIDTHS[i]} px`).toBeLessThan(
        0.12,
      );
    }
  });

  test.each<[what: string, article: Partial<Article>]>([
    ['an article', { content: `<p>${LINE}</p>` }],
    ['an author', { content: `<p>${LINE}</p>`, byline: 'Ada Holm' }],
    ['a main picture', { content: `<p>${LINE}</p>`, hero: { url: IMAGE, alt: '', width: 1200, height: 630 } }],
    ['a small main picture', { content: `<p>${LINE}</p>`, hero: { url: IMAGE, alt: '', width: 200, height: 100 } }],
    ['a card', { content: null }],
    ['a card with a description', { content: null, description: LINE }],
    ['a card with a picture', { content: null, image: IMAGE }],
  ])('follows the style sheet for %s', async (_what, article) => {
    const page = await openPageWithPicture();
    for (const [i, [actual, estimate]] of (await heightsOf(page, article)).entries()) {
      // one line more or less, because fonts differ
      expect(Math.abs(estimate - actual), `${WIDTHS[i]} px: ${estimate} for ${actual}`).toBeLessThan(29);
    }
  });

  test.each<[what: string, changes: Partial<Article>]>([
    ['an article', { content: `<p>${LINE}</p>` }],
    ['a card', { content: null }],
  ])('includes the control of the colour mode of %s', async (_what, changes) => {
    const page = await openPage();
    const article = sampleArticle(undefined, { ...PLAIN, ...changes });
    const heightsIn = async (mode: 'LIGHT' | 'USER_DEFINED') => {
      await page.goto(serveEmbed({ mode }, { article, state: article.content === null ? 'NO_ARTICLE' : 'SHOWN' }));
      const heights: number[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        heights.push(await contentHeightOf(page.mainFrame()));
      }
      return heights;
    };
    const embed = { title: 'Title', pageUrl: 'https://example.com/' } as const;
    const known = article.content === null ? null : estimateHeights(article);
    const [light, chosen] = [await heightsIn('LIGHT'), await heightsIn('USER_DEFINED')];
    const [plain, added] = (['LIGHT', 'USER_DEFINED'] as const).map((mode) =>
      heightsWithMode({ ...embed, mode }, known),
    );
    for (const [i, name] of (['narrowPx', 'widePx'] as const).entries()) {
      const actual = (chosen[i] ?? 0) - (light[i] ?? 0);
      expect(Math.abs((added?.[name] ?? 0) - (plain?.[name] ?? 0) - actual), `${name}: ${actual}`).toBeLessThan(2);
    }
  });
});
