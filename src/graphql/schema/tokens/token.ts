import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import type { Token } from '../../../domain/identity/token.ts';
import { SCOPE_VALUES, toScopeValue } from '../../../domain/identity/token-input.ts';
import { builder } from '../builder.ts';
import { defineEnum, shownFields } from '../fields.ts';

export const ScopeType = defineEnum('Scope', 'What a token allows. No scope implies another one.', SCOPE_VALUES);

export const TokenType = builder.node(builder.objectRef<Token>('Token'), {
  name: 'Token',
  description: TOKEN_DESCRIPTIONS.object,
  id: { description: TOKEN_DESCRIPTIONS.id, resolve: ({ id }) => id },
  isTypeOf: (node) => 'scopes' in (node as object),
  fields: (t) => ({
    name: t.exposeString('name', { description: TOKEN_DESCRIPTIONS.name }),
    scopes: t.field({
      type: [ScopeType],
      description: TOKEN_DESCRIPTIONS.scopes,
      resolve: ({ scopes }) => scopes.map(toScopeValue),
    }),
    ...shownFields(t, TOKEN_DESCRIPTIONS, {
      createdAt: 'DateTime',
      expiresAt: 'DateTime?',
      revokedAt: 'DateTime?',
      lastUsedAt: 'DateTime?',
    }),
  }),
});
