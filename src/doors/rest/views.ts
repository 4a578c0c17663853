import { embedNotFound } from '../../domain/embed/embed.ts';
import {
  RetrieveAccountViewsDocument,
  RetrieveViewsDocument,
  type ViewPartsFragment,
} from '../../generated/operations.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { type Call, json, requireAcceptable } from './embeds.ts';

const TYPES = ['application/json', 'text/csv'] as const;

/** `GET /v1/embeds/{id}/views` */
export async function retrieveViews(call: Call): Promise<Reply> {
  const { embed } = await call.run(RetrieveViewsDocument, { ...call.variables, id: call.id });
  if (!embed) throw embedNotFound();
  return viewsReply(embed.views, call);
}

/** `GET /v1/account/views` */
export async function retrieveAccountViews(call: Call): Promise<Reply> {
  const { viewer } = await call.run(RetrieveAccountViewsDocument, call.variables);
  return viewsReply(viewer.account.views, call);
}

/** Returns JSON, or CSV to clients that ask for it. Keys are dates and hosts, so none needs quotes. */
function viewsReply(views: ViewPartsFragment, call: Call): Reply {
  const common = { 'cache-control': 'no-store', vary: 'Accept' };
  const type = requireAcceptable(call, TYPES);
  if (type === 'application/json') return json(200, JSON.stringify({ views }), common);
  const rows = views.groups.map((group) => [group.key, group.views, group.reads]);
  const lines = [[call.variables.by === 'SITE' ? 'site' : 'day', 'views', 'reads'], ...rows].map(
    (row) => `${row.join(',')}\r\n`,
  );
  return reply(lines.join(''), { headers: { 'content-type': `${type}; charset=utf-8`, ...common } });
}
