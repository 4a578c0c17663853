import { expect, test } from 'vitest';
import { MEAL_PLANNER, shareApp } from '../open-app.ts';

const gateway = shareApp();

const NOTHING = { allowed_sites: null, expires_at: null, watch: 'off', look: null };
const NO_LOOK = { accent_color: null, width: null, base_size: null, radius: null, logo_url: null, branding: null };

test('settings are null until they are set, and a patch changes only what it names', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const path = `/v1/embeds/${id}/settings`;
  const fixed = { external_id: null, updated_at: expect.any(String) };
  expect((await ada.rest('GET', path)).body).toEqual({ settings: { ...fixed, ...NOTHING } });
  const patches: readonly (readonly [sent: object, settings: object])[] = [
    [
      { allowed_sites: ['Example.com', '*.bücher.example'] },
      { allowed_sites: ['example.com', '*.xn--bcher-kva.example'] },
    ],
    [{ expires_at: '2030-01-01T01:00:00+01:00' }, { expires_at: '2030-01-01T00:00:00.000Z' }],
    [
      { look: { accent_color: '#FF8800', width: 'full' } },
      { look: { ...NO_LOOK, accent_color: '#ff8800', width: 'full' } },
    ],
    [{ look: { width: 720 } }, { look: { ...NO_LOOK, accent_color: '#ff8800', width: 720 } }],
    [{ look: { width: null, branding: false } }, { look: { ...NO_LOOK, accent_color: '#ff8800', branding: false } }],
    [{}, {}],
    [{ look: { accent_color: null, branding: null } }, { look: null }],
    [{ allowed_sites: null, expires_at: null, look: null }, NOTHING],
  ];
  let settings: object = NOTHING;
  for (const [sent, changed] of patches) {
    settings = { ...settings, ...changed };
    const { status, body } = await ada.rest('PATCH', path, sent);
    expect([status, body]).toMatchObject([200, { settings }]);
    expect((await ada.rest('GET', path)).body).toMatchObject({ settings });
  }
});

test('GraphQL has the same settings, in creates and updates too', async () => {
  const ada = await gateway.as('ada');
  const settings = {
    allowedSites: ['example.com'],
    expiresAt: '2030-01-01T00:00:00.000Z',
    look: { width: 'FULL', radius: 0 },
  };
  const fields = 'id version allowedSites expiresAt look { width radius baseSize }';
  const created = await ada.graphql(
    `mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { ${fields} } } }`,
    {
      input: { pageUrl: MEAL_PLANNER, ...settings },
    },
  );
  const { embed } = created.data.createEmbed;
  expect(embed).toEqual({ ...settings, look: { ...settings.look, baseSize: null }, id: embed.id, version: 1 });
  const literal = await ada.graphql(
    `mutation { updateEmbed(input: { id: "${embed.id}", look: { width: 400, radius: null, baseSize: 20 }, allowedSites: "a.example" }) { embed { ${fields} } } }`,
  );
  expect(literal.data.updateEmbed.embed).toEqual({
    ...embed,
    version: 2,
    allowedSites: ['a.example'],
    look: { width: 400, radius: null, baseSize: 20 },
  });
  const rest = await ada.rest('GET', `/v1/embeds/${embed.id}/settings`);
  expect(rest.body.settings).toMatchObject({ allowed_sites: ['a.example'], look: { width: 400, base_size: 20 } });
  const { body } = await ada.rest('GET', `/v1/embeds/${embed.id}`);
  for (const name of Object.keys(rest.body.settings)) expect(body.embed).not.toHaveProperty(name);
});

test('a setting in the body of an embed is refused with the resource that takes it', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const message = 'is not a parameter of this operation; send it to `/v1/embeds/{id}/settings`';
  const errors = ['allowed_sites', 'expires_at', 'watch', 'look'].map((path) => ({ path, message }));
  const sent = { allowed_sites: ['a.example'], expires_at: '2036-01-31T12:00:00Z', watch: 'daily', look: {} };
  const created = await ada.rest('POST', '/v1/embeds', { page_url: 'https://example.com/', ...sent });
  const updated = await ada.rest('PATCH', `/v1/embeds/${id}`, sent);
  for (const { status, body } of [created, updated]) expect([status, body.errors]).toEqual([422, errors]);
});

