import { expect, test } from 'vitest';
import { newDatabase } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';
import { makeToken, send, startGateway } from './gateway.ts';

const MINUTE_MS = 60_000;
const RESPONSE_DELAY_MS = 200;

/** Starts a gateway whose clock differs by minutes from that of the database. */
function startWithClock(databaseUrl: string, aheadMs: number) {
  const shifted = `const Clock = Date;
    globalThis.Date = class Date extends Clock {
      constructor(...parts) { parts.length > 0 ? super(...parts) : super(Clock.now() + ${aheadMs}); }
      static now() { return Clock.now() + ${aheadMs}; }
    };`;
  const environment = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shifted)}`,
    ALLOW_PRIVATE_PAGES: 'true',
    LOG_LEVEL: 'error',
  };
  return startGateway(databaseUrl, { environment });
}

test('gateways whose clocks differ by minutes fetch a source once, and show its copy', async () => {
  const site = await openSite((_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'text/html').end(articlePage('Bread')), RESPONSE_DELAY_MS);
  });
  const databaseUrl = await newDatabase();
  const { authorization } = await makeToken(databaseUrl, 'ada');
  const gateways = await Promise.all([0, -5, 5].map((minutes) => startWithClock(databaseUrl, minutes * MINUTE_MS)));
  // a create reads the title of the page
  const create = async ({ origin }: { readonly origin: string }, path: string) => {
    const body = { page_url: site.origin + path };
    const { body: created } = await send(origin, 'POST', '/v1/embeds', { authorization, body });
    return created.embed;
  };
  // the first article takes longer, because it starts a process
  for (const [i, gateway] of gateways.entries()) await create(gateway, `/warm-${i}`);
  const count = (path: string) => site.requests.filter(({ url }) => url === path).length;

  await Promise.all(gateways.map((gateway) => create(gateway, '/together')));
  expect(count('/together')).toBe(1);
  for (const [i, first] of gateways.entries()) {
    for (const gateway of [first, ...gateways]) {
      const { id, embed_url } = await create(gateway, `/turn-${i}`);
      expect(embed_url).toContain('/Bread-');
      const { body } = await send(gateway.origin, 'GET', `/v1/embeds/${id}/page`, { authorization });
      expect(body.page).toMatchObject({ state: 'shown', title: 'Bread' });
      expect(Math.abs(Date.parse(body.page.fetched_at) - Date.now())).toBeLessThan(MINUTE_MS);
    }
    expect(count(`/turn-${i}`)).toBe(1);
  }
});
