import { expect, test } from 'vitest';
import { noBrowser } from '../../../../test/browser.ts';
import { renderFrame } from '../../src/render/frame.ts';
import { sampleArticle, sampleView } from '../samples.ts';
import { expectFit, openPage, useEmbeds } from './embeds-in-browser.ts';
import { servedPage } from './local-sites.ts';

const LINES = '<p>The tides of the harbours were measured by hand, and the tables say when.</p>'.repeat(60);
const NOTE = '<details><summary>Notes</summary><p id="s-caf\u00e9">A note. <a href="#s-mark">Back</a></p></details>';
const CONTENT = `<p id="s-mark">A mark <a href="#s-caf%C3%A9">1</a></p>${LINES}${NOTE}${LINES}<p>The <a href="#s-caf%C3%A9">last</a> mark</p>`;

const embeds = useEmbeds();

test.skipIf(noBrowser)('links in an embed scroll the page around its frame, and so do Back and Forward', async () => {
  const { serveEmbed, openHost, snippetOf, script, serve } = embeds;
  const placeUrl = '/whole#s-caf%C3%A9';
  const article = sampleArticle(undefined, { content: CONTENT });
  const url = serveEmbed({}, { article, placeUrl });
  const wholeUrl = url.replace('/page', '/whole');
  const page = await openPage({ isolateSites: true });
  await openHost(page, `<div style="height:700px"></div>${snippetOf(url)}${script()}`);
  await expectFit(page, url);
  const frame = page.frameLocator('iframe');
  const topOf = async (text: string) => Math.round((await frame.getByText(text).boundingBox())?.y ?? Number.NaN);
  await frame.getByRole('link', { name: '1', exact: true }).click();
  await expect.poll(() => topOf('A note.')).toBeLessThan(100);
  expect(await frame.locator(':target').innerText()).toContain('A note.');
  await frame.getByRole('link', { name: 'Back' }).click();
  await expect.poll(() => topOf('A mark')).toBeGreaterThan(-10);
  const isInSight = async (text: string) => {
    const top = await topOf(text);
    return top > 0 && top < 900;
  };
  await page.evaluate(() => history.back());
  await expect.poll(() => isInSight('A note.')).toBe(true);
  expect(await frame.locator(':target').innerText()).toContain('A note.');
  await page.evaluate(() => history.back());
  await expect.poll(() => isInSight('A mark')).toBe(true);
  expect(await frame.locator(':focus').innerText()).toBe('1');
  await page.evaluate(() => history.forward());
  await expect.poll(() => isInSight('A note.')).toBe(true);
  // a link to the place where the reader is adds nothing to the history
  await frame.getByRole('link', { name: 'last' }).click();
  await page.evaluate(() => history.back());
  await expect.poll(() => isInSight('A mark')).toBe(true);
  await page.evaluate(() => history.forward());
  await expect.poll(() => isInSight('A note.')).toBe(true);

  serve(wholeUrl, servedPage(renderFrame(sampleView({}, { article: { ...article, title: 'All' } }))));
  await frame.locator('.part a').click();
  await frame.getByRole('heading', { name: 'All' }).waitFor();
  await expect.poll(() => topOf('A note.')).toBeLessThan(100);
});

test.skipIf(noBrowser)('Back from a heading leads to the bar if the contents were closed', async () => {
  const { serveEmbed, openHost, snippetOf, script } = embeds;
  const article = sampleArticle(undefined, { content: `${LINES}<h2>One</h2>${LINES}<h2>Two</h2>${LINES}` });
  const url = serveEmbed({}, { article });
  const page = await openPage({ isolateSites: true });
  await openHost(page, `<div style="height:700px"></div>${snippetOf(url)}${script()}`);
  await expectFit(page, url);
  const frame = page.frameLocator('iframe');
  const button = frame.getByRole('button', { name: 'Reading settings' });
  await button.click();
  await frame.locator('.reader nav a').last().click();
  await button.evaluate((node: HTMLElement) => node.click());
  const topOf = async () => (await button.boundingBox())?.y ?? Number.NaN;
  expect(await topOf()).toBeLessThan(0);
  await page.evaluate(() => history.back());
  await expect.poll(topOf).toBeGreaterThan(0);
});