test('all faults of settings are reported together, with the path of each', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const wrong = {
    allowed_sites: [],
    expires_at: 'tomorrow',
    look: {
      accent_color: 'red',
      width: 319,
      base_size: 23,
      radius: -1,
      logo_url: 'https://10.0.0.1/a.png',
      branding: 'no',
      colour: 1,
    },
    watch_it: true,
  };
  const { status, body } = await ada.rest('PATCH', `/v1/embeds/${id}/settings`, wrong);
  expect(status).toBe(422);
  expect(body.errors).toEqual([
    { path: 'watch_it', message: 'is not a parameter of this operation; did you mean `watch`?' },
    { path: 'allowed_sites', message: 'must be a list of 1 to 50 hosts, or null' },
    { path: 'expires_at', message: 'must be a time as in RFC 3339, such as 2026-01-31T12:00:00.000Z' },
    { path: 'look.colour', message: expect.stringContaining('is not a parameter of this operation') },
    { path: 'look.accent_color', message: 'must be a colour such as #1557c0' },
    { path: 'look.width', message: 'must be a whole number from 320 to 1200, or full' },
    { path: 'look.base_size', message: 'must be a whole number from 14 to 22' },
    { path: 'look.radius', message: 'must be a whole number from 0 to 24' },
    { path: 'look.logo_url', message: 'must be on a public host, not a local, private or reserved one' },
    { path: 'look.branding', message: 'must be true or false' },
  ]);
  const graphql = await ada.graphql(
    `mutation { updateEmbed(input: { id: "${id}", look: { width: 319, baseSize: "x" }, allowedSites: ["a b"] }) { embed { id } } }`,
  );
  expect(graphql.errors[0]?.extensions.errors?.map(({ path }) => path).toSorted()).toEqual([
    'allowedSites',
    'look.baseSize',
    'look.width',
  ]);
  expect((await ada.rest('GET', `/v1/embeds/${id}/settings`)).body.settings).toMatchObject(NOTHING);
});

test.each([
  'https://example.com',
  'example.com:8080',
  'example.com/path',
  'example.com.',
  '.example.com',
  'example',
  'localhost',
  '*',
  '*.com',
  'www.*.com',
  '*example.com',
  '*.*.example.com',
  '127.0.0.1',
  '[::1]',
  '0x7f.1',
  'exa mple.com',
  'ex%61mple.com',
  'example.com; script-src *',
  'xn--zzzzzz-.example',
  `${'a'.repeat(64)}.example`,
  '',
  7,
  null,
  ['example.com'],
])('%j is no allowed site', async (site) => {
  const ada = await gateway.as('ada');
  const { body } = await ada.rest('PATCH', '/v1/account', { allowed_sites: ['example.com', site] });
  expect(body.errors?.[0].path).toBe('allowed_sites');
  expect(body.errors[0].message).toContain(`; not ${Array.isArray(site) ? 'a list' : JSON.stringify(site)}`);
});

test('a site is named once, and there are at most 50', async () => {
  const ada = await gateway.as('ada');
  const patch = (sites: readonly string[]) => ada.rest('PATCH', '/v1/account', { allowed_sites: sites });
  const { body } = await patch(['bücher.example', 'XN--bcher-KVA.example']);
  expect(body.errors).toEqual([
    { path: 'allowed_sites', message: 'must contain each host once; xn--bcher-kva.example is there twice' },
  ]);
  const sites = Array.from({ length: 51 }, (_, i) => `site${i}.example`);
  expect((await patch(sites)).status).toBe(422);
  expect((await patch(sites.slice(1))).body.account.allowed_sites).toEqual(sites.slice(1));
});

