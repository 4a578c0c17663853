import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { collectFaults, noBrowser, openPage, violationsOf } from '../browser.ts';
import { openApp, shareApp } from '../open-app.ts';
import { openService } from '../open-service.ts';

const gateway = shareApp();

test('serves the page without a token, compressed, with a policy that allows no other host', async () => {
  const client = gateway.withAuthorization(null);
  const response = await client.fetch('/graphql', { headers: { accept: 'text/html', 'accept-encoding': 'gzip' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src( 'sha256-[\w+/=]+')+;/);
  expect(policy).not.toMatch(/https?:/);
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  const off = (await openApp({ graphiql: false })).withAuthorization(null);
  expect((await off.fetch('/graphql', { headers: { accept: 'text/html' } })).status).toBe(401);
});

test('links only the parts that the service has', async () => {
  const linksOf = async (overrides: Partial<Config>, path: string) => {
    const client = (await openApp(overrides)).withAuthorization(null);
    const html = await (await client.fetch(path, { headers: { accept: 'text/html' } })).text();
    const links = html.matchAll(/<a href="(\/[\w.]*)">(?:Console|GraphiQL|Docs|OpenAPI)<\/a>/g);
    return [...new Set([...links].map(([, href]) => href))];
  };
  expect(await linksOf({}, '/graphql')).toEqual(['/', '/docs']);
  expect(await linksOf({ console: false }, '/graphql')).toEqual(['/docs']);
  expect(await linksOf({}, '/docs')).toEqual(['/', '/graphql', '/openapi.json']);
  expect(await linksOf({ console: false, graphiql: false }, '/docs')).toEqual(['/openapi.json']);
});

test('sends at most 1 MB to a browser, whatever coding it accepts', async () => {
  const client = gateway.withAuthorization(null);
  for (const coding of ['gzip', 'br']) {
    const response = await client.fetch('/graphql', { headers: { accept: 'text/html', 'accept-encoding': coding } });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(1_000_000);
  }
});

/** Pastes like the browser does: the page has no permission to fill the clipboard. */
function pasteIntoFocused(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
}

test.skipIf(noBrowser)(
  'runs the example after a token was exchanged for a session, a text right after it was pasted, and a subscription until it is stopped',
  async () => {
    const { as, origin, logged } = await openService();
    const ada = await as('ada');
    const page = await openPage();
    const faults = collectFaults(page, {
      isAllowedUrl: (url) => /^(blob:|data:)?(http:\/\/127\.0\.0\.1|image|font)/.test(url),
      isExpectedError: (line) => /^Failed to load resource: .* 401 /.test(line),
    });

    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(`${origin}/graphql`);
    await expect
      .poll(() => page.locator('.result-window').textContent())
      .toMatch(/Sign\s+in\s+at\s+the\s+top[\s\S]*"UNAUTHENTICATED"/);
    expect(sent).not.toContain('POST /graphql');
    const state = page.locator('#token-state');
    await page.getByLabel('Access token').fill('emb_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect
      .poll(() => state.textContent())
      .toBe('The token is not complete or was changed: its checksum is wrong. Copy all 53 characters again.');
    await page.getByLabel('Access token').fill(ada.authorization.replace('Bearer ', ''));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => state.textContent()).toBe('You are signed in, also to the console.');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('emb_');
    const run = async (operation: string) => {
      await page.getByRole('button', { name: /execute/i }).click();
      await page.getByRole('menuitem', { name: operation }).click();
    };
    await run('CreateEmbed');
    await expect.poll(() => page.locator('.result-window').textContent()).toContain('Meal-Planner');
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1);
    await page.getByLabel('Show Documentation Explorer').click();
    await page.getByText('CreateEmbedInput').first().waitFor();

    await page.reload();
    await run('ListEmbeds');
    await expect.poll(() => page.locator('.result-window').textContent()).toContain('totalCount');
    const begun = page.waitForResponse(
      (response) => response.headers()['content-type']?.includes('event-stream') ?? false,
    );
    await run('WatchEmbeds');
    await begun;
    const shown = () => page.locator('.result-window').textContent();
    const { id } = await ada.create();
    await expect.poll(shown).toMatch(/CREATED/);
    await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
    await expect.poll(shown).toMatch(/UPDATED[\s\S]*DARK/);
    const streams = () => logged.filter((line) => 'path' in line && line.path === '/graphql' && 'ms' in line);
    const before = streams().length;
    await page.getByRole('button', { name: /stop/i }).click();
    await expect.poll(() => streams().length).toBe(before + 1);

    // GraphiQL shows tabs only if there are several
    expect(await page.getByRole('tab').count()).toBe(0);
    await page.getByLabel('Show History').click();
    await page.locator('.graphiql-history-item-label').first().waitFor();
    await page.getByLabel('Show GraphiQL Explorer').click();
    await page.locator('.graphiql-explorer-root').waitFor();

    const editor = page.locator('.graphiql-query-editor .CodeMirror');
    for (const [text, result] of [
      ['query Pasted { pasted: embeds(first: 2) { totalCount } }', '"pasted"'],
      ['{ embeds(', 'Syntax Error: Expected Name, found <EOF>.'],
    ] as const) {
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.evaluate(pasteIntoFocused, text);
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => page.locator('.result-window').textContent()).toContain(result);
      expect(await page.locator('.result-window').textContent()).not.toContain('stack');
    }
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(2);
    // GraphiQL does not catch the rejection of a request that it aborts, before its response or within it
    const aborted = ['signal is aborted without reason', 'BodyStreamBuffer was aborted'];
    expect(faults.filter((fault) => !aborted.includes(fault))).toEqual([]);
  },
);

