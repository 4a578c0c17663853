import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, pipeline, Readable, Writable } from 'node:stream';
import { NodeRequest } from 'srvx/node';
import { Refusal } from '../errors.ts';
import { trackConnections } from './graceful-shutdown.ts';
import { TransportRefusal } from './problem.ts';
import type { Reply } from './reply.ts';
import { sendEarly } from './unread-body.ts';

/** Slow senders are cut off: headers within 5 s, the whole request within 8 s, looked after every second. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 8_000;
const CHECK_INTERVAL_MS = 1_000;
/** And slow readers: a connection on which nothing moves for so long is closed, whatever is left to be sent. */
const IDLE_TIMEOUT_MS = 30_000;
/** Of a stream, so much waits for the network at most, and for no longer than that; see {@link sendStream}. */
const MAX_WAITING_BYTES = 16_384;
const MAX_WAIT_MS = 30_000;
const MAX_HEADER_BYTES = 16_384;
/** Connections at once; further ones are closed as they come. */
const MAX_CONNECTIONS = 10_000;
/**
 * New connections that wait to be accepted; the system lowers it to its own bound (`net.core.somaxconn`). libuv accepts one
 * in each turn of the event loop, so a crowd has to wait. Past the bound, a client tries again after 1, 3 and 7 s.
 */
const BACKLOG = MAX_CONNECTIONS;

interface Options {
  readonly port: number;
  readonly host: string;
  /** Answers requests: each an `Arrival` (see exchange.ts). */
  readonly answer: (request: Request) => Promise<Reply>;
  /** How long a piece of a stream may wait for the network; {@link MAX_WAIT_MS} when omitted. */
  readonly maxWaitMs?: number;
}

/** A listening server. */
export interface Listener {
  readonly port: number;
  /**
   * Refuses new connections and answers what comes on the open ones, until they are closed.
   * @param graceMs how long this may take; after that they are cut off
   */
  close(graceMs: number): Promise<void>;
}

/** Serves over HTTP/1.1. Rejects with the error of `listen`, such as EADDRINUSE. */
export async function listen({ port, host, answer, maxWaitMs = MAX_WAIT_MS }: Options): Promise<Listener> {
  /** @param isExpecting whether the client waits for `100 Continue` before it sends the body */
  async function serve(req: IncomingMessage, res: ServerResponse, isExpecting: boolean): Promise<void> {
    const fault = faultOfHost(req);
    let isBodyComing = !isExpecting;
    const askForBody = () => {
      if (!isBodyComing) res.writeContinue();
      isBodyComing = true;
    };
    const request = Object.assign(new NodeRequest({ req, res }), { source: req, askForBody, ...(fault && { fault }) });
    // the dot of a fully qualified name (RFC 3986 section 3.2.2), with which srvx takes a host for none
    if (req.headers.host) req.headers.host = req.headers.host.replace(/\.(?=(?::\d*)?$)/, '');
    try {
      if (connections.mayAnswer) await connections.mayAnswer;
      const answered = await answer(request);
      if (connections.mayAnswer) await connections.mayAnswer;
      send(req, res, answered, { isBodyComing, maxWaitMs });
    } catch {
      // nothing that a request brings may end the process
      res.destroy();
    }
  }

  const options = {
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // looked at by ourselves, to be refused in the shape of all errors
    requireHostHeader: false,
  };
  const server = createServer(options);
  for (const [event, isExpecting] of [
    ['request', false],
    ['checkContinue', true],
  ] as const) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      connections.begin(response);
      void serve(request, response, isExpecting);
    });
  }
  const connections = trackConnections(server);
  server.timeout = IDLE_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // what remains of an answered request is discarded within bounds of its own
    if (connections.isAnswered(socket) && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
    if (connections.isAnswered(socket) || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else void refuse(error, socket, answer);
  });
  await opened(server, port, host);

  return { port: (server.address() as AddressInfo).port, close: connections.close };
}

