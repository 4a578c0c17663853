import { expect, test } from 'vitest';
import { shareService } from '../open-service.ts';
import { type EventSource, follow } from './event-source.ts';

const gateway = shareService();

/** Returns the id that a browser would send after the events so far. */
function lastIdOf({ text }: EventSource): string {
  return [...text().matchAll(/^id: ?(.*)$/gm)].at(-1)?.[1] ?? '';
}

function changedIn({ events }: EventSource): readonly string[] {
  return events.map(({ data }) => data?.data?.embedChanged?.embedId);
}

async function openAda() {
  const service = gateway;
  const ada = await service.as('ada');
  const followAfter = (id: string) => follow(service.listener.port, { ...ada, headers: { 'last-event-id': id } });
  const leave = async (stream: EventSource) => {
    stream.leave();
    await stream.ended;
  };
  return { ...service, ada, followAfter, leave };
}

test('a client that sends Last-Event-ID receives what it has missed, once and in order, and what follows', async () => {
  const { ada, listener, followAfter, leave } = await openAda();
  const first = await follow(listener.port, ada);
  await expect.poll(() => lastIdOf(first)).not.toBe('');
  const startId = lastIdOf(first);
  const one = await ada.create();
  await first.count(1);
  expect(first.events[0]?.id).toBe(lastIdOf(first));
  expect(lastIdOf(first)).not.toBe(startId);
  await leave(first);

  const two = await ada.create();
  await ada.rest('PATCH', `/v1/embeds/${one.id}`, { font: 'Other' });
  await ada.rest('DELETE', `/v1/embeds/${two.id}`);
  const [fromStart, second] = [await followAfter(startId), await followAfter(lastIdOf(first))];
  const three = await ada.create();
  await fromStart.count(5);
  await second.count(4);
  const missed = [two.id, one.id, two.id, three.id];
  expect(changedIn(fromStart)).toEqual([one.id, ...missed]);
  expect(changedIn(second)).toEqual(missed);
  expect(second.events.slice(0, 3).map(({ data }) => data.data.embedChanged)).toEqual([
    { kind: 'CREATED', embedId: two.id, embed: null },
    { kind: 'UPDATED', embedId: one.id, embed: { id: one.id, font: 'Other' } },
    { kind: 'DELETED', embedId: two.id, embed: null },
  ]);
  expect(lastIdOf(second)).toBe(lastIdOf(fromStart));
});

test('a client that has missed nothing receives only what follows', async () => {
  const { ada, listener, followAfter, leave } = await openAda();
  const first = await follow(listener.port, ada);
  await ada.create();
  await first.count(1);
  await leave(first);
  const second = await followAfter(lastIdOf(first));
  const { id } = await ada.create();
  await second.count(1);
  expect(changedIn(second)).toEqual([id]);
});

test('clients that leave and return while another one writes miss nothing', async () => {
  const { ada, listener, followAfter, leave } = await openAda();
  let stream = await follow(listener.port, ada);
  await expect.poll(() => lastIdOf(stream)).not.toBe('');
  const received: string[] = [];
  const created: string[] = [];
  for (let i = 0; i < 4; i++) {
    const writing = Promise.all(Array.from({ length: 20 }, async () => created.push((await ada.create()).id)));
    await leave(stream);
    received.push(...changedIn(stream));
    stream = await followAfter(lastIdOf(stream));
    await writing;
  }
  await stream.count(created.length - received.length);
  received.push(...changedIn(stream));
  expect(received.toSorted()).toEqual(created.toSorted());
});

test.each([
  [
    'of another account',
    async ({ as, listener }: Awaited<ReturnType<typeof openAda>>) => {
      const bobs = await follow(listener.port, await as('bob'));
      await expect.poll(() => lastIdOf(bobs)).not.toBe('');
      return lastIdOf(bobs);
    },
  ],
  ['that is not kept any more', async () => `${'0'.repeat(16)}-1`],
  [
    'of the future',
    async ({ ada, listener }: Awaited<ReturnType<typeof openAda>>) => {
      const stream = await follow(listener.port, ada);
      await expect.poll(() => lastIdOf(stream)).not.toBe('');
      return lastIdOf(stream).replace(/\d+$/, '1000');
    },
  ],
  ['that is no id', async () => 'nonsense'],
])('an id %s gets one error, after which the client starts anew', async (_name, idOf) => {
  const service = await openAda();
  const stream = await service.followAfter(await idOf(service));
  await stream.ended;
  expect(stream.response.statusCode).toBe(200);
  expect(stream.events).toMatchObject([
    {
      event: 'next',
      // a browser forgets its last id
      id: '',
      data: {
        errors: [
          {
            message: 'Changes may have been missed: subscribe again, then read what you show anew.',
            extensions: { code: 'SERVICE_UNAVAILABLE' },
          },
        ],
      },
    },
    { event: 'complete', id: undefined },
  ]);
});
