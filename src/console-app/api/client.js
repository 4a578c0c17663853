import { createClient, fetchExchange, mapExchange } from '@urql/core';
import { isUnauthenticated, troubleOf } from './api-error.ts';
import { createCache } from './cache.ts';
import { createCalm } from './mutation-gate.ts';
import { createStreams } from './stream.ts';
/**
 * A client of the API for one token, with a cache of its own: whoever signs in later sees nothing of it.
 * @param onSignedOut told, in the API's words, when the token is no longer good
 */
export function createApiClient(token, onSignedOut) {
  const headers = headersOf(token);
  const calm = createCalm();
  let watch = null;
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
          if (isUnauthenticated(error)) onSignedOut(troubleOf(error).message);
        },
      }),
      createCache(),
      fetchExchange,
      streams,
    ],
  });
  const whenStreams = (wanted) => {
    watch = wanted;
  };
  const once = (key) => ({ fetchOptions: { headers: { ...headers, 'idempotency-key': key } } });
  return { client, whenStreams, once };
}
/** Whether a token may create embeds, and not only look at them. Where that cannot be known, it will show. */
export async function mayWrite(token) {
  const answer = await fetch('/preview', { headers: headersOf(token) }).catch(() => null);
  return answer?.status !== 403;
}
function headersOf(token) {
  return { authorization: `Bearer ${token}`, accept: 'application/graphql-response+json' };
}
