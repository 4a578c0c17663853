import { type Client, createClient, fetchExchange, mapExchange, type OperationContext } from '@urql/core';
import { apiErrorOf, isUnauthenticated } from './api-error.ts';
import { createCache } from './cache.ts';
import { createMutationGate } from './mutation-gate.ts';
import { createStreams } from './stream.ts';

/** Who wants to know of streams. */
export interface StreamWatch {
  onBegin(): void;
  onEnd(): void;
}

export interface ApiClient {
  readonly client: Client;
  /** Tells of the streams of the client; one watch at a time. */
  readonly whenStreams: (watch: StreamWatch | null) => void;
  /** For a create that makes one embed, however often it is sent. */
  readonly once: (idempotencyKey: string) => Partial<OperationContext>;
}

/**
 * A client of the API for one token, with a cache of its own: whoever signs in later sees nothing of it.
 * @param onSignedOut told, in the API's words, when the token is no longer good
 */
export function createApiClient(token: string, onSignedOut: (reason: string) => void): ApiClient {
  const headers = headersOf(token);
  const calm = createMutationGate();
  let watch: StreamWatch | null = null;
  const streams = createStreams({
    calm,
    headers: { authorization: headers.authorization ?? '' },
    onBegin: () => watch?.onBegin(),
    onEnd: () => watch?.onEnd(),
  });
  const client = createClient({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [
      mapExchange({
        onOperation({ kind, key }) {
          if (kind === 'mutation') calm.begin(key);
        },
        onResult({ operation }) {
          if (operation.kind === 'mutation') calm.end(operation.key);
        },
        onError(error) {
          if (isUnauthenticated(error)) onSignedOut(apiErrorOf(error).message);
        },
      }),
      createCache(),
      fetchExchange,
      streams,
    ],
  });
  const whenStreams: ApiClient['whenStreams'] = (wanted) => {
    watch = wanted;
  };
  const once = (key: string) => ({ fetchOptions: { headers: { ...headers, 'idempotency-key': key } } });
  return { client, whenStreams, once };
}

/** Whether a token may create embeds, and not only look at them. Where that cannot be known, it will show. */
export async function mayWrite(token: string): Promise<boolean> {
  const answer = await fetch('/preview', { headers: headersOf(token) }).catch(() => null);
  return answer?.status !== 403;
}

function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept: 'application/graphql-response+json' };
}
