import { request } from 'node:http';
import { createEmbedIdGenerator } from '../../../../src/domain/embed/id.ts';

/** An account with a token, an embed and a webhook. */
export interface Account {
  readonly name: string;
  readonly authorization: string;
  /** The worker that has its rows. */
  readonly port: number;
  readonly embedId: string;
}

export const EMBED_HOST = 'embeds.localhost';
export const PAGE_URL = 'https://example.com/Soup';
const JSON_TYPE = { 'content-type': 'application/json' };
const UNKNOWN_ID = 'a hosted page of an unknown id';
const newIdentity = createEmbedIdGenerator();

/** A kind of request. It returns the status of its response. */
export type AccountRequest = readonly [name: string, send: () => Promise<number>];

/** Returns all kinds of requests that read or write rows of the account. */
export function requestsOf(origin: string, account: Account): readonly AccountRequest[] {
  const rest = (method: string, path: string, body?: object, headers?: Record<string, string>) => () =>
    send(origin, account, method, path, body, headers);
  const embed = `/v1/embeds/${account.embedId}`;
  const page = { page_url: PAGE_URL };
  const today = new Date().toISOString().slice(0, 10);
  const random = () => Math.floor(Math.random() * 1e6);
  return [
    ['a retrieve', rest('GET', embed)],
    ['a list', rest('GET', '/v1/embeds')],
    ['a filtered list', rest('GET', '/v1/embeds?search=soup')],
    ['a create', rest('POST', '/v1/embeds', page)],
    ['a create with a key', rest('POST', '/v1/embeds', page, { 'idempotency-key': crypto.randomUUID() })],
    ['a create with an external id', rest('POST', '/v1/embeds', { ...page, external_id: crypto.randomUUID() })],
    ['an update', rest('PATCH', embed, { font: `Font ${random()}` })],
    ['the settings of an embed', rest('PATCH', `${embed}/settings`, { allowed_sites: [`s${random()}.example.com`] })],
    ['the settings of the account', rest('PATCH', '/v1/account', { allowed_sites: [`s${random()}.example.com`] })],
    ['the views', rest('GET', `/v1/account/views?from=${today}&to=${today}`)],
    ['the changes', rest('GET', '/v1/changes?first=5')],
    ['the audit events', rest('GET', '/v1/audit')],
    ['the tokens', rest('GET', '/v1/tokens')],
    ['a new token', rest('POST', '/v1/tokens', { name: 'new', scopes: ['read'] })],
    ['the webhooks', rest('GET', '/v1/webhooks')],
    ['a hosted page', () => view(origin, account.embedId)],
    [UNKNOWN_ID, () => view(origin, newIdentity(account.name).id)],
    ['the states of pages', () => listPages(origin, account)],
    ['a stream', () => openStream(origin, account)],
  ];
}

export function isServed(name: string, status: number): boolean {
  return name === UNKNOWN_ID ? status === 404 : status < 400;
}

export async function send(
  origin: string,
  { authorization }: Pick<Account, 'authorization'>,
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<number> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization, ...(body && JSON_TYPE), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function listPages(origin: string, { authorization }: Account): Promise<number> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { authorization, ...JSON_TYPE },
    body: JSON.stringify({ query: '{ embeds(first: 5) { nodes { id page { state } } totalCount } }' }),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string }; message: string }[] };
  if (!errors) return response.status;
  if (errors.every(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE')) return 503;
  throw new Error(JSON.stringify(errors));
}

/** Opens an event stream, and closes it after its first bytes: from then on no change is missed. */
async function openStream(origin: string, { authorization }: Account): Promise<number> {
  const aborting = new AbortController();
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { authorization, ...JSON_TYPE, accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { embedChanged { embedId } }' }),
    signal: aborting.signal,
  });
  const first = await response.body?.getReader().read();
  const text = new TextDecoder().decode(first?.value);
  aborting.abort();
  return text.includes('SERVICE_UNAVAILABLE') ? 503 : response.status;
}

/** Follows no redirect. */
function view(origin: string, embedId: string): Promise<number> {
  const headers = { host: `${embedId}.${EMBED_HOST}` };
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/`, { headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end();
  });
}
