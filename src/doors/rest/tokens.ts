import {
  CreateTokenDocument,
  ListTokensDocument,
  RevokeTokenDocument,
  type TokenPartsFragment,
} from '../../generated/operations.ts';
import { prepareOperation } from '../../graphql/execution/run-operation.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, json, listReply } from './embeds.ts';

const LIST_TOKENS = prepareOperation(ListTokensDocument);
const CREATE_TOKEN = prepareOperation(CreateTokenDocument);
const REVOKE_TOKEN = prepareOperation(RevokeTokenDocument);

/** No response about tokens is stored, because one of them contains a secret. */
const NO_STORE = { 'cache-control': 'no-store' };

/** `GET /v1/tokens` */
export async function listTokens({ run, variables, url }: Call): Promise<Reply> {
  const { tokens } = await run(LIST_TOKENS, variables);
  const { nodes, pageInfo, totalCount } = tokens;
  const page = { pageInfo, total: { total_count: totalCount } };
  return listReply(url, { tokens: nodes.map(tokenToRest) }, page, NO_STORE);
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
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes.map((scope) => scope.toLowerCase()),
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
    last_used_at: token.lastUsedAt,
  };
}
