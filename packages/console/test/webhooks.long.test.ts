import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../test/browser.ts';
import { openReceiver, verify } from '../../../test/webhooks/receiver.ts';
import { abortRequest, openGateway, signIn, useBrowser } from './open-console.ts';

const PHONE = { width: 375, height: 760 };

/** Returns the smallest distance between neighbouring parts of a form, in pixels. */
function smallestGap(form: Locator): Promise<number> {
  return form.evaluate(({ children }) => {
    const boxes = Array.from(children, (child) => child.getBoundingClientRect());
    return Math.min(...boxes.slice(1).map(({ top }, i) => top - (boxes[i]?.bottom ?? 0)));
  });
}

describe.skipIf(noBrowser)('webhooks', () => {
  const browser = useBrowser();

  test('creates a webhook, tests it, sends an event again, rotates its secret, changes it, and deletes it', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const receiver = await openReceiver();
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('This account has no webhooks.').waitFor();
    expect(await page.title()).toBe('Webhooks · Embed Gateway');

    expect(await smallestGap(page.getByRole('form', { name: 'New webhook' }))).toBeGreaterThan(12);
    const url = page.getByLabel('URL', { exact: true });
    await url.fill('nowhere');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('The URL must be an absolute http or https URL.').waitFor();
    await url.fill(receiver.origin);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const panel = page.getByRole('region', { name: 'Copy the secret now' });
    const secret = await panel.locator('code').innerText();
    await panel.getByRole('button', { name: 'Done' }).click();

    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: receiver.origin }) });
    await page.setViewportSize(PHONE);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await item.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The receiver responded with 204.').waitFor();
    await item.getByText('webhook.test').first().waitFor();
    await item.getByRole('button', { name: 'Send again webhook.test' }).click();
    await page.getByText('webhook.test was sent again.').waitFor();
    const [first, second] = await receiver.take(2);
    if (!first || !second) throw new Error('two messages are missing');
    expect(second.id).toBe(first.id);
    verify(second, secret);
    // open deliveries show the next test
    await item.getByRole('button', { name: 'Send a test' }).click();
    await item.getByRole('button', { name: 'Send again webhook.test' }).nth(1).waitFor();

    // an error stays, but does not cover other pages
    const notices = page.getByRole('region', { name: 'Notices' });
    await page.route('**/graphql', abortRequest);
    await item.getByRole('button', { name: 'Send a test' }).click();
    await notices.getByRole('alert').waitFor();
    // nor the end of its own page
    await page.setViewportSize({ width: PHONE.width, height: 420 });
    const isCovered = async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const { y = 0, height = 0 } = (await item.boundingBox()) ?? {};
      return y + height >= ((await notices.boundingBox())?.y ?? 0);
    };
    // the page leaves room for the notice after its next frame
    await expect.poll(isCovered).toBe(false);
    await page.setViewportSize(PHONE);
    await page.unroute('**/graphql');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('heading', { name: 'Tokens' }).waitFor();
    expect(await notices.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'Webhooks' }).click();

    await item.getByRole('button', { name: 'New secret' }).click();
    expect(await panel.locator('code').innerText()).not.toBe(secret);
    await panel.getByRole('button', { name: 'Done' }).click();
    await item.getByRole('button', { name: 'Edit' }).click();
    const editUrl = item.getByLabel('URL', { exact: true });
    await editUrl.and(page.locator(':focus')).waitFor();
    expect(await editUrl.inputValue()).toBe(receiver.origin);
    expect(await smallestGap(item.locator('form'))).toBeGreaterThan(12);
    await editUrl.fill('nowhere');
    await item.getByRole('button', { name: 'Save webhook' }).click();
    await item.getByText('The URL must be an absolute http or https URL.').waitFor();
    await editUrl.fill(`${receiver.origin}/other`);
    await item.getByRole('checkbox', { name: 'embed.deleted' }).uncheck();
    await item.getByRole('checkbox', { name: 'page.changed' }).check();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await item.getByRole('button', { name: 'Save webhook' }).click();
    await item.getByRole('heading', { name: `${receiver.origin}/other` }).waitFor();
    expect(await item.getByRole('list', { name: 'Events' }).getByRole('listitem').allInnerTexts()).toEqual([
      'embed.created',
      'embed.updated',
      'page.changed',
    ]);
    await item.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor();
    const { body } = await ada.rest('GET', '/v1/webhooks');
    expect(body.webhooks[0]).toMatchObject({
      url: `${receiver.origin}/other`,
      events: ['embed.created', 'embed.updated', 'page.changed'],
    });

    await item.getByRole('button', { name: 'Disable' }).click();
    await item.getByText('Disabled').waitFor();
    await item.getByRole('button', { name: 'Enable' }).click();
    await item.getByText('Enabled', { exact: true }).waitFor();
    await item.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('This account has no webhooks.').waitFor();
  });

  test('notifies of a webhook that the service has disabled', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const receiver = await openReceiver(() => 410);
    const { body } = await ada.rest('POST', '/v1/webhooks', { url: receiver.origin, events: ['embed.created'] });
    await ada.create();
    const find = async () => (await ada.rest('GET', '/v1/webhooks')).body.webhooks[0];
    await expect.poll(async () => (await find()).disabled_at).not.toBeNull();
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    await page.getByText(`A webhook was disabled: ${body.webhook.url}`).waitFor();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('The receiver is gone. The last result was: 410.').waitFor();
    for (const [name, width, colorScheme] of [
      ['wide', 1280, 'light'],
      ['narrow', 390, 'dark'],
    ] as const) {
      if (!process.env.SCREENSHOTS) continue;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.getByRole('button', { name: 'Deliveries' }).click();
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/webhooks-${name}.png`, fullPage: true });
      await page.getByRole('button', { name: 'Deliveries' }).click();
    }
  });
});
