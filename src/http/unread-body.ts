import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/** The rest of a body is read and discarded for this long after its response, and up to this size. Then its connection is closed. */
const DISCARD_TIMEOUT_MS = 10_000;
const MAX_DISCARDED_BYTES = 64_000_000;

interface WholeReply extends Reply {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * Sends a response before the body of its request has come in full. To close a connection with unread bytes resets it, and a
 * client loses the response that it has not read yet (RFC 9112 section 9.6). So the rest of the body is discarded first. If
 * it ends within the bounds, the connection serves the next request.
 * @param isBodyComing false if the client waits for `100 Continue`: it may send the body all the same, or never
 */
export function sendEarly(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: WholeReply,
  isBodyComing: boolean,
): void {
  const isLast = !isBodyComing || Number(req.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES;
  res.writeHead(status, isLast ? { ...headers, connection: 'close' } : headers);
  res.flushHeaders();
  if (body !== null) res.write(body);
  // for a client that reads until the connection ends
  if (isLast) res.socket?.end();
  const timeout = setTimeout(() => req.destroy(), DISCARD_TIMEOUT_MS);
  let length = 0;
  req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_DISCARDED_BYTES) req.destroy();
  });
  req.once('close', () => {
    clearTimeout(timeout);
    // not before: where the response is the last, Node closes the connection at its end
    res.end();
  });
}
