import { WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { requireScope } from '../../../domain/identity/account.ts';
import { parseWebhookPaging } from '../../../domain/webhook.ts';
import { countLists } from '../../execution/request-budget.ts';
import { type ArgumentsRule, builder } from '../builder.ts';
import { cursorConnectionOf } from '../page-info.ts';
import { WebhookType } from './webhook.ts';

const listRule: ArgumentsRule = (args, pagePolicy) => void parseWebhookPaging(args, pagePolicy);

const WebhookConnectionType = builder.connectionObject(
  {
    type: WebhookType,
    name: 'WebhookConnection',
    description: 'A page of webhooks.',
    fields: (t) => ({
      totalCount: t.int({
        description: WEBHOOK_DESCRIPTIONS.totalCount,
        resolve: (_connection, _args, { webhooks, identity }) => webhooks.count(identity.accountId),
      }),
    }),
  },
  { name: 'WebhookEdge', description: 'A webhook and its position in the list.' },
);

builder.queryField('webhooks', (t) =>
  t.field({
    type: WebhookConnectionType,
    description: 'The webhooks of the account, newest first. Needs the scope `admin`.',
    args: {
      first: t.arg.int({ description: 'The number of webhooks: 1 to 100, 10 if omitted.' }),
      after: t.arg.string({ description: 'Only webhooks after this cursor: older ones.' }),
    },
    extensions: { rule: listRule, scope: 'admin' },
    resolve: async (_root, args, context, info) => {
      const accountId = requireScope(context.identity, 'admin');
      const paging = parseWebhookPaging(args, context.pagePolicy);
      context.budget.spend('nodes', 'first', paging.size * countLists(info));
      const { rows, isCut } = await context.webhooks.findPage(accountId, paging);
      return cursorConnectionOf(rows, { isCut, hasNewer: paging.after !== undefined });
    },
  }),
);
