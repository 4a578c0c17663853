import { expect, onTestFinished, test } from 'vitest';
import { newDatabase, openApp } from '../open-app.ts';
import { startGateway } from '../postgresql/gateways/gateway.ts';
import { articlePage, openSite } from './site.ts';

const TEXT = 'The pantry list starts';

test('a gateway takes over the fetch of a killed process when its lease expires', async () => {
  const { promise: fetched, resolve } = Promise.withResolvers<void>();
  const site = await openSite((_request, response) => {
    // the first request is never answered
    if (site.requests.length === 1) return resolve();
    response.setHeader('content-type', 'text/html').end(articlePage('Bread'));
  });
  const databaseUrl = await newDatabase();
  const { app, as } = await openApp({ databaseUrl, allowPrivatePages: true });
  const ada = await as('ada');
  const killed = await startGateway(databaseUrl, { environment: { ALLOW_PRIVATE_PAGES: 'true', LOG_LEVEL: 'error' } });
  const { id, embed_url } = await ada.create({ page_url: `${site.origin}/Bread-${'1'.repeat(32)}` });
  const page = new AbortController();
  onTestFinished(() => page.abort());
  const { authorization } = ada;
  void fetch(`${killed.origin}/v1/embeds/${id}/refresh`, {
    method: 'POST',
    headers: { authorization },
    signal: page.signal,
  }).catch(() => {});
  await fetched;
  killed.run.child.kill('SIGKILL');
  await killed.run.ended;
  const isShown = async () => (await (await app.fetch(new Request(embed_url))).text()).includes(TEXT);
  // until then, readers get a card
  expect(await isShown()).toBe(false);
  expect(site.requests.length).toBe(1);
  await expect.poll(isShown).toBe(true);
  expect(site.requests.length).toBe(2);
});
