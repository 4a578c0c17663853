import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { createToken, type NewToken } from '../../../domain/identity/token.ts';
import {
  NEW_TOKEN_FIELDS,
  parseNewToken,
  refuseIdempotencyKey,
  requireOwnScopes,
} from '../../../domain/identity/token-input.ts';
import { type Context, recordChange } from '../../execution/context.ts';
import { builder, mutationOf } from '../builder.ts';
import { ScopeType, TokenType } from './token.ts';

/** @throws {Refusal} `insufficient_scope`, `invalid` */
function check({ scopes }: Pick<NewToken, 'scopes'>, { identity, idempotencyKey }: Context): void {
  requireOwnScopes(identity, scopes);
  refuseIdempotencyKey(idempotencyKey);
}

builder.relayMutationField(
  'createToken',
  {
    description: 'The name, the scopes and the expiry of a new token.',
    inputFields: (t) => ({
      name: t.string({ required: true, description: NEW_TOKEN_FIELDS.name.description }),
      scopes: t.field({ type: [ScopeType], required: true, description: NEW_TOKEN_FIELDS.scopes.description }),
      expiresAt: t.field({ type: 'DateTime', description: NEW_TOKEN_FIELDS.expiresAt.description }),
    }),
  },
  {
    description:
      'Creates a token of the account. Needs the scope `admin`. Fails with `FORBIDDEN` for scopes that the calling token does not have, and with `BAD_USER_INPUT`, which lists all faults. An `Idempotency-Key` is rejected.',
    ...mutationOf({ scopes: ['admin'], parse: parseNewToken, check }, async (facts, context) => {
      const wish = { accountId: context.identity.accountId, ...facts };
      const { text: secret, token } = createToken(wish, context.now());
      await context.tokens.insert(token);
      recordChange(context, { event: 'token.created', ...wish, tokenId: token.id });
      return { token, secret };
    }),
  },
  {
    description: 'The new token and its secret.',
    outputFields: (t) => ({
      token: t.expose('token', { type: TokenType, description: 'The new token.' }),
      secret: t.exposeString('secret', { description: TOKEN_DESCRIPTIONS.secret }),
    }),
  },
);
