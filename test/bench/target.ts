import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pageIdOf, pageUrlOf, scramble } from './data.ts';
import type { Server } from './server.ts';

/** One request, as it is sent. */
export interface Target {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How many different requests stand for all: more than a moment can hold, few enough to be kept ready. */
const VARIETY = 5_000;
export const PAGE_SIZE = 10;

const EMBED = '{ id createdAt embedUrl pageId pageUrl mode font showTopBar }';
const LIST = `query List($first: Int, $after: String) {
  embeds(first: $first, after: $after) { nodes ${EMBED} pageInfo { endCursor hasNextPage } totalCount }
}`;
const RETRIEVE = `query Retrieve($id: ID!) { embed(id: $id) ${EMBED} }`;
const CREATE = `mutation Create($input: CreateEmbedInput!) { createEmbed(input: $input) { embed ${EMBED} } }`;

/** What is asked of both servers. */
export type Operation = 'first page' | 'random page' | 'retrieve' | 'create';
export type Door = 'REST' | 'GraphQL';

/** The requests of an operation, in random order: the same ones through either door. */
export function targetsOf(operation: Operation, door: Door, { data }: Server): readonly Target[] {
  const headers = { authorization: `Bearer ${data.token}` };
  const get = (path: string): Target => ({ method: 'GET', path, headers });
  const post = (path: string, body: unknown): Target => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
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
      return randomIds(data).map((id) => (isRest ? get(`/v1/embeds/${id}`) : graphql(RETRIEVE, { id })));
    case 'create':
      return Array.from({ length: VARIETY }, (_, i) => {
        const pageUrl = pageUrlOf(pageIdOf(i));
        return isRest
          ? post('/v1/embeds', { page_url: pageUrl, mode: 'dark' })
          : graphql(CREATE, { input: { pageUrl, mode: 'DARK' } });
      });
  }
}

/** The page that begins where nine tenths of the embeds are past. */
export function deepPage({ data }: Server): Target {
  const after = data.idAt(Math.floor(data.size / 10));
  const headers = { authorization: `Bearer ${data.token}` };
  return { method: 'GET', path: `/v1/embeds?first=${PAGE_SIZE}&after=${after}`, headers };
}

/** Filtered pages: of one filter, or each of the page of another embed. */
export function foundPages(filter: string, { data }: Server): readonly Target[] {
  const headers = { authorization: `Bearer ${data.token}` };
  const get = (query: string): Target => ({ method: 'GET', path: `/v1/embeds?first=${PAGE_SIZE}&${query}`, headers });
  if (filter !== 'page_id') return [get(filter)];
  return Array.from({ length: VARIETY }, (_, i) => get(`page_id=${pageIdOf(scramble(i + 1) % data.size)}`));
}

/** The hosted page of the newest embed, of whose source there is a fresh copy. wrk adds its own Host but to this spelling. */
export async function hostedTarget(server: Server): Promise<Target> {
  const id = server.data.idAt(server.data.size - 1);
  const headers = { authorization: `Bearer ${server.data.token}` };
  const { body } = await send(server.origin, { method: 'GET', path: `/v1/embeds/${id}`, headers });
  const { host, pathname } = new URL((JSON.parse(body) as { embed: { embed_url: string } }).embed.embed_url);
  return { method: 'GET', path: pathname, headers: { Host: host } };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends one request; unlike `fetch` with any Host. */
export async function send(origin: string, { method, path, headers, body }: Target): Promise<Answer> {
  const sent = request(origin + path, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    body: await text(response),
  };
}

function randomIds({ idAt, size }: Server['data']): readonly string[] {
  return Array.from({ length: VARIETY }, (_, i) => idAt(scramble(i + 1) % size));
}
