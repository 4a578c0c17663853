import type { Reply } from '../reply.ts';
import type { NodeRequest } from './node-request.ts';

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
export function sendEarly(
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