function opened(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

/** In one piece and with its length, or as it comes. */
function send(
  req: IncomingMessage,
  res: ServerResponse,
  sent: Reply,
  { isBodyComing, maxWaitMs }: { readonly isBodyComing: boolean; readonly maxWaitMs: number },
): void {
  const { status, headers, body } = sent;
  if (body instanceof Readable) {
    // nothing else comes on its connection, so that a stop need not wait for it to be idle
    res.writeHead(status, { ...headers, connection: 'close' });
    sendStream(body, res, maxWaitMs);
    return;
  }
  // RFC 9110 sections 15.3.5 and 15.4.5: these two have no content to measure
  const isMeasured = status !== 204 && status !== 304 && !('transfer-encoding' in headers);
  if (isMeasured) headers['content-length'] ??= lengthOf(body);
  if (req.complete || req.destroyed) res.writeHead(status, headers).end(body);
  else sendEarly(req, res, { status, headers, body }, isBodyComing);
}

/**
 * Sends a stream piece by piece. The connection is closed when a piece has waited too long until the network took it: the
 * client reads nothing, or so little that what waits does not drain. The idle timeout does not see that, because each
 * few bytes that are read, and each piece that is added, count as life.
 */
function sendStream(body: Readable, res: ServerResponse, maxWaitMs: number): void {
  /** When the pieces that wait came, the oldest first; by the monotonic clock. */
  const arrivals: number[] = [];
  let deadline: NodeJS.Timeout | undefined;

  function watchOldest(): void {
    clearTimeout(deadline);
    const [oldest] = arrivals;
    if (oldest === undefined) return;
    const leftMs = Math.max(1, oldest + maxWaitMs - performance.now());
    deadline = setTimeout(() => res.destroy(), leftMs);
  }

  const sink = new Writable({
    highWaterMark: MAX_WAITING_BYTES,
    write(piece, _encoding, done) {
      res.write(piece, (error) => {
        arrivals.shift();
        watchOldest();
        done(error);
      });
    },
    final(done) {
      res.end(done);
    },
    destroy(error, done) {
      arrivals.length = 0;
      watchOldest();
      if (!res.writableEnded) res.destroy();
      done(error);
    },
  });
  res.once('close', () => sink.destroy());
  body.on('data', () => {
    if (arrivals.push(performance.now()) === 1) watchOldest();
  });
  // whichever of the two ends first, the other is destroyed
  pipeline(body, sink, () => {});
}

function lengthOf(body: string | Uint8Array | null): string {
  return String(body === null ? 0 : Buffer.byteLength(body));
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{0,5})?$/i;

/** Exactly one Host (RFC 9112 section 3.2): with two, a proxy and this service might each believe another one. */
function faultOfHost({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++;
  }
  if (hosts === 0 && httpVersion === '1.0') return null;
  // of several, Node keeps the first
  return hosts === 1 && HOST.test(headers.host ?? '')
    ? null
    : new Refusal('malformed', 'Send exactly one Host header, with a host and perhaps a port.');
}

/** What Node could not read is answered like everything else, and its connection closed. */
async function refuse(error: NodeJS.ErrnoException, socket: Duplex, answer: Options['answer']): Promise<void> {
  const request = Object.assign(new Request('http://localhost/'), { fault: faultOfMessage(error.code) });
  const { status, headers, body: content } = await answer(request);
  const body = content instanceof Readable ? null : content;
  const fields = Object.entries({ ...headers, 'content-length': lengthOf(body), connection: 'close' });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body ?? ''}`);
}

function faultOfMessage(code: string | undefined): Error {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new TransportRefusal('headers_too_large', `The headers must be at most ${MAX_HEADER_BYTES} bytes in all.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new TransportRefusal('request_timeout', 'The request did not arrive in time.');
    default:
      return new Refusal('malformed', 'This is not an HTTP/1.1 request.');
  }
}
