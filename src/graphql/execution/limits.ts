import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { Lexer, Source, syntaxError, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Several times the size of GraphiQL's introspection query. */
const MAX_TOKENS = 2_000;
/** Brackets of any kind: the parser, the validation and the execution are recursive. */
const MAX_NESTING = 50;
const MAX_ALIASES = 30;
const MAX_DIRECTIVES = 30;

/**
 * The depth of fields needs no limit: the only cycle of the schema is `Article.part`, which the budget of a request and the
 * nesting limit, and graphql-js limits introspection.
 */
export const DOCUMENT_LIMITS = [
  maxAliasesPlugin({ n: MAX_ALIASES, allowList: [] }),
  maxDirectivesPlugin({ n: MAX_DIRECTIVES }),
] as readonly Plugin[];

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** Checks a text before it is parsed. @throws {GraphQLError} at the first token past a limit; it does not recurse */
export function requireTextLimits(text: string): void {
  const source = new Source(text);
  const lexer = new Lexer(source);
  let count = 0;
  let nesting = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (OPENING.includes(token.kind)) nesting += 1;
    if (CLOSING.includes(token.kind)) nesting -= 1;
    count += 1;
    if (count > MAX_TOKENS) throw syntaxError(source, token.start, `more than ${MAX_TOKENS} tokens.`);
    if (nesting > MAX_NESTING) throw syntaxError(source, token.start, `more than ${MAX_NESTING} nested brackets.`);
  }
}
