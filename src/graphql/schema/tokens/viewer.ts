import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import type { Identity } from '../../../domain/identity/account.ts';
import { toScopeValue } from '../../../domain/identity/token-input.ts';
import { builder } from '../builder.ts';
import { ScopeType } from './token.ts';

const ViewerType = builder.objectRef<Identity>('Viewer').implement({
  description: 'The caller, as the service knows it by its token.',
  fields: (t) => ({
    accountId: t.exposeString('accountId', { description: 'The name of the account that the token belongs to.' }),
    scopes: t.field({
      type: [ScopeType],
      description: TOKEN_DESCRIPTIONS.scopes,
      resolve: ({ scopes }) => scopes.map(toScopeValue),
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    description: 'The account and the scopes of the token that the request carries. Needs no scope.',
    resolve: (_root, _args, { identity }) => identity,
  }),
);