test.skipIf(noBrowser)('is accessible in both schemes, with its panels open', async () => {
  const { as, origin } = await openService();
  const ada = await as('ada');
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPage({ colorScheme });
    const check = async (state: string) =>
      expect([colorScheme, state, await violationsOf(page)]).toEqual([colorScheme, state, []]);
    await page.goto(`${origin}/graphql`);
    await expect.poll(() => page.locator('.result-window').textContent()).toContain('UNAUTHENTICATED');
    await check('without a token');
    await page.getByLabel('Access token').fill(ada.authorization.replace('Bearer ', ''));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed in, also to the console.').waitFor();
    await page.getByLabel('Show Documentation Explorer').click();
    await page.locator('.graphiql-doc-explorer-type-name').first().waitFor();
    await check('documentation');
    await page.getByLabel('Show GraphiQL Explorer').click();
    await page.locator('.graphiql-explorer-root').waitFor();
    await check('explorer');
    await page.getByRole('button', { name: /execute/i }).click();
    await page.getByRole('menuitem', { name: 'ListEmbeds' }).click();
    await expect.poll(() => page.locator('.result-window').textContent()).toContain('totalCount');
    await check('result');
  }
});

test.skipIf(noBrowser)(
  'on a phone, the page is as wide as the screen, and the response is below the query',
  async () => {
    const { as, origin } = await openService();
    const { authorization } = await as('ada');
    const page = await openPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await page.goto(`${origin}/graphql`);
    await page.locator('.result-window').waitFor();
    expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])).toEqual([390, 390]);
    const state = page.locator('#token-state');
    for (const [token, message] of [
      [null, 'Enter a token to sign in.'],
      ['emb_x', 'The token is '],
      [authorization, 'You are signed in, also to the console.'],
    ] as const) {
      if (token) {
        await page.getByLabel('Access token').fill(token);
        await page.getByRole('button', { name: 'Sign in' }).click();
      }
      await expect.poll(() => state.textContent()).toContain(message);
      const cut = (element: Element) =>
        Math.max(element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight);
      expect([message, await state.evaluate(cut)]).toEqual([message, 0]);
      expect(await page.locator('#token-bar').evaluate(cut)).toBe(0);
    }
    for (const name of ['Console', 'Docs']) await page.getByRole('link', { name }).click({ trial: true });
    const [query, response] = await Promise.all(
      ['.graphiql-query-editor', '.graphiql-response'].map((part) => page.locator(part).boundingBox()),
    );
    expect(response?.y).toBeGreaterThan((query?.y ?? 0) + (query?.height ?? 0));
    expect(response?.width).toBeGreaterThan(280);
    expect(response?.height).toBeGreaterThan(280);
  },
);
