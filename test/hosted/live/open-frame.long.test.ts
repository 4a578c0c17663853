import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPage } from '../../../packages/frame/test/browser/embeds-in-browser.ts';
import { openLocalSites, servedHtml } from '../../../packages/frame/test/browser/local-sites.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { noBrowser, openPage as openAnyPage } from '../../browser.ts';
import { findFreePort } from '../../free-port.ts';
import { openApp } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';

const line = (i: number) => `<p>Line ${i} of the article, which the reader scrolls through at leisure on this day.</p>`;
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i)).join('');
const NOTE =
  '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>Salt it.</p></div>';
const DETAILS =
  '<details><summary>More about yeast</summary><p>It sleeps in the cold and wakes in the warm.</p></details>';

/** Opens a gateway on a port, an embed of a source that changes, and a site for pages around it. */
async function openGateway(first: string | Promise<string>) {
  const port = await findFreePort();
  const { app, as } = await openApp({ allowPrivatePages: true, embedHost: `embeds.localhost:${port}` });
  const answers: number[] = [];
  const listener = await listen({ port, host: '127.0.0.1', handle: app.handle });
  onTestFinished(() => listener.close(0));
  const source: { html: string | Promise<string> } = { html: first };
  const site = await openSite(async (_request, response) => {
    const html = await source.html;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  // its title is in its URL, so that a create does not fetch it
  const pageUrl = `${site.origin}/Bread-95747105f402490eba51d52e00496c1c`;
  const ada = await as('ada');
  const embed = await ada.create({ page_url: pageUrl });
  const refresh = () => ada.rest('POST', `/v1/embeds/${embed.id}/refresh`);
  const sites = await openLocalSites();
  onTestFinished(sites.close);
  return {
    ada,
    embed,
    scriptUrl: `http://localhost:${port}/embed.js`,
    answers,
    refresh,
    async change(html: string) {
      source.html = html;
      // one refresh of an embed in 10 s: another embed of the page refreshes it
      const other = await ada.create({ page_url: pageUrl });
      await ada.rest('POST', `/v1/embeds/${other.id}/refresh`);
    },
    /** Opens the embed in a frame of another site, with a shorter interval between its requests. */
    async openFrame(page: Page, attributes: string, script = '') {
      page.on('response', (response) => {
        if (response.url() === embed.embed_url && response.request().resourceType() === 'fetch')
          answers.push(response.status());
      });
      const url = `${sites.origin('blog')}/`;
      const frame = `<iframe src="${embed.embed_url}" width="600" ${attributes}></iframe>`;
      await page.addInitScript(() => {
        const wait = window.setTimeout;
        const shorten = (work: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
          const run = () => {
            work();
            document.documentElement.dataset.ticks = 'some';
          };
          return wait(ms === 45_000 ? run : work, ms === 45_000 ? 200 : ms, ...values);
        };
        Object.assign(window, { setTimeout: shorten });
      });
      page.setDefaultTimeout(8_000);
      sites.serve(url, servedHtml(`<style>iframe{border:0;display:block}</style>${frame}${script}`));
      await page.goto(url);
      return page.frameLocator('iframe');
    },
  };
}

describe.skipIf(noBrowser)('an open frame', () => {
  test('takes a new version without losing the place, open details or a selection', async () => {
    const { refresh, change, openFrame, answers } = await openGateway(articlePage('Bread', DETAILS + lines(0, 60)));
    await refresh();
    const page = await openPage({ isShared: false });
    const frame = await openFrame(page, 'height="500"');
    await frame.getByText('More about yeast').click();
    const seen = frame.getByText('Line 40 of');
    await seen.evaluate((node) => {
      node.scrollIntoView();
      getSelection()?.selectAllChildren(node);
      Object.assign(node, { isKept: true });
    });
    const place = () => seen.evaluate((node) => Math.round(node.getBoundingClientRect().top));
    const before = await place();
    const request = await page.waitForRequest((one) => one.resourceType() === 'fetch');
    // by this a gateway tells it from a load, and looks for a copy of another gateway
    expect(await request.headerValue('cache-control')).toBe('no-cache');
    await expect.poll(() => answers.includes(304)).toBe(true);
    await change(articlePage('Bread', DETAILS + line(1_000) + lines(0, 10) + NOTE + lines(12, 61)));
    await frame.getByText('Line 1000 of').waitFor({ state: 'attached' });
    expect(await frame.getByText('Line 10 of').count()).toBe(0);
    expect(await frame.getByText('Line 60 of').count()).toBe(1);
    expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
    expect(await seen.evaluate((node) => [String(getSelection()).slice(0, 7), 'isKept' in node])).toEqual([
      'Line 40',
      true,
    ]);
    expect(await frame.locator('details').evaluate((node) => (node as HTMLDetailsElement).open)).toBe(true);
    expect(await frame.locator('[aria-live]').innerText()).toBe('The text was updated.');
    // the first version needed no styles for notes
    const edge = () => frame.locator('.callout').evaluate((node) => getComputedStyle(node).borderLeftWidth);
    expect([await edge(), await frame.locator('style').count()]).toEqual(['4px', 0]);
    // from then on it has the tag of the new version
    const count = answers.length;
    await expect.poll(() => answers.length).toBeGreaterThan(count + 2);
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
  });

  test('keeps the order, the search and the filter that the reader has chosen for a table', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, i) => `<tr><td>Flour ${i}</td><td>${(i * 7) % 40}</td></tr>`).join('');
    const table = (count: number) =>
      `<table><thead><tr><th>Kind</th><th>Grams</th></tr></thead><tbody>${rows(count)}</tbody></table>`;
    const { refresh, change, openFrame } = await openGateway(articlePage('Bread', lines(0, 5) + table(20)));
    await refresh();
    const page = await openPage({ isShared: false });
    const frame = await openFrame(page, 'height="500"');
    await frame.getByRole('button', { name: 'Grams' }).click();
    await frame.getByRole('button', { name: 'Grams' }).click();
    await frame.getByLabel('Search the table').fill('1');
    await frame.getByLabel('Filter by').selectOption('Grams');
    await frame.getByLabel('To', { exact: true }).fill('30');
    const shown = () => frame.locator('tbody tr:not([hidden]) td:first-child').allInnerTexts();
    const before = await shown();
    expect(before.length).toBeGreaterThan(3);
    await change(articlePage('Bread', lines(0, 5) + table(22)));
    await frame.getByRole('cell', { name: 'Flour 21' }).waitFor();
    await expect
      .poll(() => frame.getByRole('columnheader', { name: 'Grams' }).getAttribute('aria-sort'))
      .toBe('descending');
    expect(await frame.locator('.table-tools').count()).toBe(1);
    expect(await frame.getByLabel('Search the table').inputValue()).toBe('1');
    expect(await frame.getByLabel('To', { exact: true }).inputValue()).toBe('30');
    // row 21 has 27 grams
    const after = await shown();
    expect(after.filter((name) => name !== 'Flour 21')).toEqual(before);
    expect(after).toContain('Flour 21');

    // a new first column
    await frame.getByRole('button', { name: 'Grams' }).focus();
    await change(articlePage('Bread', lines(0, 5) + table(22).replaceAll(/<tr>(?=<(t.))/g, '<tr><$1>new</$1>')));
    await frame.getByRole('cell', { name: 'new' }).first().waitFor();
    await expect
      .poll(() => frame.getByRole('columnheader', { name: 'Grams' }).getAttribute('aria-sort'))
      .toBe('descending');
    expect(await frame.locator('tbody tr:not([hidden]) td:nth-child(2)').allInnerTexts()).toEqual(after);
    expect(await frame.locator(':focus').innerText()).toBe('Grams');
  });

  test('keeps what is in the language of the reader, such as the open controls', async () => {
    const { refresh, change, openFrame } = await openGateway(articlePage('Bread', lines(0, 20)));
    await refresh();
    const page = await openPage({ isShared: false, locale: 'de' });
    const frame = await openFrame(page, 'height="500"');
    await frame.getByRole('button', { name: 'Leseeinstellungen' }).click();
    const size = frame.getByLabel('Schriftgröße');
    await size.focus();
    await change(articlePage('Bread', lines(0, 10) + lines(11, 22)));
    await frame.getByText('Line 21 of').waitFor({ state: 'attached' });
    expect(await size.evaluate((select) => select === document.activeElement)).toBe(true);
    expect(await frame.locator('[aria-live]').innerText()).toBe('Der Text wurde aktualisiert.');
    expect(await frame.locator('.end').innerText()).toContain('Quelle:');
  });

  test.each([
    ['that scrolls', ''],
    [
      'with an element that scrolls',
      `<div id="box"></div><script>box.attachShadow({ mode: 'open' }).innerHTML = '<div style="height:90vh;overflow:auto"><slot>';
        box.append(document.querySelector('iframe'))</script>`,
    ],
    [
      'with an element that cuts it off',
      `<div id="box" style="height:5000px;overflow:hidden"></div><div style="height:2000px"></div>
        <script>box.append(document.querySelector('iframe'))</script>`,
    ],
    [
      'with an element that only scripts scroll',
      `<div style="height:600px;overflow:hidden"></div><script>document.querySelector('div').append(document.querySelector('iframe'))</script>`,
    ],
  ])('as high as its content, lets the script of a host page %s keep the place', async (_page, markup) => {
    const { refresh, change, openFrame, scriptUrl } = await openGateway(articlePage('Bread', lines(0, 60)));
    await refresh();
    const page = await openPage({ isShared: false });
    const script = `<script async src="${scriptUrl}"></script>`;
    const frame = await openFrame(page, 'height="600"', markup + script);
    await expect.poll(() => page.locator('iframe').evaluate((one) => one.clientHeight)).toBeGreaterThan(2_000);
    await frame.getByText('Line 40 of').evaluate((node) => node.scrollIntoView());
    // a reader scrolls what can be scrolled
    await page.evaluate(() => {
      const box = document.getElementById('box');
      scrollBy(0, box?.scrollTop ?? 0);
      if (box) box.scrollTop = 0;
    });
    const place = async () => Math.round((await frame.getByText('Line 40 of').boundingBox())?.y ?? Number.NaN);
    await expect.poll(place).toBeLessThan(900);
    const before = await place();
    const scrolledBy = () => page.evaluate(() => document.getElementById('box')?.scrollTop);
    const boxBefore = await scrolledBy();
    await change(articlePage('Bread', lines(100, 110) + lines(0, 60)));
    await frame.getByText('Line 105 of').waitFor({ state: 'attached' });
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
    expect(await scrolledBy()).toBe(boxBefore);
  });

  test('goes back to the new version of a link that was followed', async () => {
    const mark = (text: string) => `<p>${text} <a href="#rye">rye</a>, which grows on poor soil.</p>`;
    const rest = `${lines(0, 60)}<p id="rye">Rye is a grass.</p>${lines(60, 80)}`;
    const { refresh, change, openFrame, scriptUrl } = await openGateway(articlePage('Bread', mark('Of') + rest));
    await refresh();
    const page = await openPage({ isShared: false });
    const frame = await openFrame(page, 'height="600"', `<script async src="${scriptUrl}"></script>`);
    await expect.poll(() => page.locator('iframe').evaluate((one) => one.clientHeight)).toBeGreaterThan(2_000);
    await frame.getByRole('link', { name: 'rye' }).click();
    const topOf = async (text: string) => (await frame.getByText(text).boundingBox())?.y ?? Number.NaN;
    await expect.poll(() => topOf('Rye is a grass.')).toBeLessThan(100);
    await change(articlePage('Bread', mark('Made of') + rest));
    await frame.getByText('Made of').waitFor({ state: 'attached' });
    await page.evaluate(() => history.back());
    await expect.poll(() => topOf('Made of')).toBeGreaterThan(0);
    expect(await frame.locator(':focus').innerText()).toBe('rye');
  });

  test('marks what changed since the last visit, and what changes while it is open', async () => {
    const { refresh, change, embed, openFrame } = await openGateway(articlePage('Bread', lines(0, 20)));
    await refresh();
    const page = await openPage({ isShared: false });
    await openFrame(page, 'height="500"');
    const button = page.getByRole('button', { name: 'What changed' });
    const marked = () => page.locator('.changed').allInnerTexts();
    const open = async () => {
      await page.goto(embed.embed_url);
      await page.getByRole('button', { name: 'Reading settings' }).click();
    };
    await open();
    expect(await button.isVisible()).toBe(false);
    await page.goto('about:blank');
    await change(articlePage('Bread', lines(0, 5) + line(100) + lines(6, 20)));
    await open();
    await button.click();
    expect((await marked()).map((text) => text.slice(0, 8))).toEqual(['Line 100']);
    expect(await page.locator('#reader output').innerText()).toMatch(/^New or changed since \w+ \d+, \d{4}, .*: 1$/);
    await change(articlePage('Bread', line(101) + lines(0, 5) + line(100) + lines(6, 20)));
    await expect.poll(async () => (await marked()).map((text) => text.slice(0, 8))).toEqual(['Line 101', 'Line 100']);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(
      await page.locator('.changed').evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle)),
    ).toEqual(['solid', 'solid']);
    await page.emulateMedia({ forcedColors: null });
    await button.click();
    expect(await marked()).toEqual([]);
    await open();
    expect(await button.isVisible()).toBe(false);
  });

  test('sends no request while it is not on the screen', async () => {
    const { refresh, change, openFrame, answers } = await openGateway(articlePage('Bread', lines(0, 5)));
    await refresh();
    const page = await openPage({ isShared: false });
    const frame = await openFrame(page, 'height="300" style="margin-block:3000px"');
    await frame.getByText('Line 4 of').waitFor();
    await change(articlePage('Bread', lines(100, 105)));
    await frame.locator('html[data-ticks]').waitFor({ state: 'attached' });
    expect(answers).toEqual([]);
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await frame.getByText('Line 104 of').waitFor();
  });

  test('in a sandbox without an origin, takes a new version too', async () => {
    const { refresh, change, openFrame } = await openGateway(articlePage('Bread', lines(0, 5)));
    await refresh();
    const page = await openPage({ isShared: false });
    const frame = await openFrame(page, 'height="300" sandbox="allow-scripts"');
    await frame.getByText('Line 4 of').waitFor();
    await change(articlePage('Bread', lines(100, 105)));
    await frame.getByText('Line 104 of').waitFor();
  });

  test('shows the article once a page is read that was slow to come', async () => {
    const slow = Promise.withResolvers<string>();
    const { openFrame } = await openGateway(slow.promise);
    const page = await openPage({ isShared: false });
    const frame = await openFrame(page, 'height="300"');
    await frame.getByText('Still loading.').waitFor();
    slow.resolve(articlePage('Bread', lines(0, 5)));
    await frame.getByText('Line 4 of').waitFor();
  });

  test.each([
    ['deleted', 'Embed not found', 'DELETE', '', undefined],
    ['expired', 'The owner has ended this embed.', 'PATCH', '/settings', { expires_at: '2026-01-01T00:00:00Z' }],
  ] as const)('of an embed that is %s says "%s"', async (_state, text, method, path, body) => {
    const { ada, embed, refresh, openFrame } = await openGateway(articlePage('Bread', lines(0, 5)));
    await refresh();
    const page = await openAnyPage();
    const frame = await openFrame(page, 'height="300"');
    await frame.getByText('Line 4 of').waitFor();
    expect((await ada.rest(method, `/v1/embeds/${embed.id}${path}`, body)).status).toBeLessThan(300);
    await frame.getByText(text).waitFor();
    expect(await frame.getByText('Line 4 of').count()).toBe(0);
  });

  test('replaces a card by the article', async () => {
    const { refresh, openFrame, change } = await openGateway('<title>Empty</title>');
    await refresh();
    const page = await openPage({ isShared: false });
    const frame = await openFrame(page, 'height="300"');
    await frame.getByText('This page has no article').waitFor();
    await change(articlePage('Bread', lines(100, 105)));
    await frame.getByText('Line 104 of').waitFor();
    await frame.getByRole('button', { name: 'Reading settings' }).waitFor();
  });
});
