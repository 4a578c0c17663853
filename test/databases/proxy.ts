import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback. */
export interface Proxy {
  readonly port: number;
  /** Sends new connections to another port. */
  switchTo(port: number): void;
  /** Ends all connections and refuses new ones, like a server that stops. */
  stop(): void;
  /** Accepts connections again, on the same port. */
  start(): Promise<void>;
}

/** Opens a proxy to a port of this machine. */
export async function openProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.once('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    switchTo(port) {
      target = port;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    start: () => listen(port),
  };
}
