import { expect, onTestFinished, test, vi } from 'vitest';
import { newDatabase, openApp, openRaw, type TestApp } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';

const MINUTE_MS = 60_000;

test.each([-5, 5])('a gateway whose clock is %i minutes ahead shares leases and copies of pages', async (minutes) => {
  const site = await openSite((_request, response) => {
    response.setHeader('content-type', 'text/html').end(articlePage('Bread'));
  });
  const databaseUrl = await newDatabase();
  const here = await openApp({ databaseUrl, allowPrivatePages: true });
  const there = await openApp({ databaseUrl, allowPrivatePages: true });
  const ada = await here.as('ada');
  const startedAt = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const moveClock = (aheadMs: number) => vi.setSystemTime(startedAt + aheadMs);
  const expectShown = async (gateway: TestApp, path: string) => {
    const { embed_url } = await ada.create({ page_url: `${site.origin}/${path}` });
    const view = async () => (await gateway.app.fetch(new Request(embed_url))).text();
    // the first article starts a process
    await expect.poll(view).toContain('The pantry list starts');
  };
  const [first, second] = ['1', '2'].map((digit) => `Bread-${digit.repeat(32)}`) as [string, string];

  const lease = await here.database.pages.lease('https://example.com/');
  await expectShown(here, first);
  moveClock(minutes * MINUTE_MS);
  expect(await there.database.pages.lease('https://example.com/')).toBeNull();
  expect(await there.database.pages.find('https://example.com/')).toMatchObject({ isLeased: true });
  await lease?.release();
  await expectShown(there, first);
  await expectShown(there, second);
  moveClock(0);
  await expectShown(here, second);
  expect(site.requests.map(({ url }) => url)).toEqual([`/${first}`, `/${second}`]);
});

test('the lease of a killed gateway ends after 5 s at most, by the clock of the database', async () => {
  const { promise: fetched, resolve } = Promise.withResolvers<() => void>();
  const site = await openSite((_request, response) => resolve(() => response.end(articlePage('Bread'))));
  const databaseUrl = await newDatabase();
  const { app, as } = await openApp({ databaseUrl, allowPrivatePages: true });
  const ada = await as('ada');
  const { embed_url } = await ada.create({ page_url: `${site.origin}/Bread-${'1'.repeat(32)}` });
  const view = app.fetch(new Request(embed_url));
  const respond = await fetched;
  const raw = await openRaw(databaseUrl);
  const [lease] = await raw.query(
    `SELECT extract(epoch FROM "leaseUntil" - now() AT TIME ZONE 'utc')::float AS "remainingS" FROM "Page"`,
  );
  expect(lease?.remainingS).toBeGreaterThan(0);
  expect(lease?.remainingS).toBeLessThanOrEqual(5);
  respond();
  await view;
});
