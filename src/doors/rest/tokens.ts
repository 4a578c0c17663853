import { spellValue, withRestNames } from '../../domain/input/parameters.ts';
import {
  CreateTokenDocument,
  ListTokensDocument,
  RevokeTokenDocument,
  type TokenPartsFragment,
} from '../../generated/operations.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, connectionReply, json, NO_STORE } from './embeds.ts';

/** `GET /v1/tokens` */
export async function listTokens({ run, variables, url }: Call): Promise<Reply> {
  return connectionReply(url, 'tokens', (await run(ListTokensDocument, variables)).tokens, tokenToRest);
}

/** `POST /v1/tokens` */
export async function createToken({ run, variables }: Call): Promise<Reply> {
  const { createToken } = await run(CreateTokenDocument, { input: variables });
  const { token, secret } = createToken;
  return json(201, JSON.stringify({ token: tokenToRest(token), secret }), NO_STORE);
}

/** `DELETE /v1/tokens/{id}`: the token stays in the list. */
export async function revokeToken({ run, id }: Call): Promise<Reply> {
  const { revokeToken } = await run(RevokeTokenDocument, { input: { id } });
  return json(200, JSON.stringify({ token: tokenToRest(revokeToken.token) }), NO_STORE);
}

function tokenToRest(token: TokenPartsFragment) {
  return withRestNames({ ...token, scopes: token.scopes.map((scope) => spellValue(scope, 'rest')) });
}
