import { isEmbedId } from '../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../domain/embed/paging.ts';
import { requireScope } from '../../domain/identity/account.ts';
import { isTokenId } from '../../domain/identity/token.ts';
import { isWebhookId } from '../../domain/webhook.ts';
import { refuseFaults } from '../../errors.ts';
import type { Context } from '../execution/context.ts';
import { builder } from './builder.ts';

const isAdminId = (id: string) => isTokenId(id) || isWebhookId(id);

/**
 * Finds the embeds, tokens or webhooks of the account with these ids; null for unknown ones. Ids of tokens and webhooks need the
 * scope `admin`, all others `read`. The form of an id shows what it names.
 */
async function findNodes(ids: readonly string[], path: string, context: Context) {
  const { identity, budget, embeds, tokens, webhooks } = context;
  const { accountId } = identity;
  const isForAdmins = ids.some(isAdminId);
  if (isForAdmins) requireScope(identity, 'admin');
  if (!isForAdmins || !ids.every(isAdminId)) requireScope(identity, 'read');
  if (ids.length > MAX_PAGE_SIZE) throw refuseFaults([{ path, message: `must be at most ${MAX_PAGE_SIZE} ids` }]);
  budget.spend('nodes', path, ids.length);
  return Promise.all(
    ids.map((id) => {
      if (isEmbedId(id)) return embeds.find(accountId, id);
      if (isWebhookId(id)) return webhooks.find(accountId, id);
      return isTokenId(id) ? tokens.find(accountId, id) : null;
    }),
  );
}

builder.queryField('node', (t) =>
  t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'The object with this id; null if it does not exist or belongs to another account. The id of a token or a webhook needs the scope `admin`.',
    args: { id: t.arg.id({ required: true, description: 'The id of an embed, a token or a webhook.' }) },
    resolve: async (_root, { id }, context) => (await findNodes([id], 'id', context))[0] ?? null,
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description:
      'The objects with these ids, in the same order, with null for unknown ids. At most 100 ids. Ids of tokens and webhooks need the scope `admin`.',
    args: { ids: t.arg.idList({ required: true, description: 'Ids of embeds, tokens and webhooks, at most 100.' }) },
    resolve: (_root, { ids }, context) => findNodes(ids, 'ids', context),
  }),
);
