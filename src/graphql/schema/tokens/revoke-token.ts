import { OPERATOR_TOKEN_ID } from '../../../domain/identity/account.ts';
import { parseId } from '../../../domain/input/input-reader.ts';
import { recordChange } from '../../execution/context.ts';
import { builder, mutationOf } from '../builder.ts';
import { TokenType } from './token.ts';

builder.relayMutationField(
  'revokeToken',
  {
    description: 'The token to revoke.',
    inputFields: (t) => ({ id: t.id({ required: true, description: 'The id of the token.' }) }),
  },
  {
    description:
      'Revokes a token of the account, which stops working within 5 s. Revoking it again changes nothing. Needs the scope `admin`. Fails with `NOT_FOUND`, or with `CONFLICT` for a valid token with the scope `admin` if the account has no other one that is valid for 24 hours more.',
    ...mutationOf({ scopes: ['admin'], parse: parseId }, async (tokenId, context) => {
      const { identity, tokens, now } = context;
      // ACCESS_TOKEN has the scope admin, and remains
      const mayBeLast = identity.tokenId === OPERATOR_TOKEN_ID;
      const { token, isNew } = await tokens.revokeOwn(identity.accountId, tokenId, now(), { mayBeLast });
      if (isNew) recordChange(context, { event: 'token.revoked', tokenId, name: token.name });
      return token;
    }),
  },
  {
    description: 'The revoked token.',
    outputFields: (t) => ({
      token: t.field({ type: TokenType, description: 'The revoked token.', resolve: (token) => token }),
    }),
  },
);
