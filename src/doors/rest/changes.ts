import { spellValue } from '../../domain/input/parameters.ts';
import { ListChangesDocument } from '../../generated/operations.ts';
import { toRest } from '../../generated/rest-embed.ts';
import { prepareOperation } from '../../graphql/execution/run-operation.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, listReply } from './embeds.ts';

const LIST_CHANGES = prepareOperation(ListChangesDocument);

/** `GET /v1/changes` */
export async function listChanges({ run, variables, url }: Call): Promise<Reply> {
  const { edges, pageInfo } = (await run(LIST_CHANGES, variables)).changes;
  const changes = edges.map(({ cursor, node: { kind, embedId, at, embed } }) => ({
    cursor,
    kind: spellValue(kind, 'rest'),
    embed_id: embedId,
    at,
    embed: embed && toRest(embed),
  }));
  return listReply(url, { changes }, { pageInfo });
}
