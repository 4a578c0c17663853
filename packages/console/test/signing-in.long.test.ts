import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CLIENT, openProvider } from '../../../test/auth/identity-providers.ts';
import { noBrowser } from '../../../test/browser.ts';
import { abortRequest, type Gateway, openGateway, signIn, useBrowser, withoutStreams } from './open-console.ts';

describe.skipIf(noBrowser)('signing in', () => {
  const browser = useBrowser();

  test('an invalid token shows the message of the API beside the field, and ACCESS_TOKEN signs in', async () => {
    const gateway = await openGateway({ accessToken: 'a token of my own' });
    const page = await browser.open();
    await page.goto(`${gateway.origin}/`);
    const field = page.getByLabel('Access token');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill('emb_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The token is not complete or was changed').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-describedby')).toContain('token-fault');
    await field.fill('emb_wröng');
    await page.keyboard.press('Enter');
    await page.getByText('The token contains characters').waitFor();
    await field.fill(' a token of my own ');
    await page.keyboard.press('Enter');
    await page.getByText('Create your first embed').waitFor();
  });

  test('one sign-in serves all tabs, and signing out in one tab ends it and erases the data in all', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const bob = await gateway.join('bob');
    await gateway.seed('ada', ['Diary']);
    const page = await browser.open();
    const other = await page.context().newPage();
    await other.goto(`${gateway.origin}/`);
    await other.getByLabel('Access token').waitFor();
    await signIn(page, gateway, ada.token);
    // a tab that is open signs in, and so does a new one
    await other.getByRole('link', { name: 'Diary', exact: true }).waitFor();
    const third = await page.context().newPage();
    await third.goto(`${gateway.origin}/#/new`);
    await third.getByLabel('Page URL').fill('https://example.com/secret-plan');
    const [cookie, ...others] = await page.context().cookies();
    expect(cookie).toMatchObject({ domain: 'localhost', httpOnly: true, sameSite: 'Strict' });
    expect(others).toEqual([]);
    for (const tab of [page, other, third]) expect(await storageOf(tab)).not.toContain('emb_');

    await page.getByRole('button', { name: 'Account ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, other, third]) {
      await tab.getByLabel('Access token').waitFor();
      expect(await storageOf(tab)).not.toContain('emb_');
      expect(await tab.getByText('Diary').count()).toBe(0);
    }
    await third.getByText('You signed out in another tab.').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await third.getByText('Your unsaved changes are kept.').count()).toBe(0);
    await page.reload();
    await page.getByLabel('Access token').fill(bob.token);
    await page.keyboard.press('Enter');
    for (const tab of [page, other]) await tab.getByText('Create your first embed').waitFor();
    expect(await other.getByText('Diary').count()).toBe(0);
    await third.goto(`${gateway.origin}/#/new`);
    await expect.poll(() => third.getByLabel('Page URL').inputValue()).toBe('');
  });

  test('a person signs in by the provider, returns to the same place, and changes the account', async () => {
    let origin = '';
    const claims = { name: 'Ada Lovelace', roles: ['admin', 'sales:viewer'] };
    const issuer = await openProvider(() => `${origin}/sign-in/callback`, claims);
    const gateway = await openGateway({ oidc: { issuer, roleClaim: 'roles', ...CLIENT } });
    origin = gateway.origin;
    const page = await browser.open();
    await page.goto(`${origin}/#/tokens`);
    const button = page.getByRole('button', { name: 'Sign in with your company’s account' });
    await button.waitFor();
    await keepPicture(page, 'sign-in');
    await signInByProvider(page);
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    expect(page.url()).toBe(`${origin}/#/tokens`);
    const graphiql = await page.context().newPage();
    await graphiql.goto(`${origin}/graphql`);
    await expect
      .poll(() => graphiql.locator('#token-state').textContent())
      .toBe('You are signed in, also to the console.');
    const menu = page.getByRole('button', { name: 'Account default' });
    await menu.click();
    await page.getByText('Ada Lovelace: read, write, admin').waitFor();
    await keepPicture(page, 'account-menu');
    await page.getByRole('button', { name: 'Switch to sales' }).click();
    await page.getByText('Viewer', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Account sales' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await button.waitFor();
    expect(await page.context().cookies(origin)).not.toContainEqual(
      expect.objectContaining({ httpOnly: true, sameSite: 'Strict' }),
    );
  });

  test('deletions of all tabs are sent before the account changes, and a change that fails keeps the session', async () => {
    let origin = '';
    const issuer = await openProvider(() => `${origin}/sign-in/callback`, { roles: ['admin', 'sales:editor'] });
    const gateway = await openGateway({ oidc: { issuer, roleClaim: 'roles', ...CLIENT } });
    origin = gateway.origin;
    await gateway.join('default');
    await gateway.seed('default', ['Diary', 'Week']);
    const page = await browser.open({ isShared: false });
    await page.goto(`${origin}/`);
    await signInByProvider(page);
    const other = await page.context().newPage();
    await other.goto(`${origin}/`);
    const switchTo = async (account: string) => {
      await page.getByRole('button', { name: /^Account / }).click();
      await page.getByRole('button', { name: `Switch to ${account}` }).click();
    };
    await page.getByRole('link', { name: 'New embed' }).click();
    await page.getByLabel('Page URL').fill('https://example.com/plan');
    await other.route('**/graphql', abortRequest);
    await other.getByRole('button', { name: 'Delete Week' }).click();
    await other.getByText('“Week” was deleted.').waitFor();
    await page.route('**/session', abortRequest);
    await switchTo('sales');
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await page.getByLabel('Page URL').inputValue()).toBe('https://example.com/plan');
    await page.unroute('**/session');
    await other
      .getByText('The service did not confirm the deletion of “Week”. The service cannot be reached.')
      .waitFor();
    await other.unroute('**/graphql');

    await page.goto(`${origin}/#/`);
    await page.getByRole('button', { name: 'Delete Diary' }).click();
    await other.getByRole('button', { name: 'Delete Week' }).click();
    await other.getByText('“Week” was deleted.').waitFor();
    await switchTo('sales');
    for (const tab of [page, other]) {
      await tab.getByText('Create your first embed').waitFor();
      await tab.getByRole('button', { name: 'Account sales' }).waitFor();
    }
    await switchTo('default');
    await page.getByRole('button', { name: 'Account default' }).waitFor();
    await page.getByText('Create your first embed').waitFor();
  });

  test('a tab shows the account of a token with which GraphiQL signs in, and changes nothing there before', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const bob = await gateway.join('bob');
    await gateway.seed('ada', ['Diary']);
    await gateway.seed('bob', ['Recipes']);
    const page = await browser.open({ isShared: false });
    await signIn(page, gateway, ada.token);
    const other = await page.context().newPage();
    await other.goto(`${gateway.origin}/#/new`);
    await other.getByLabel('Page URL').fill('https://example.com/secret-plan');
    const graphiql = await page.context().newPage();
    await graphiql.goto(`${gateway.origin}/graphql`);
    const sent: string[] = [];
    const messages: string[] = [];
    await other.exposeFunction('note', (message: string) => messages.push(message));
    await other.evaluate(() => {
      const channel = new BroadcastChannel('embed-gateway:session');
      channel.onmessage = ({ data }) => (window as unknown as { note(message: string): void }).note(data);
    });
    page.context().on('request', (request) => {
      if (request.postData()?.includes('DeleteEmbed')) sent.push('deletion');
      if (request.url().endsWith('/session')) sent.push('session');
    });
    const signInWith = async (token: string) => {
      await graphiql.locator('#token').fill(token);
      await graphiql.getByRole('button', { name: 'Sign in' }).click();
    };
    await signInWith('emb_✓');
    await graphiql.getByText('The token contains characters').waitFor();
    await signInWith('emb_wrong');
    await graphiql.getByText('The token is not complete or was changed').waitFor();
    expect([sent, messages]).toEqual([[], []]);
    await page.getByRole('button', { name: 'Delete Diary' }).click();
    await signInWith(bob.token);
    await page.getByRole('link', { name: 'Recipes', exact: true }).waitFor();
    expect(sent).toEqual(['deletion', 'session']);
    await expect.poll(async () => (await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(0);
    await other.getByRole('link', { name: 'Recipes', exact: true }).waitFor();
    await other.goto(`${gateway.origin}/#/new`);
    expect(await other.getByLabel('Page URL').inputValue()).toBe('');
    // a tab that gets no message finds out by its next request
    await graphiql.evaluate((token) => {
      const body = JSON.stringify({ token });
      return fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }, ada.token);
    await page.getByText('You were signed out.').waitFor();
  });

  test('a first visit sends no request that is refused', async () => {
    const gateway = await openGateway();
    const page = await browser.open();
    const refused: string[] = [];
    page.on('response', (response) => void (response.ok() || refused.push(response.url())));
    await page.goto(`${gateway.origin}/`);
    await page.getByLabel('Access token').waitFor();
    await page.waitForLoadState('networkidle');
    expect(refused).toEqual([]);
  });

  test('the form to sign in means that the session has ended, or says that it has not', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, token);
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/session', async (route) => {
      await isAnswered;
      await abortRequest(route);
    });
    await page.getByRole('button', { name: 'Account ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signing out…').waitFor();
    expect(await page.getByLabel('Access token').count()).toBe(0);
    answer();
    await page.getByText('This browser is still signed in. The service cannot be reached.').waitFor();
    await page.getByLabel('Access token').waitFor();
    expect(await page.context().cookies()).toHaveLength(1);
  });

  test('a revoked token ends the session without any action of the user', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, token);
    await page.getByText('Create your first embed').waitFor();
    await revokeTokens(gateway);
    await page.getByText('You were signed out.').waitFor();
    expect(await page.getByText('Your unsaved changes are kept.').count()).toBe(0);
  });

  test('a request with a revoked token returns to the sign-in page, and unsaved changes survive signing in again', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open();
    await withoutStreams(page);
    await signIn(page, gateway, token);
    await page.getByRole('link', { name: 'Create your first embed' }).click();
    await page.getByLabel('Page URL').fill(gateway.pageOf('Week'));
    await revokeTokens(gateway);
    // the gateway accepts a known token without a new lookup for at most 4 s
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 4_100);
    onTestFinished(() => clock.mockRestore());
    await page.getByRole('button', { name: 'Create embed' }).click();
    await page
      .getByText(
        'You were signed out. The session has ended: it was signed out, has expired, or its token was revoked.',
      )
      .waitFor();

    await page.getByLabel('Access token').fill((await gateway.join('ada')).token);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Page URL').inputValue()).toBe(gateway.pageOf('Week'));
  });

  test('unsaved account settings are not shown to a token that cannot save them', async () => {
    const gateway = await openGateway();
    const { token } = await gateway.join('ada');
    const page = await browser.open();
    await withoutStreams(page);
    await signIn(page, gateway, token);
    await page.goto(`${gateway.origin}/#/account`);
    await page.getByLabel('Allowed sites').fill('example.com');
    await revokeTokens(gateway);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 4_100);
    onTestFinished(() => clock.mockRestore());
    const save = page.getByRole('button', { name: 'Save settings' });
    await save.click();
    await page.getByLabel('Access token').fill((await gateway.join('ada', ['read'])).token);
    await page.keyboard.press('Enter');
    const sites = page.getByLabel('Allowed sites');
    await expect.poll(() => sites.isDisabled()).toBe(true);
    expect([await sites.inputValue(), await save.isDisabled()]).toEqual(['', true]);
  });

  test('a read-only token shows all embeds but no way to change them', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const reader = await gateway.join('ada', ['read']);
    const page = await browser.open();
    await signIn(page, gateway, reader.token);
    await page.getByText('Read-only token').waitFor();
    await page.getByText('This account has no embeds yet.').waitFor();
    expect(await page.getByText('curl').count()).toBe(0);
    expect(await page.getByRole('listitem').count()).toBe(0);
    await ada.create({ page_url: gateway.pageOf('Diary') });
    await page.getByRole('link', { name: 'Diary', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'New embed' }).count()).toBe(0);
    await page.locator('.page-status').getByText('Gone').waitFor();
    for (const name of ['Delete Diary', 'Refresh Diary']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await page.getByRole('link', { name: 'Diary', exact: true }).click();
    await page.getByText('This token is read-only.').waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
    expect(await page.getByLabel('Page URL').isDisabled()).toBe(true);
    await page.frameLocator('.preview iframe').getByRole('heading', { name: 'Diary' }).waitFor();
    await page.getByRole('button', { name: 'Copy HTML' }).waitFor();
  });
});

async function signInByProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with your company’s account' }).click();
  await page.locator('[name=login]').fill('ada-1');
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Keeps pictures in the folder SCREENSHOTS, if it is set. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  for (const colorScheme of folder ? (['light', 'dark'] as const) : []) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
}

function storageOf(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
}

async function revokeTokens({ database }: Gateway): Promise<void> {
  for (const { id } of await database.tokens.list()) await database.tokens.revoke(id, new Date());
}
