import { isEmbedId } from '../../domain/embed/id.ts';
import { MAX_PAGE_SIZE } from '../../domain/embed/paging.ts';
import { type Identity, requireScope } from '../../domain/identity/account.ts';
import { isTokenId } from '../../domain/identity/token.ts';
import { isWebhookId } from '../../domain/webhook.ts';
import { refuseFaults } from '../../errors.ts';
import type { Context } from '../execution/context.ts';
import { builder } from './builder.ts';

/** Finds the embed, token or webhook of the account with this id; null for an unknown id. */
function findNode(accountId: string, id: string, { embeds, tokens, webhooks }: Context) {
  if (isEmbedId(id)) return embeds.find(accountId, id);
  if (isWebhookId(id)) return webhooks.find(accountId, id);
  return isTokenId(id) ? tokens.find(accountId, id) : null;
}

const isAdminId = (id: string) => isTokenId(id) || isWebhookId(id);

/** Requires the scope `admin` for ids of tokens and webhooks, and `read` for all others. The form of an id shows what it names. */
function requireScopes(identity: Identity, ids: readonly string[]): string {
  const isForAdmins = ids.some(isAdminId);
  if (isForAdmins) requireScope(identity, 'admin');
  return isForAdmins && ids.every(isAdminId) ? identity.accountId : requireScope(identity, 'read');
}

builder.queryField('node', (t) =>
  t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'The object with this id; null if it does not exist or belongs to another account. The id of a token or a webhook needs the scope `admin`.',
    args: { id: t.arg.id({ required: true, description: 'The id of an embed, a token or a webhook.' }) },
    resolve: (_root, { id }, context) => {
      const accountId = requireScopes(context.identity, [id]);
      context.budget.spend('nodes', 'id', 1);
      return findNode(accountId, id, context);
    },
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description:
      'The objects with these ids, in the same order, with null for unknown ids. At most 100 ids. Ids of tokens and webhooks need the scope `admin`.',
    args: { ids: t.arg.idList({ required: true, description: 'Ids of embeds, tokens and webhooks, at most 100.' }) },
    resolve: (_root, { ids }, context) => {
      const accountId = requireScopes(context.identity, ids);
      if (ids.length > MAX_PAGE_SIZE) {
        throw refuseFaults([{ path: 'ids', message: `must be at most ${MAX_PAGE_SIZE} ids` }]);
      }
      context.budget.spend('nodes', 'ids', ids.length);
      return Promise.all(ids.map((id) => findNode(accountId, id, context)));
    },
  }),
);
