import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { collectFaults, noBrowser, openPage, violationsOf } from '../../../test/browser.ts';
import { openService } from '../../../test/open-service.ts';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const MAX_OPERATION_HEIGHT = 2_800;

/** A page of each kind: prose, tables, an operation of GraphQL, one of REST. */
const KINDS = ['/docs', '/docs/guides/next', '/docs/tokens', '/docs/graphql/embedChanged', '/docs/rest/createEmbed'];

/** The operations with the most parameters. */
const LONG_OPERATIONS = ['/docs/rest/listEmbeds', '/docs/graphql/embeds'];

/** The number of pixels by which the content is wider than the window. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

test.skipIf(noBrowser)(
  'the pages are accessible in both schemes, fit narrow screens, and operations are short',
  async () => {
    const { origin } = await openService();
    const page = await openPage({ viewport: NARROW });
    const faults = collectFaults(page, { isAllowedUrl: (url) => url.startsWith(origin) || url.startsWith('data:') });
    for (const [i, path] of KINDS.entries()) {
      await page.emulateMedia({ colorScheme: i % 2 === 0 ? 'dark' : 'light' });
      await page.goto(origin + path);
      if (path.includes('/rest/')) await page.locator('.trial summary').click();
      expect([path, await overflowOf(page), await violationsOf(page)]).toEqual([path, 0, []]);
    }
    await page.setViewportSize(WIDE);
    for (const path of LONG_OPERATIONS) {
      await page.goto(origin + path);
      expect([path, await overflowOf(page), (await heightOf(page)) < MAX_OPERATION_HEIGHT]).toEqual([path, 0, true]);
    }
    expect(faults).toEqual([]);
  },
);
