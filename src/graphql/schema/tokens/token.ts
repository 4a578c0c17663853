import type { Token } from '../../../domain/identity/token.ts';
import { SCOPE_VALUES, toScopeValue } from '../../../domain/identity/token-input.ts';
import { builder } from '../builder.ts';
import { defineEnum } from '../fields.ts';

export const ScopeType = defineEnum('Scope', 'What a token allows. No scope implies another one.', SCOPE_VALUES);

export const TokenType = builder.node(builder.objectRef<Token>('Token'), {
  name: 'Token',
  description: 'An access token of the account, without its secret.',
  id: { description: 'The id: 12 letters and digits. It is not secret.', resolve: ({ id }) => id },
  isTypeOf: (node) => 'scopes' in (node as object),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The purpose of the token, as its creator named it.' }),
    scopes: t.field({
      type: [ScopeType],
      description: 'What the token allows.',
      resolve: ({ scopes }) => scopes.map(toScopeValue),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time at which the token was created.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the token stops working. Null if it never expires.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the token was revoked; null if it was not. It stops working within 5 s.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the last use, to about a minute. Null if the token was never used.',
    }),
  }),
});
