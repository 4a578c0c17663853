import { describe, expect, test } from 'vitest';
import { noBrowser, violationsOf } from '../../../../test/browser.ts';
import { abortRequest, openGateway, signIn, useBrowser } from '../open-console.ts';

const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const;

describe.skipIf(noBrowser)('settings of embeds and of the account', () => {
  const browser = useBrowser();

  test('the form of an embed sets its sites, its expiry and its look, shows faults at their fields, and keeps the rest', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create({ page_url: gateway.articleOf('Meal Planner') });
    const settings = async () => {
      const { body } = await ada.rest('GET', `/v1/embeds/${id}/settings`);
      const { allowed_sites, expires_at, watch, look } = body.settings;
      return { allowed_sites, expires_at, watch, look };
    };
    const page = await browser.open({ timezoneId: 'America/New_York' });
    await signIn(page, gateway, ada.token);
    await page.goto(`${gateway.origin}/#/embeds/${id}`);
    const save = page.getByRole('button', { name: 'Save changes' });
    const preview = page.frameLocator('.stage iframe:last-child');
    const accent = () =>
      preview.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--accent'));
    await preview.getByRole('heading', { name: 'Meal Planner' }).waitFor();
    await page.getByText('Sites, expiry and checks').click();
    await page.getByText('Look', { exact: true }).click();

    // the preview follows the look
    await page.getByLabel('Accent colour', { exact: true }).fill('#b3261e');
    await expect.poll(accent).toContain('#b3261e');
    await page.getByLabel('Choose the accent colour').fill('#00695c');
    await expect.poll(accent).toContain('#00695c');
    await page.getByLabel('Last line').selectOption('Shown');
    await expect.poll(() => preview.locator('.branding').count()).toBe(1);

    await page.getByLabel('Checks of the page').selectOption('Also every hour');

    // all faults at once, each at its field, which opens again for it
    await page.getByLabel('Allowed sites').fill('example.com\nhttps://nonsense');
    await page.getByLabel('Text width').fill('wide');
    await page.getByLabel('Text size').fill('99');
    await page.getByLabel('Corner radius').fill('1.5');
    await page.getByLabel('Logo URL').fill('logo');
    await page.getByText('Look', { exact: true }).click();
    await save.click();
    const fault = (path: string) => page.locator(`[id="${path}-fault"]`).textContent();
    await expect.poll(() => fault('allowedSites')).toContain('not "https://nonsense"');
    expect(await fault('look.width')).toBe('The text width must be a whole number from 320 to 1200, or FULL.');
    expect(await fault('look.baseSize')).toBe('The text size must be a whole number from 14 to 22.');
    expect(await fault('look.radius')).not.toBe('');
    expect(await fault('look.logoUrl')).toBe('The logo URL must be an absolute http or https URL.');
    const sites = page.getByLabel('Allowed sites');
    await expect.poll(() => sites.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Text width').isVisible()).toBe(true);
    expect(await settings()).toEqual({ allowed_sites: null, expires_at: null, watch: 'off', look: null });
    await shoot('faults');

    await sites.fill(' Example.com \n\n*.bücher.example');
    await page.getByLabel('Text width').fill('full');
    await page.getByLabel('Text size').fill('18');
    await page.getByLabel('Corner radius').fill('0');
    await page.getByLabel('Logo URL').fill('');
    await page.getByLabel('Expiry', { exact: true }).fill('2036-01-31T12:00');
    await shoot('embed');
    await save.click();
    await page.getByText('Changes saved.').waitFor();
    const look = { accent_color: '#00695c', width: 'full', base_size: 18, radius: 0, logo_url: null, branding: true };
    const stored = {
      allowed_sites: ['example.com', '*.xn--bcher-kva.example'],
      expires_at: '2036-01-31T17:00:00.000Z',
      watch: 'hourly',
      look,
    };
    expect(await settings()).toEqual(stored);

    // another client changes a setting, and the form follows; what it does not touch stays
    await ada.rest('PATCH', `/v1/embeds/${id}/settings`, { look: { base_size: 20 } });
    await page.goto(`${gateway.origin}/#/embeds/${id}`);
    await expect.poll(() => page.getByLabel('Text size').inputValue()).toBe('20');
    expect(await page.getByLabel('Text width').inputValue()).toBe('FULL');
    expect(await sites.inputValue()).toBe('example.com\n*.xn--bcher-kva.example');
    expect(await page.getByLabel('Expiry', { exact: true }).inputValue()).toBe('2036-01-31T12:00');
    await page.getByRole('button', { name: 'Never expires' }).click();
    await page.getByLabel('Checks of the page').selectOption('When it is viewed');
    await page.getByLabel('Last line').selectOption('Like the account');
    await save.click();
    await page.getByText('Changes saved.').first().waitFor();
    await expect.poll(settings).toEqual({
      ...stored,
      expires_at: null,
      watch: 'off',
      look: { ...look, base_size: 20, branding: null },
    });

    async function shoot(name: string) {
      for (const [colorScheme, width] of LOOKS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await violationsOf(page, { iframes: false }), `${name} ${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        if (process.env.SCREENSHOTS)
          await page.screenshot({
            path: `${process.env.SCREENSHOTS}/${name}-${colorScheme}-${width}.png`,
            fullPage: true,
          });
      }
    }
  });

  test('an expiry that is not complete is no expiry that was removed', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const { id } = await ada.create({ page_url: gateway.pageOf('Diary') });
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.goto(`${gateway.origin}/#/embeds/${id}`);
    await page.getByText('Sites, expiry and checks').click();
    await page.getByLabel('Expiry', { exact: true }).focus();
    await page.keyboard.type('01312036');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The expiry must be a time').waitFor();
    await page.getByRole('button', { name: 'Never expires' }).click();
    expect(await page.locator('#expiresAt-fault').textContent()).toBe('');
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
  });

  test('admins set the sites and the look of the account, and others only read them', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await ada.rest('PATCH', '/v1/account', { look: { accent_color: '#b3261e', radius: 4 } });
    const account = async () => (await ada.rest('GET', '/v1/account')).body.account;
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.goto(`${gateway.origin}/#/account`);
    await page.getByText('The preview shows the newest embed of the account.').waitFor();
    await page.goto(`${gateway.origin}/#/`);
    await ada.create({ page_url: gateway.articleOf('Meal Planner') });
    await page.getByRole('button', { name: 'Account ada' }).click();
    await page.getByRole('link', { name: 'Account settings' }).click();
    const preview = page.frameLocator('.stage iframe:last-child');
    const styles = () => preview.locator('style').allTextContents();
    await preview.getByRole('heading', { name: 'Meal Planner' }).waitFor();
    expect(await page.title()).toBe('Account settings · Embed Gateway');
    await expect.poll(async () => (await styles()).join('')).toContain('#b3261e');
    // a member that is removed has the usual value, and not the stored one
    await page.getByLabel('Accent colour', { exact: true }).fill('');
    await expect.poll(async () => (await styles()).join('')).not.toContain('#b3261e');
    expect((await styles()).join('')).toContain('border-radius:4px');

    await page.getByLabel('Allowed sites').fill('10.0.0.1');
    const save = page.getByRole('button', { name: 'Save settings' });
    await save.click();
    await page.getByText('The allowed sites must be hosts such as example.com').waitFor();
    await page.getByLabel('Allowed sites').fill('example.com');

    // edits survive another page, and a page that was not loaded loads again
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
    await page.route('**/graphql', abortRequest);
    await page.goBack();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/graphql');
    await again.click();
    await expect.poll(() => page.getByLabel('Allowed sites').inputValue()).toBe('example.com');
    expect(await page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('');
    for (const [colorScheme, width] of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page, { iframes: false }), `${colorScheme} ${width}`).toEqual([]);
      if (process.env.SCREENSHOTS)
        await page.screenshot({
          path: `${process.env.SCREENSHOTS}/account-${colorScheme}-${width}.png`,
          fullPage: true,
        });
    }
    await save.click();
    await page.getByText('Account settings saved.').waitFor();
    expect(await account()).toMatchObject({ allowed_sites: ['example.com'], look: { accent_color: null, radius: 4 } });
    expect(await save.isDisabled()).toBe(true);
    // the browser would block the frame in the list
    await page.getByRole('link', { name: 'Embeds', exact: true }).click();
    await page.getByText('Shown on its sites only').waitFor();

    const reader = await gateway.join('ada', ['read']);
    const other = await browser.open();
    await signIn(other, gateway, reader.token);
    await other.getByRole('button', { name: 'Account ada' }).click();
    expect(await other.getByRole('link', { name: 'Account settings' }).count()).toBe(0);
    await other.goto(`${gateway.origin}/#/account`);
    await expect.poll(() => other.getByLabel('Allowed sites').inputValue()).toBe('example.com');
    expect(await other.getByLabel('Allowed sites').isDisabled()).toBe(true);
    await other.getByText('To change them, sign in with a token that has the scope “admin”.').waitFor();
  });
});
