import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { follow } from '../graphql/event-source.ts';
import { MEAL_PLANNER, newDatabase, openApp, openRaw } from '../open-app.ts';
import { makeToken, send, startGateway } from './gateway.ts';

const LISTENERS = `FROM pg_stat_activity
  WHERE application_name = 'embed-gateway changes' AND datname = current_database()`;

test('what is changed through one gateway is told by the other, and a stop ends its streams at once', {
  timeout: 60_000,
}, async () => {
  const url = await newDatabase();
  const [one, other] = await Promise.all([startGateway(url), startGateway(url)]);
  const [ada, bob] = [await makeToken(url, 'ada'), await makeToken(url, 'bob')];
  const port = Number(new URL(other.origin).port);
  const [adas, bobs] = [await follow(port, ada), await follow(port, bob)];

  const body = { page_url: MEAL_PLANNER, font: 'One' };
  const made = await send(one.origin, 'POST', '/v1/embeds', { ...ada, body });
  const { id } = made.body.embed;
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

test('nothing is missed from when a stream has begun, whoever writes at that moment', { timeout: 60_000 }, async () => {
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
    const told: string[] = [];
    for await (const { kind, embedId } of changes) {
      if (kind === 'CREATED') told.push(embedId);
      if (told.length >= 20) break;
    }
    const page = { size: 1_000, fromEnd: false, after: undefined, before: undefined };
    const after = (await writer.embeds.findPage('ada', page)).embeds.map(({ id }) => id).toReversed();
    // what was not in the list yet is told in its order, with nothing left out
    const isNew = (id: string) => after.indexOf(id) >= before;
    expect(told.filter(isNew)).toEqual(after.slice(before, before + told.filter(isNew).length));
    expect(told.some(isNew)).toBe(true);
    if (after.length > 900) break;
  }
});

test('a lost connection ends the streams, and the next one begins on another', async () => {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  const ada = await as('ada');
  const raw = await openRaw(url);
  const changes = await database.changes.follow('ada');
  const refused = expect(changes.next()).rejects.toThrow('Changes may have been missed');
  await raw.query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`);
  await refused;
  const again = await database.changes.follow('ada');
  const { id } = await ada.create();
  expect((await again.next()).value).toEqual({ kind: 'CREATED', accountId: 'ada', embedId: id });
  await again.return?.();
  await expect.poll(() => raw.query(`SELECT pid ${LISTENERS}`)).toEqual([]);
});

test('a write notifies only for accounts that are followed, and in pieces that fit', async () => {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const listener = new pg.Client(url);
  await listener.connect();
  onTestFinished(() => listener.end());
  const payloads: string[] = [];
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.query('LISTEN embed_changed');
  const made = await Promise.all(Array.from({ length: 450 }, () => ada.create()));
  await bob.create();

  const changes = await database.changes.follow('ada');
  await bob.create();
  // as one statement, by whoever it is
  await (await openRaw(url)).query(`UPDATE "Embed" SET "font" = 'Other'`);
  const told: string[] = [];
  while (told.length < 450) told.push((await changes.next()).value?.embedId ?? '');
  expect(told.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  const ofUpdate = () => payloads.filter((payload) => payload.startsWith('UPDATED'));
  await expect.poll(() => ofUpdate().length).toBe(3);
  // the other account's creates, one by one, and its part of the update
  expect(payloads.filter((payload) => payload.includes(' bob '))).toEqual([]);
  expect(Math.max(...payloads.map(({ length }) => length))).toBeLessThan(8_000);
});

test('while the database cannot be listened to, a stream is refused, and can begin again', async () => {
  const url = await newDatabase();
  const { database, as } = await openApp({ databaseUrl: url });
  await as('ada');
  const raw = await openRaw(url);
  // as a write that does not come to an end
  await raw.query('BEGIN');
  await raw.query("SELECT pg_advisory_xact_lock(1701667429, hashtext('ada'))");
  await expect(database.changes.follow('ada')).rejects.toMatchObject({ code: 'unavailable' });
  await raw.query('ROLLBACK');
  await (await database.changes.follow('ada')).return?.();
});
