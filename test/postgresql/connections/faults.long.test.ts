import { expect, test } from 'vitest';
import { MEAL_PLANNER, newDatabase, openApp, openRaw } from '../../open-app.ts';
import { openProxiedDatabase } from './proxied-database.ts';

const readyz = (app: { fetch(request: Request): Promise<Response> }) =>
  app.fetch(new Request('http://localhost:4000/readyz'));

const linesWith = (logged: readonly object[], text: string) =>
  logged.filter((line) => JSON.stringify(line).includes(text));

test('while the server cannot be reached, requests get 503 at once; afterwards the gateway recovers by itself', async () => {
  const server = await openProxiedDatabase();
  const { databaseUrl } = server;
  const { app, as, logged } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const embed = await ada.create();
  server.stop();

  const rejected = await Promise.all([
    ada.rest('GET', `/v1/embeds/${embed.id}`),
    ada.rest('GET', '/v1/embeds'),
    ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER }),
    ada.rest('PATCH', `/v1/embeds/${embed.id}`, { mode: 'dark' }),
    ada.rest('DELETE', `/v1/embeds/${embed.id}`),
  ]);
  for (const { status, headers, body } of rejected) {
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '2', 'unavailable']);
    expect(JSON.stringify(body)).not.toMatch(/postgres|127\.0\.0\.1|ECONN/i);
  }
  const { errors } = await ada.graphql('{ embeds { totalCount } }');
  expect(errors[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
  const unready = await readyz(app);
  expect(unready.status).toBe(503);
  expect(await unready.json()).toMatchObject({ detail: 'The database cannot be reached; try again.' });
  expect((await app.fetch(new Request('http://localhost:4000/livez'))).status).toBe(200);
  expect(linesWith(logged, 'the database cannot be reached')).toHaveLength(1);

  await server.start();
  await expect.poll(async () => (await readyz(app)).status).toBe(200);
  expect((await ada.rest('GET', '/v1/embeds')).body).toMatchObject({ total_count: 1, embeds: [embed] });
  expect((await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER })).status).toBe(201);
  expect(linesWith(logged, 'the database works again')).toHaveLength(1);
});

test('a terminated connection is replaced, and fails at most the request in flight on it', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const raw = await openRaw(databaseUrl);
  const embed = await ada.create();
  for (let i = 0; i < 3; i++) {
    const inFlight = Array.from({ length: 5 }, () => ada.rest('PATCH', `/v1/embeds/${embed.id}`, { font: `F ${i}` }));
    await raw.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    for (const { status } of await Promise.all(inFlight)) expect([200, 409, 503]).toContain(status);
    await expect.poll(async () => (await ada.rest('GET', `/v1/embeds/${embed.id}`)).status).toBe(200);
  }
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1);
});

test('while the server accepts no connections to the database, requests get 503', async () => {
  const databaseUrl = new URL(await newDatabase());
  const { app, as, logged } = await openApp({ databaseUrl: databaseUrl.href, databasePool: 1 });
  const ada = await as('ada');
  const name = databaseUrl.pathname.slice(1);
  databaseUrl.pathname = '/postgres';
  const raw = await openRaw(databaseUrl.href);
  await raw.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await raw.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);

  const webhook = { url: 'https://example.com/', events: ['embed.created'] };
  const rejected = [
    await ada.rest('GET', '/v1/embeds'),
    await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER }),
    await ada.rest('POST', '/v1/webhooks', webhook),
  ];
  for (const { status, headers } of rejected) expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect(linesWith(logged, 'the database cannot be reached')).toHaveLength(1);

  await raw.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await expect.poll(async () => (await readyz(app)).status).toBe(200);
});

test('a read-only database rejects writes and not reads, and /readyz gets 503 until it can be written again', async () => {
  const databaseUrl = await newDatabase();
  const { app, as, logged } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const embed = await ada.create();
  const raw = await openRaw(databaseUrl);
  const name = new URL(databaseUrl).pathname.slice(1);
  const cut = () =>
    raw.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  // like a connection to a standby
  await raw.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await cut();
  await expect.poll(async () => (await ada.rest('GET', `/v1/embeds/${embed.id}`)).status).toBe(200);
  const rejected = await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await readyz(app)).status).toBe(503);
  expect(linesWith(logged, 'the database is read-only')).toHaveLength(1);
  const recoveries = linesWith(logged, 'the database works again');
  // the ROLLBACK of its transaction succeeds
  const webhook = { url: 'https://example.com/', events: ['embed.created'] };
  expect((await ada.rest('POST', '/v1/webhooks', webhook)).status).toBe(503);
  expect(linesWith(logged, 'the database works again')).toEqual(recoveries);

  await raw.query('SET default_transaction_read_only = off');
  await raw.query(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  // the pool replaces a connection that has rejected a write
  await expect.poll(async () => (await readyz(app)).status).toBe(200);
  expect((await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER })).status).toBe(201);
  expect(linesWith(logged, 'the database works again')).not.toHaveLength(0);
});

test('a write waits for a locked row for a limited time', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const raw = await openRaw(databaseUrl);
  await raw.query('BEGIN');
  await raw.query('UPDATE "Account" SET "createdAt" = "createdAt"');
  const rejected = await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  expect([rejected.status, rejected.body.code]).toEqual([503, 'unavailable']);
  const waiting = ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  await raw.query('COMMIT');
  expect((await waiting).status).toBe(201);
  expect((await ada.rest('GET', '/v1/embeds')).body.total_count).toBe(1);
});

test('a transaction that the server did not answer in time takes no later write with it', async () => {
  const databaseUrl = new URL(await newDatabase());
  const raw = await openRaw(databaseUrl.href);
  databaseUrl.searchParams.set('query_timeout', '1000');
  const { as } = await openApp({ databaseUrl: databaseUrl.href, databasePool: 1 });
  const ada = await as('ada');
  await raw.query('BEGIN');
  await raw.query('UPDATE "Account" SET "createdAt" = "createdAt"');
  const webhook = { url: 'https://example.com/', events: ['embed.created'] };
  expect((await ada.rest('POST', '/v1/webhooks', webhook)).status).toBe(503);
  await raw.query('COMMIT');

  await expect.poll(async () => (await ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER })).status).toBe(201);
  expect(await raw.query('SELECT count(*)::int AS committed FROM "Embed"')).toEqual([{ committed: 1 }]);
});

test('more requests than connections of the pool wait for their turn', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl, databasePool: 2 });
  const ada = await as('ada');
  const raw = await openRaw(databaseUrl);
  const created = await Promise.all(Array.from({ length: 60 }, () => ada.create()));
  const changed = await Promise.all(created.map(({ id }) => ada.rest('PATCH', `/v1/embeds/${id}`, { mode: 'dark' })));
  expect(new Set(changed.map(({ status }) => status))).toEqual(new Set([200]));
  const [row] = await raw.query(`SELECT count(*)::int AS connections FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'embed-gateway'`);
  expect(row?.connections).toBeLessThanOrEqual(2);
});
