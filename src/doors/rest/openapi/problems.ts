import type { ProblemCode } from '../../../http/problem.ts';
import type { Operation } from '../resources.ts';
import type { ResponseHeader } from './headers.ts';

/** What the document says of a refusal. */
interface ProblemDescription {
  readonly when: string;
  /** Which operations may answer so, on which resource. */
  readonly appliesTo: (operation: Operation, hasId: boolean) => boolean;
  /** An answer as it comes. */
  readonly example: { readonly detail: string; readonly errors?: readonly { path: string; message: string }[] };
  readonly headers?: readonly ResponseHeader[];
}

const always = () => true;
const never = () => false;
const hasBody = ({ parametersIn }: Operation) => parametersIn === 'body';

/** Every refusal: a new code does not compile until it is described. */
export const PROBLEM_DESCRIPTIONS: Readonly<Record<ProblemCode, ProblemDescription>> = {
  malformed: {
    when: 'The request cannot be read: broken JSON or encoding, or a header of the wrong form.',
    appliesTo: always,
    example: { detail: 'The body is not valid JSON.' },
  },
  unauthenticated: {
    when: 'There is no token.',
    appliesTo: always,
    example: { detail: 'Send an Authorization header with a bearer token.' },
    headers: ['WWW-Authenticate'],
  },
  invalid_token: {
    when: 'The token is unknown, mistyped, expired or revoked.',
    appliesTo: always,
    example: { detail: 'The token is unknown, expired or revoked.' },
    headers: ['WWW-Authenticate'],
  },
  insufficient_scope: {
    when: 'The token does not allow it.',
    appliesTo: always,
    example: { detail: 'This needs a token with the scope write.' },
    headers: ['WWW-Authenticate'],
  },
  not_found: {
    when: "There is no such embed, or it is somebody else's.",
    appliesTo: (_operation, hasId) => hasId,
    example: { detail: 'There is no embed with this id.' },
  },
  method_not_allowed: {
    when: 'The path does not answer this method; `Allow` says which it answers.',
    appliesTo: never,
    example: { detail: 'This path answers GET, POST, HEAD, OPTIONS.' },
  },
  request_timeout: {
    when: 'The headers took more than 5 s to arrive, or the request more than 8 s.',
    appliesTo: always,
    example: { detail: 'The request did not arrive in time.' },
  },
  conflict: {
    when: 'Others keep changing the same embed, or the first request with this `Idempotency-Key` is still at work; try again after `Retry-After`. If the process was killed during the first request, its key counts as at work for up to 10 seconds after that request began.',
    appliesTo: hasBody,
    example: { detail: 'The first request with this Idempotency-Key is still at work; try again in 10 s.' },
    headers: ['Retry-After'],
  },
  precondition_failed: {
    when: 'The embed is not what `If-Match` names.',
    appliesTo: ({ requestHeaders }) => requestHeaders.includes('If-Match'),
    example: { detail: 'The embed has changed since you read it.' },
  },
  payload_too_large: {
    when: 'The body has more than 100 kB.',
    appliesTo: hasBody,
    example: { detail: 'The body must be at most 100000 bytes.' },
  },
  uri_too_long: {
    when: 'The URL has more than 12,288 characters.',
    appliesTo: always,
    example: { detail: 'The URL must be at most 12288 characters.' },
  },
  unsupported_media_type: {
    when: 'The body is of another type, or compressed.',
    appliesTo: hasBody,
    example: {
      detail: 'Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.',
    },
    headers: ['Accept-Post'],
  },
  invalid: {
    when: 'The request can be read, but some parameters are not valid; `errors` names all of them.',
    appliesTo: always,
    example: {
      detail: '2 parameters are not valid.',
      errors: [
        { path: 'page', message: 'is not a parameter of this operation' },
        { path: 'first', message: 'must be a whole number from 1 to 100' },
      ],
    },
  },
  rate_limited: {
    when: 'More requests than the quota allows in a minute; `Retry-After` says when to go on.',
    appliesTo: always,
    example: { detail: 'More than 6000 requests with this token in a minute; try again in 60 s.' },
    headers: ['Retry-After'],
  },
  headers_too_large: {
    when: 'The headers have more than 16 kB.',
    appliesTo: always,
    example: { detail: 'The headers must be at most 16384 bytes in all.' },
  },
  internal: {
    when: 'Our mistake; the request id finds it in the log.',
    appliesTo: always,
    example: { detail: 'Something went wrong on our side.' },
  },
  not_implemented: {
    when: 'A format of oEmbed other than JSON and XML; no operation of this document answers so.',
    appliesTo: never,
    example: { detail: '' },
  },
  unavailable: {
    when: 'The database is busy or its disk is full, or too much is in flight; try again after `Retry-After`.',
    appliesTo: always,
    example: { detail: 'Too many requests are in flight; try again.' },
    headers: ['Retry-After'],
  },
};
