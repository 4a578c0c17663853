import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pageIdOf, pageUrlOf, scramble } from './data.ts';
import type { Server } from './server.ts';

/** A request to send. */
export interface Target {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Number of different requests of an operation: too many to be coalesced, few enough to keep in memory. */
const TARGET_COUNT = 5_000;
export const PAGE_SIZE = 10;

const EMBED = '{ id createdAt embedUrl pageId pageUrl mode font showTopBar }';
const LIST = `query List($first: Int, $after: String) {
  embeds(first: $first, after: $after) { nodes ${EMBED} pageInfo { endCursor hasNextPage } totalCount }
}`;
const RETRIEVE = `query Retrieve($id: ID!) { embed(id: $id) ${EMBED} }`;
const CREATE = `mutation Create($input: CreateEmbedInput!) { createEmbed(input: $input) { embed ${EMBED} } }`;

/** SHA-256 by which a client names the document of a retrieve (automatic persisted queries). */
const RETRIEVE_HASH = createHash('sha256').update(RETRIEVE).digest('hex');

export type Operation = 'first page' | 'random page' | 'retrieve' | 'create';
export type Door = 'REST' | 'GraphQL';

/** Creates the requests of an operation, in the same random order for both APIs. */
export function createTargets(operation: Operation, door: Door, { data }: Server): readonly Target[] {
  const headers = { authorization: `Bearer ${data.token}` };
  const get = (path: string): Target => ({ method: 'GET', path, headers });
  const post = (path: string, body: unknown) => postJson(path, data.token, body);
  const graphql = (query: string, variables: object) => post('/graphql', { query, variables });
  const isRest = door === 'REST';
  switch (operation) {
    case 'first page':
      return [isRest ? get(`/v1/embeds?first=${PAGE_SIZE}`) : graphql(LIST, { first: PAGE_SIZE })];
    case 'random page':
      return randomIds(data).map((after) =>
        isRest ? get(`/v1/embeds?first=${PAGE_SIZE}&after=${after}`) : graphql(LIST, { first: PAGE_SIZE, after }),
      );
    case 'retrieve':
      return randomIds(data).map((id) => createRetrieve(door, data.token, id));
    case 'create':
      return Array.from({ length: TARGET_COUNT }, (_, i) => {
        const pageUrl = pageUrlOf(pageIdOf(i));
        return isRest
          ? post('/v1/embeds', { page_url: pageUrl, mode: 'dark' })
          : graphql(CREATE, { input: { pageUrl, mode: 'DARK' } });
      });
  }
}

/** Creates retrieves by GET that name their document by its hash, so that caches can keep the responses. */
export function createPersistedTargets({ data }: Server): readonly Target[] {
  const headers = { authorization: `Bearer ${data.token}` };
  return randomIds(data).map((id) => ({ method: 'GET', path: persistedPath({ id }), headers }));
}

/** Sends the document of {@link createPersistedTargets} once with its hash. */
export async function registerDocument({ origin, data }: Server): Promise<void> {
  const headers = { authorization: `Bearer ${data.token}` };
  const path = `${persistedPath({ id: data.idAt(0) })}&query=${encodeURIComponent(RETRIEVE)}`;
  const { status, body } = await send(origin, { method: 'GET', path, headers });
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
  const headers = { authorization: `Bearer ${token}` };
  return door === 'REST'
    ? { method: 'GET', path: `/v1/embeds/${id}`, headers }
    : postJson('/graphql', token, { query: RETRIEVE, variables: { id } });
}

function postJson(path: string, token: string, body: unknown): Target {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** Returns a request for the page after the newest 90 % of the embeds. */
export function deepPageTarget({ data }: Server): Target {
  const after = data.idAt(Math.floor(data.size / 10));
  const headers = { authorization: `Bearer ${data.token}` };
  return { method: 'GET', path: `/v1/embeds?first=${PAGE_SIZE}&after=${after}`, headers };
}

/** Creates requests for filtered lists. `page_id` gives one request per page id; any other filter gives one request. */
export function filteredPageTargets(filter: string, { data }: Server): readonly Target[] {
  const headers = { authorization: `Bearer ${data.token}` };
  const get = (query: string): Target => ({ method: 'GET', path: `/v1/embeds?first=${PAGE_SIZE}&${query}`, headers });
  if (filter !== 'page_id') return [get(filter)];
  return Array.from({ length: TARGET_COUNT }, (_, i) => get(`page_id=${pageIdOf(scramble(i + 1) % data.size)}`));
}

/** Finds the hosted page of the newest embed, whose source is cached. wrk adds a second Host header unless the name is spelled `Host`. */
export async function findHostedTarget(server: Server): Promise<Target> {
  const id = server.data.idAt(server.data.size - 1);
  const headers = { authorization: `Bearer ${server.data.token}` };
  const { body } = await send(server.origin, { method: 'GET', path: `/v1/embeds/${id}`, headers });
  const { host, pathname } = new URL((JSON.parse(body) as { embed: { embed_url: string } }).embed.embed_url);
  return { method: 'GET', path: pathname, headers: { Host: host } };
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
