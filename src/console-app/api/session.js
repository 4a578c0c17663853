import { EmbedsDocument } from '../../generated/console-operations.ts';
import { troubleOf } from './api-error.ts';
import { pageOf } from './cache.ts';
import { createApiClient, mayWrite } from './client.ts';
import { keepToken } from './token.ts';

/** What tokens are of: the ASCII that a header field may carry. */
const SENDABLE = /^[\x20-\x7e]+$/;
/** A session without a look at its token: what does not fit shows with the first answer. */
export function openSession(token, onEnded) {
  return { token, ...createApiClient(token, onEnded), mayWrite: true };
}
/** A session for a token that the API takes, with the first page of the list already there; or what is wrong with it. */
export async function signIn(text, onEnded) {
  const token = text.trim().replace(/^Bearer /i, '');
  if (token === '') return fault('Enter an access token.');
  if (!SENDABLE.test(token)) return fault('This is no token: it has characters that no token has.');
  let isOpen = false;
  const session = openSession(token, (reason) => isOpen && onEnded(reason));
  const [{ error }, isWriter] = await Promise.all([
    session.client.query(EmbedsDocument, pageOf('')).toPromise(),
    mayWrite(token),
  ]);
  if (error) return troubleOf(error);
  isOpen = true;
  keepToken(token);
  return { ...session, mayWrite: isWriter };
}
function fault(message) {
  return { message, faults: {}, code: null };
}
