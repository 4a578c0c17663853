import type { ServerResponse } from 'node:http';

/** The system takes shorter texts at once. */
const MIN_BYTES = 16_384;

/**
 * Creates a bound of the texts that clients have not read. Over it, the connection that has waited for the longest time is
 * closed. Bytes do not count: they are those of a cache, which all connections share.
 */
export function createUnsentBound(maxBytes: number): (response: ServerResponse, body: unknown) => void {
  /** In the order of the responses. */
  const waiting = new Map<ServerResponse, number>();
  let total = 0;

  function release(response: ServerResponse): void {
    total -= waiting.get(response) ?? 0;
    waiting.delete(response);
  }

  return (response, body) => {
    if (typeof body !== 'string' || body.length < MIN_BYTES || response.destroyed) return;
    waiting.set(response, body.length);
    total += body.length;
    response.once('close', () => release(response));
    for (const oldest of waiting.keys()) {
      if (total <= maxBytes) return;
      release(oldest);
      oldest.destroy();
    }
  };
}
