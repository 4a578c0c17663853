import { expect, test } from 'vitest';
import { newDatabase, openApp, openRaw, type TestApp } from '../open-app.ts';
import { makeToken } from '../postgresql/gateways/gateway.ts';
import { articlePage, openSite } from './site.ts';

const RESPONSE_DELAY_MS = 100;
const TEXT = 'The pantry list starts';

/** Opens a site that takes a while for each page, and returns how often each path was requested since the last call. */
async function openSlowSite() {
  const site = await openSite((request, response) => {
    const respond = () => response.setHeader('content-type', 'text/html').end(articlePage(`Page ${request.url}`));
    const timer = setTimeout(respond, RESPONSE_DELAY_MS);
    response.once('close', () => clearTimeout(timer));
  });
  let counted = 0;
  const takeRequests = () => {
    const counts: Record<string, number> = {};
    for (const { url = '' } of site.requests.slice(counted)) counts[url] = (counts[url] ?? 0) + 1;
    counted = site.requests.length;
    return counts;
  };
  return { ...site, takeRequests };
}

const EXPIRE = `UPDATE "Page" SET "freshUntil" = '2026-01-01T00:00:00+00:00'`;

test('three gateways on one database fetch a source once, for views, titles, revalidations and refreshes', async () => {
  const site = await openSlowSite();
  const databaseUrl = await newDatabase();
  const gateways = await Promise.all([1, 2, 3].map(() => openApp({ databaseUrl, allowPrivatePages: true })));
  const { authorization } = await makeToken(databaseUrl, 'ada');
  const clients = gateways.map((gateway) => gateway.withAuthorization(authorization));
  const paths = [1, 2].map((number) => `/Page-${number}-${String(number).repeat(32)}`);
  const once = (counted: readonly string[]) => Object.fromEntries(counted.map((path) => [path, 1]));

  const createAll = async (all: readonly string[]) => {
    const created = await Promise.all(all.map((path) => clients[0]?.create({ page_url: site.origin + path })));
    return created.map((embed) => embed?.embed_url ?? '');
  };
  const isShown = async ({ app }: TestApp, url: string) =>
    (await (await app.fetch(new Request(url))).text()).includes(TEXT);

  // the first article takes longer, because it starts a process
  const warm = await createAll(['a', 'b', 'c'].map((letter) => `/Warm-${letter.repeat(32)}`));
  await Promise.all(gateways.map((gateway, i) => expect.poll(() => isShown(gateway, warm[i] ?? '')).toBe(true)));
  expect(Object.values(site.takeRequests())).toEqual([1, 1, 1]);

  const urls = await createAll(paths);
  const views = await Promise.all(urls.flatMap((url) => gateways.map((gateway) => isShown(gateway, url))));
  expect(views).toEqual(Array(6).fill(true));
  expect(site.takeRequests()).toEqual(once(paths));

  // stale copies are shown, and one gateway fetches
  const raw = await openRaw(databaseUrl);
  await raw.query(EXPIRE);
  // new embeds, because the gateways have cached the pages of the others
  const again = await createAll(paths);
  const stale = await Promise.all(again.flatMap((url) => gateways.map((gateway) => isShown(gateway, url))));
  expect(stale).toEqual(Array(6).fill(true));
  const isFresh = async () =>
    (await raw.query(`SELECT 1 FROM "Page" WHERE "freshUntil" > '2026-02-01T00:00:00+00:00'`)).length;
  await expect.poll(isFresh).toBe(2);
  expect(site.takeRequests()).toEqual(once(paths));

  // titles at creation
  const titles = await Promise.all(clients.map((client) => client.create({ page_url: `${site.origin}/untitled` })));
  for (const { embed_url } of titles) expect(embed_url).toContain('/Page-untitled-');
  expect(site.takeRequests()).toEqual({ '/untitled': 1 });

  // refreshes fetch one after the other, because an earlier fetch may have read an earlier page
  let [current, most] = [0, 0];
  const slow = await openSite((_request, response) => {
    most = Math.max(most, ++current);
    setTimeout(() => {
      current--;
      response.setHeader('content-type', 'text/html').end(articlePage('Slow'));
    }, RESPONSE_DELAY_MS);
  });
  const refreshed = await Promise.all(
    clients.map(async (client) => {
      const { id } = await client.create({ page_url: `${slow.origin}/Slow-${'9'.repeat(32)}` });
      return client.rest('POST', `/v1/embeds/${id}/refresh`);
    }),
  );
  for (const { body } of refreshed) expect(body.page).toMatchObject({ state: 'shown', title: 'Slow' });
  expect([slow.requests.length, most]).toEqual([3, 1]);
  expect(await raw.query('SELECT 1 FROM "Page" WHERE "leaseUntil" IS NOT NULL')).toEqual([]);
});
