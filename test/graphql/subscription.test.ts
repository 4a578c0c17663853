import { expect, test } from 'vitest';
import { MEAL_PLANNER, newDatabase, openApp } from '../open-app.ts';
import { openService, shareService } from '../open-service.ts';
import { statementsOf } from '../store/embeds/statements-of.ts';
import { type EventSource, follow } from './event-source.ts';

const gateway = shareService();

/** Returns a line for each received change. */
function changesIn({ events }: EventSource): readonly string[] {
  return events.map(({ event, data }) => {
    const { kind, embedId, embed } = data?.data?.embedChanged ?? {};
    return event === 'next' && kind ? `${kind} ${embedId} ${embed?.font ?? 'gone'}` : event;
  });
}

test('sends every change through either door once, in commit order', async () => {
  const { listener, as } = gateway;
  const ada = await as('ada');
  const stream = await follow(listener.port, ada);
  expect(stream.response.statusCode).toBe(200);
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(stream.response.headers).not.toHaveProperty('content-encoding');

  const { id: one } = await ada.create({ font: 'One' });
  const form = new FormData();
  form.set('page_url', MEAL_PLANNER);
  const multipart = await ada.fetch('/v1/embeds', { method: 'POST', body: form });
  const two = ((await multipart.json()) as { embed: { id: string } }).embed.id;
  await stream.count(2);
  await ada.rest('PATCH', `/v1/embeds/${one}`, { font: 'Two' });
  await stream.count(3);
  const created = await ada.graphql(
    `mutation { a: createEmbed(input: { pageUrl: "${MEAL_PLANNER}", font: "Three" }) { embed { id } } }`,
  );
  const three = created.data.a.embed.id;
  await stream.count(4);
  await ada.graphql(`mutation { updateEmbed(input: { id: "${three}", font: "Four" }) { embed { id } } }`);
  await stream.count(5);
  await ada.graphql(`mutation { deleteEmbed(input: { id: "${three}" }) { message } }`);
  await ada.rest('DELETE', `/v1/embeds/${two}`);
  // failed writes send nothing
  await ada.rest('DELETE', `/v1/embeds/${two}`);
  await ada.rest('PATCH', `/v1/embeds/${one}`, { font: '-' });
  // updates without a difference send nothing
  for (const same of [{}, { font: 'Two', mode: 'light', page_url: MEAL_PLANNER }]) {
    expect((await ada.rest('PATCH', `/v1/embeds/${one}`, same)).status).toBe(200);
  }
  await ada.graphql(`mutation { updateEmbed(input: { id: "${one}", font: "Two" }) { embed { id } } }`);
  await ada.rest('DELETE', `/v1/embeds/${one}`);
  await stream.count(8);
  expect(changesIn(stream)).toEqual([
    `CREATED ${one} One`,
    `CREATED ${two} default`,
    `UPDATED ${one} Two`,
    `CREATED ${three} Three`,
    `UPDATED ${three} Four`,
    `DELETED ${three} gone`,
    `DELETED ${two} gone`,
    `DELETED ${one} gone`,
  ]);
});

test('sends batched creates one by one, and nothing for a repeated create', async () => {
  const { listener, as } = gateway;
  const ada = await as('ada');
  const stream = await follow(listener.port, ada);
  const created = await Promise.all(Array.from({ length: 30 }, () => ada.create()));
  await stream.count(30);
  const send = () =>
    ada.fetch('/v1/embeds', {
      method: 'POST',
      body: new URLSearchParams({ page_url: MEAL_PLANNER }),
      headers: { 'idempotency-key': 'once' },
    });
  const once = (await (await send()).json()) as { embed: { id: string } };
  await send();
  const { id: last } = await ada.create();
  await stream.count(32);
  const sentIds = stream.events.map(({ data }) => data.data.embedChanged.embedId);
  expect(sentIds.slice(0, 30).toSorted()).toEqual(created.map(({ id }) => id).toSorted());
  expect(sentIds.slice(30)).toEqual([once.embed.id, last]);
});

