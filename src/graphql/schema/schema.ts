import type { GraphQLInterfaceType } from 'graphql';
import { builder } from './builder.ts';
import './scalars.ts';
import './node.ts';
import './embed.ts';
import './pages/article.ts';
import './pages/page-versions.ts';
import './embeds.ts';
import './create-embed.ts';
import './bulk/check-embeds.ts';
import './update-embed.ts';
import './delete-embed.ts';
import './pages/refresh-page.ts';
import './bulk/change-embeds.ts';
import './embed-changed.ts';
import './account/account.ts';
import './tokens/token.ts';
import './tokens/create-token.ts';
import './tokens/revoke-token.ts';
import './audit/audit-events.ts';
import './account/viewer.ts';
import './webhooks/webhook.ts';
import './webhooks/mutations.ts';
import './webhooks/deliveries.ts';

export const schema = builder.toSchema({ sortSchema: false });

// the plugin would resolve each id in two promises; nodes have their global id as `id` (see `encodeGlobalID`)
for (const type of schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)) {
  const { id } = type.getFields();
  if (id) delete id.resolve;
}