test('the sites have at most 2,000 characters in all, as they are stored', async () => {
  const ada = await gateway.as('ada');
  const patch = (sites: readonly string[]) => ada.rest('PATCH', '/v1/account', { allowed_sites: sites });
  const longest = Array.from(
    { length: 10 },
    (_, i) => `${i}.${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(62)}.example`,
  );
  expect(longest.join('')).toHaveLength(2_000);
  expect((await patch(longest)).body.account.allowed_sites).toEqual(longest);
  const { status, body } = await patch([...longest.slice(1), `*.${longest[0]}`]);
  expect([status, body.errors]).toEqual([
    422,
    [{ path: 'allowed_sites', message: 'must have at most 2000 characters in all, not 2002' }],
  ]);
});

test('a stale tag or version is refused, and an update without effect keeps the version', async () => {
  const ada = await gateway.as('ada');
  const { id } = await ada.create();
  const path = `/v1/embeds/${id}/settings`;
  const etag = (await ada.rest('GET', path)).headers.get('etag') ?? '';
  const send = (body: object, headers: Record<string, string>) =>
    ada.fetch(path, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  expect((await send({ look: { radius: 4 } }, { 'if-match': etag })).status).toBe(200);
  expect((await send({ look: { radius: 5 } }, { 'if-match': etag })).status).toBe(412);
  const again = await ada.rest('PATCH', path, { look: { radius: 4 } });
  const condition = { headers: { 'if-none-match': again.headers.get('etag') ?? '' } };
  expect((await ada.fetch(path, condition)).status).toBe(304);
  const update = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { version } } }';
  const stale = await ada.graphql(update, { input: { id, expectedVersion: 1, expiresAt: null } });
  expect(stale.errors[0]?.extensions.code).toBe('CONFLICT');
  const current = await ada.graphql(update, { input: { id, expectedVersion: 2, expiresAt: null } });
  expect(current.data.updateEmbed.embed.version).toBe(2);
});

test('the account has settings, which its admins change, and each change is in the audit', async () => {
  const ada = await gateway.as('ada');
  const writer = await gateway.as(ada.authorization && 'ada', ['read', 'write']);
  const account = (await ada.rest('GET', '/v1/account')).body.account;
  expect((await writer.rest('GET', '/v1/account')).body.account).toEqual(account);
  expect((await writer.rest('PATCH', '/v1/account', { look: { radius: 3 } })).status).toBe(403);
  const changed = await ada.rest('PATCH', '/v1/account', { look: { radius: 3 }, expires_at: null });
  expect(changed.body.errors).toEqual([{ path: 'expires_at', message: 'is not a parameter of this operation' }]);
  const { body } = await ada.rest('PATCH', '/v1/account', { look: { radius: 3 } });
  expect(body.account.look).toEqual({ ...NO_LOOK, radius: 3 });
  const viewer = await ada.graphql('{ viewer { account { id look { radius } } } }');
  expect(viewer.data.viewer.account).toEqual({ id: account.id, look: { radius: 3 } });
  await ada.rest('PATCH', '/v1/account', { look: { radius: 3 } });
  const events = (await ada.rest('GET', '/v1/audit')).body.events.filter(
    ({ action }: { action: string }) => action === 'account_updated',
  );
  expect(events).toHaveLength(1);
  expect(events[0].changes).toEqual([{ field: 'look', before: null, after: '{"radius":3}' }]);
  const bob = await gateway.as('bob');
  expect((await bob.rest('GET', '/v1/account')).body.account).toMatchObject({ allowed_sites: null, look: null });
});

test('another account cannot read or change settings', async () => {
  const [ada, bob] = [await gateway.as('ada'), await gateway.as('bob')];
  const { id } = await ada.create();
  const path = `/v1/embeds/${id}/settings`;
  expect((await bob.rest('GET', path)).status).toBe(404);
  expect((await bob.rest('PATCH', path, { look: null })).status).toBe(404);
});
