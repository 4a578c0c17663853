import { expect, test } from 'vitest';
import { collectFaults, noBrowser, openPage } from '../browser.ts';
import { MEAL_PLANNER, openApp } from '../open-app.ts';
import { openService } from '../open-service.ts';

test('the reference needs no token, is compressed and cacheable, and loads nothing from other hosts', async () => {
  const client = (await openApp()).withAuthorization(null);
  const response = await client.fetch('/docs', { headers: { 'accept-encoding': 'gzip' } });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src( 'sha256-[\w+/=]+')+; style-src( 'sha256-[\w+/=]+')+;/);
  expect(policy).not.toMatch(/https?:|unsafe/);
  const again = { headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
  expect((await client.fetch('/docs', again)).status).toBe(304);
});

test.skipIf(noBrowser)(
  'a reader of the reference enters a token, tries out operations, and keeps the token after a reload',
  { timeout: 60_000 },
  async () => {
    const { as, origin } = await openService();
    const ada = await as('ada');
    const page = await openPage({ colorScheme: 'dark' });
    const faults = collectFaults(page, {
      isAllowedUrl: (url) => url.startsWith(origin) || url.startsWith('data:'),
      isExpectedError: (error) => error.includes('401'),
    });
    const open = async (id: string) => {
      const block = page.locator(`#operations-Embeds-${id}`);
      await block.locator('.opblock-summary-control').click();
      return {
        block,
        async run(status: string) {
          await block.getByRole('button', { name: 'Execute' }).click();
          await expect
            .poll(() => block.locator('.live-responses-table .response .response-col_status').textContent())
            .toContain(status);
          return block.locator('.live-responses-table .highlight-code').first().textContent();
        },
      };
    };

    await page.goto(`${origin}/docs`);
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('html').getAttribute('class')).toBe('dark-mode');
    const list = await open('listEmbeds');
    expect(await list.run('401')).toContain('unauthenticated');

    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill(ada.authorization.replace('Bearer ', ''));
    await page.locator('.auth-container button[type=submit]').click();
    await page.getByRole('button', { name: 'Close' }).click();
    const create = await open('createEmbed');
    expect(await create.run('201')).toContain(MEAL_PLANNER);
    expect(await create.run('201')).toContain(MEAL_PLANNER);
    // untouched fields send nothing: otherwise both creates would have the same Idempotency-Key
    expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(2);
    expect(await list.run('200')).toContain('"total_count": 2');

    await page.reload();
    await page.locator('.opblock').first().waitFor();
    expect(await (await open('listEmbeds')).run('200')).toContain('"total_count": 2');
    expect(faults).toEqual([]);
  },
);
