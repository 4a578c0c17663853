import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { dialDirectly } from '../../src/fetch/connect.ts';
import { createPageFetcher, type PageFetcher } from '../../src/fetch/fetch.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';

/** A server on loopback. */
export interface Host {
  readonly port: number;
  /** Number of open connections. */
  connections(): number;
  close(): Promise<void>;
}

/** A web site with a listener per path, and 404 for all other paths. */
export interface WebHost extends Host {
  readonly requests: IncomingMessage[];
  serve(path: string, listener: RequestListener): void;
}

export async function openWebHost({ secure = false } = {}): Promise<WebHost> {
  const pages = new Map<string, RequestListener>();
  const requests: IncomingMessage[] = [];
  const respond: RequestListener = (request, response) => {
    requests.push(request);
    const page = pages.get(request.url ?? '');
    if (page) page(request, response);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>');
  };
  const server = secure ? createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, respond) : createServer(respond);
  return { ...(await listen(server)), requests, serve: (path, listener) => pages.set(path, listener) };
}

/** A TCP server without a protocol. */
export function openRawHost(onConnection: (socket: Socket) => void): Promise<Host> {
  return listen(createTcpServer(onConnection));
}

async function listen(server: Server): Promise<Host> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** DNS of the test internet. */
const ADDRESSES: Record<string, readonly string[]> = {
  'site.example': ['93.184.215.14'],
  'other.example': ['2606:2800:21f:cb07::1', '93.184.215.15'],
  'secure.example': ['93.184.215.16'],
  'private.example': ['10.0.0.7'],
  'metadata.example': ['169.254.169.254'],
  'mixed.example': ['93.184.215.14', '192.168.1.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'empty.example': [],
};

async function resolveName(hostname: string): Promise<readonly string[]> {
  const addresses = ADDRESSES[hostname.replace(/\.$/, '')];
  if (!addresses) throw new Error(`queryA ENOTFOUND ${hostname}`);
  return addresses;
}

interface DialCall {
  readonly addresses: readonly string[];
  readonly port: number;
}

/** Creates a fetcher with the rules of production, whose connections to any address lead to `host`. */
export function openInternet(host: Host, resolve = resolveName): { fetcher: PageFetcher; calls: DialCall[] } {
  const calls: DialCall[] = [];
  const fetcher = createPageFetcher({
    policy: { allowPrivatePages: false },
    ownAddresses: { embedHost: 'embeds.example:443', host: '127.0.0.1', port: 4000 },
    userAgent: 'Baker/1.0 (+https://baker.example)',
    resolve,
    dial: (addresses, port, signal) => {
      calls.push({ addresses, port });
      return dialDirectly(['127.0.0.1'], host.port, signal);
    },
  });
  return { fetcher, calls };
}