test('sends concurrent updates of one embed in the order of their versions', async () => {
  const { listener, as, database } = await openService();
  const ada = await as('ada');
  const { id } = await ada.create();
  const changes = await database.changes.follow('ada');
  const stream = await follow(listener.port, ada);
  const racing = Array.from({ length: 30 }, (_, i) => ada.rest('PATCH', `/v1/embeds/${id}`, { font: `Font ${i}` }));
  const created = (await Promise.all(racing)).filter(({ status }) => status === 200).length;
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  await stream.count(created + 1);
  const kinds: string[] = [];
  for await (const { kind } of changes) {
    kinds.push(kind);
    if (kind === 'DELETED') break;
  }
  expect(kinds).toEqual([...Array.from({ length: created }, () => 'UPDATED'), 'DELETED']);
});

test('sends the deletion last when updates and the deletion of one embed race', async () => {
  const { as, database } = await openService();
  const ada = await as('ada');
  const ids = await Promise.all(Array.from({ length: 30 }, async () => (await ada.create()).id));
  const changes = await database.changes.follow('ada');
  const races = ids.flatMap((id) => [
    ...[1, 2, 3].map((i) => ada.rest('PATCH', `/v1/embeds/${id}`, { font: `Font ${i}` })),
    ada.rest('DELETE', `/v1/embeds/${id}`),
  ]);
  await Promise.all(races);
  const deleted = new Set<string>();
  for await (const { kind, embedId } of changes) {
    expect(deleted).not.toContain(embedId);
    if (kind === 'DELETED') deleted.add(embedId);
    if (deleted.size === ids.length) break;
  }
});

test('sends no changes of other accounts', async () => {
  const { listener, as } = gateway;
  const [ada, bob] = [await as('ada'), await as('bob')];
  const [adas, bobs] = [await follow(listener.port, ada), await follow(listener.port, bob)];
  const [a, b] = [await ada.create(), await bob.create()];
  await Promise.all([adas.count(1), bobs.count(1)]);
  await Promise.all([ada.rest('DELETE', `/v1/embeds/${a.id}`), bob.rest('DELETE', `/v1/embeds/${b.id}`)]);
  await Promise.all([adas.count(2), bobs.count(2)]);
  expect(changesIn(adas)).toEqual([`CREATED ${a.id} default`, `DELETED ${a.id} gone`]);
  expect(changesIn(bobs)).toEqual([`CREATED ${b.id} default`, `DELETED ${b.id} gone`]);
});

test('reads a changed embed once for all subscribers, and not at all if none selects it', async () => {
  const { listener, as } = gateway;
  const ada = await as('ada');
  const readsOf = async (streams: readonly EventSource[]) => {
    const statements = await statementsOf(async () => {
      const sent = streams.map(({ events }) => events.length);
      await ada.create();
      await Promise.all(streams.map((stream, i) => stream.count((sent[i] ?? 0) + 1)));
    });
    return statements.filter((sql) => /^SELECT .* (FROM|JOIN) "Embed"/s.test(sql));
  };
  const bare = await follow(listener.port, { ...ada, query: 'subscription { embedChanged { kind embedId } }' });
  expect(await readsOf([bare])).toEqual([]);
  const many = await Promise.all(Array.from({ length: 10 }, () => follow(listener.port, ada)));
  expect(await readsOf([bare, ...many])).toHaveLength(1);
});

test('each event has the budget of a request', async () => {
  const { listener, as } = gateway;
  const ada = await as('ada');
  const views = 'views(from: "2026-01-01", to: "2026-12-31") { views }';
  const stream = await follow(listener.port, { ...ada, query: `subscription { embedChanged { embed { ${views} } } }` });
  await Promise.all(Array.from({ length: 12 }, () => ada.create()));
  const sent = (await stream.count(12)).map(({ data }) => data);
  expect(sent).toEqual(sent.map(() => ({ data: { embedChanged: { embed: { views: { views: 0 } } } } })));
});

test('sends the changes that another process writes to the same database, as they happen', async () => {
  const databaseUrl = await newDatabase();
  const { listener, as } = await openService({ databaseUrl });
  const ada = await as('ada');
  const other = (await openApp({ databaseUrl })).withAuthorization(ada.authorization);
  const stream = await follow(listener.port, ada);
  const ids: string[] = [];
  for (const count of [1, 2, 3]) {
    ids.push((await other.create()).id);
    await stream.count(count);
  }
  expect(changesIn(stream)).toEqual(ids.map((id) => `CREATED ${id} default`));
});
