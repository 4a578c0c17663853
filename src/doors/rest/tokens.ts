import { spellValue, withRestNames } from '../../domain/input/parameters.ts';
import {
  CreateTokenDocument,
  ListTokensDocument,
  RevokeTokenDocument,
  type TokenPartsFragment,
} from '../../generated/operations.ts';
import { prepareOperation } from '../../graphql/execution/run-operation.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, connectionReply, json, NO_STORE } from './embeds.ts';

const LIST_TOKENS = prepareOperation(ListTokensDocument);
const CREATE_TOKEN = prepareOperation(CreateTokenDocument);
const REVOKE_TOKEN = prepareOperation(RevokeTokenDocument);

/** `GET /v1/tokens` */
export async function listTokens({ run, variables, url }: Call): Promise<Reply> {
  return connectionReply(url, 'tokens', (await run(LIST_TOKENS, variables)).tokens, tokenToRest);
}

/** `POST /v1/tokens` */
export async function createToken({ run, variables }: Call): Promise<Reply> {
  const { createToken } = await run(CREATE_TOKEN, { input: variables });
  const { token, secret } = createToken;
  return json(201, JSON.stringify({ token: tokenToRest(token), secret }), NO_STORE);
}

/** `DELETE /v1/tokens/{id}`: the token stays in the list. */
export async function revokeToken({ run, id }: Call): Promise<Reply> {
  const { revokeToken } = await run(REVOKE_TOKEN, { input: { id } });
  return json(200, JSON.stringify({ token: tokenToRest(revokeToken.token) }), NO_STORE);
}

function tokenToRest(token: TokenPartsFragment) {
  return withRestNames({ ...token, scopes: token.scopes.map((scope) => spellValue(scope, 'rest')) });
}
