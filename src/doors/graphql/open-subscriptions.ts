import { Refusal } from '../../errors.ts';
import type { EventStream } from './event-stream.ts';

const MAX_PER_TOKEN = 20;
/** Each has a connection of its own, of at most 10,000. */
const MAX_IN_ALL = 1_000;
const RETRY_AFTER_S = 5;

/** A check after 2 s starts a new lookup, whose result the next check sees: a revoked token stops working within 5 s. */
const TOKEN_CHECK_INTERVAL_MS = 1_000;
/** A client that has not read the end of a stream by then is disconnected. */
const CLOSE_TIMEOUT_MS = 1_000;

interface Subscription {
  readonly stream: EventStream;
  readonly tokenId: string;
  readonly authorization: string | null;
}

export type OpenSubscriptions = ReturnType<typeof createOpenSubscriptions>;

/** Creates the set of open subscriptions. Each ends when its token expires or is revoked. */
export function createOpenSubscriptions(authenticate: (authorization: string | null) => unknown) {
  const open = new Set<Subscription>();
  let isClosed = false;
  const tokenChecks = setInterval(() => {
    for (const subscription of open) void endIfUnauthenticated(subscription);
  }, TOKEN_CHECK_INTERVAL_MS).unref();

  /** @throws {Refusal} `rate_limited` at 20 of the token, `unavailable` at 1,000 in all and after `close` */
  function requireCapacity(tokenId: string): void {
    if (isClosed) throw stopping();
    if (open.size >= MAX_IN_ALL) {
      throw new Refusal('unavailable', 'Too many subscriptions are open; try again.', [], RETRY_AFTER_S);
    }
    if ([...open].filter((each) => each.tokenId === tokenId).length < MAX_PER_TOKEN) return;
    const message = `More than ${MAX_PER_TOKEN} subscriptions are open with this token; end one first.`;
    throw new Refusal('rate_limited', message, [], RETRY_AFTER_S);
  }

  async function endIfUnauthenticated({ stream, authorization }: Subscription): Promise<void> {
    try {
      await authenticate(authorization);
    } catch (error) {
      // while the database is unavailable, tokens stay valid
      if (error instanceof Refusal && error.code !== 'unavailable') end(stream, error);
    }
  }

  return {
    requireCapacity,
    /** Adds a subscription, or destroys its stream. @throws {Refusal} like `requireCapacity` */
    add(subscription: Subscription): void {
      const { stream, tokenId } = subscription;
      try {
        requireCapacity(tokenId);
      } catch (error) {
        stream.destroy();
        throw error;
      }
      open.add(subscription);
      stream.once('close', () => open.delete(subscription));
    },
    /** Ends all subscriptions; no new ones can be added. */
    close(): void {
      isClosed = true;
      clearInterval(tokenChecks);
      for (const { stream } of open) end(stream, stopping());
    },
  };
}

function end(stream: EventStream, refusal: Refusal): void {
  stream.fail(refusal);
  setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS).unref();
}

function stopping(): Refusal {
  return new Refusal('unavailable', 'The service is stopping. Subscribe again, then reload the data that you show.');
}
