import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './target.ts';

// an import would read all exports of the module, one of which loads Node's undici
const { request } = process.getBuiltinModule('node:http');

/** Opens a TCP connection to one of the given addresses. The caller closes it. */
export type Dial = (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>;

const ADDRESS_TIMEOUT_MS = 500;

/** Node's default of 16 kB is too small for sites with long `Link` and `Content-Security-Policy` headers. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Limit for 1xx responses (RFC 9110 section 15.2). */
const MAX_INFORMATIONAL_RESPONSES = 10;

/** Alternates between IPv6 and IPv4. Replaces Node's own DNS lookup, so that only checked addresses are used. */
export async function dialDirectly(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const [first = ''] = addresses;
  const candidates = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    host: addresses.length === 1 ? first : 'checked.invalid',
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    lookup: (_hostname, _options, callback) => callback(null, candidates),
  });
  return waitUntilReady(socket, 'connect', signal);
}

/** Opens a connection to a target. For https, rejects unless the certificate is valid for the host of the URL. */
export async function openConnection(target: Target, dial: Dial, signal: AbortSignal): Promise<Socket> {
  const tcp = await dial(target.addresses, target.port, signal);
  if (target.url.protocol === 'http:') return tcp;
  const host = target.url.hostname.replace(/^\[|\]$|\.$/g, '');
  const socket = connectTls({
    socket: tcp,
    host,
    // RFC 6066 section 3 forbids addresses here
    servername: isIP(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  return waitUntilReady(socket, 'secureConnect', signal);
}

export interface Message {
  /** GET unless given. */
  readonly method?: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Uint8Array | null;
}

/** Sends a request and resolves as soon as the response headers are complete. */
export function sendRequest(
  connection: Socket,
  { url }: Target,
  { method = 'GET', headers, body = null }: Message,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let informational = 0;
    request({
      createConnection: () => connection,
      method,
      path: url.pathname + url.search,
      headers: { ...headers, ...(body && { 'content-length': body.length }), host: url.host },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    })
      .on('information', () => ++informational > MAX_INFORMATIONAL_RESPONSES && connection.destroy())
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('The connection closed without a response.')))
      .end(body);
  });
}

async function waitUntilReady(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  // errors after the caller stopped waiting must not end the process
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
