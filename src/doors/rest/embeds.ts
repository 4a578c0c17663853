import { type Awaitable, andThen } from '../../awaitable.ts';
import { embedChanged, embedNotFound } from '../../domain/embed/embed.ts';
import { FIELDS } from '../../domain/embed/fields.ts';
import type { ExpectedVersion } from '../../domain/embed/input.ts';
import { spellValue } from '../../domain/input/parameters.ts';
import { Refusal, refuseFaults } from '../../errors.ts';
import {
  CreateEmbedDocument,
  DeleteEmbedDocument,
  type EmbedPartsFragment,
  ListChangesDocument,
  ListEmbedsDocument,
  type ListEmbedsQuery,
  RetrieveEmbedDocument,
  UpdateEmbedDocument,
  type UpdateEmbedMutation,
} from '../../generated/operations.ts';
import { toRest } from '../../generated/rest-embed.ts';
import type { RunOperation } from '../../graphql/execution/run-operation.ts';
import type { RequestHeaders } from '../../http/exchange.ts';
import { chooseMediaType, etagOf, matchesStrongly } from '../../http/negotiation.ts';
import { TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { unlessKnown } from '../../http/representation.ts';

/** A request to an operation, authenticated and with valid parameters. */
export interface Call {
  readonly headers: RequestHeaders;
  readonly url: URL;
  /** The id in the path; empty if the path has none. */
  readonly id: string;
  /** The valid parameters, by the names of the schema. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly run: RunOperation;
}

/** `GET /v1/embeds` (section 4.1). */
export async function listEmbeds({ run, variables, url }: Call): Promise<Reply> {
  const {
    nodes,
    pageInfo,
    totalCount: total_count,
    totalCountIsExact,
  } = (await run(ListEmbedsDocument, variables)).embeds;
  const total = variables.filter ? { total_count, total_count_is_exact: totalCountIsExact } : { total_count };
  return listReply(url, { embeds: nodes.map(toRest) }, { pageInfo, total });
}

interface ListPage {
  readonly pageInfo: ListEmbedsQuery['embeds']['pageInfo'];
  readonly total?: Total;
}

interface Total {
  readonly total_count: number;
  /** Present for filtered lists. */
  readonly total_count_is_exact?: boolean;
}

/** @param items the items of the page, in a property with their name */
function listReply(
  url: URL,
  items: Readonly<Record<string, readonly object[]>>,
  { pageInfo, total }: ListPage,
  headers: Record<string, string> = {},
): Reply {
  const body = {
    ...items,
    ...total,
    pagination: { end_cursor: pageInfo.endCursor, has_next_page: pageInfo.hasNextPage, ...total },
  };
  return json(200, JSON.stringify(body), { ...headers, ...linkToNextPage(url, pageInfo) });
}

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

/** `POST /v1/embeds` (section 4.2). */
export async function createEmbed({ run, variables }: Call): Promise<Reply> {
  const { createEmbed } = await run(CreateEmbedDocument, { input: variables });
  return changeReply(createEmbed.created ? 201 : 200, createEmbed, {
    location: `/v1/embeds/${createEmbed.embed.id}`,
    ...(createEmbed.replayed && { 'idempotent-replayed': 'true' }),
  });
}

/** `GET /v1/embeds/{id}` (section 4.3); 304 if the client has this representation (RFC 9110 section 13.1.2). */
export function retrieveEmbed({ run, id, variables, headers }: Call): Awaitable<Reply> {
  return andThen(run(RetrieveEmbedDocument, { ...variables, id }), ({ embed }) => {
    if (!embed) throw embedNotFound();
    return unlessKnown(headers, taggedReply(200, versionedOf(embed)));
  });
}

/** `PATCH /v1/embeds/{id}` (section 4.4). */
export async function updateEmbed(call: Call): Promise<Reply> {
  const input = { ...call.variables, id: call.id, ...(await requireMatch(call)) };
  try {
    const { updateEmbed } = await call.run(UpdateEmbedDocument, { input });
    return changeReply(200, updateEmbed);
  } catch (error) {
    throw withRestName(error);
  }
}

/** Only the stored embed shows whether its page id can be replaced, so this one fault is found after validation. */
function withRestName(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.faults[0]?.path !== 'pageId') return error;
  return refuseFaults(error.faults.map((fault) => ({ ...fault, path: FIELDS.pageId.restName })));
}

/** `DELETE /v1/embeds/{id}` (section 4.5). */
export async function deleteEmbed(call: Call): Promise<Reply> {
  const input = { ...call.variables, id: call.id, ...(await requireMatch(call)) };
  const { deleteEmbed } = await call.run(DeleteEmbedDocument, { input });
  return json(200, JSON.stringify({ message: deleteEmbed.message }));
}

function requireMatch(call: Call): Promise<ExpectedVersion> {
  return requireMatching(call, async () => {
    const { embed } = await call.run(RetrieveEmbedDocument, { id: call.id });
    return embed && versionedOf(embed);
  });
}

/** A resource of an embed, at a version of the embed. */
export interface Versioned {
  readonly version: number;
  readonly representation: string;
}

/** Returns the tag of a resource. A change of the embed that the resource does not show changes the tag too. */
function tagOf({ version, representation }: Versioned): string {
  return etagOf(`${version} ${representation}`);
}

/**
 * Compares `If-Match` (RFC 9110 section 13.1.1) with the resource as it is.
 * @param read called only with the header; returns null if the embed does not exist
 * @returns the input that restricts the following write to the version that was compared
 */
export async function requireMatching(
  { headers }: Call,
  read: () => Promise<Versioned | null>,
): Promise<ExpectedVersion> {
  const condition = headers.get('if-match');
  if (condition === null) return {};
  const current = await read();
  if (!current) throw embedNotFound();
  if (!matchesStrongly(condition, tagOf(current))) throw embedChanged();
  return { expectedVersion: current.version };
}

/** Clients can store responses, and must revalidate them each time. */
export const CACHE_CONTROL = 'private, no-cache';

type VersionedEmbed = EmbedPartsFragment & Pick<Versioned, 'version'>;

function versionedOf(embed: VersionedEmbed): Versioned {
  return { version: embed.version, representation: JSON.stringify({ embed: toRest(embed) }) };
}

export function taggedReply(status: number, resource: Versioned, headers: Record<string, string> = {}): Reply {
  return json(status, resource.representation, { etag: tagOf(resource), ...headers });
}

/** Adds the warnings, if there are some. The tag is that of the embed alone, which a later GET returns. */
function changeReply(
  status: number,
  { embed, warnings }: UpdateEmbedMutation['updateEmbed'],
  headers: Record<string, string> = {},
): Reply {
  const plain = taggedReply(status, versionedOf(embed), headers);
  return warnings.length === 0 ? plain : { ...plain, body: JSON.stringify({ embed: toRest(embed), warnings }) };
}

/** Links to the next page, if any (RFC 8288 section 3.1): a relative URL with the same page size, filter and order. */
function linkToNextPage(
  { pathname, searchParams }: URL,
  { endCursor, hasNextPage }: ListPage['pageInfo'],
): Record<string, string> {
  if (!hasNextPage) return {};
  const next = new URLSearchParams(searchParams);
  next.set('after', endCursor ?? '');
  return { link: `<${pathname}?${next}>; rel="next"` };
}

/** A reply with a secret is not stored, nor is any other of the same kind. */
export const NO_STORE = { 'cache-control': 'no-store' };

interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: ListPage['pageInfo'];
  readonly totalCount: number;
}

/** Replies with a page of objects that no client stores. */
export function connectionReply<Node>(
  url: URL,
  name: string,
  { nodes, pageInfo, totalCount }: Connection<Node>,
  toRest: (node: Node) => object,
): Reply {
  return listReply(url, { [name]: nodes.map(toRest) }, { pageInfo, total: { total_count: totalCount } }, NO_STORE);
}

/** Returns the media type that `Accept` prefers. @throws {TransportRefusal} `not_acceptable` if it allows none */
export function requireAcceptable<Type extends string>({ headers }: Call, types: readonly Type[]): Type {
  const type = chooseMediaType(headers.get('accept'), types);
  if (type === null) throw new TransportRefusal('not_acceptable', `Accept one of ${types.join(', ')}.`);
  return type;
}

export function json(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return reply(body, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': CACHE_CONTROL, ...headers },
  });
}
