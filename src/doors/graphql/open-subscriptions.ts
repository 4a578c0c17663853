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

/** The open subscriptions. Each ends when its token expires or is revoked. */
export interface OpenSubscriptions {
  /** @throws {Refusal} `rate_limited` at 20 of the token, `unavailable` at 1,000 in all and after {@link close} */
  requireCapacity(tokenId: string): void;
  /**
   * Adds a subscription, or destroys its stream.
   * @throws {Refusal} like {@link requireCapacity}
   */
  add(subscription: Subscription): void;
  /** Ends all subscriptions; no new ones can be added. */
  close(): void;
}

export function createOpenSubscriptions(authenticate: (authorization: string | null) => unknown): OpenSubscriptions {
  const open = new Set<Subscription>();
  const countByToken = new Map<string, number>();
  let isClosed = false;
  let tokenCheck: NodeJS.Timeout | undefined;

  function requireCapacity(tokenId: string): void {
    if (isClosed) throw stopping();
    if (open.size >= MAX_IN_ALL) {
      throw new Refusal('unavailable', 'Too many subscriptions are open; try again.', [], RETRY_AFTER_S);
    }
    if ((countByToken.get(tokenId) ?? 0) < MAX_PER_TOKEN) return;
    const message = `More than ${MAX_PER_TOKEN} subscriptions are open with this token; end one first.`;
    throw new Refusal('rate_limited', message, [], RETRY_AFTER_S);
  }

  function remove(subscription: Subscription): void {
    open.delete(subscription);
    const count = (countByToken.get(subscription.tokenId) ?? 1) - 1;
    if (count > 0) countByToken.set(subscription.tokenId, count);
    else countByToken.delete(subscription.tokenId);
    if (open.size > 0) return;
    clearInterval(tokenCheck);
    tokenCheck = undefined;
  }

  async function endUnauthenticated(): Promise<void> {
    const byToken = Map.groupBy(open, ({ authorization }) => authorization);
    const checks = [...byToken].map(async ([authorization, subscriptions]) => {
      try {
        await authenticate(authorization);
      } catch (error) {
        // while the database is unavailable, tokens stay valid
        if (!(error instanceof Refusal) || error.code === 'unavailable') return;
        for (const subscription of subscriptions) end(subscription, error);
      }
    });
    await Promise.all(checks);
  }

  return {
    requireCapacity,
    add(subscription) {
      const { stream, tokenId } = subscription;
      try {
        requireCapacity(tokenId);
      } catch (error) {
        stream.destroy();
        throw error;
      }
      open.add(subscription);
      countByToken.set(tokenId, (countByToken.get(tokenId) ?? 0) + 1);
      tokenCheck ??= setInterval(() => void endUnauthenticated(), TOKEN_CHECK_INTERVAL_MS).unref();
      stream.once('close', () => remove(subscription));
    },
    close() {
      isClosed = true;
      for (const subscription of [...open]) end(subscription, stopping());
    },
  };
}

function end({ stream }: Subscription, refusal: Refusal): void {
  stream.fail(refusal);
  setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS).unref();
}

function stopping(): Refusal {
  return new Refusal('unavailable', 'The service is stopping. Subscribe again, then reload the data that you show.');
}
