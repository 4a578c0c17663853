import { connect, type Socket } from 'node:net';
import { openService, type Service } from '../../open-service.ts';

interface RawClient {
  /** Sends text over a new connection, and returns all received text when it closes. */
  readonly send: (text: string) => Promise<string>;
  readonly open: () => Socket;
}

export type RawService = Service & RawClient;

/** Opens the app behind a listener, for clients that write to the socket. */
export async function openRawService(...options: Parameters<typeof openService>): Promise<RawService> {
  const service = await openService(...options);
  return { ...service, ...connectRaw(service.listener.port) };
}

export function connectRaw(port: number): RawClient {
  const open = () => connect(port, '127.0.0.1').setEncoding('utf8').setNoDelay();
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = open();
      let received = '';
      socket.on('data', (part: string) => {
        received += part;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(received));
      socket.write(text);
    });
  return { send, open };
}
