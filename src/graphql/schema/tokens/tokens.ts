import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { TOKEN_LIST_PARAMETERS } from '../../../domain/identity/token-input.ts';
import { addAdminList } from '../cursor-lists.ts';
import { TokenType } from './token.ts';

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
