import { describe, expect, test } from 'vitest';
import { noBrowser } from '../../../test/browser.ts';
import {
  abortRequest,
  loseFirstResponse,
  openGateway,
  signIn,
  titlesOf,
  UNAVAILABLE,
  useBrowser,
} from './open-console.ts';

/** Longer than any wait of a test: the console waits until the test moves the clock. */
const PAUSE_S = 60;
const PAUSE = { ...UNAVAILABLE, headers: { ...UNAVAILABLE.headers, 'retry-after': `${PAUSE_S}` } };

describe.skipIf(noBrowser)('several embeds', () => {
  const browser = useBrowser();

  test('are restored by an undo, also where a response was lost, with the top bars that the mode has forced', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', titlesOf(130));
    const [{ id }] = (await ada.rest('GET', '/v1/embeds?first=1')).body.embeds;
    await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark', show_top_bar: false });
    const stateOf = async () => {
      const { data } = await ada.graphql(
        `{ embeds(filter: { mode: LIGHT }) { totalCount } embed(id: "${id}") { mode showTopBar } }`,
      );
      return [data.embeds.totalCount, data.embed];
    };
    const before = [129, { mode: 'DARK', showTopBar: false }];
    expect(await stateOf()).toEqual(before);
    const page = await browser.open({ isShared: false });
    await page.clock.install();
    await signIn(page, gateway, ada.token);
    await page.locator('.card').first().waitFor();
    const letReadersChoose = async () => {
      await page.getByRole('button', { name: 'Mode…' }).click();
      await page.getByRole('radio', { name: 'Reader' }).check({ force: true });
      await page.getByRole('button', { name: 'Apply' }).click();
    };
    const undo = () => page.getByRole('button', { name: 'Undo' }).click();

    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Select all 130 that match' }).click();
    await loseFirstResponse(page, 'UpdateEmbeds', (route) => route.fulfill(PAUSE));
    await letReadersChoose();
    await page.getByText(`Waiting ${PAUSE_S} s, because the service asks for it.`).waitFor();
    await page.clock.runFor(PAUSE_S * 1_000);
    await page.getByText('Changed 130 of 130.').waitFor();
    await page.unroute('**/graphql');
    expect(await stateOf()).toEqual([0, { mode: 'USER_DEFINED', showTopBar: true }]);
    await loseFirstResponse(page, 'UpdateEmbeds', abortRequest);
    await undo();
    await page.getByText('Restored 0 of 130. The service cannot be reached').waitFor();
    await page.unroute('**/graphql');
    await undo();
    await page.getByText('Restored 130 of 130.').waitFor();
    expect(await stateOf()).toEqual(before);

    // the same for embeds that were selected one by one
    await page.keyboard.press('c');
    await page.keyboard.press('a');
    await page.getByText('50 selected').waitFor();
    await loseFirstResponse(page, 'UpdateEmbeds', abortRequest);
    await letReadersChoose();
    await page.getByText('Changed 0 of 50. The service cannot be reached').waitFor();
    await page.unroute('**/graphql');
    expect(await stateOf()).toEqual([80, { mode: 'USER_DEFINED', showTopBar: true }]);
    await undo();
    await page.getByText('Restored 50 of 50.').waitFor();
    expect(await stateOf()).toEqual(before);

    // a repetition of the change by the user keeps what its undo restores
    await loseFirstResponse(page, 'UpdateEmbeds', abortRequest);
    await letReadersChoose();
    await page.getByText('Changed 0 of 50. The service cannot be reached').waitFor();
    await page.unroute('**/graphql');
    await letReadersChoose();
    await page.getByText('Changed 50 of 50.').waitFor();
    await undo();
    await page.getByText('Restored 50 of 50.').waitFor();
    expect(await stateOf()).toEqual(before);

    // after a change by another client while the console waits, the undo restores what that client has set
    await page.keyboard.press('a');
    await page.getByText('50 selected').waitFor();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation UpdateEmbeds')) return route.fallback();
      await ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'auto' });
      await route.fulfill(PAUSE);
    });
    await letReadersChoose();
    await page.getByText(`Waiting ${PAUSE_S} s, because the service asks for it.`).waitFor();
    await page.unroute('**/graphql');
    await page.clock.runFor(PAUSE_S * 1_000);
    await page.getByText('Changed 50 of 50.').waitFor();
    await undo();
    await page.getByText('Restored 50 of 50.').waitFor();
    expect(await stateOf()).toEqual([129, { mode: 'AUTO', showTopBar: false }]);

    // a change that makes its filter untrue: a repetition finds other embeds
    await page.goto(`${gateway.origin}/#/?mode=LIGHT`);
    await expect.poll(() => page.locator('.count').getAttribute('data-total')).toBe('129');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Select all 129 that match' }).click();
    await loseFirstResponse(page, 'UpdateEmbeds', (route) => route.fulfill(PAUSE));
    await letReadersChoose();
    await page.getByText(`Waiting ${PAUSE_S} s, because the service asks for it.`).waitFor();
    await page.clock.runFor(PAUSE_S * 1_000);
    await page.getByText('Changed 129 of 129.').waitFor();
    await undo();
    await page.getByText('Restored 129 of 129.').waitFor();
    expect((await stateOf())[0]).toBe(129);
  });

  test('that were not deleted are named', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    await gateway.seed('ada', titlesOf(101));
    const page = await browser.open({ isShared: false });
    await page.clock.install();
    await signIn(page, gateway, ada.token);
    const scroll = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return page.locator('[aria-posinset="101"]').count();
    };
    await expect.poll(scroll, { interval: 20 }).toBe(1);
    await page.keyboard.press('a');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Delete 101 embeds' }).click();
    await page.getByText('101 embeds were deleted.').waitFor();
    // the second call
    await page.route('**/graphql', (route) => {
      return route.request().postData()?.includes('mutation DeleteEmbed(') ? abortRequest(route) : route.fallback();
    });
    await page.clock.runFor(10_000);
    await page.getByText('deletion of “Page 0”. The service cannot be reached').waitFor();
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1);
  });
});

