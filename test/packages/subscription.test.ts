import { expect, onTestFinished, test, vi } from 'vitest';
import { EmbedChangedDocument } from '../../packages/client/src/graphql.ts';
import { EmbedGateway, UnauthenticatedError, UnavailableError } from '../../packages/client/src/index.ts';
import { MEAL_PLANNER } from '../open-app.ts';
import { openService } from '../open-service.ts';

/** Opens the service and a client. Between them is a network that can cut streams, and change the id of the last event. */
async function openClient() {
  const { origin, as } = await openService();
  const ada = await as('ada');
  const cuts: (() => void)[] = [];
  const sentIds: (string | null)[] = [];
  const signals: AbortSignal[] = [];
  const network = { changeId: (id: string | null) => id };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.headers.get('accept')?.startsWith('text/event-stream')) {
      const id = network.changeId(request.headers.get('last-event-id'));
      sentIds.push(id);
      signals.push(request.signal);
      if (id !== null) request.headers.set('last-event-id', id);
    }
    const response = await globalThis.fetch(request);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const cut = new AbortController();
    cuts.push(() => cut.abort(new TypeError('the connection was reset')));
    const body = response.body?.pipeThrough(new TransformStream(), { signal: cut.signal }) ?? null;
    return new Response(body, response);
  };
  const token = ada.authorization.replace('Bearer ', '');
  const client = new EmbedGateway({ baseUrl: origin, token, fetch, maxRetries: 1 });
  return { client, origin, network, sentIds, signals, cutLast: () => cuts.at(-1)?.() };
}

test('a subscription sends every change after it was opened, also over lost connections', async () => {
  const { client, sentIds, cutLast } = await openClient();
  const changes = await client.subscribe(EmbedChangedDocument);
  const { embed } = await client.createEmbed({ page_url: MEAL_PLANNER });
  const next = async () => (await changes.next()).value?.embedChanged;
  expect(await next()).toMatchObject({ kind: 'CREATED', embedId: embed.id, embed: { mode: 'LIGHT' } });
  cutLast();
  await client.updateEmbed(embed.id, { mode: 'dark' });
  await client.deleteEmbed(embed.id);
  expect(await next()).toMatchObject({ kind: 'UPDATED', embedId: embed.id });
  cutLast();
  expect(await next()).toEqual({ kind: 'DELETED', embedId: embed.id, embed: null });
  expect(sentIds[0]).toBeNull();
  expect(sentIds.slice(1).every((id) => id !== null && /-\d+$/.test(id))).toBe(true);
  expect(sentIds.length).toBeGreaterThan(1);
  await changes.return();
});

test('a loop over a subscription ends with its signal, or with break', async () => {
  const { client } = await openClient();
  const stop = new AbortController();
  const changes = await client.subscribe(EmbedChangedDocument, {}, { signal: stop.signal });
  const waiting = changes.next();
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  const others = await client.subscribe(EmbedChangedDocument);
  await client.createEmbed({ page_url: MEAL_PLANNER });
  for await (const { embedChanged } of others) {
    expect(embedChanged.kind).toBe('CREATED');
    break;
  }
  expect(await others.next()).toEqual({ done: true, value: undefined });
});

test('a subscription that is closed before it is read ends its request', async () => {
  const { client, signals } = await openClient();
  const changes = await client.subscribe(EmbedChangedDocument);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await changes.return();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a stream that is silent for too long is continued by another one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sentIds: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sentIds.push(new Headers(init?.headers).get('last-event-id'));
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`id: ${sentIds.length}\n\n`));
        if (sentIds.length > 1) controller.enqueue(new TextEncoder().encode('event: next\ndata: {"data":"later"}\n\n'));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const client = new EmbedGateway({ baseUrl: 'http://localhost', token: 'x'.repeat(20), fetch });
  const changes = await client.subscribe(EmbedChangedDocument);
  const next = changes.next();
  await vi.advanceTimersByTimeAsync(44_000);
  expect(sentIds).toEqual([null]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await next).toEqual({ done: false, value: 'later' });
  expect(sentIds).toEqual([null, '1']);
  await changes.return();
});

test('it throws if changes may have been missed, and if the token is refused', async () => {
  const { client, network, cutLast, origin } = await openClient();
  const changes = await client.subscribe(EmbedChangedDocument);
  await client.createEmbed({ page_url: MEAL_PLANNER });
  await changes.next();
  network.changeId = (id) => id && '0123456789abcdef-7';
  cutLast();
  await expect(changes.next()).rejects.toThrow(UnavailableError);
  await expect(changes.next()).resolves.toEqual({ done: true, value: undefined });
  const other = new EmbedGateway({ baseUrl: origin, token: 'x'.repeat(20) });
  await expect(other.subscribe(EmbedChangedDocument)).rejects.toThrow(UnauthenticatedError);
});
