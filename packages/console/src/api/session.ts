import { EmbedsDocument, ViewerDocument, type ViewerQuery } from '../generated/operations.ts';
import { type ApiError, isUnauthenticated, UNREACHABLE } from './api-error.ts';
import { pageVariables } from './cache.ts';
import { type ApiClient, createApiClient } from './client.ts';

export interface Session extends ApiClient {
  /** Counts the sessions of this tab. */
  readonly id: number;
  /** The caller has the scope `write`: it can create, change and delete embeds. */
  readonly canWrite: boolean;
  /** The caller has the scope `admin`: it can manage tokens. */
  readonly canAdminister: boolean;
  /** Null if it could not be read: the API then checks each mutation. */
  readonly viewer: ViewerQuery['viewer'] | null;
}

/** The number of tokens on a page of the list. */
export const TOKEN_PAGE_SIZE = 50;

/** The printable ASCII characters that a header field can carry. */
const HEADER_TEXT = /^[\x20-\x7e]+$/;

/** Called with the message of the API when it rejects the session. */
export type OnEnd = (message: string, id: number) => void;

let lastId = 0;

/** Opens the session that the browser has a cookie of; null if the API knows none. A browser that never signed in is not asked. */
export async function findSession(onEnd: OnEnd): Promise<Session | null> {
  if (!mayHaveSession()) return null;
  const id = ++lastId;
  let isOpen = false;
  const api = createApiClient((message) => isOpen && onEnd(message, id));
  // the list shows the result
  void api.client.query(EmbedsDocument, pageVariables({})).toPromise();
  const { data, error } = await api.uncachedClient.query(ViewerDocument, {}).toPromise();
  if (error && isUnauthenticated(error)) {
    noteSession(false);
    return null;
  }
  isOpen = true;
  const viewer = data?.viewer ?? null;
  if (viewer) api.keepAccount(viewer.accountId);
  const { scopes } = viewer ?? {};
  return {
    id,
    ...api,
    canWrite: scopes?.includes('WRITE') ?? true,
    canAdminister: scopes?.includes('ADMIN') ?? false,
    viewer,
  };
}

/** Exchanges a token for a session. The browser does not keep the token. */
export async function signIn(text: string, onEnd: OnEnd): Promise<Session | ApiError> {
  const token = text.trim().replace(/^Bearer /i, '');
  if (token === '') return inputError('Enter an access token.');
  if (!HEADER_TEXT.test(token)) return inputError('The token contains characters that tokens never contain.');
  const fault = await sendSession('POST', { token });
  if (fault) return fault;
  noteSession(true);
  return (
    (await findSession(onEnd)) ?? inputError('The browser does not keep the cookie of the session. Allow cookies.')
  );
}

/** Exchanges the session of a person for one in another of their accounts. */
export async function switchAccount(account: string, onEnd: OnEnd): Promise<Session | ApiError | null> {
  return (await sendSession('POST', { account })) ?? findSession(onEnd);
}

/** True if the service has an OpenID Connect provider. */
export const hasProvider = 'provider' in document.documentElement.dataset;

/** False if the service has no GraphiQL. */
export const hasGraphiql = 'graphiql' in document.documentElement.dataset;

/** Leaves for the sign-in page of the provider, which returns to this place. */
export async function leaveForProvider(): Promise<ApiError | null> {
  // the API accepts no other places
  const place = /^#\/.{0,1000}$/.test(location.hash) ? location.hash : '';
  const sent = await send('/sign-in', 'POST', { return_to: `/${place}` });
  if ('fault' in sent) return sent.fault;
  noteSession(true);
  location.assign((await sent.response.json()).location);
  return null;
}

/** Ends the session of the browser. */
export async function signOut(): Promise<ApiError | null> {
  const fault = await sendSession('DELETE');
  if (!fault) noteSession(false);
  return fault;
}

/** No script can read the cookie. GraphiQL shares this note of it. */
const NOTE_KEY = 'embed-gateway:signed-in';

/** False if the browser has not signed in, so that a first visit asks for nothing that is refused. */
function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(NOTE_KEY) !== null;
  } catch {
    return true;
  }
}

function noteSession(isOpen: boolean): void {
  try {
    if (isOpen) localStorage.setItem(NOTE_KEY, '');
    else localStorage.removeItem(NOTE_KEY);
  } catch {
    // the browser blocks storage: the API is asked
  }
}

async function sendSession(method: string, body?: object): Promise<ApiError | null> {
  const sent = await send('/session', method, body);
  return 'fault' in sent ? sent.fault : null;
}

type Sent = { readonly response: Response } | { readonly fault: ApiError };

async function send(path: string, method: string, body?: object): Promise<Sent> {
  try {
    const headers = { 'content-type': 'application/json' };
    // a sign-out also arrives if the tab is closed
    const keepalive = method === 'DELETE';
    const response = await fetch(path, { method, headers, keepalive, ...(body && { body: JSON.stringify(body) }) });
    return response.ok ? { response } : { fault: inputError((await response.json()).detail) };
  } catch {
    return { fault: inputError(UNREACHABLE) };
  }
}

function inputError(message: string): ApiError {
  return { message, faults: {}, code: null, retryAfterS: null };
}
