import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { type GraphQLResolveInfo, Lexer, Source, syntaxError, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refuseFaults } from '../../errors.ts';
import type { Context } from './context.ts';
import { fieldsIn, keyOf } from './selections.ts';

/** Enough for GraphiQL's introspection several times over. */
const MAX_TOKENS = 2_000;
/** How deep brackets of any kind may stand in each other: the parser and all that follow it are recursive. */
const MAX_NESTING = 50;
const MAX_ALIASES = 30;
const MAX_DIRECTIVES = 30;

/** How many embeds one request may ask for, all its lists and aliases together. */
const MAX_EMBEDS_PER_REQUEST = 500;
const MAX_FILTERED_LISTS = 5;

/** Bounds what one document may cost. Fields nest no deeper than the schema, which has no cycles; introspection's depth is graphql-js' own. */
export function documentLimits(): Plugin[] {
  return [
    useTextLimits(),
    maxAliasesPlugin({ n: MAX_ALIASES, allowList: [] }) as Plugin,
    maxDirectivesPlugin({ n: MAX_DIRECTIVES }) as Plugin,
  ];
}

function useTextLimits(): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((text: string | Source, options) => {
        refuseUnbounded(typeof text === 'string' ? new Source(text) : text);
        return parseFn(text, options);
      });
    },
  };
}

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** Looks a document over, token by token, before anything recursive does. */
function refuseUnbounded(source: Source): void {
  const lexer = new Lexer(source);
  let count = 0;
  let nesting = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (OPENING.includes(token.kind)) nesting += 1;
    if (CLOSING.includes(token.kind)) nesting -= 1;
    count += 1;
    if (count > MAX_TOKENS) throw syntaxError(source, token.start, `more than ${MAX_TOKENS} tokens.`);
    if (nesting > MAX_NESTING)
      throw syntaxError(source, token.start, `more than ${MAX_NESTING} brackets in each other.`);
  }
}

/**
 * Counts embeds that a request asks for, whether or not there are so many.
 * @throws {Refusal} `invalid` past {@link MAX_EMBEDS_PER_REQUEST}
 */
export function countEmbeds(context: Context, path: string, count: number): void {
  context.asked.embeds += count;
  if (context.asked.embeds <= MAX_EMBEDS_PER_REQUEST) return;
  throw refuseFaults([{ path, message: `must not ask for more than ${MAX_EMBEDS_PER_REQUEST} embeds in one request` }]);
}

/**
 * Counts the filtered lists of a request: each may look at thousands of embeds to find a few.
 * @throws {Refusal} `invalid` past {@link MAX_FILTERED_LISTS}
 */
export function countFilteredList(context: Context): void {
  context.asked.filteredLists += 1;
  if (context.asked.filteredLists <= MAX_FILTERED_LISTS) return;
  throw refuseFaults([
    { path: 'filter', message: `must not be on more than ${MAX_FILTERED_LISTS} lists in one request` },
  ]);
}

/** How many lists of its embeds a connection is asked for: `nodes` and `edges` each are one, and so is every alias. */
export function countLists({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const fields = fieldsIn(
    fieldNodes.map(({ selectionSet }) => selectionSet),
    fragments,
  );
  const lists = fields.filter(({ name }) => name.value === 'nodes' || name.value === 'edges');
  return Math.max(1, new Set(lists.map(keyOf)).size);
}
