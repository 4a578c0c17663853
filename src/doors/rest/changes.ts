import { spellValue } from '../../domain/input/parameters.ts';
import { ListChangesDocument } from '../../generated/operations.ts';
import { toRest } from '../../generated/rest-embed.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, listReply } from './embeds.ts';

/** `GET /v1/changes` */
export async function listChanges({ run, variables, url }: Call): Promise<Reply> {
  const { edges, pageInfo } = (await run(ListChangesDocument, variables)).changes;
  const changes = edges.map(({ cursor, node: { kind, embedId, at, embed } }) => ({
    cursor,
    kind: spellValue(kind, 'rest'),
    embed_id: embedId,
    at,
    embed: embed && toRest(embed),
  }));
  return listReply(url, { changes }, { pageInfo });
}
