import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, pipeline, Readable, Writable } from 'node:stream';
import type { Awaitable } from '../../awaitable.ts';
import { Refusal } from '../../errors.ts';
import type { IncomingRequest } from '../exchange.ts';
import { TransportRefusal } from '../problem.ts';
import type { Reply } from '../reply.ts';
import { trackConnections } from './graceful-shutdown.ts';
import { NodeRequest } from './node-request.ts';
import { sendEarly } from './unread-body.ts';

/** Bounds of slow senders and readers, in milliseconds. */
export interface Timeouts {
  /** Senders are disconnected when their headers or their request have not arrived after this time. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkIntervalMs: number;
  /** Time to send the rest of a body that the service does not use. */
  readonly discardMs: number;
  /** Time that a chunk of a stream may wait for the network. */
  readonly maxWaitMs: number;
}

const TIMEOUTS: Timeouts = {
  headersMs: 5_000,
  requestMs: 8_000,
  checkIntervalMs: 1_000,
  discardMs: 10_000,
  maxWaitMs: 30_000,
};
/** Connections without traffic are closed after this time, even if data remain to be sent. */
const IDLE_TIMEOUT_MS = 30_000;
/** Bound of the waiting data of a stream; see {@link sendStream}. */
const MAX_WAITING_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;
/** Further connections are closed at once. */
const MAX_CONNECTIONS = 10_000;
/** Requests that are answered together. In a larger group, requests that wait for nothing would fill the bound of a door. */
const MAX_GROUP = 64;
/** Connections that wait to be accepted, limited by `net.core.somaxconn`. Beyond the limit, clients retry after 1, 3 and 7 s. */
const BACKLOG = MAX_CONNECTIONS;

interface Options {
  readonly port: number;
  readonly host: string;
  readonly answer: (request: IncomingRequest) => Awaitable<Reply>;
  /** Replaces some of {@link TIMEOUTS}. */
  readonly timeouts?: Partial<Timeouts>;
}

export interface Listener {
  readonly port: number;
  /** Resolves when all connections are closed. After `graceMs`, the remaining ones are destroyed. */
  close(graceMs: number): Promise<void>;
}

/** Rejects with the error of `net.Server.listen`, such as EADDRINUSE. */
export async function listen({ port, host, answer, timeouts: given }: Options): Promise<Listener> {
  const timeouts = { ...TIMEOUTS, ...given };
  /** Requests that wait for the end of this turn of the event loop. */
  const arrived: NodeRequest[] = [];

  /**
   * Answers the requests of a turn together: the processor keeps the code in its caches, and a client or proxy that sent
   * several wakes up once for all replies that are there at once.
   */
  function answerArrived(): void {
    const requests = arrived.splice(0, MAX_GROUP);
    if (arrived.length > 0) setImmediate(answerArrived);
    const replies = requests.map(answerOrDisconnect);
    requests.forEach((request, i) => {
      const sent = replies[i];
      if (sent) sendWhenAllowed(request, sent);
    });
  }

  /** Returns a reply that is there at once, and sends any other when it is. No request may end the process. */
  function answerOrDisconnect(request: NodeRequest): Reply | null {
    try {
      const { mayAnswer } = connections;
      const answered = mayAnswer ? mayAnswer.then(() => answer(request)) : answer(request);
      if (!(answered instanceof Promise)) return answered;
      answered.then((sent) => sendWhenAllowed(request, sent)).catch(() => request.response.destroy());
    } catch {
      request.response.destroy();
    }
    return null;
  }

  function sendWhenAllowed(request: NodeRequest, sent: Reply): void {
    const { mayAnswer } = connections;
    if (mayAnswer) void mayAnswer.then(() => sendOrDisconnect(request, sent));
    else sendOrDisconnect(request, sent);
  }

  function sendOrDisconnect(request: NodeRequest, sent: Reply): void {
    try {
      send(request, sent, timeouts);
      connections.forget(request.response);
    } catch {
      request.response.destroy();
    }
  }

  const options = {
    connectionsCheckingInterval: timeouts.checkIntervalMs,
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // checked by NodeRequest, for a reply in the format of all errors
    requireHostHeader: false,
    // otherwise the first Authorization would count, where a proxy may have checked the last
    joinDuplicateHeaders: true,
  };
  const server = createServer(options);
  for (const [event, isExpecting] of [
    ['request', false],
    ['checkContinue', true],
  ] as const) {
    server.on(event, (message: IncomingMessage, response: ServerResponse) => {
      connections.begin(response);
      if (arrived.push(new NodeRequest(message, response, isExpecting)) === 1) setImmediate(answerArrived);
    });
  }
  const connections = trackConnections(server);
  server.timeout = IDLE_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = connections.findResponse(socket);
    const isAnswered = response?.headersSent ?? false;
    // sendEarly bounds the rest of a request that has its response
    if (isAnswered && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return;
    if (isAnswered || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // the fault is behind a complete request, whose response comes first (RFC 9112 section 9.3.2)
    else if (response?.req.complete) response.setHeader('connection', 'close');
    else void replyToParserError(error, socket, answer);
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

function send(request: NodeRequest, sent: Reply, { discardMs, maxWaitMs }: Timeouts): void {
  const { status, headers, body } = sent;
  const { message, response: res, isBodyComing } = request;
  if (body instanceof Readable) {
    // no further request can use this connection, so a shutdown need not wait for it to be idle
    res.writeHead(status, { ...headers, connection: 'close' });
    sendStream(body, res, maxWaitMs);
    return;
  }
  // 204 and 304 have no content (RFC 9110 sections 15.3.5 and 15.4.5)
  const isMeasured = status !== 204 && status !== 304 && !('transfer-encoding' in headers);
  if (isMeasured) headers['content-length'] ??= lengthOf(body);
  if (message.complete || message.destroyed || !hasBody(message)) res.writeHead(status, headers).end(body);
  else sendEarly(message, res, { status, headers, body }, { isBodyComing, discardMs });
}

/** RFC 9112 section 6.3: a request has a body only if it says so. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Closes the connection when a chunk has waited too long for the network. The idle timeout does not detect slow readers:
 * every byte that is read and every chunk that is added resets it.
 */
function sendStream(body: Readable, res: ServerResponse, maxWaitMs: number): void {
  /** Times at which the waiting chunks arrived, oldest first, by the monotonic clock. */
  const arrivals: number[] = [];
  let deadline: NodeJS.Timeout | undefined;

  function scheduleTimeout(): void {
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
        scheduleTimeout();
        done(error);
      });
    },
    final(done) {
      res.end(done);
    },
    destroy(error, done) {
      arrivals.length = 0;
      scheduleTimeout();
      if (!res.writableEnded) res.destroy();
      done(error);
    },
  });
  res.once('close', () => sink.destroy());
  body.on('data', () => {
    if (arrivals.push(performance.now()) === 1) scheduleTimeout();
  });
  pipeline(body, sink, () => {});
}

function lengthOf(body: string | Uint8Array | null): string {
  return String(body === null ? 0 : Buffer.byteLength(body));
}

async function replyToParserError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answer: Options['answer'],
): Promise<void> {
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
