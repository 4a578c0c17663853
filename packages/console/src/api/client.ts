import {
  type Client,
  type CombinedError,
  createClient,
  type Exchange,
  fetchExchange,
  mapExchange,
  type OperationContext,
  subscriptionExchange,
} from '@urql/core';
import { createClient as createSseClient, NetworkError } from 'graphql-sse';
import { pipe, tap } from 'wonka';
import { apiErrorOf, isUnauthenticated } from './api-error.ts';
import { createCache } from './cache.ts';

/** Callbacks for the event streams of subscriptions. */
export interface StreamListener {
  onConnect(): void;
  onEnd(): void;
}

export interface ApiClient {
  readonly client: Client;
  /** Sets the one listener for event streams; null removes it. */
  readonly setStreamListener: (listener: StreamListener | null) => void;
  /** Makes the API reject requests if another tab has signed in to another account. */
  readonly keepAccount: (accountId: string) => void;
  /** Sends mutations of imports. Its results change no list, because thousands of them would be too slow. */
  readonly uncachedClient: Client;
  /** Returns the context of a create that the API executes at most once per key. */
  readonly withIdempotencyKey: (key: string) => Partial<OperationContext>;
}

/**
 * Creates a GraphQL client for one session, whose cookie the browser sends. Its cache is not shared with other sessions.
 * @param onUnauthenticated called with the API's message when the API rejects the session
 */
export function createApiClient(onUnauthenticated: (message: string) => void): ApiClient {
  const headers: Record<string, string> = { accept: 'application/graphql-response+json' };
  const requests = createRequestGate();
  let listener: StreamListener | null = null;
  const reportUnauthenticated = (error: CombinedError) => {
    if (isUnauthenticated(error)) onUnauthenticated(apiErrorOf(error).message);
  };
  const options = { url: '/graphql', preferGetMethod: false, fetchOptions: { headers } };
  const client = createClient({
    ...options,
    exchanges: [
      mapExchange({ onError: reportUnauthenticated }),
      createCache(),
      watchRequests(requests),
      fetchExchange,
      createSubscriptions({
        requests,
        headers,
        onConnect: () => listener?.onConnect(),
        onEnd: () => listener?.onEnd(),
      }),
    ],
  });
  return {
    client,
    uncachedClient: createClient({
      ...options,
      exchanges: [mapExchange({ onError: reportUnauthenticated }), fetchExchange],
    }),
    keepAccount: (accountId) => void Object.assign(headers, accountHeader(accountId)),
    setStreamListener(next) {
      listener = next;
    },
    withIdempotencyKey: (key) => ({ fetchOptions: { headers: { ...headers, 'idempotency-key': key } } }),
  };
}

/** Returns the header by which the API checks the account of the session. */
export function accountHeader(accountId: string): Readonly<Record<string, string>> {
  return { 'embed-account': accountId };
}

interface SubscriptionOptions extends StreamListener {
  readonly requests: RequestGate;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Runs subscriptions as server-sent events. Events wait for the requests that are pending: the cache must first see the
 * result of the mutation that caused an event, and a list that was read before the change must not replace it. A stream
 * that ends is not reopened here, because events may have been missed.
 */
function createSubscriptions({ requests, headers, onConnect, onEnd }: SubscriptionOptions) {
  const sse = createSseClient({ url: '/graphql', headers, retryAttempts: 0, on: { connected: onConnect } });
  return subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe(sink) {
        let isOver = false;
        const unsubscribe = sse.subscribe(
          { query, variables: variables as Record<string, unknown> },
          {
            next: (result) => void requests.settled().then(() => sink.next(result as never)),
            error(error) {
              sink.error(error instanceof NetworkError ? error : new Error(String(error)));
              onEnd();
            },
            complete() {
              // also called after `unsubscribe`
              if (isOver) return;
              sink.complete();
              onEnd();
            },
          },
        );
        return {
          unsubscribe() {
            isOver = true;
            unsubscribe();
          },
        };
      },
    }),
  });
}

interface RequestGate {
  begin(key: number): void;
  end(key: number): void;
  /** Resolves when all requests that have begun have ended; promises resolve in the order of the calls. */
  settled(): Promise<unknown>;
}

/** Tells a gate of the requests that begin, and of those that end with a result or are given up. */
function watchRequests(requests: RequestGate): Exchange {
  return ({ forward }) =>
    (operations) =>
      pipe(
        operations,
        // not mapExchange, which is not told of a teardown
        tap(({ kind, key }) => {
          if (kind === 'teardown') requests.end(key);
          else if (kind !== 'subscription') requests.begin(key);
        }),
        forward,
        tap(({ operation }) => requests.end(operation.key)),
      );
}

function createRequestGate(): RequestGate {
  const pending = new Map<number, () => void>();
  let allSettled: Promise<unknown> = Promise.resolve();
  return {
    begin(key) {
      if (pending.has(key)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      pending.set(key, resolve);
      allSettled = Promise.all([allSettled, promise]);
    },
    end(key) {
      pending.get(key)?.();
      pending.delete(key);
    },
    settled: () => allSettled,
  };
}
