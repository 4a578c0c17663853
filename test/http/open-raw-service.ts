import { connect, type Socket } from 'node:net';
import { openService, type Service } from '../open-service.ts';

export interface RawService extends Service {
  /** Sends text over a new connection, and returns all received text when it closes. */
  readonly send: (text: string) => Promise<string>;
  readonly open: () => Socket;
}

/** Opens the app behind a listener, for clients that write to the socket. */
export async function openRawService(...options: Parameters<typeof openService>): Promise<RawService> {
  const service = await openService(...options);
  const open = () => connect(service.listener.port, '127.0.0.1').setEncoding('utf8').setNoDelay();
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
  return { ...service, send, open };
}
