import type { Problem } from './generated/rest.ts';

/** A code of the service; `network` without a response, `unknown` for a response that is not from the service. */
export type ErrorCode = Problem['code'] | 'network' | 'unknown';

export interface ErrorFacts {
  readonly code: ErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly errors: Problem['errors'];
  readonly retryAfterMs: number | null;
  readonly completed: Readonly<Record<string, unknown>> | null;
}

/** A request that failed. Its subclasses follow from `code`. */
export class EmbedGatewayError extends Error implements ErrorFacts {
  override readonly name: string = 'EmbedGatewayError';
  declare readonly code: ErrorCode;
  /** The HTTP status of the response; 0 without a response. */
  declare readonly status: number;
  /** The operator finds the request in the log with it. */
  declare readonly requestId: string | null;
  /** All invalid parameters, each with its name and the rule that it violates. */
  declare readonly errors: Problem['errors'];
  /** The time that the service asks to wait before a repetition. */
  declare readonly retryAfterMs: number | null;
  /** The payloads of the mutations that ran before the one that failed, in a GraphQL document with several; null for none. */
  declare readonly completed: Readonly<Record<string, unknown>> | null;

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, facts);
  }
}

/** No response: the connection failed, or the time was over. */
export class NetworkError extends EmbedGatewayError {
  override readonly name = 'NetworkError';
}

/** The request cannot be read, or has invalid parameters: `errors` lists them. */
export class InvalidRequestError extends EmbedGatewayError {
  override readonly name = 'InvalidRequestError';
}

/** The token is missing, unknown, expired or revoked. */
export class UnauthenticatedError extends EmbedGatewayError {
  override readonly name = 'UnauthenticatedError';
}

/** The token lacks the scope. */
export class InsufficientScopeError extends EmbedGatewayError {
  override readonly name = 'InsufficientScopeError';
}

/** The account has no embed or token with this id. */
export class NotFoundError extends EmbedGatewayError {
  override readonly name = 'NotFoundError';
}

/** Another request is in the way. In GraphQL also a stale `expectedVersion`. */
export class ConflictError extends EmbedGatewayError {
  override readonly name = 'ConflictError';
}

/** The changes after a cursor are not kept any more: list the embeds anew. */
export class GoneError extends EmbedGatewayError {
  override readonly name = 'GoneError';
}

/** The embed has changed since it was read: `ifMatch` is stale. */
export class PreconditionFailedError extends EmbedGatewayError {
  override readonly name = 'PreconditionFailedError';
}

/** Too many requests. */
export class RateLimitedError extends EmbedGatewayError {
  override readonly name = 'RateLimitedError';
}

/** The service is overloaded, or its database is away. */
export class UnavailableError extends EmbedGatewayError {
  override readonly name = 'UnavailableError';
}

const CLASSES: Readonly<Record<ErrorCode, typeof EmbedGatewayError>> = {
  malformed: InvalidRequestError,
  unauthenticated: UnauthenticatedError,
  invalid_token: UnauthenticatedError,
  insufficient_scope: InsufficientScopeError,
  not_found: NotFoundError,
  method_not_allowed: InvalidRequestError,
  not_acceptable: InvalidRequestError,
  request_timeout: UnavailableError,
  conflict: ConflictError,
  gone: GoneError,
  precondition_failed: PreconditionFailedError,
  payload_too_large: InvalidRequestError,
  uri_too_long: InvalidRequestError,
  unsupported_media_type: InvalidRequestError,
  invalid: InvalidRequestError,
  rate_limited: RateLimitedError,
  headers_too_large: InvalidRequestError,
  internal: EmbedGatewayError,
  not_implemented: EmbedGatewayError,
  site_not_allowed: EmbedGatewayError,
  unavailable: UnavailableError,
  network: NetworkError,
  unknown: EmbedGatewayError,
};

const GRAPHQL_CODES: Readonly<Record<string, ErrorCode>> = {
  BAD_USER_INPUT: 'invalid',
  UNAUTHENTICATED: 'invalid_token',
  FORBIDDEN: 'insufficient_scope',
  NOT_FOUND: 'not_found',
  CONFLICT: 'conflict',
  GONE: 'gone',
  RATE_LIMITED: 'rate_limited',
  SERVICE_UNAVAILABLE: 'unavailable',
  INTERNAL_SERVER_ERROR: 'internal',
};

export function createError(message: string, facts: Partial<ErrorFacts>, options?: ErrorOptions): EmbedGatewayError {
  const { code = 'unknown' } = facts;
  // a newer service may have codes that this version does not know
  const ErrorClass = CLASSES[code] ?? EmbedGatewayError;
  const defaults = { code, status: 0, requestId: null, errors: [], retryAfterMs: null, completed: null };
  return new ErrorClass(message, { ...defaults, ...facts }, options);
}

/** An entry of `errors` in a GraphQL response. */
interface GraphQLFailure {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly errors?: Problem['errors'];
    /** In seconds. */
    readonly retry_after?: number;
  };
}

/** The parts of a response that describe an error, in REST or in GraphQL. */
export type FailureBody = Partial<Problem> & {
  readonly errors?: readonly (Problem['errors'][number] & GraphQLFailure)[];
  readonly extensions?: { readonly completed?: Readonly<Record<string, unknown>> };
};

/** Reads the error of a response: the problem of REST (RFC 9457), or the first error of GraphQL. */
export function readError(response: Response, body: FailureBody | null): EmbedGatewayError {
  const { status, headers } = response;
  const common = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  };
  if (body?.code !== undefined) {
    const { code, detail = code, errors = [] } = body;
    return createError(detail, { ...common, code, errors });
  }
  const [failure] = body?.errors ?? [];
  if (failure === undefined) {
    const place = response.url ? ` of ${new URL(response.url).origin}` : '';
    return createError(
      `The response${place} (${status}) is not from an Embed Gateway. Check baseUrl, and proxies.`,
      common,
    );
  }
  const { code = '', errors = [], retry_after: seconds } = failure.extensions ?? {};
  return createError(failure.message, {
    ...common,
    code: GRAPHQL_CODES[code] ?? 'unknown',
    errors,
    completed: body?.extensions?.completed ?? null,
    ...(seconds !== undefined && { retryAfterMs: seconds * 1_000 }),
  });
}

/** Reads `Retry-After`, in seconds or as a date (RFC 9110 section 10.2.3), as milliseconds from now. */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(milliseconds, 0);
}
