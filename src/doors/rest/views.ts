import { parseViewRange, VIEW_PARAMETERS } from '../../domain/views.ts';
import {
  RetrieveAccountViewsDocument,
  RetrieveViewsDocument,
  type ViewPartsFragment,
} from '../../generated/operations.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { json, requireAcceptable, requireEmbed } from './replies.ts';
import type { Call, ResourceSpecs } from './resource.ts';

const TYPES = ['application/json', 'text/csv'] as const;

export const VIEW_RESOURCES: ResourceSpecs = {
  '/v1/embeds/{id}/views': {
    GET: {
      parameters: VIEW_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseViewRange(sent, policy, 'rest') }),
      scope: 'read',
      success: { description: 'The views.', body: 'ViewsAnswer', texts: ['text/csv'] },
      id: 'retrieveViews',
      summary: 'Retrieve the views of an embed',
      description:
        'Returns how often an embed was seen and read, by day or by site that shows it. With `Accept: text/csv`, the response is CSV.',
      handle: async (call) => {
        const found = await call.run(RetrieveViewsDocument, { ...call.variables, id: call.id });
        return viewsReply(requireEmbed(found).views, call);
      },
    },
  },
};

export const ACCOUNT_VIEW_RESOURCES: ResourceSpecs = {
  '/v1/account/views': {
    GET: {
      parameters: VIEW_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseViewRange(sent, policy, 'rest') }),
      scope: 'read',
      success: { description: 'The views.', body: 'ViewsAnswer', texts: ['text/csv'] },
      id: 'retrieveAccountViews',
      summary: 'Retrieve the views of all embeds',
      description:
        'Returns how often the embeds of the account were seen and read, by day or by site, also those that were deleted since. With `Accept: text/csv`, the response is CSV.',
      handle: async (call) =>
        viewsReply((await call.run(RetrieveAccountViewsDocument, call.variables)).viewer.account.views, call),
    },
  },
};

/** Returns JSON, or CSV to clients that ask for it. Keys are dates and hosts, so none needs quotes. */
function viewsReply(views: ViewPartsFragment, call: Call): Reply {
  const common = { 'cache-control': 'no-store', vary: 'Accept' };
  const type = requireAcceptable(call, TYPES);
  if (type === 'application/json') return json({ views }, common);
  const head = [call.variables.by === 'SITE' ? 'site' : 'day', 'views', 'reads'];
  const rows = views.groups.map(({ key, views, reads }) => [key, views, reads]);
  const lines = [head, ...rows].map((row) => `${row.join(',')}\r\n`);
  return reply(lines.join(''), { headers: { 'content-type': `${type}; charset=utf-8`, ...common } });
}
