import type { ServerResponse } from 'node:http';

/** A body that at least one response has not sent. */
interface Unsent {
  readonly length: number;
  readonly responses: Set<ServerResponse>;
}

/**
 * Creates a bound of the bodies that clients have not read. Over it, the connections with the body that was requested least
 * recently are closed. Bytes that several responses share, such as those of a cache, count once.
 */
export function createUnsentBound(maxBytes: number) {
  /** Texts by their response, and bytes. The last one was requested most recently. */
  const waiting = new Map<ServerResponse | Uint8Array, Unsent>();
  let total = 0;

  function release(key: ServerResponse | Uint8Array, { length }: Unsent): void {
    if (waiting.delete(key)) total -= length;
  }

  /** Call when the response has ended. */
  return (response: ServerResponse, body: string | Uint8Array): void => {
    // the system has taken all of it
    if (response.writableLength === 0 || response.destroyed) return;
    const key = typeof body === 'string' ? response : body;
    const unsent = waiting.get(key) ?? { length: body.length, responses: new Set() };
    release(key, unsent);
    waiting.set(key, unsent);
    total += unsent.length;
    unsent.responses.add(response);
    response.once('close', () => {
      unsent.responses.delete(response);
      if (unsent.responses.size === 0 && waiting.get(key) === unsent) release(key, unsent);
    });
    for (const [oldest, each] of waiting) {
      if (total <= maxBytes) return;
      release(oldest, each);
      // a response behind another one has no socket of its own yet
      for (const { req } of each.responses) req.socket.destroy();
    }
  };
}
