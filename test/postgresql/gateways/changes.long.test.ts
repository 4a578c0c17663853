import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { cannotHoldOnCitus } from '../../databases/database.ts';
import { follow } from '../../graphql/event-source.ts';
import { MEAL_PLANNER, newDatabase, openApp } from '../../open-app.ts';
import { makeToken, send, startGateway } from './gateway.ts';
import { LISTENERS, lifeOf, OTHER_SESSIONS, openTwo } from './open-two.ts';

test('a subscription at one gateway receives changes by another process, and a stop of the process ends it at once', async () => {
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
  expect(adas.events.map(({ data }) => data.data.embedChanged)).toEqual(lifeOf(id));
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

test('no change is missed after a subscription has started, whichever process writes', async () => {
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
    const before = (await writer.createList('ada', null).count()).count;
    const received: string[] = [];
    for await (const { kind, embedId } of changes) {
      if (kind === 'CREATED') received.push(embedId);
      if (received.length >= 20) break;
    }
    const page = { size: 1_000, fromEnd: false, after: undefined, before: undefined };
    const after = (await writer.createList('ada', null).findPage(page)).embeds.map(({ id }) => id).toReversed();
    // changes of embeds that the first list lacks arrive in order and complete
    const isNew = (id: string) => after.indexOf(id) >= before;
    expect(received.filter(isNew)).toEqual(after.slice(before, before + received.filter(isNew).length));
    expect(received.some(isNew)).toBe(true);
    if (after.length > 900) break;
  }
});

test.skipIf(cannotHoldOnCitus('gateways do not listen, because triggers run on workers'))(
  'lost connections lose no change, and end no subscription',
  async () => {
    const { ada, database, writer, raw } = await openTwo();
    const { id } = await ada.create();
    const changes = await database.changes.follow('ada');
    for (let i = 0; i < 3; i++) {
      await expect.poll(() => raw.query(`SELECT 1 ${LISTENERS}`)).toHaveLength(1);
      await raw.query(`SELECT pg_terminate_backend(pid) ${OTHER_SESSIONS}`);
      const update = () => writer.embeds.update('ada', id, (embed) => ({ ...embed, font: `Font ${i}` }));
      await expect.poll(() => update().then(() => 'updated', String)).toBe('updated');
      // the create is number 1
      expect((await changes.next()).value).toMatchObject({ kind: 'UPDATED', embedId: id, number: i + 2 });
    }
    await changes.return?.();
    await expect.poll(() => raw.query(`SELECT 1 ${LISTENERS}`)).toEqual([]);
  },
);
