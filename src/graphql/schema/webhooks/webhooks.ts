import { WEBHOOK_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import { WEBHOOK_LIST_PARAMETERS } from '../../../domain/webhook.ts';
import { addAdminList } from '../cursor-lists.ts';
import { WebhookType } from './webhook.ts';

addAdminList('webhooks', {
  type: WebhookType,
  noun: 'a webhook',
  description: 'The webhooks of the account, newest first.',
  totalDescription: WEBHOOK_DESCRIPTIONS.totalCount,
  parameters: WEBHOOK_LIST_PARAMETERS,
  count: ({ webhooks }, accountId) => webhooks.count(accountId),
  findPage: ({ webhooks }, accountId, paging) => webhooks.findPage(accountId, paging),
});
