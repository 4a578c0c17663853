import { type Client, createClient, fetchExchange, mapExchange } from '@urql/core';
import { createCache } from './cache.ts';
import { isUnauthenticated, troubleOf } from './trouble.ts';

/**
 * A client of the API for one token, with a cache of its own: whoever signs in later sees nothing of it.
 * @param onSignedOut told, in the API's words, when the token is no longer good
 */
export function createApiClient(token: string, onSignedOut: (reason: string) => void): Client {
  return createClient({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { headers: headersOf(token) },
    exchanges: [
      mapExchange({
        onError(error) {
          if (isUnauthenticated(error)) onSignedOut(troubleOf(error).message);
        },
      }),
      createCache(),
      fetchExchange,
    ],
  });
}

/** Whether a token may create embeds, and not only look at them. Where that cannot be known, it will show. */
export async function mayWrite(token: string): Promise<boolean> {
  const answer = await fetch('/preview', { headers: headersOf(token) }).catch(() => null);
  return answer?.status !== 403;
}

function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept: 'application/graphql-response+json' };
}
