import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { Reply } from '../reply.ts';
import type { NodeRequest } from './node-request.ts';

/** Bounds of slow clients, in milliseconds. */
export interface SendTimeouts {
  /** Time to send the rest of a body that the service does not use. */
  readonly discardMs: number;
  /** Time that a chunk of a stream may wait for the network. */
  readonly maxWaitMs: number;
}

/** Bound of the waiting data of a stream; see {@link sendStream}. */
const MAX_WAITING_BYTES = 16_384;

export function send(request: NodeRequest, sent: Reply, { discardMs, maxWaitMs }: SendTimeouts): void {
  const { status, headers, body } = sent;
  const { message, response: res } = request;
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
  else sendEarly(request, { status, headers, body }, discardMs);
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
  body.on('data', (chunk) => {
    const timeout = setTimeout(() => res.destroy(), maxWaitMs).unref();
    res.write(chunk, (error) => {
      clearTimeout(timeout);
      if (error) body.destroy();
      else body.resume();
    });
    if (res.writableLength > MAX_WAITING_BYTES || res.destroyed) body.pause();
  });
  finished(body, (error) => (error ? res.destroy() : res.end()));
  res.once('close', () => body.destroy());
}

export function lengthOf(body: string | Uint8Array | null): string {
  return String(body === null ? 0 : Buffer.byteLength(body));
}

/** Bound of the discarded rest of a body. Beyond it, the connection is closed. */
const MAX_DISCARDED_BYTES = 64_000_000;

interface WholeReply extends Reply {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * Responds before the whole request has arrived, and discards the rest of its body: closing a connection with unread bytes
 * resets it, and the client can lose the response (RFC 9112 section 9.6).
 * @param discardMs time to send the rest. After it, the connection is closed
 */
function sendEarly(
  { message: req, response: res, isBodyComing }: NodeRequest,
  { status, headers, body }: WholeReply,
  discardMs: number,
): void {
  const isLast = !isBodyComing || Number(req.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES;
  res.writeHead(status, isLast ? { ...headers, connection: 'close' } : headers);
  res.flushHeaders();
  if (body !== null) res.write(body);
  // some clients read until the connection ends
  if (isLast) res.socket?.end();
  const timeout = setTimeout(() => req.destroy(), discardMs);
  let length = 0;
  req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_DISCARDED_BYTES) req.destroy();
  });
  req.once('close', () => {
    clearTimeout(timeout);
    // only now, because Node closes the connection at the end of its last response
    res.end();
  });
}
