import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Awaitable } from '../../awaitable.ts';
import { Refusal } from '../../errors.ts';
import type { IncomingRequest } from '../exchange.ts';
import { TransportRefusal } from '../problem.ts';
import type { Reply } from '../reply.ts';
import type { Connections } from './connections.ts';
import { lengthOf } from './send.ts';

// not imported, like `createServer` in `listen.ts`
const { STATUS_CODES } = process.getBuiltinModule('node:http');

export const MAX_HEADER_BYTES = 16_384;

interface Options {
  readonly findResponse: Connections['findResponse'];
  readonly handle: (request: IncomingRequest) => Awaitable<Reply>;
  /** Time that a client gets for the rest of a request which the service did not read in time. */
  readonly extensionMs: number;
}

const CONNECT = 'CONNECT';

/** A message that was not complete when its time was over. */
interface LateMessage {
  readonly error: NodeJS.ErrnoException;
  readonly socket: Socket;
  /** True if a complete request is before it. */
  readonly isPipelined: boolean;
  /** A higher number later: it has its reply. */
  readonly bytesWritten: number;
  /** The service had not begun to read its body. */
  readonly wasUnread: boolean;
  readonly isExtended: boolean;
}

/** Passes requests with CONNECT to the listener of `clientError`. Node.js drops them, and forgets their connections. */
export function refuseTunnels(server: Server, idleMs: number): void {
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket;
    socket.on('error', () => {}).setTimeout(idleMs, () => socket.destroy());
    server.emit('clientError', Object.assign(new Error(), { code: CONNECT }), socket);
  });
}

/**
 * Creates the listener of `clientError`. It replies to messages that are not HTTP, and with 408 to those that the client did
 * not send in time. Node.js also counts the time in which the service did not read: then the client gets an extension.
 */
export function createClientErrorHandler({ findResponse, handle, extensionMs }: Options) {
  function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const response = findResponse(socket);
    if (response?.headersSent || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // the fault is behind a complete request, whose response comes first (RFC 9112 section 9.3.2)
    else if (response?.req.complete) response.setHeader('connection', 'close');
    else replyToParserError(error, socket, handle).catch(() => socket.destroy());
  }

  /** Waits for a turn of the event loop, in which all that has arrived is read. */
  function refuseIfLate(late: LateMessage): void {
    const { error, socket, isPipelined, wasUnread, isExtended } = late;
    const { bytesRead } = socket;
    setImmediate(() => {
      const response = findResponse(socket);
      const hasReply = response?.headersSent || socket.bytesWritten > late.bytesWritten;
      // sendEarly bounds the rest of a request that has its response
      if (socket.destroyed || hasReply || (response?.req.complete && !isPipelined)) return;
      const isUnread = response?.req.complete === false && response.req.readableFlowing === null;
      const hasReadMore = wasUnread || socket.bytesRead > bytesRead;
      if (!isUnread && (isExtended || !hasReadMore)) refuse(error, socket);
      else setTimeout(refuseIfLate, extensionMs, { ...late, wasUnread: isUnread, isExtended: !isUnread });
    });
  }

  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuse(error, socket);
      return;
    }
    const isPipelined = findResponse(socket)?.req.complete ?? false;
    refuseIfLate({
      error,
      socket,
      isPipelined,
      bytesWritten: socket.bytesWritten,
      wasUnread: false,
      isExtended: false,
    });
  };
}

async function replyToParserError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  handle: Options['handle'],
): Promise<void> {
  const request = Object.assign(new Request('http://localhost/'), { fault: faultOfMessage(error.code) });
  const { status, headers, body: content } = await handle(request);
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
    case CONNECT:
      return new Refusal('malformed', 'This service is not a proxy: it has no tunnels for CONNECT.');
    default:
      return new Refusal('malformed', 'This is not an HTTP/1.1 request.');
  }
}
