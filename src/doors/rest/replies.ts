import { type Awaitable, andThen } from '../../awaitable.ts';
import { embedChanged, embedNotFound } from '../../domain/embed/embed.ts';
import type { ListEmbedsQuery } from '../../generated/operations.ts';
import { chooseMediaType, etagOf, matchesStrongly } from '../../http/negotiation.ts';
import { TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { unlessKnown } from '../../http/representation.ts';
import type { Call } from './resource.ts';

type PageInfo = ListEmbedsQuery['embeds']['pageInfo'];
type Headers = Readonly<Record<string, string>>;

/** Clients can store responses, and must revalidate them each time. */
export const CACHE_CONTROL = 'private, no-cache';

/** A reply with a secret is not stored, nor is any other of the same kind. */
export const NO_STORE = { 'cache-control': 'no-store' };

/** @param body an object, or its JSON */
export function json(body: object | string, headers: Headers = {}, status = 200): Reply {
  return reply(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': CACHE_CONTROL, ...headers },
  });
}

/**
 * @param items the items of the page, in a property with their name
 * @param total properties of the response and of `pagination`
 */
export function listReply(
  url: URL,
  items: object,
  pageInfo: PageInfo,
  total: object = {},
  headers: Headers = {},
): Reply {
  const pagination = { end_cursor: pageInfo.endCursor, has_next_page: pageInfo.hasNextPage, ...total };
  return json({ ...items, ...total, pagination }, { ...headers, ...linkToNextPage(url, pageInfo) });
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

/** @throws {Refusal} `not_found` */
type ReadResource = (call: Call) => Awaitable<Versioned>;

/** Replies with a resource; with 304 if the client has this representation (RFC 9110 section 13.1.2). */
export function resourceReply(call: Call, read: ReadResource): Awaitable<Reply> {
  return andThen(read(call), (resource) => unlessKnown(call.headers, taggedReply(resource)));
}

/** Returns the input of a write. With `If-Match` (RFC 9110 section 13.1.1), it requires the version that was compared. */
export async function matchedInput(call: Call, read: ReadResource) {
  const { headers, variables, id } = call;
  const condition = headers.get('if-match');
  if (condition === null) return { ...variables, id };
  const current = await read(call);
  if (!matchesStrongly(condition, tagOf(current))) throw embedChanged();
  return { ...variables, id, expectedVersion: current.version };
}

/** @throws {Refusal} `not_found` */
export function requireEmbed<Embed>({ embed }: { readonly embed: Embed | null }): Embed {
  if (!embed) throw embedNotFound();
  return embed;
}

export function taggedReply(resource: Versioned, headers: Headers = {}, status = 200): Reply {
  return json(resource.representation, { etag: tagOf(resource), ...headers }, status);
}

/** Links to the next page, if any (RFC 8288 section 3.1): a relative URL with the same page size, filter and order. */
function linkToNextPage({ pathname, searchParams }: URL, { endCursor, hasNextPage }: PageInfo): Headers {
  if (!hasNextPage) return {};
  const next = new URLSearchParams(searchParams);
  next.set('after', endCursor ?? '');
  return { link: `<${pathname}?${next}>; rel="next"` };
}

interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

/** Replies with a page of objects that no client stores. */
export function connectionReply<Node>(
  url: URL,
  name: string,
  { nodes, pageInfo, totalCount }: Connection<Node>,
  toRest: (node: Node) => object,
): Reply {
  return listReply(url, { [name]: nodes.map(toRest) }, pageInfo, { total_count: totalCount }, NO_STORE);
}

/** Returns the media type that `Accept` prefers. @throws {TransportRefusal} `not_acceptable` if it allows none */
export function requireAcceptable<Type extends string>({ headers }: Call, types: readonly Type[]): Type {
  const type = chooseMediaType(headers.get('accept'), types);
  if (type === null) throw new TransportRefusal('not_acceptable', `Accept one of ${types.join(', ')}.`);
  return type;
}
