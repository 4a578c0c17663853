import { TOKEN_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { requireScope } from '../../../domain/identity/account.ts';
import { parseTokenPaging } from '../../../domain/identity/token-input.ts';
import { countLists } from '../../execution/request-budget.ts';
import { type ArgumentsRule, builder } from '../builder.ts';
import { cursorConnectionOf } from '../page-info.ts';
import { TokenType } from './token.ts';

const listRule: ArgumentsRule = (args, pagePolicy) => void parseTokenPaging(args, pagePolicy);

const TokenConnectionType = builder.connectionObject(
  {
    type: TokenType,
    name: 'TokenConnection',
    description: 'A page of tokens.',
    fields: (t) => ({
      totalCount: t.int({
        description: TOKEN_DESCRIPTIONS.totalCount,
        resolve: (_connection, _args, { tokens, identity }) => tokens.count(identity.accountId),
      }),
    }),
  },
  { name: 'TokenEdge', description: 'A token and its position in the list.' },
);

builder.queryField('tokens', (t) =>
  t.field({
    type: TokenConnectionType,
    description:
      'The tokens of the account, newest first, including expired and revoked ones. `ACCESS_TOKEN` of the operator is not in the list. Needs the scope `admin`.',
    args: {
      first: t.arg.int({ description: 'The number of tokens: 1 to 100, 10 if omitted.' }),
      after: t.arg.string({ description: 'Only tokens after this cursor: older ones.' }),
    },
    extensions: { rule: listRule, scope: 'admin' },
    resolve: async (_root, args, context, info) => {
      const accountId = requireScope(context.identity, 'admin');
      const paging = parseTokenPaging(args, context.pagePolicy);
      context.budget.spend('nodes', 'first', paging.size * countLists(info));
      const { tokens, isCut } = await context.tokens.findPage(accountId, paging);
      // no token is ever deleted, so the one that the cursor names is still before the page
      return cursorConnectionOf(tokens, { isCut, hasNewer: paging.after !== undefined });
    },
  }),
);
