import type { Plugin } from 'graphql-yoga';

/** Enough for GraphiQL's introspection several times over; short of what makes the recursive parser run out of stack. */
export const MAX_TOKENS = 2_000;

/** Bounds what parsing a document may cost. */
export function useTokenLimit(): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: MAX_TOKENS }));
    },
  };
}
