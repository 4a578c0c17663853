import { expect, test } from 'vitest';
import { cannotHoldOnCitus } from '../../databases/database.ts';
import { newDatabase, openApp, openRaw, type RestEmbed, type TestApp } from '../../open-app.ts';
import { openProxiedDatabase } from './proxied-database.ts';

const visit = ({ app }: TestApp, { embed_url }: RestEmbed, init?: RequestInit) =>
  app.fetch(new Request(embed_url, init));

/** Views an embed until it is known whether its page can be read. */
async function visitWhenRead(service: TestApp, embed: RestEmbed): Promise<Response> {
  const isRead = async () => (await visit(service, embed)).headers.get('cache-control') === 'no-cache';
  await expect.poll(isRead).toBe(true);
  return visit(service, embed);
}

const messagesOf = ({ logged }: TestApp) =>
  logged
    .map((line) => ('message' in line ? `${line.message}` : ''))
    .filter((message) => !['request', 'audit'].includes(message));

test('while the server cannot be reached, rendered pages are served, except those that were changed or deleted since', async () => {
  const server = await openProxiedDatabase();
  const { databaseUrl } = server;
  const gateway = await openApp({ databaseUrl });
  const strict = await openApp({ databaseUrl, staleIfErrorS: 0 });
  const ada = await gateway.as('ada');
  const [shown, changed, deleted, unseen] = await Promise.all([1, 2, 3, 4].map(() => ada.create()));
  if (!shown || !changed || !deleted || !unseen) throw new Error('an embed is missing');
  const before = await visitWhenRead(gateway, shown);
  for (const embed of [changed, deleted]) await visitWhenRead(gateway, embed);
  await visitWhenRead(strict, shown);
  await ada.rest('PATCH', `/v1/embeds/${changed.id}`, { mode: 'dark' });
  await ada.rest('DELETE', `/v1/embeds/${deleted.id}`);

  server.stop();
  const stale = await visit(gateway, shown);
  const etag = stale.headers.get('etag') ?? '';
  expect([stale.status, etag]).toEqual([200, before.headers.get('etag')]);
  expect(await stale.text()).toBe(await before.text());
  // a CDN serves it no longer than this process
  expect(stale.headers.get('cdn-cache-control')).toMatch(/^max-age=1, stale-while-revalidate=1, stale-if-error=5\d\d$/);
  expect((await visit(gateway, shown, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await visit(gateway, shown, { method: 'HEAD' })).status).toBe(200);
  const other = new URL('/', shown.embed_url).href;
  expect((await visit(gateway, { ...shown, embed_url: other })).status).toBe(308);
  for (const [service, embed] of [
    [gateway, changed],
    [gateway, deleted],
    [gateway, unseen],
    [strict, shown],
  ] as const) {
    const { status, headers } = await visit(service, embed);
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([503, '2', 'no-store']);
  }

  await server.start();
  const isBack = async () => (await ada.rest('PATCH', `/v1/embeds/${shown.id}`, { mode: 'dark' })).status;
  await expect.poll(isBack).toBe(200);
  await expect.poll(async () => (await visit(gateway, shown)).headers.get('etag')).not.toBe(etag);
  expect((await visit(gateway, deleted)).status).toBe(404);
  expect(messagesOf(gateway)).toEqual([
    'the database cannot be reached: requests are refused until it can',
    'the database works again',
  ]);
});

test.skipIf(cannotHoldOnCitus('the sessions that wait for a lock are on workers'))(
  'a rendered page does not wait for a lookup that hangs, and is served for STALE_IF_ERROR at most',
  async () => {
    const databaseUrl = await newDatabase();
    const gateway = await openApp({ databaseUrl, staleIfErrorS: 1 });
    const ada = await gateway.as('ada');
    const embed = await ada.create();
    await visitWhenRead(gateway, embed);
    const raw = await openRaw(databaseUrl);
    const observer = await openRaw(databaseUrl);
    const waiting = () =>
      observer.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );

    await raw.query('BEGIN');
    await raw.query('LOCK TABLE "Embed" IN ACCESS EXCLUSIVE MODE');
    expect((await visit(gateway, embed)).status).toBe(200);
    expect(await waiting()).toHaveLength(1);
    // the next ones do not even ask
    const next = await Promise.all(Array.from({ length: 20 }, () => visit(gateway, embed)));
    expect(new Set(next.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await waiting()).toHaveLength(1);
    await expect.poll(async () => (await visit(gateway, embed)).status).toBe(503);

    await raw.query('COMMIT');
    await expect.poll(async () => (await visit(gateway, embed)).status).toBe(200);
    expect(messagesOf(gateway).filter((message) => message === 'bug')).toEqual([]);
  },
);
