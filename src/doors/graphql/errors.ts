import { GraphQLError, getOperationAST } from 'graphql';
import type { PagePolicy } from '#reader/page-url';
import { Refusal, type RefusalCode, shownFaults } from '../../errors.ts';
import { findArgumentsRefusal, findVariablesRefusal, splitErrors } from '../../graphql/execution/coercion-faults.ts';
import type { GraphQLRequest, RequestOutcome } from '../../graphql/execution/execute-request.ts';
import type { OperationRequest } from '../../graphql/execution/validate-arguments.ts';

/** The values of `extensions.code`. */
export type GraphQLCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'GONE'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

const GRAPHQL_CODES: Record<RefusalCode, GraphQLCode> = {
  malformed: 'BAD_USER_INPUT',
  invalid: 'BAD_USER_INPUT',
  unauthenticated: 'UNAUTHENTICATED',
  invalid_token: 'UNAUTHENTICATED',
  insufficient_scope: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  gone: 'GONE',
  precondition_failed: 'CONFLICT',
  rate_limited: 'RATE_LIMITED',
  unavailable: 'SERVICE_UNAVAILABLE',
};

/** The code of an error that was thrown before the operation was executed. */
export function codeOf(error: unknown, isBug: boolean): GraphQLCode {
  if (error instanceof Refusal) return GRAPHQL_CODES[error.code];
  return isBug ? 'INTERNAL_SERVER_ERROR' : 'BAD_USER_INPUT';
}

interface PresentOptions {
  readonly pagePolicy: PagePolicy;
  readonly onBug: (bug: unknown) => void;
}

/**
 * Converts errors for clients. Refusals and GraphQL's own errors about a request keep their message. Any other error is a
 * bug: it is masked and passed to `onBug`.
 * @returns the errors, and the status for clients that accept GraphQL's media type
 */
export function presentErrors(outcome: RequestOutcome, request: GraphQLRequest, { pagePolicy, onBug }: PresentOptions) {
  const { result, isValid } = outcome;
  const { errors = [] } = result;
  const operationRequest = findOperationRequest(outcome, request, pagePolicy);
  const present = (error: GraphQLError) => presentError(error, request.requestId, onBug);
  if ('data' in result) return { errors: explainFieldErrors(errors, operationRequest).map(present), status: 200 };
  const explained = explainRequestErrors(errors, operationRequest, isValid);
  return { ...explained, errors: explained.errors.map(present) };
}

/** Returns null if the document could not be parsed or does not contain the operation. */
function findOperationRequest(
  { document }: RequestOutcome,
  { parameters, identity }: GraphQLRequest,
  pagePolicy: PagePolicy,
): OperationRequest | null {
  const operation = document && getOperationAST(document, parameters.operationName);
  if (!document || !operation) return null;
  return { document, operation, variables: parameters.variables ?? {}, identity, pagePolicy };
}

/** Explains errors without data: the operation was not executed. */
function explainRequestErrors(errors: readonly GraphQLError[], request: OperationRequest | null, isValid: boolean) {
  if (!request) return { errors, status: 400 };
  const { refusal, documentErrors } = isValid
    ? { refusal: findVariablesRefusal(request), documentErrors: [] }
    : splitErrors(errors, request);
  if (!refusal) return { errors, status: 400 };
  const nodes = errors.filter((error) => !documentErrors.includes(error)).flatMap((error) => error.nodes ?? []);
  const explained = new GraphQLError(refusal.message, { nodes, originalError: refusal });
  return { errors: [explained, ...documentErrors], status: refusal.code === 'insufficient_scope' ? 403 : 400 };
}

/** Explains errors beside data: a resolver failed, or the arguments of a field did not fit. */
function explainFieldErrors(errors: readonly GraphQLError[], request: OperationRequest | null) {
  return errors.map((error) => {
    if (!request || causeOf(error) !== undefined) return error;
    const { nodes, path } = error;
    // an error of GraphQL about a result, not about arguments, is a bug
    const originalError = findArgumentsRefusal(error, request) ?? new Error(error.message);
    return new GraphQLError(originalError.message, { nodes: nodes ?? null, path, originalError });
  });
}

/** Messages of the parser and the validator quote the request. */
const MAX_MESSAGE_LENGTH = 500;

interface Extensions {
  readonly code: GraphQLCode;
  readonly errors?: ReturnType<typeof shownFaults>;
  /** In seconds. */
  readonly retry_after?: number;
}

function presentError(error: GraphQLError, requestId: string, onBug: PresentOptions['onBug']): GraphQLError {
  const cause = causeOf(error);
  const rewritten = (message: string, extensions: Extensions) =>
    rewrite(error, message, { ...extensions, request_id: requestId });
  if (cause instanceof Refusal) {
    const faults = shownFaults(cause.faults);
    return rewritten(cause.message, {
      code: GRAPHQL_CODES[cause.code],
      ...(faults.length > 0 && { errors: faults }),
      ...(cause.retryAfterS !== null && { retry_after: cause.retryAfterS }),
    });
  }
  if (cause === undefined) {
    const message = error.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
    return rewritten(message, { code: 'BAD_USER_INPUT', errors: [{ path: 'query', message }] });
  }
  onBug(cause);
  return rewritten('Something went wrong on our side.', { code: 'INTERNAL_SERVER_ERROR' });
}

/** Unwraps an error to any depth. Undefined for an error of GraphQL itself. */
function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error.originalError;
  while (cause instanceof GraphQLError) cause = cause.originalError;
  return cause;
}

function rewrite(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes: nodes ?? null, source, positions, path, extensions });
}
