import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../../test/browser.ts';
import { sampleArticle } from '../samples.ts';
import {
  contentHeightOf,
  expectFit,
  frameAt,
  hasSidewaysScroll,
  openPage,
  saveScreenshot,
  useEmbeds,
} from './embeds-in-browser.ts';

const CONTENT = `<p>The first sentence. The second one, with <em>two</em> words in italics.</p>
<h2 id="s-wheels">Ten wheels</h2><p>${'The sea rises. '.repeat(200)}</p><h3>A rope</h3><p>It is long.</p>`;

/** Replaces the voices of the browser by one that says a sentence at once, and records it. */
const VOICE = `window.said = []; window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, 'speechSynthesis', { value: { cancel() { window.held = true; }, speak(one) {
  window.said.push([one.text, one.lang]); window.last = one; if (window.said.length !== 2) setTimeout(() => one.onend()); } } });`;

describe.skipIf(noBrowser)("the reader's controls", () => {
  const { serveEmbed, snippetOf, openHost, script } = useEmbeds();
  const serveArticle = () => serveEmbed({}, { article: sampleArticle(undefined, { content: CONTENT }) });
  const buttonOf = (page: Page) => page.getByRole('button', { name: 'Reading settings' });
  const sizeOf = (page: Page) =>
    page.locator('.content').evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
  /** Lets a page read its text aloud. `said` returns its sentences so far, with their languages. */
  const listen = async () => {
    const page = await openPage({ isShared: false });
    await page.addInitScript(VOICE);
    await page.goto(
      serveEmbed({}, { article: sampleArticle(undefined, { content: CONTENT, byline: null, publishedAt: null }) }),
    );
    await buttonOf(page).click();
    await page.getByRole('button', { name: 'Listen' }).click();
    const said = () => page.evaluate(() => (window as unknown as { said: [string, string][] }).said);
    return { page, said };
  };

  test('are closed by default, open by keyboard, and close with Escape', async () => {
    const page = await openPage();
    await page.goto(serveArticle());
    const panel = page.getByRole('region', { name: 'Reading settings' });
    expect(await panel.count()).toBe(0);
    const before = await contentHeightOf(page.mainFrame());
    await buttonOf(page).focus();
    await page.keyboard.press('Enter');
    expect(await panel.isVisible()).toBe(true);
    expect(await buttonOf(page).getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-name'))).toBe('size');
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    expect(await buttonOf(page).evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await contentHeightOf(page.mainFrame())).toBe(before);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
  });

  test('keep the focus in the contents when the text is updated', async () => {
    const page = await openPage();
    await page.goto(serveArticle());
    await buttonOf(page).click();
    const link = page.locator('.reader nav a').nth(1);
    await link.focus();
    const text = await link.innerText();
    await page.evaluate(() => document.dispatchEvent(new Event('updated')));
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(text);
  });

  test('change text size, font and width, and remember them', async () => {
    const page = await openPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(serveArticle());
    const [size, width] = [await sizeOf(page), (await page.locator('.content').boundingBox())?.width ?? 0];
    await buttonOf(page).click();
    await page.getByLabel('Text size').selectOption('Large');
    await page.getByLabel('Font').selectOption('Serif');
    await page.getByLabel('Width').selectOption('Wide');
    const expectChosen = async () => {
      expect((await sizeOf(page)) / size).toBeCloseTo(1.15, 2);
      expect((await page.locator('.content').boundingBox())?.width).toBeGreaterThan(width * 1.3);
      expect(await page.locator('.content').evaluate((one) => getComputedStyle(one).fontFamily)).toContain('Georgia');
    };
    await expectChosen();
    await page.reload();
    await expectChosen();
    await buttonOf(page).click();
    await page.getByLabel('Text size').selectOption('Standard');
    expect(await sizeOf(page)).toBe(size);
  });

  test('work without storage, in a sandbox without an origin, and the frame follows their height', async () => {
    const page = await openPage({ viewport: { width: 320, height: 700 } });
    const url = serveArticle();
    await openHost(page, snippetOf(url).replace('allow-same-origin', '') + script());
    // waits for the frame
    await page.frameLocator('iframe').getByRole('button', { name: 'Reading settings' }).click();
    const frame = frameAt(page, url);
    await expect(frame.evaluate(() => localStorage.length)).rejects.toThrow(/SecurityError/);
    await page.frameLocator('iframe').getByLabel('Text size').selectOption('Largest');
    expect(await frame.evaluate(() => document.documentElement.dataset.size)).toBe('largest');
    expect(await hasSidewaysScroll(frame)).toBe(false);
  });

  test('fit on a phone and are accessible in light and dark, also with the largest text', async () => {
    const page = await openPage({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
    for (const mode of ['LIGHT', 'DARK', 'USER_DEFINED'] as const) {
      await page.goto(serveEmbed({ mode }, { article: sampleArticle(undefined, { content: CONTENT }) }));
      await buttonOf(page).click();
      for (const size of ['Standard', 'Largest']) {
        await page.getByLabel('Text size').selectOption(size);
        expect(await hasSidewaysScroll(page), `${mode} ${size}`).toBe(false);
        await expect.poll(() => violationsOf(page), { message: mode }).toEqual([]);
        await saveScreenshot(page, `reader-${mode.toLowerCase()}-${size.toLowerCase()}`);
      }
    }
  });

  test('fit on a phone and in a column beside long titles and headings, and the tools of tables with long columns', async () => {
    const name = 'Share of households with access to the internet at home';
    const rows = Array.from({ length: 12 }, (_, i) => `<tr><td>Port ${i}</td><td>${name} ${i}</td></tr>`).join('');
    const table = `<div class="embed-table"><table><thead><tr><th>Port</th><th>${name}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    const content = `<h2>One</h2><h2><code>Intl.DateTimeFormat.prototype.formatRangeToParts()</code></h2>${table}`;
    const title = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
    for (const width of [240, 320, 390]) {
      const page = await openPage({ viewport: { width, height: 640 }, locale: 'fr', hasTouch: true, isMobile: true });
      await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content, title }) }));
      await page.getByRole('button', { name: 'Réglages de lecture' }).click();
      const sizes = await page
        .locator('select, input')
        .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)));
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
      await page.getByLabel('Taille du texte').selectOption('largest');
      await page.getByLabel('Filtrer par').selectOption(name);
      expect(await hasSidewaysScroll(page), `${width}`).toBe(false);
      await saveScreenshot(page, `reader-long-${width}`);
    }
  });

  test('list the headings, mark the current one, and lead to each', async () => {
    const page = await openPage({ viewport: { width: 700, height: 500 } });
    await page.goto(serveArticle());
    await buttonOf(page).click();
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['Ten wheels', 'A rope']);
    const current = () => page.locator('.reader [aria-current="true"]').allInnerTexts();
    await expect.poll(current).toEqual([]);
    await links.first().click();
    await expect.poll(current).toEqual(['Ten wheels']);
    await page.emulateMedia({ forcedColors: 'active' });
    const widths = await links.evaluateAll((all) => all.map((link) => getComputedStyle(link).borderInlineStartWidth));
    expect(widths).toEqual(['3px', '0px']);
    await page.emulateMedia({ forcedColors: null });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Ten wheels');
    await page.evaluate(() => scrollTo(0, 1e6));
    await expect.poll(current).not.toEqual([]);
    await links.last().press('Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('A rope');
    // as links in the text
    await page.goBack();
    expect(new URL(page.url()).hash).toBe(await links.first().getAttribute('href'));
  });

  test('lead to the right heading after an update has added one before it', async () => {
    const page = await openPage({ viewport: { width: 700, height: 500 } });
    const headings = ['Wheels', 'Ropes'].map((name) => `<h2>${name}</h2><p>${'The sea rises. '.repeat(200)}</p>`);
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content: headings.join('') }) }));
    await buttonOf(page).click();
    await page
      .locator('.content h2')
      .first()
      .evaluate((heading) => {
        const added = heading.cloneNode(true) as HTMLElement;
        added.removeAttribute('id');
        added.textContent = 'Sails';
        heading.before(added);
        document.dispatchEvent(new Event('updated'));
      });
    const link = page.locator('.reader nav a', { hasText: 'Wheels' });
    await link.click();
    expect(await page.locator(':target').innerText()).toBe('Wheels');
  });

  test('list headings with line breaks or only a picture', async () => {
    const page = await openPage();
    const picture = '<img src="data:," alt="Logo">';
    const content = `<h2>Bread<br>and salt</h2><p>The sea rises.</p><h2>${picture}</h2><p>It falls.</p>`;
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content }) }));
    await buttonOf(page).click();
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['Bread and salt', 'Logo']);
  });

  test.each([
    [
      [2, 3, 4],
      ['0px', '18.5px', '37px'],
    ],
    [
      [3, 4, 5, 6],
      ['0px', '18.5px', '37px'],
    ],
    [
      [5, 6],
      ['0px', '18.5px'],
    ],
    [
      [4, 4, 4],
      ['0px', '0px', '0px'],
    ],
  ])('list the headings of an article with the ranks %j, from its highest one', async (ranks, indents) => {
    const page = await openPage();
    const content = ranks.map((rank) => `<h${rank}>Rank ${rank}</h${rank}><p>The sea rises.</p>`).join('');
    await page.goto(serveEmbed({}, { article: sampleArticle(undefined, { content }) }));
    await buttonOf(page).click();
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    const shown = await links.evaluateAll((all) => all.map((link) => getComputedStyle(link).marginInlineStart));
    expect(shown).toEqual(indents);
  });

  test('mark no change of a time that is written in the form of the reader', async () => {
    const page = await openPage({ locale: 'en-US' });
    const time = '<time datetime="2026-03-12T19:30" class="moment">12 March, half past seven</time>';
    const url = serveEmbed({}, { article: sampleArticle(undefined, { content: `<p>${time}</p>${CONTENT}` }) });
    const open = async () => {
      await page.goto(url);
      await expect.poll(() => page.locator('.content time').innerText()).toContain('Thursday');
      await buttonOf(page).click();
    };
    await open();
    await page.goto('about:blank');
    await open();
    const button = page.getByRole('button', { name: 'What changed' });
    expect(await button.isVisible()).toBe(false);
    await page.locator('[data-name=changes]').evaluate((one: HTMLElement) => one.click());
    expect(await page.locator('#reader output').textContent()).toBe('');
  });

  test('mark no change of a long table that was sorted, and lead to changes that a filter does not hide, also in closed details', async () => {
    const page = await openPage();
    const rows = Array.from({ length: 600 }, (_, i) => `<tr><td>Port ${i}</td><td>${(i * 7) % 600}</td></tr>`).join('');
    const table = `<div class="embed-table"><table><thead><tr><th>Port</th><th>Height</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    const contentOf = (answer: string) => `${table}<details><summary>More</summary><p>${answer}</p></details>`;
    const url = serveEmbed({}, { article: sampleArticle(undefined, { content: contentOf('Old.') }) });
    const button = page.getByRole('button', { name: 'What changed' });
    await page.goto(url);
    await page.getByRole('button', { name: 'Height', exact: true }).click();
    await page.goto('about:blank');
    await page.goto(url);
    await buttonOf(page).click();
    expect(await button.isVisible()).toBe(false);
    await page.getByLabel('Search the table').fill('Port 9');
    await page.evaluate(() => {
      for (const node of document.querySelectorAll('tr:nth-child(3) td, details p')) node.textContent = 'New.';
      document.dispatchEvent(new Event('updated'));
    });
    await button.click();
    const focused = page.locator('details p:focus');
    expect(await focused.isVisible()).toBe(true);
    expect(await page.locator('#reader output').innerText()).toMatch(/: 3$/);
  });

  test('read captions and summaries aloud, and nothing that is hidden; go on after a repeated sentence', async () => {
    const page = await openPage({ isShared: false });
    await page.addInitScript(VOICE.replace('!== 2', '!== 4'));
    const content =
      '<p>Yes.</p><p>No.</p><details><summary>Why?</summary><p>Hidden.</p></details><p>Yes.</p><p>Perhaps.</p>';
    const article = sampleArticle(undefined, { content, byline: null, publishedAt: null });
    await page.goto(serveEmbed({}, { article }));
    await buttonOf(page).click();
    await page.getByRole('button', { name: 'Listen' }).click();
    const said = () => page.evaluate(() => (window as unknown as { said: [string][] }).said.map(([text]) => text));
    await expect.poll(said).toEqual(['Yes.', 'No.', 'Why?', 'Yes.']);
    await page.evaluate(() => {
      document.dispatchEvent(new Event('updated'));
      (window as unknown as { last: SpeechSynthesisUtterance }).last.onend?.({} as never);
    });
    await expect.poll(async () => (await said()).at(-1)).toBe('Perhaps.');
  });

  test('read aloud formulas of one line, whose signs say what they are, and no others', async () => {
    const page = await openPage({ isShared: false });
    await page.addInitScript(VOICE);
    const content = `<p>If <math><mi>x</mi><mo>&gt;</mo><mn>3</mn></math>, take
      <math><msup><mi>x</mi><mn>2</mn></msup></math> of it.</p>`;
    await page.goto(
      serveEmbed({}, { article: sampleArticle(undefined, { content, byline: null, publishedAt: null }) }),
    );
    await buttonOf(page).click();
    await page.getByRole('button', { name: 'Listen' }).click();
    const said = () => page.evaluate(() => (window as unknown as { said: [string][] }).said.map(([text]) => text));
    await expect.poll(async () => String(await said()).replace(/\s+/g, ' ')).toBe('If x>3, take of it.');
  });

  test('read lines of one paragraph, also of the source, as words of one sentence, and no signs alone', async () => {
    const page = await openPage({ isShared: false });
    await page.addInitScript(VOICE);
    const content = '<p>Quay 2<br><b>Leith</b><br>at\nnoon. <a href="#s-mark">↩</a><br></p>';
    await page.goto(
      serveEmbed({}, { article: sampleArticle(undefined, { content, byline: null, publishedAt: null }) }),
    );
    await buttonOf(page).click();
    await page.getByRole('button', { name: 'Listen' }).click();
    const said = () => page.evaluate(() => (window as unknown as { said: [string][] }).said.map(([text]) => text));
    await expect.poll(said).toEqual(['Quay 2 Leith at noon. ']);
  });

  test('read the text aloud sentence by sentence, and continue where they stopped', async () => {
    const { page, said } = await listen();
    await expect.poll(said).toEqual([
      ['The first sentence. ', 'en-GB'],
      ['The second one, with two words in italics.', 'en-GB'],
    ]);
    expect(await page.evaluate(() => CSS.highlights.get('spoken')?.size)).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
    await page.getByRole('button', { name: 'Listen' }).click();
    await expect.poll(async () => (await said()).length).toBeGreaterThan(4);
    expect((await said()).slice(2, 4).map(([text]) => text)).toEqual([
      'The second one, with two words in italics.',
      'Ten wheels',
    ]);
  });

  test('read aloud after the same sentence when the page is updated', async () => {
    const { page, said } = await listen();
    await expect.poll(async () => (await said()).length).toBe(2);
    await page.evaluate(() => {
      document.dispatchEvent(new Event('updated'));
      (window as unknown as { last: SpeechSynthesisUtterance }).last.onend?.({} as never);
    });
    await expect.poll(async () => (await said())[2]?.[0]).toBe('Ten wheels');
  });

  test('copy a link to the selected passage of the source', async () => {
    const page = await openPage();
    const context = page.context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(serveArticle());
    await buttonOf(page).click();
    const copy = page.getByRole('button', { name: 'Copy link to selection' });
    await copy.click();
    expect(await page.getByRole('status').innerText()).toBe('Select a passage first.');
    const select = (from: string, to: string) =>
      page.evaluate(
        ([first, last]) => {
          const [start, end] = [document.querySelector(first ?? ''), document.querySelector(last ?? '')];
          if (start && end) getSelection()?.setBaseAndExtent(start, 0, end, end.childNodes.length);
        },
        [from, to],
      );
    const copied = async () => {
      await copy.click();
      expect(await page.getByRole('status').innerText()).toBe('Link copied.');
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await select('em', 'em');
    expect(await copied()).toBe('https://example.com/tides?a=1&b=2#:~:text=two');
    // a part of the word
    await page.evaluate(() => {
      const word = document.querySelector('em')?.firstChild;
      if (word) getSelection()?.setBaseAndExtent(word, 1, word, 2);
    });
    expect(await copied()).toBe('https://example.com/tides?a=1&b=2#:~:text=two');
    // a part of a word that an element divides, before and after a line break
    const wordAt = async (html: string) => {
      await page.evaluate((markup) => {
        const paragraph = document.querySelector('.content p') as HTMLElement;
        paragraph.innerHTML = markup;
        const part = paragraph.querySelector('b')?.firstChild as Text;
        getSelection()?.setBaseAndExtent(part, 0, part, part.length);
      }, html);
      return (await copied()).split('=').at(-1);
    };
    expect(await wordAt('all<br>un<b>see</b>n<br>waves')).toBe('unseen');
    expect(await wordAt('all <i>un</i><b>see</b>')).toBe('unsee');
    expect(await wordAt('all <b>un</b><i>seen</i> waves')).toBe('unseen');
    // the mark of a note is a part of the word, as browsers find it
    expect(await wordAt('all <b>waves</b><sup><a href="#s-fn">1</a></sup>')).toBe('waves1');
    await page.reload();
    await buttonOf(page).click();
    await select('.content p', '.content h2');
    expect(await copied()).toBe('https://example.com/tides?a=1&b=2#:~:text=The%20first%20sentence.%20The,Ten%20wheels');
  });

  test('print in a tab of their own, because sandboxes forbid it', async () => {
    const page = await openPage({ isShared: false });
    const url = serveArticle();
    await page.context().addInitScript('window.print = () => { document.title = "printed"; }');
    await openHost(page, snippetOf(url) + script());
    await expectFit(page, url);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Reading settings' }).click();
    const [tab] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('link', { name: 'Print' }).click()]);
    await expect.poll(() => tab.title()).toBe('printed');
    expect(tab.url()).toBe(url);
    await tab.reload();
    expect(await tab.title()).not.toBe('printed');
  });
});
