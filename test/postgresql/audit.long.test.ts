import { expect, test, vi } from 'vitest';
import { MEAL_PLANNER, newDatabase, openApp, openRaw } from '../open-app.ts';
import { makeToken, send, startGateway } from './gateways/gateway.ts';

test('at LOG_LEVEL=silent the output still has the audit log', async () => {
  const url = await newDatabase();
  const { authorization } = await makeToken(url, 'ada');
  const { origin, run } = await startGateway(url, { environment: { LOG_LEVEL: 'silent' } });
  const create = () => send(origin, 'POST', '/v1/embeds', { authorization, body: { page_url: MEAL_PLANNER } });
  // a busy database answers 503
  const { id } = await vi.waitUntil(async () => (await create()).body.embed, { timeout: 60_000 });
  await send(origin, 'DELETE', `/v1/embeds/${id}`, { authorization });
  await expect.poll(run.stdout).toMatch(/embed\.deleted.*\n/);
  const line = run
    .stdout()
    .split('\n')
    .find((text) => text.includes('embed.deleted'));
  expect(JSON.parse(line ?? '')).toMatchObject({ msg: 'audit', accountId: 'ada', embedId: id });
});

test('a list of audit events waits for those that are being written', async () => {
  const databaseUrl = await newDatabase();
  const ada = await (await openApp({ databaseUrl })).as('ada');
  const raw = await openRaw(databaseUrl);
  await raw.query('BEGIN');
  await raw.query('LOCK TABLE "AuditEvent" IN EXCLUSIVE MODE');
  await ada.create();
  const blocked = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '"AuditEvent"'::regclass`;
  await expect.poll(() => raw.query(blocked)).toHaveLength(1);
  const listed = ada.rest('GET', '/v1/audit');
  // reads are not blocked
  await ada.rest('GET', '/v1/embeds');
  await raw.query('COMMIT');
  expect((await listed).body.events).toMatchObject([{ action: 'embeds_created' }]);
});
