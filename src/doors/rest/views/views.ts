import { embedNotFound } from '../../../domain/embed/embed.ts';
import {
  RetrieveAccountViewsDocument,
  RetrieveViewsDocument,
  type ViewPartsFragment,
} from '../../../generated/operations.ts';
import { chooseMediaType } from '../../../http/negotiation.ts';
import { TransportRefusal } from '../../../http/problem.ts';
import { type Reply, reply } from '../../../http/reply.ts';
import { type Call, json } from '../embeds.ts';

const TYPES = ['application/json', 'text/csv'] as const;

/** `GET /v1/embeds/{id}/views` */
export async function retrieveViews({ run, id, variables, headers }: Call): Promise<Reply> {
  const { embed } = await run(RetrieveViewsDocument, { ...variables, id });
  if (!embed) throw embedNotFound();
  return viewsReply(embed.views, variables, headers);
}

/** `GET /v1/account/views` */
export async function retrieveAccountViews({ run, variables, headers }: Call): Promise<Reply> {
  const { viewer } = await run(RetrieveAccountViewsDocument, variables);
  return viewsReply(viewer.account.views, variables, headers);
}

/** Returns JSON, or CSV to clients that ask for it. Keys are dates and hosts, so none needs quotes. */
function viewsReply(views: ViewPartsFragment, { by }: Call['variables'], headers: Call['headers']): Reply {
  const common = { 'cache-control': 'no-store', vary: 'Accept' };
  const type = chooseMediaType(headers.get('accept'), TYPES);
  if (type === null) throw new TransportRefusal('not_acceptable', `Accept one of ${TYPES.join(', ')}.`);
  if (type === 'application/json') return json(200, JSON.stringify({ views }), common);
  const rows = views.groups.map((group) => [group.key, group.views, group.reads]);
  const lines = [[by === 'SITE' ? 'site' : 'day', 'views', 'reads'], ...rows].map((row) => `${row.join(',')}\r\n`);
  return reply(lines.join(''), { headers: { 'content-type': `${type}; charset=utf-8`, ...common } });
}
