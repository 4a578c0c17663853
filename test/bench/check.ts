import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Server } from './server.ts';
import { type Answer, type Door, hostedTarget, type Operation, send, type Target, targetsOf } from './target.ts';

/** How many requests of an operation are looked at. */
const SAMPLE = 25;

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes, about to be compared
type Json = any;

/** Holds the answers of both doors against those of the reference, id for id and field for field. */
export async function checkAnswers(operation: Operation, reference: Server, gateway: Server): Promise<void> {
  const sample = (server: Server, door: Door) => targetsOf(operation, door, server).slice(0, SAMPLE);
  const expected = sample(reference, 'REST');
  for (const door of ['REST', 'GraphQL'] as const) {
    for (const [i, target] of sample(gateway, door).entries()) {
      const right = await ask(reference, expected[i] as Target);
      const answer = await ask(gateway, target);
      const shown = door === 'REST' ? answer : toRest(answer);
      if (operation !== 'create') deepStrictEqual(shown, right, `${operation} through ${door}`);
      else {
        deepStrictEqual(withoutIdentity(shown), withoutIdentity(right), `${operation} through ${door}`);
        const [retrieve] = targetsOf('retrieve', 'REST', gateway) as [Target];
        deepStrictEqual(await ask(gateway, { ...retrieve, path: `/v1/embeds/${shown.embed.id}` }), shown);
      }
    }
  }
}

/** Holds the hosted page against the reference's copy of it. */
export async function checkHostedPage(reference: Server, gateway: Server): Promise<void> {
  const target = await hostedTarget(gateway);
  const [right, shown] = [await send(reference.origin, target), await send(gateway.origin, target)];
  strictEqual(shown.status, 200);
  strictEqual(shown.body, right.body);
}

async function ask({ origin }: Server, target: Target): Promise<Json> {
  const { status, body }: Answer = await send(origin, target);
  if (status >= 300) throw new Error(`${target.method} ${target.path} was answered with ${status}: ${body}`);
  return JSON.parse(body);
}

/** GraphQL's answer in REST's words. */
function toRest({ data, errors }: Json): Json {
  strictEqual(errors, undefined);
  if (data.embed) return { embed: embedToRest(data.embed) };
  if (data.createEmbed) return { embed: embedToRest(data.createEmbed.embed) };
  const { nodes, pageInfo, totalCount } = data.embeds;
  const { endCursor, hasNextPage } = pageInfo;
  return {
    embeds: nodes.map(embedToRest),
    total_count: totalCount,
    pagination: { end_cursor: endCursor, has_next_page: hasNextPage, total_count: totalCount },
  };
}

function embedToRest({ id, createdAt, embedUrl, pageId, pageUrl, mode, font, showTopBar }: Json): Json {
  return {
    id,
    created_at: createdAt,
    embed_url: embedUrl,
    page_id: pageId,
    page_url: pageUrl,
    mode: mode.toLowerCase(),
    font,
    show_top_bar: showTopBar,
  };
}

/** A new embed without what no two of them share. */
function withoutIdentity({ embed: { id, created_at, embed_url, ...embed } }: Json): Json {
  return { ...embed, embed_url: embed_url.replace(id, '') };
}
