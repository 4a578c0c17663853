import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Listener, listen } from '../../src/http/listen.ts';
import { openApp, type TestApp } from '../open-app.ts';

export interface Service extends TestApp {
  readonly listener: Listener;
  /** Sends text over a new connection, and returns all received text when it closes. */
  readonly send: (text: string) => Promise<string>;
  readonly open: () => Socket;
}

/** Opens the app behind a listener on a free port. */
export async function openService(): Promise<Service> {
  const service = await openApp();
  const listener = await listen({ port: 0, host: '127.0.0.1', answer: service.app.handle });
  onTestFinished(() => listener.close(0));
  const open = () => connect(listener.port, '127.0.0.1').setEncoding('utf8').setNoDelay();
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = open();
      let answer = '';
      socket.on('data', (part: string) => {
        answer += part;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(answer));
      socket.write(text);
    });
  return { ...service, listener, send, open };
}