describe.skipIf(noBrowser)('tokens and webhooks', () => {
  const browser = useBrowser();

  test('are listed as the service has them after a lost response, and after an interruption', async () => {
    const gateway = await openGateway();
    const ada = await gateway.join('ada');
    const page = await browser.open();
    await signIn(page, gateway, ada.token);
    const lose = (mutation: string) => loseFirstResponse(page, mutation, abortRequest);
    const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('rowheader', { name: /^test Valid/ }).waitFor();
    await lose('CreateToken');
    await page.getByLabel('Name').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('If the list has the token, revoke it: its secret is lost.').waitFor();
    await page.getByRole('rowheader', { name: /^ci Valid/ }).waitFor();
    await lose('RevokeToken');
    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await confirm('Revoke token');
    await page.getByText('The service did not confirm that the token “ci” was revoked.').waitFor();
    await page.getByRole('rowheader', { name: /^ci Revoked/ }).waitFor();

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('This account has no webhooks.').waitFor();
    await lose('CreateWebhook');
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:1/');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('If the list has the webhook, give it a new secret: this one is lost.').waitFor();
    await page.getByRole('heading', { name: 'http://127.0.0.1:1/' }).waitFor();
    await lose('UpdateWebhook');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await lose('UpdateWebhook');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('listitem').getByLabel('URL', { exact: true }).fill('http://127.0.0.1:1/hook');
    await page.getByRole('button', { name: 'Save webhook' }).click();
    await page.getByRole('heading', { name: 'http://127.0.0.1:1/hook' }).waitFor();
    await lose('DeleteWebhook');
    await page.getByRole('button', { name: 'Delete' }).click();
    await confirm('Delete webhook');
    await page.getByText('The service did not confirm that the webhook http://127.0.0.1:1/hook was deleted.').waitFor();
    await page.getByText('This account has no webhooks.').waitFor();

    // what others change while the network is away
    await ada.rest('POST', '/v1/webhooks', { url: 'http://127.0.0.1:2/', events: ['embed.created'] });
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('heading', { name: 'http://127.0.0.1:2/' }).waitFor();
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('rowheader', { name: /^ci Revoked/ }).waitFor();
    await ada.rest('POST', '/v1/tokens', { name: 'website', scopes: ['read'] });
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('rowheader', { name: /^website Valid/ }).waitFor();
  });
});
