import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../../test/browser.ts';
import { renderReaderError } from '../../src/render/error-page.ts';
import { ARABIC, sampleArticle } from '../samples.ts';
import {
  coloursOf,
  DARK,
  expectFit,
  frameAt,
  hasSidewaysScroll,
  heightOf,
  openPage,
  saveScreenshot,
  useEmbeds,
} from './embeds-in-browser.ts';
import { servedPage } from './local-sites.ts';

describe.skipIf(noBrowser)('in a browser', () => {
  const { origin, serve, articleWithPicture, serveEmbed, snippetOf, openHost } = useEmbeds();

  describe.each([
    { mode: 'LIGHT', systems: ['dark'] },
    { mode: 'DARK', systems: ['light'] },
    { mode: 'AUTO', systems: ['light', 'dark'] },
    { mode: 'USER_DEFINED', systems: ['light', 'dark'] },
  ] as const)('mode $mode', ({ mode, systems }) => {
    test.each(systems)('is accessible and fits on a phone, on a %s system', async (colorScheme) => {
      const page = await openPage({ colorScheme, reducedMotion: 'reduce' });
      const article = articleWithPicture({ content: null });
      const screens = { article: serveEmbed({ mode }), card: serveEmbed({ mode }, { article }) };
      for (const [name, url] of Object.entries(screens)) {
        await page.setViewportSize({ width: 900, height: 900 });
        await page.goto(url);
        expect(await violationsOf(page), name).toEqual([]);
        const picture = `${mode.toLowerCase()}-${name}-${colorScheme}`;
        await saveScreenshot(page, picture);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await hasSidewaysScroll(page)).toBe(false);
        await saveScreenshot(page, `${picture}-phone`);
        // the script of the page makes what scrolls focusable after the next frame
        await expect.poll(() => violationsOf(page), { message: `${name} on a phone` }).toEqual([]);
      }
    });
  });

  test('embeds without a top bar, right-to-left and pending ones, and error pages are accessible', async () => {
    const page = await openPage();
    const card = articleWithPicture({ content: null });
    const serveError = (...[error, requestId]: Parameters<typeof renderReaderError>) => {
      const url = `${origin('01kb3x5rj2v7q9m4t8d6w0h1cz')}/${error}${requestId ?? ''}`;
      serve(url, servedPage(renderReaderError(error, requestId)));
      return url;
    };
    const screens = {
      'without-bar': serveEmbed({ showTopBar: false }),
      'card-without-bar': serveEmbed({ showTopBar: false }, { article: card }),
      arabic: serveEmbed({ mode: 'USER_DEFINED' }, { article: sampleArticle(undefined, ARABIC) }),
      pending: serveEmbed({}, { article: { ...card, description: null, image: null }, state: 'PENDING' }),
      'not-found': serveError('notFound'),
      busy: serveError('unavailable'),
      broken: serveError('unavailable', '5f4f2b8e53a54b0e9b0c0c5b6b0e5b0a'),
    };
    for (const [name, url] of Object.entries(screens)) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(url);
      expect(await violationsOf(page), name).toEqual([]);
      await saveScreenshot(page, name);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await hasSidewaysScroll(page)).toBe(false);
      await expect.poll(() => violationsOf(page), { message: `${name} on a phone` }).toEqual([]);
      await saveScreenshot(page, `${name}-phone`);
      await page.setViewportSize({ width: 900, height: 900 });
    }
  });

  test.each(['allow-scripts allow-same-origin', 'allow-scripts'])(
    'the control works without storage, on another site with sandbox="%s"',
    async (sandbox) => {
      const page = await openPage({ colorScheme: 'light', isComplete: true });
      const url = serveEmbed({ mode: 'USER_DEFINED' });
      await openHost(page, `<iframe src="${url}" sandbox="${sandbox}" height="600"></iframe>`);
      const frame = frameAt(page, url);
      await expect(frame.evaluate(() => localStorage.length)).rejects.toThrow(/SecurityError/);
      await page.frameLocator('iframe').locator('label.dark').click();
      expect(await coloursOf(frame)).toEqual(DARK);
    },
  );

  test('the height follows the content between processes, as on desktop computers', async () => {
    const page = await openPage({ isolateSites: true });
    const url = serveEmbed();
    await openHost(page, snippetOf(url));
    const before = await expectFit(page, url);
    await frameAt(page, url).evaluate(() => {
      const box = document.createElement('div');
      box.style.height = '500px';
      document.getElementById('embed')?.append(box);
    });
    await expect.poll(() => heightOf(page)).toBe(before + 500);
  });
});
