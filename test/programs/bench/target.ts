import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { MOST_EMBEDS, pageIdOf, pageUrlOf, scramble } from './data/sqlite.ts';
import type { Server } from './server.ts';

/** A request to send. */
export interface Target {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Number of different requests of an operation. */
const TARGET_COUNT = 5_000;
/** Reports that are repeated cost less than the first. */
const VIEW_COUNT = 100_000;
const PAGE_SIZE = 10;

const EMBED = '{ id createdAt embedUrl pageId pageUrl mode font showTopBar }';
const LIST = `query List($first: Int, $after: String) {
  embeds(first: $first, after: $after) { nodes ${EMBED} pageInfo { endCursor hasNextPage } totalCount }
}`;
const RETRIEVE = `query Retrieve($id: ID!) { embed(id: $id) ${EMBED} }`;
const CREATE = `mutation Create($input: CreateEmbedInput!) { createEmbed(input: $input) { embed ${EMBED} } }`;

/** SHA-256 by which a client names the document of a retrieve (automatic persisted queries). */
const RETRIEVE_HASH = createHash('sha256').update(RETRIEVE).digest('hex');

export const OPERATIONS = ['first page', 'random page', 'retrieve', 'create'] as const;
export type Operation = (typeof OPERATIONS)[number];
export type Door = 'REST' | 'GraphQL';

/**
 * Creates the requests of an operation, in the same order for both APIs. First pages are those of the small accounts, so that
 * each request has a token and a list of its own. The other operations use the large account.
 */
export function createTargets(operation: Operation, door: Door, { data }: Server): readonly Target[] {
  const { token, callers } = data;
  switch (operation) {
    case 'first page':
      return callers.map((caller) => createList(door, caller.token, { first: MOST_EMBEDS }));
    case 'random page':
      return randomIds(data).map((after) => createList(door, token, { first: PAGE_SIZE, after }));
    case 'retrieve':
      return randomIds(data).map((id) => createRetrieve(door, token, id));
    case 'create':
      return Array.from({ length: TARGET_COUNT }, (_, i) => createCreate(door, token, pageUrlOf(pageIdOf(i))));
  }
}

/**
 * Creates as many requests of each operation, and as many views of the hosted page. The small accounts in turn list and
 * create, so that their lists change.
 */
export async function createMixedTargets(door: Door, server: Server): Promise<readonly Target[]> {
  const { callers } = server.data;
  const reads = (['first page', 'random page', 'retrieve'] as const).flatMap((operation) =>
    createTargets(operation, door, server).slice(0, callers.length),
  );
  const creates = callers.map(({ token }, i) => createCreate(door, token, pageUrlOf(pageIdOf(i))));
  const hosted = await findHostedTarget(server);
  return [...reads, ...creates, ...callers.map(() => hosted)];
}

/** Creates retrieves by GET that name their document by its hash, so that caches can keep the responses. */
export function createPersistedTargets({ data }: Server): readonly Target[] {
  return randomIds(data).map((id) => getWithToken(persistedPath({ id }), data.token));
}

/** Sends the document of {@link createPersistedTargets} once with its hash. */
export async function registerDocument({ origin, data }: Server): Promise<void> {
  const path = `${persistedPath({ id: data.idAt(0) })}&query=${encodeURIComponent(RETRIEVE)}`;
  const { status, body } = await send(origin, getWithToken(path, data.token));
  if (status !== 200) throw new Error(`the document was refused: ${body}`);
}

function persistedPath(variables: object): string {
  const extensions = { persistedQuery: { version: 1, sha256Hash: RETRIEVE_HASH } };
  const parameters = { variables: JSON.stringify(variables), extensions: JSON.stringify(extensions) };
  return `/graphql?${new URLSearchParams(parameters)}`;
}

/** Creates retrieves by many tokens in turn, each of an embed of its account. */
export function createTokenTargets(door: Door, { data }: Server): readonly Target[] {
  return data.callers.map(({ token, embedId }) => createRetrieve(door, token, embedId));
}

function createRetrieve(door: Door, token: string, id: string): Target {
  return door === 'REST'
    ? getWithToken(`/v1/embeds/${id}`, token)
    : postJson('/graphql', token, { query: RETRIEVE, variables: { id } });
}

function createList(door: Door, token: string, variables: { readonly first: number; readonly after?: string }): Target {
  const { first, after } = variables;
  return door === 'REST'
    ? getWithToken(`/v1/embeds?first=${first}${after === undefined ? '' : `&after=${after}`}`, token)
    : postJson('/graphql', token, { query: LIST, variables });
}

function createCreate(door: Door, token: string, pageUrl: string): Target {
  return door === 'REST'
    ? postJson('/v1/embeds', token, { page_url: pageUrl, mode: 'dark' })
    : postJson('/graphql', token, { query: CREATE, variables: { input: { pageUrl, mode: 'DARK' } } });
}

function getWithToken(path: string, token: string): Target {
  return { method: 'GET', path, headers: { authorization: `Bearer ${token}` } };
}

function postJson(path: string, token: string, body: unknown): Target {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** Returns a request for the newest embeds of the large account. */
export function firstPageTarget({ data }: Server): Target {
  return createList('REST', data.token, { first: PAGE_SIZE });
}

/** Returns a request for the page after the newest 90 % of the embeds. */
export function deepPageTarget({ data }: Server): Target {
  const after = data.idAt(Math.floor(data.size / 10));
  return createList('REST', data.token, { first: PAGE_SIZE, after });
}

/** Creates requests for filtered lists. `page_id` gives one request per page id; any other filter gives one request. */
export function filteredPageTargets(filter: string, { data }: Server): readonly Target[] {
  const get = (query: string) => getWithToken(`/v1/embeds?first=${PAGE_SIZE}&${query}`, data.token);
  if (filter !== 'page_id') return [get(filter)];
  return Array.from({ length: TARGET_COUNT }, (_, i) => get(`page_id=${pageIdOf(scramble(i + 1) % data.size)}`));
}

/** Finds the hosted page of the newest embed, whose source is cached. wrk adds a second Host header unless the name is spelled `Host`. */
export async function findHostedTarget(server: Server): Promise<Target> {
  const id = server.data.idAt(server.data.size - 1);
  const { body } = await send(server.origin, createRetrieve('REST', server.data.token, id));
  const { host, pathname } = new URL((JSON.parse(body) as { embed: { embed_url: string } }).embed.embed_url);
  return { method: 'GET', path: pathname, headers: { Host: host } };
}

/** Creates reports of views of the hosted page, each of another view and network. */
export async function createReportTargets(server: Server): Promise<readonly Target[]> {
  const { headers } = await findHostedTarget(server);
  const site = 'blog.example';
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  return Array.from({ length: VIEW_COUNT }, (_, i) => ({
    method: 'POST',
    path: '/views',
    headers: {
      ...headers,
      'content-type': 'text/plain;charset=UTF-8',
      'user-agent': userAgent,
      'x-forwarded-for': `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    },
    body: JSON.stringify({ view: `v${scramble(i + 1)}`, site, read: false }),
  }));
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends one request. `fetch` cannot set the header Host. */
export async function send(origin: string, { method, path, headers, body }: Target): Promise<Reply> {
  const sent = request(origin + path, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    body: await text(response),
  };
}

function randomIds({ idAt, size }: Server['data']): readonly string[] {
  return Array.from({ length: TARGET_COUNT }, (_, i) => idAt(scramble(i + 1) % size));
}
