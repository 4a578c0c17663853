import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { reply } from '../../../src/http/reply.ts';
import { listen } from '../../../src/http/server/listen.ts';
import { connectRaw } from './open-raw-service.ts';
import { readUntil } from './slow-clients.ts';

type Given = Partial<Parameters<typeof listen>[0]>;

export const REQUEST = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';

/** A response without a body. */
export const OK = /^HTTP\/1\.1 200 .*\r\n\r\n/s;

/** Opens a listener that answers each request at once, unless other options are given. */
export async function openListener(given: Given = {}) {
  const answer = () => reply(null);
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: answer, ...given });
  onTestFinished(() => listener.close(0));
  return { listener, ...connectRaw(listener.port) };
}

/** Opens a connection, and waits until the listener has answered a request of it. */
export async function openUsed(open: () => Socket): Promise<Socket> {
  const socket = open().on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const answered = readUntil(socket, OK);
  socket.write(REQUEST);
  await answered;
  return socket.resume();
}
