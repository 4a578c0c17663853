import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import type { Plugin } from 'graphql-yoga';
import { refuseFaults } from '../errors.ts';
import type { Context } from './context.ts';

/** Enough for GraphiQL's introspection several times over; short of what makes the recursive parser run out of stack. */
const MAX_TOKENS = 2_000;
const MAX_ALIASES = 30;
const MAX_DIRECTIVES = 30;

/** How many embeds one request may ask for, all its lists and aliases together. */
export const MAX_EMBEDS_PER_REQUEST = 500;

/** Bounds what one document may cost. Depth needs no bound of its own: the schema has no cycles, and introspection's is graphql-js' own. */
export function documentLimits(): Plugin[] {
  return [
    useTokenLimit(),
    maxAliasesPlugin({ n: MAX_ALIASES, allowList: [] }) as Plugin,
    maxDirectivesPlugin({ n: MAX_DIRECTIVES }) as Plugin,
  ];
}

function useTokenLimit(): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: MAX_TOKENS }));
    },
  };
}

const asked = new WeakMap<Context, number>();

/**
 * Counts embeds that a request asks for, whether or not there are so many.
 * @throws {Refusal} `invalid` past {@link MAX_EMBEDS_PER_REQUEST}
 */
export function countEmbeds(context: Context, path: string, count: number): void {
  const total = (asked.get(context) ?? 0) + count;
  asked.set(context, total);
  if (total <= MAX_EMBEDS_PER_REQUEST) return;
  throw refuseFaults([{ path, message: `must not ask for more than ${MAX_EMBEDS_PER_REQUEST} embeds in one request` }]);
}
