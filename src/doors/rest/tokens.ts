import { NEW_TOKEN_PARAMETERS, parseNewTokenValues, TOKEN_LIST_PARAMETERS } from '../../domain/identity/token-input.ts';
import { spellValue, withRestNames } from '../../domain/input/parameters.ts';
import {
  CreateTokenDocument,
  ListTokensDocument,
  RevokeTokenDocument,
  type TokenPartsFragment,
} from '../../generated/operations.ts';
import { connectionReply, json, NO_STORE } from './replies.ts';
import type { ResourceSpecs } from './resource.ts';

export const TOKEN_RESOURCES: ResourceSpecs = {
  '/v1/tokens': {
    GET: {
      parameters: TOKEN_LIST_PARAMETERS.rest,
      scope: 'admin',
      success: { description: 'A page of tokens.', body: 'TokenList' },
      id: 'listTokens',
      summary: 'List tokens',
      description:
        'The tokens of the account, newest first, including expired and revoked ones. `ACCESS_TOKEN` of the operator is not in the list. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header.',
      handle: async ({ run, variables, url }) =>
        connectionReply(url, 'tokens', (await run(ListTokensDocument, variables)).tokens, tokenToRest),
    },
    POST: {
      parameters: NEW_TOKEN_PARAMETERS.rest,
      validate: (sent, policy, now) => ({ ...parseNewTokenValues(sent, policy, now, 'rest') }),
      scope: 'admin',
      success: { status: 201, description: 'The new token and its secret.', body: 'NewToken' },
      id: 'createToken',
      summary: 'Create a token',
      description:
        'Creates a token of the account. `secret` is the text to send as a bearer token. It is stored nowhere and shown only in this response. Scopes that the calling token does not have are rejected with 403. An `Idempotency-Key` is rejected with 422.',
      handle: async ({ run, variables }) => {
        const { token, secret } = (await run(CreateTokenDocument, { input: variables })).createToken;
        return json({ token: tokenToRest(token), secret }, NO_STORE, 201);
      },
    },
  },
  '/v1/tokens/{id}': {
    DELETE: {
      scope: 'admin',
      success: { description: 'The revoked token.', body: 'TokenAnswer' },
      id: 'revokeToken',
      summary: 'Revoke a token',
      description:
        'Revokes a token of the account, which stops working within 5 s. Revoking it again changes nothing. A valid token with the scope `admin` is rejected with 409 if the account has no other one that is valid for 24 hours more.',
      handle: async ({ run, id }) => {
        const { token } = (await run(RevokeTokenDocument, { input: { id } })).revokeToken;
        return json({ token: tokenToRest(token) }, NO_STORE);
      },
    },
  },
};

function tokenToRest(token: TokenPartsFragment) {
  return withRestNames({ ...token, scopes: token.scopes.map(spellValue) });
}
