import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './target.ts';

/** Opens a TCP connection to one of these addresses and to nothing else. */
export type Dial = (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>;

/** How long one address may take before it is given up for the next. */
const NEXT_ADDRESS_MS = 500;

/** Some sites send long lists of hints and security policies. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Answers that only announce the answer (RFC 9110 section 15.2). */
const MAX_HINTS = 10;

/** Tries IPv6 and IPv4 in turns. The lookup that Node would do is answered with the addresses that were checked. */
export async function dialDirectly(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const [first = ''] = addresses;
  const candidates = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    // Not looked up when it is an address itself, and then it is the only one.
    host: addresses.length === 1 ? first : 'checked.invalid',
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_hostname, _options, callback) => callback(null, candidates),
  });
  return whenReady(socket, 'connect', signal);
}

/** A connection that is ready to be asked over. For https the certificate holds for the URL's host. */
export async function openConnection(target: Target, dial: Dial, signal: AbortSignal): Promise<Socket> {
  const tcp = await dial(target.addresses, target.port, signal);
  if (target.url.protocol === 'http:') return tcp;
  const host = target.url.hostname.replace(/^\[|\]$|\.$/g, '');
  const socket = connectTls({
    socket: tcp,
    host,
    // RFC 6066 section 3: a server name is never an address.
    servername: isIP(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  return whenReady(socket, 'secureConnect', signal);
}

/** Asks for a page over a connection that serves for nothing else, and answers as soon as the headers are there. */
export function ask(
  connection: Socket,
  { url }: Target,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let hints = 0;
    request({
      createConnection: () => connection,
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    })
      .on('information', () => ++hints > MAX_HINTS && connection.destroy())
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('The connection closed without an answer.')))
      .end();
  });
}

async function whenReady(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  socket.on('error', ignore);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Who waits on a socket hears of its errors; when nobody does any more, they are nothing to end the process for. */
function ignore(): void {}
