import { EmbedsDocument, ViewerDocument } from '../generated/operations.ts';
import { type ApiError, apiErrorOf } from './api-error.ts';
import { pageVariables } from './cache.ts';
import { type ApiClient, createApiClient } from './client.ts';
import { storeToken } from './stored-token.ts';

export interface Session extends ApiClient {
  readonly token: string;
  /** The token has the scope `write`: it can create, change and delete embeds. */
  readonly canWrite: boolean;
  /** The token has the scope `admin`: it can manage tokens. */
  readonly canAdminister: boolean;
}

/** The number of tokens on a page of the list. */
export const TOKEN_PAGE_SIZE = 50;

/** The printable ASCII characters that a header field can carry. */
const HEADER_TEXT = /^[\x20-\x7e]+$/;

/** Called with the message of the API when it rejects the token. */
export type OnEnd = (message: string, token: string) => void;

/** Opens a session without checking the token: the first response shows whether it is valid. */
export function openSession(token: string, onEnd: OnEnd): Session {
  const client = createApiClient(token, (message) => onEnd(message, token));
  return { token, ...client, canWrite: true, canAdminister: false };
}

/** Checks a token by loading the first page of the list, and stores the token if the API accepts it. */
export async function signIn(text: string, onEnd: OnEnd): Promise<Session | ApiError> {
  const token = text.trim().replace(/^Bearer /i, '');
  if (token === '') return inputError('Enter an access token.');
  if (!HEADER_TEXT.test(token)) return inputError('The token contains characters that tokens never contain.');
  let isOpen = false;
  const session = openSession(token, (message) => isOpen && onEnd(message, token));
  const [{ error }, rights] = await Promise.all([
    session.client.query(EmbedsDocument, pageVariables({})).toPromise(),
    findRights(session),
  ]);
  if (error) return apiErrorOf(error);
  isOpen = true;
  storeToken(token);
  return { ...session, ...rights };
}

/** Reads the scopes of the token. If that fails, the API checks each mutation. */
export async function findRights({ uncachedClient }: Session): Promise<Pick<Session, 'canWrite' | 'canAdminister'>> {
  const { data } = await uncachedClient.query(ViewerDocument, {}).toPromise();
  const scopes = data?.viewer.scopes;
  return { canWrite: scopes?.includes('WRITE') ?? true, canAdminister: scopes?.includes('ADMIN') ?? false };
}

function inputError(message: string): ApiError {
  return { message, faults: {}, code: null, retryAfterS: null };
}
