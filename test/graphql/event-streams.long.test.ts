import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/server/listen.ts';
import { openTelemetry } from '../../src/telemetry/telemetry.ts';
import { openApp } from '../open-app.ts';
import { openService } from '../open-service.ts';
import { embedOf } from '../store/embeds/embed-of.ts';
import { type EventSource, follow } from './event-source.ts';

test('does not count open streams as requests in flight', async () => {
  const { listener, as } = await openService();
  const streams: EventSource[] = [];
  // more than the limit of 500 API requests in flight
  for (let i = 0; i < 26; i++) {
    const token = await as('ada');
    streams.push(...(await Promise.all(Array.from({ length: 20 }, () => follow(listener.port, token)))));
  }
  expect(streams.filter(({ response }) => response.statusCode !== 200)).toEqual([]);
  const { id } = await (await as('ada')).create();
  await Promise.all(streams.map((stream) => stream.count(1)));
  expect(new Set(streams.map(({ events }) => events[0]?.data.data.embedChanged.embedId))).toEqual(new Set([id]));
});

test('ends the changes of a reader that is too slow with an error', async () => {
  const { database, as } = await openService();
  await as('ada');
  const changes = await database.changes.follow('ada');
  for (let i = 0; i < 11; i++) {
    const embeds = Array.from({ length: 1_000 }, () => embedOf('ada'));
    await Promise.all(embeds.map((embed) => database.embeds.insert(embed)));
  }
  await expect(changes.next()).rejects.toThrow('Changes may have been missed');
  expect(await changes.next()).toEqual({ done: true, value: undefined });
});

test('disconnects a client that does not read its stream', async () => {
  const telemetry = await openTelemetry({ metrics: true, traces: false });
  const { app, as } = await openApp({}, telemetry);
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: app.handle, timeouts: { maxWaitMs: 300 } });
  onTestFinished(() => listener.close(0));
  const ada = await as('ada');
  const { id } = await ada.create({ page_url: `https://example.com/${'long-title-'.repeat(150)}` });
  const fields = Array.from({ length: 29 }, (_, i) => `h${i}: html`).join(' ');
  const stalled = connect(listener.port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void stalled.destroy());
  const query = new URLSearchParams({ query: `subscription { embedChanged { embed { ${fields} } } }` });
  stalled
    .pause()
    .write(
      `GET /graphql?${query} HTTP/1.1\r\nHost: a\r\nAuthorization: ${ada.authorization}\r\nAccept: text/event-stream\r\n\r\n`,
    );
  const open = async () =>
    /^embed_gateway_http_streams_open (\d+)$/m.exec((await telemetry.metrics?.render()) ?? '')?.[1];
  await expect.poll(open).toBe('1');
  // each change sends 50 kB, until the buffers of the network are full
  const change = async (i: number) => {
    await ada.rest('PATCH', `/v1/embeds/${id}`, { font: `Font ${i}` });
    // in the process, a request may end without a turn of the event loop, which sends the events
    await new Promise(setImmediate);
  };
  for (let i = 0; i < 2_000 && (await open()) === '1'; i++) await change(i);
  expect(await open()).toBe('0');
});
