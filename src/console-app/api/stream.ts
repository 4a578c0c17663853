import { subscriptionExchange } from '@urql/core';
import { createClient, NetworkError } from 'graphql-sse';
import type { MutationGate } from './mutation-gate.ts';

interface Options {
  readonly headers: Record<string, string>;
  /** What we do ourselves is seen once: events wait until the writes that they may come from are over. */
  readonly calm: MutationGate;
  /** Told when a stream has begun, and when it is over, for whatever reason. */
  readonly onBegin: () => void;
  readonly onEnd: () => void;
}

/** Subscriptions as server-sent events. A stream that ends is not begun again by itself: something may have been missed. */
export function createStreams({ headers, calm, onBegin, onEnd }: Options) {
  const client = createClient({ url: '/graphql', headers, retryAttempts: 0, on: { connected: onBegin } });
  return subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe(sink) {
        const unsubscribe = client.subscribe(
          { query, variables: variables as Record<string, unknown> },
          {
            next: (result) => void calm.come().then(() => sink.next(result as never)),
            error(error) {
              sink.error(error instanceof NetworkError ? error : new Error(String(error)));
              onEnd();
            },
            complete() {
              sink.complete();
              onEnd();
            },
          },
        );
        return { unsubscribe };
      },
    }),
  });
}
