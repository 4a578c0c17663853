import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import type { Token } from '../../../domain/identity/token.ts';
import { SCOPE_VALUES, TOKEN_LIST_PARAMETERS, toScopeValue } from '../../../domain/identity/token-input.ts';
import { builder } from '../builder.ts';
import { addAdminList } from '../cursor-lists.ts';
import { defineEnum, shownFields } from '../fields.ts';

export const ScopeType = defineEnum('Scope', 'What a token allows. No scope implies another one.', SCOPE_VALUES);

export const TokenType = builder.objectRef<Token>('Token').implement({
  description: TOKEN_DESCRIPTIONS.object,
  interfaces: [builder.nodeInterfaceRef()],
  isTypeOf: (node) => 'scopes' in (node as object),
  fields: (t) => ({
    id: t.exposeID('id', { description: TOKEN_DESCRIPTIONS.id }),
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

addAdminList('tokens', {
  type: TokenType,
  noun: 'a token',
  description:
    'The tokens of the account, newest first, including expired and revoked ones. `ACCESS_TOKEN` of the operator is not in the list.',
  totalDescription: TOKEN_DESCRIPTIONS.totalCount,
  parameters: TOKEN_LIST_PARAMETERS,
  count: ({ tokens }, accountId) => tokens.count(accountId),
  // no token is ever deleted, so the one that the cursor names is still before the page
  findPage: ({ tokens }, accountId, paging) => tokens.findPage(accountId, paging),
});
