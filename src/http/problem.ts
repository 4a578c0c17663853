import { type Fault, isOutOfDescriptors, Refusal, type RefusalCode, shownFaults } from '../errors.ts';
import { type Reply, reply } from './reply.ts';

type TransportCode =
  | 'not_implemented'
  | 'site_not_allowed'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'internal';

export type ProblemCode = RefusalCode | TransportCode;

/** Statuses and titles of RFC 9110 section 15. */
export const PROBLEMS: Record<ProblemCode, { readonly status: number; readonly title: string }> = {
  malformed: { status: 400, title: 'Bad Request' },
  unauthenticated: { status: 401, title: 'Unauthorized' },
  invalid_token: { status: 401, title: 'Unauthorized' },
  insufficient_scope: { status: 403, title: 'Forbidden' },
  site_not_allowed: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed' },
  not_acceptable: { status: 406, title: 'Not Acceptable' },
  request_timeout: { status: 408, title: 'Request Timeout' },
  conflict: { status: 409, title: 'Conflict' },
  gone: { status: 410, title: 'Gone' },
  precondition_failed: { status: 412, title: 'Precondition Failed' },
  payload_too_large: { status: 413, title: 'Content Too Large' },
  uri_too_long: { status: 414, title: 'URI Too Long' },
  unsupported_media_type: { status: 415, title: 'Unsupported Media Type' },
  invalid: { status: 422, title: 'Unprocessable Content' },
  rate_limited: { status: 429, title: 'Too Many Requests' },
  headers_too_large: { status: 431, title: 'Request Header Fields Too Large' },
  internal: { status: 500, title: 'Internal Server Error' },
  not_implemented: { status: 501, title: 'Not Implemented' },
  unavailable: { status: 503, title: 'Service Unavailable' },
};

const RETRY_AFTER_S = 1;

export class TransportRefusal extends Error {
  override readonly name = 'TransportRefusal';
  readonly code: TransportCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: TransportCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

export interface Problem {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Converts an error. Any error that is neither a refusal nor a lack of descriptors is a bug and is masked. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) return createProblem(error.code, error.message, headersOf(error), error.faults);
  if (error instanceof TransportRefusal) return createProblem(error.code, error.message, error.headers);
  if (isOutOfDescriptors(error)) return problemOf(new Refusal('unavailable', 'The service has no free descriptors.'));
  return createProblem('internal', 'Something went wrong on our side.');
}

function createProblem(
  code: ProblemCode,
  detail: string,
  headers: Problem['headers'] = {},
  faults: Problem['faults'] = [],
): Problem {
  return { code, ...PROBLEMS[code], detail, faults, headers };
}

export function isBug(error: unknown): boolean {
  return !(error instanceof Refusal || error instanceof TransportRefusal || isOutOfDescriptors(error));
}

/** RFC 6750 section 3: no error code without a token. RFC 9110 section 10.2.3: `Retry-After`. */
function headersOf({ code, retryAfterS }: Refusal): Record<string, string> {
  const challenge = 'Bearer realm="embed-gateway"';
  switch (code) {
    case 'unauthenticated':
      return { 'www-authenticate': challenge };
    case 'invalid_token':
      return { 'www-authenticate': `${challenge}, error="invalid_token"` };
    case 'insufficient_scope':
      return { 'www-authenticate': `${challenge}, error="insufficient_scope"` };
    case 'unavailable':
      return { 'retry-after': String(retryAfterS ?? RETRY_AFTER_S) };
    default:
      return retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) };
  }
}

/** Replies with `application/problem+json` (RFC 9457). */
export function problemReply(problem: Problem, requestId: string): Reply {
  const { status, title, detail, code, faults, headers } = problem;
  const body = { type: 'about:blank', title, status, detail, code, request_id: requestId, errors: shownFaults(faults) };
  return reply(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}
