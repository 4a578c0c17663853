import { subscriptionExchange } from '@urql/core';
import { createClient, NetworkError } from 'graphql-sse';
/** Subscriptions as server-sent events. A stream that ends is not begun again by itself: something may have been missed. */
export function createStreams({ headers, calm, onBegin, onEnd }) {
  const client = createClient({ url: '/graphql', headers, retryAttempts: 0, on: { connected: onBegin } });
  return subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe(sink) {
        const unsubscribe = client.subscribe(
          { query, variables: variables },
          {
            next: (result) => void calm.come().then(() => sink.next(result)),
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
