import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { Lexer, Source, syntaxError, TokenKind, type ValidationRule } from 'graphql';

/** Several times the size of GraphiQL's introspection query. */
const MAX_TOKENS = 2_000;
/** Brackets of any kind: the parser, the validation and the execution are recursive. */
const MAX_NESTING = 50;
const MAX_ALIASES = 30;
const MAX_DIRECTIVES = 30;

/** The depth of fields needs no limit: the schema has no cycles, and graphql-js limits introspection. */
export const LIMIT_RULES: readonly ValidationRule[] = [
  maxAliasesRule({ n: MAX_ALIASES, allowList: [] }),
  maxDirectivesRule({ n: MAX_DIRECTIVES }),
];

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** @throws {GraphQLError} at the first token past a limit; it does not recurse */
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
