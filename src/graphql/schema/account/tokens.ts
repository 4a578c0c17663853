import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { OPERATOR_TOKEN_ID } from '../../../domain/identity/account.ts';
import { createToken, type NewToken, type Token } from '../../../domain/identity/token.ts';
import {
  NEW_TOKEN_FIELDS,
  parseNewToken,
  refuseIdempotencyKey,
  requireOwnScopes,
  SCOPE_VALUES,
  TOKEN_LIST_PARAMETERS,
  toScopeValue,
} from '../../../domain/identity/token-input.ts';
import { parseId } from '../../../domain/input/input-reader.ts';
import { type Context, recordChange } from '../../execution/context.ts';
import { builder, mutationOf } from '../builder.ts';
import { addAdminList } from '../cursor-lists.ts';
import { defineEnum, payloadOf, shownFields } from '../fields.ts';

export const ScopeType = defineEnum('Scope', 'What a token allows. No scope implies another one.', SCOPE_VALUES);

const TokenType = builder.objectRef<Token>('Token').implement({
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
  payloadOf('token', TokenType, 'The revoked token.'),
);
