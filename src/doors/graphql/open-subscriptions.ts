import { Refusal } from '../../errors.ts';
import type { EventStream } from './event-stream.ts';

const MAX_STREAMS_PER_TOKEN = 20;
/** Each has a connection of its own, of the 10,000 that there may be, and its share of each change. */
const MAX_STREAMS = 1_000;
/** When to try again, in seconds, once there are too many. */
const RETRY_S = 5;

/** How often tokens are looked at. With the time that a look-up is trusted (2 s) less than the 5 s that are promised. */
const CHECK_EVERY_MS = 2_000;
/** Whoever has not read the end of a stream by then is cut off. */
const LAST_WORDS_MS = 1_000;

/** Streams that stay open, within bounds, and each for as long as its token is good. */
export interface OpenSubscriptions {
  /** @throws {Refusal} `rate_limited` when the token has too many, `unavailable` when all have or the service stops */
  requireRoom(tokenId: string): void;
  /**
   * Lets a stream stay open, or destroys it.
   * @throws {Refusal} as {@link requireRoom}
   */
  keep(kept: Kept): void;
  /** Ends all streams, and lets none begin. */
  close(): void;
}

interface Kept {
  readonly stream: EventStream;
  readonly tokenId: string;
  readonly authorization: string | null;
  /** Tells the reader why, and ends. */
  readonly end: (refusal: Refusal) => void;
}

export function createOpenSubscriptions(
  authenticate: (authorization: string | null) => Promise<unknown>,
): OpenSubscriptions {
  const open = new Set<Kept>();
  const perToken = new Map<string, number>();
  let isClosed = false;
  let checking: NodeJS.Timeout | undefined;

  function requireRoom(tokenId: string): void {
    if (isClosed) throw stopping();
    if (open.size >= MAX_STREAMS)
      throw new Refusal('unavailable', 'Too many streams are open; try again.', [], RETRY_S);
    if ((perToken.get(tokenId) ?? 0) < MAX_STREAMS_PER_TOKEN) return;
    const message = `More than ${MAX_STREAMS_PER_TOKEN} streams at once with this token; end one first.`;
    throw new Refusal('rate_limited', message, [], RETRY_S);
  }

  function forget(kept: Kept): void {
    open.delete(kept);
    const left = (perToken.get(kept.tokenId) ?? 1) - 1;
    if (left > 0) perToken.set(kept.tokenId, left);
    else perToken.delete(kept.tokenId);
    if (open.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  }

  async function check(): Promise<void> {
    const byToken = Map.groupBy(open, ({ authorization }) => authorization);
    const checks = [...byToken].map(async ([authorization, streams]) => {
      try {
        await authenticate(authorization);
      } catch (error) {
        // a token that cannot be looked at is good until it can
        if (error instanceof Refusal && error.code !== 'unavailable') for (const stream of streams) end(stream, error);
      }
    });
    await Promise.all(checks);
  }

  return {
    requireRoom,
    keep(kept) {
      const { stream, tokenId } = kept;
      try {
        requireRoom(tokenId);
      } catch (error) {
        stream.destroy();
        throw error;
      }
      open.add(kept);
      perToken.set(tokenId, (perToken.get(tokenId) ?? 0) + 1);
      checking ??= setInterval(() => void check(), CHECK_EVERY_MS).unref();
      stream.once('close', () => forget(kept));
    },
    close() {
      isClosed = true;
      for (const kept of [...open]) end(kept, stopping());
    },
  };
}

function end({ stream, end }: Kept, refusal: Refusal): void {
  end(refusal);
  setTimeout(() => stream.destroy(), LAST_WORDS_MS).unref();
}

function stopping(): Refusal {
  return new Refusal('unavailable', 'The service stops: subscribe again, then read what you show anew.');
}
