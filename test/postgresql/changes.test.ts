import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { follow } from '../graphql/event-source.ts';
import { MEAL_PLANNER, newDatabase, openApp, openRaw } from '../open-app.ts';
import { makeToken, send, startGateway } from './gateway.ts';

const LISTENERS = `FROM pg_stat_activity
  WHERE application_name = 'embed-gateway changes' AND datname = current_database()`;

test('a subscription at one gateway receives changes by another, and a stop ends it at once', {
  timeout: 60_000,
}, async () => {
  const url = await newDatabase();
  const [one, other] = await Promise.all([startGateway(url), startGateway(url)]);
  const [ada, bob] = [await makeToken(url, 'ada'), await makeToken(url, 'bob')];
  const port = Number(new URL(other.origin).port);
  const [adas, bobs] = [await follow(port, ada), await follow(port, bob)];

  const body = { page_url: MEAL_PLANNER, font: 'One' };
  const created = await send(one.origin, 'POST', '/v1/embeds', { ...ada, body });
  const { id } = created.body.embed;
  await adas.count(1);
  await send(one.origin, 'PATCH', `/v1/embeds/${id}`, { ...ada, body: { font: 'Two' } });
  await adas.count(2);
  await send(one.origin, 'DELETE', `/v1/embeds/${id}`, ada);
  await adas.count(3);
  expect(adas.events.map(({ data }) => data.data.embedChanged)).toEqual([
    { kind: 'CREATED', embedId: id, embed: { id, font: 'One' } },
    { kind: 'UPDATED', embedId: id, embed: { id, font: 'Two' } },
    { kind: 'DELETED', embedId: id, embed: null },
  ]);
  expect(bobs.events).toEqual([]);

  const stopped = performance.now();
  other.run.child.kill('SIGTERM');
  expect(await other.run.ended).toBe(0);
  // far less than the 8 s that requests in flight may take
  expect(performance.now() - stopped).toBeLessThan(6_000);
  await Promise.all([adas.ended, bobs.ended]);
  expect(adas.events.slice(-2).map(({ event }) => event)).toEqual(['next', 'complete']);
  expect(adas.events.at(-2)?.data.errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
});

test('no change is missed after a subscription has started, whichever process writes', {
  timeout: 60_000,
}, async () => {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  const ada = await as('ada');
  const writer = await openDatabase(url);
  onTestFinished(() => writer.close());
  let isOver = false;
  const writing = (async () => {
    for (let i = 0; !isOver; i++) {
      const { id } = await ada.create();
      if (i % 2 === 0) await writer.embeds.update('ada', id, (embed) => ({ ...embed, font: `Font ${i}` }));
    }
  })();
  onTestFinished(() => {
    isOver = true;
    return writing;
  });
  for (let i = 0; i < 25; i++) {
    const changes = await database.changes.follow('ada');
    const before = await writer.embeds.count('ada');
    const received: string[] = [];
    for await (const { kind, embedId } of changes) {
      if (kind === 'CREATED') received.push(embedId);
      if (received.length >= 20) break;
    }
    const page = { size: 1_000, fromEnd: false, after: undefined, before: undefined };
    const after = (await writer.embeds.findPage('ada', page)).embeds.map(({ id }) => id).toReversed();
    // changes of embeds that the first list lacks arrive in order and complete
    const isNew = (id: string) => after.indexOf(id) >= before;
    expect(received.filter(isNew)).toEqual(after.slice(before, before + received.filter(isNew).length));
    expect(received.some(isNew)).toBe(true);
    if (after.length > 900) break;
  }
});

test('a lost connection ends the subscriptions, and the next one uses a new connection', async () => {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  const ada = await as('ada');
  const raw = await openRaw(url);
  const changes = await database.changes.follow('ada');
  const rejected = expect(changes.next()).rejects.toThrow('Changes may have been missed');
  await raw.query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`);
  await rejected;
  const again = await database.changes.follow('ada');
  const { id } = await ada.create();
  expect((await again.next()).value).toEqual({ kind: 'CREATED', accountId: 'ada', embedId: id });
  await again.return?.();
  await expect.poll(() => raw.query(`SELECT pid ${LISTENERS}`)).toEqual([]);
});

test('a write notifies only for accounts with a subscription, within the maximum size of a notification', async () => {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const listener = new pg.Client(url);
  await listener.connect();
  onTestFinished(() => listener.end());
  const payloads: string[] = [];
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.query('LISTEN embed_changed');
  const created = await Promise.all(Array.from({ length: 450 }, () => ada.create()));
  await bob.create();

  const changes = await database.changes.follow('ada');
  await bob.create();
  // one statement of another client
  await (await openRaw(url)).query(`UPDATE "Embed" SET "font" = 'Other'`);
  const received: string[] = [];
  while (received.length < 450) received.push((await changes.next()).value?.embedId ?? '');
  expect(received.toSorted()).toEqual(created.map(({ id }) => id).toSorted());
  const ofUpdate = () => payloads.filter((payload) => payload.startsWith('UPDATED'));
  await expect.poll(() => ofUpdate().length).toBe(3);
  // the other account's creates, one by one, and its part of the update
  expect(payloads.filter((payload) => payload.includes(' bob '))).toEqual([]);
  expect(Math.max(...payloads.map(({ length }) => length))).toBeLessThan(8_000);
});

test('a subscription is rejected while its lock cannot be taken, and can be repeated', async () => {
  const url = await newDatabase();
  const { database, as } = await openApp({ databaseUrl: url });
  await as('ada');
  const raw = await openRaw(url);
  // like a write that does not end
  await raw.query('BEGIN');
  await raw.query("SELECT pg_advisory_xact_lock(1701667429, hashtext('ada'))");
  await expect(database.changes.follow('ada')).rejects.toMatchObject({ code: 'unavailable' });
  await raw.query('ROLLBACK');
  await (await database.changes.follow('ada')).return?.();
});
