import { expect, onTestFinished, test, vi } from 'vitest';
import { runInProcess } from '../../cli/run-in-process.ts';
import { newDatabase, openApp, openRaw, type TestApp } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';
import { makeToken, send, startGateway } from './gateway.ts';

const MINUTE_MS = 60_000;

/** Replaces the clock of the gateways, but not that of the database. */
function moveClock(startedAt: number, aheadMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(startedAt + aheadMs);
}

test.each([-5, 5])('a gateway whose clock is %i minutes ahead shares leases and copies of pages', async (minutes) => {
  const site = await openSite((_request, response) => {
    response.setHeader('content-type', 'text/html').end(articlePage('Bread'));
  });
  const databaseUrl = await newDatabase();
  const here = await openApp({ databaseUrl, allowPrivatePages: true });
  const there = await openApp({ databaseUrl, allowPrivatePages: true });
  const ada = await here.as('ada');
  const startedAt = Date.now();
  const expectShown = async (gateway: TestApp, path: string) => {
    const { embed_url } = await ada.create({ page_url: `${site.origin}/${path}` });
    const view = async () => (await gateway.app.fetch(new Request(embed_url))).text();
    // the first article starts a process
    await expect.poll(view).toContain('The pantry list starts');
  };
  const [first, second] = ['1', '2'].map((digit) => `Bread-${digit.repeat(32)}`) as [string, string];

  const lease = await here.database.pages.lease('https://example.com/');
  await expectShown(here, first);
  moveClock(startedAt, minutes * MINUTE_MS);
  expect(await there.database.pages.lease('https://example.com/')).toBeNull();
  expect(await there.database.pages.find('https://example.com/')).toMatchObject({ isLeased: true });
  await lease?.release();
  await expectShown(there, first);
  await expectShown(there, second);
  moveClock(startedAt, 0);
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

test.each([-5, 5])(
  'a gateway whose clock is %i minutes ahead writes embeds with times of the database',
  async (minutes) => {
    const { promise: asked, resolve } = Promise.withResolvers<() => void>();
    const site = await openSite((_request, response) => resolve(() => response.end(articlePage('Bread'))));
    const databaseUrl = await newDatabase();
    const here = await openApp({ databaseUrl, allowPrivatePages: true });
    const ada = await here.as('ada');
    const there = (await openApp({ databaseUrl, allowPrivatePages: true })).withAuthorization(ada.authorization);
    const startedAt = Date.now();
    const { id } = await ada.create();
    const create = (client: typeof ada) => {
      const headers = { 'idempotency-key': 'key', 'content-type': 'application/json' };
      return client.fetch('/v1/embeds', {
        method: 'POST',
        headers,
        body: JSON.stringify({ page_url: `${site.origin}/` }),
      });
    };
    const first = create(ada);
    const respond = await asked;
    moveClock(startedAt, minutes * MINUTE_MS);

    expect((await create(there)).status).toBe(409);
    respond();
    expect((await first).status).toBe(201);
    const later = await there.create();
    await there.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' });
    const query = 'query($id: ID!) { embeds(first: 1) { nodes { id createdAt } } embed(id: $id) { updatedAt } }';
    const { data } = await there.graphql(query, { id });
    expect(data.embeds.nodes[0].id).toBe(later.id);
    for (const time of [data.embeds.nodes[0].createdAt, data.embed.updatedAt]) {
      expect(Math.abs(Date.parse(time) - startedAt)).toBeLessThan(MINUTE_MS);
    }
  },
);

test.each([-5, 5])(
  'commands and audit events on a machine whose clock is %i minutes ahead have times of the database',
  async (minutes) => {
    const databaseUrl = await newDatabase();
    const ada = await (await openApp({ databaseUrl })).as('ada');
    const startedAt = Date.now();
    moveClock(startedAt, minutes * MINUTE_MS);
    const page = 'https://example.com/Bread';
    const commands: readonly [string, readonly string[], string?][] = [
      ['embeds', ['create', '--account', 'ada', '--page-url', page]],
      ['import', ['-', '--account', 'ada', '--format', 'ndjson'], JSON.stringify({ page_url: page })],
    ];
    for (const [command, args, input] of commands) {
      expect(await runInProcess(command, args, { ...process.env, DATABASE_URL: databaseUrl }, input)).toMatchObject({
        code: 0,
      });
    }
    await ada.create();
    const { embeds } = (await ada.rest('GET', '/v1/embeds')).body;
    const { events } = (await ada.rest('GET', '/v1/audit')).body;
    expect([embeds.length, events.length]).toEqual([3, 3]);
    for (const { created_at, at } of [...embeds, ...events]) {
      expect(Math.abs(Date.parse(created_at ?? at) - startedAt)).toBeLessThan(2 * MINUTE_MS);
    }
  },
);

test.each([-5, 5])(
  'a gateway and a command on a machine whose clock is %i minutes ahead take the expiry of a token by the clock of the database',
  async (minutes) => {
    const databaseUrl = await newDatabase();
    const ada = await (await openApp({ databaseUrl })).as('ada', ['admin']);
    const startedAt = Date.now();
    moveClock(startedAt, minutes * MINUTE_MS);
    const inMinutes = (count: number) => new Date(startedAt + count * MINUTE_MS).toISOString();
    const restStatus = async (expires_at: string) =>
      (await ada.rest('POST', '/v1/tokens', { name: 'ci', scopes: ['admin'], expires_at })).status;
    const mutation = `mutation($expiresAt: DateTime!) {
      createToken(input: { name: "ci", scopes: ADMIN, expiresAt: $expiresAt }) { token { expiresAt } }
    }`;
    const graphqlErrors = async (expiresAt: string) => (await ada.graphql(mutation, { expiresAt })).errors?.length ?? 0;
    const command = (expires: string) => {
      const args = ['create', '--account', 'ada', '--name', 'ci', '--json', '--expires', expires];
      return runInProcess('tokens', args, { ...process.env, DATABASE_URL: databaseUrl });
    };
    for (const [soon, isPast] of [
      [inMinutes(3), false],
      [inMinutes(-3), true],
    ] as const) {
      expect([soon, await restStatus(soon)]).toEqual([soon, isPast ? 422 : 201]);
      expect([soon, await graphqlErrors(soon)]).toEqual([soon, isPast ? 1 : 0]);
      expect([soon, (await command(soon)).code]).toEqual([soon, isPast ? 2 : 0]);
    }
    const { expires_at } = JSON.parse((await command('1h')).stdout).token;
    expect(Math.abs(Date.parse(expires_at) - startedAt - 60 * MINUTE_MS)).toBeLessThan(2 * MINUTE_MS);
  },
);

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

test('the last use of a token has the time of the database', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl });
  moveClock(Date.now(), 5 * MINUTE_MS);
  const ada = await as('ada');
  await ada.create();
  const raw = await openRaw(databaseUrl);
  const read = async () =>
    (
      await raw.query(
        `SELECT "lastUsedAt" <= now() AT TIME ZONE 'utc' AS "isPast" FROM "Token" WHERE "lastUsedAt" IS NOT NULL`,
      )
    )[0];
  await expect.poll(read).toEqual({ isPast: true });
});
