import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

const VERSION = '{"id":1,"result":{"product":"Frozen/1"}}';

/** Starts a remote browser that tells its version, after a greeting if there is one, and nothing more. Returns its host and port. */
export async function startFrozenBrowser(...greetings: string[]): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('upgrade', ({ headers }, socket) => {
    onTestFinished(() => void socket.destroy());
    const key = hash('sha1', `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n');
    socket.write(`Sec-WebSocket-Accept: ${key}\r\n\r\n`);
    for (const text of [...greetings, VERSION])
      socket.write(Buffer.from(`\x81${String.fromCharCode(text.length)}${text}`, 'latin1'));
    socket.resume();
  });
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
