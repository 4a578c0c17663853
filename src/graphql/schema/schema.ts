import type { GraphQLInterfaceType } from 'graphql';
import { builder } from './builder.ts';
import './scalars.ts';
import './node.ts';
import './embed.ts';
import './embeds.ts';
import './create-embed.ts';
import './update-embed.ts';
import './delete-embed.ts';
import './refresh-page.ts';
import './embed-changed.ts';
import './tokens/tokens.ts';
import './tokens/create-token.ts';
import './tokens/revoke-token.ts';
import './audit/audit-events.ts';
import './tokens/viewer.ts';

export const schema = builder.toSchema({ sortSchema: false });

// the plugin would resolve each id in two promises; nodes have their global id as `id` (see `encodeGlobalID`)
for (const type of schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)) {
  const { id } = type.getFields();
  if (id) delete id.resolve;
}
