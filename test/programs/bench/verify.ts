import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Server } from './server.ts';
import { createTargets, type Door, findHostedTarget, type Operation, type Reply, send, type Target } from './target.ts';

/** Number of requests of an operation whose responses are compared. */
const SAMPLE_SIZE = 25;

// biome-ignore lint/suspicious/noExplicitAny: responses have several shapes
type Json = any;

/** Compares the responses of both APIs with those of the reference, field by field. */
export async function verifyResponses(operation: Operation, reference: Server, gateway: Server): Promise<void> {
  const sample = (server: Server, door: Door) => createTargets(operation, door, server).slice(0, SAMPLE_SIZE);
  const expected = sample(reference, 'REST');
  for (const door of ['REST', 'GraphQL'] as const) {
    for (const [i, target] of sample(gateway, door).entries()) {
      const expectedResponse = await requestJson(reference, expected[i] as Target);
      const response = await requestJson(gateway, target);
      const actual = door === 'REST' ? response : toRest(response);
      if (operation !== 'create') deepStrictEqual(actual, expectedResponse, `${operation} through ${door}`);
      else {
        deepStrictEqual(withoutIdentity(actual), withoutIdentity(expectedResponse), `${operation} through ${door}`);
        const [retrieve] = createTargets('retrieve', 'REST', gateway) as [Target];
        deepStrictEqual(await requestJson(gateway, { ...retrieve, path: `/v1/embeds/${actual.embed.id}` }), actual);
      }
    }
  }
}

/** Compares the responses to all kinds of requests. */
export async function verifyMixedResponses(
  operations: readonly Operation[],
  reference: Server,
  gateway: Server,
): Promise<void> {
  for (const operation of operations) await verifyResponses(operation, reference, gateway);
  await verifyHostedPage(reference, gateway);
}

/** Compares the hosted page with the copy that the reference serves. */
export async function verifyHostedPage(reference: Server, gateway: Server): Promise<void> {
  const target = await findHostedTarget(gateway);
  const [expected, actual] = [await send(reference.origin, target), await send(gateway.origin, target)];
  strictEqual(actual.status, 200);
  strictEqual(actual.body, expected.body);
}

async function requestJson({ origin }: Server, target: Target): Promise<Json> {
  const { status, body }: Reply = await send(origin, target);
  if (status >= 300) throw new Error(`${target.method} ${target.path} returned ${status}: ${body}`);
  return JSON.parse(body);
}

/** Converts a response of GraphQL to the JSON of REST. */
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

/** Removes the fields that are unique to an embed. */
function withoutIdentity({ embed: { id, created_at, embed_url, ...embed } }: Json): Json {
  return { ...embed, embed_url: embed_url.replace(id, '') };
}
