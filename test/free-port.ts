import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Two programs that start at the same time must not get the same port. */
const found = new Set<number>();

/** Finds a port of the loopback interface that is free at this moment, and that this process has not found before. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  if (found.has(port)) return findFreePort();
  found.add(port);
  return port;
}
