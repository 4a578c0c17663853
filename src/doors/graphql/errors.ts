import { GraphQLError, getOperationAST } from 'graphql';
import type { PagePolicy } from '#reader/page-url';
import { Refusal, type RefusalCode, shownFaults } from '../../errors.ts';
import { findArgumentsRefusal, findVariablesRefusal, splitErrors } from '../../graphql/execution/coercion-faults.ts';
import type { GraphQLRequest, RequestOutcome } from '../../graphql/execution/execute-request.ts';
import type { OperationRequest } from '../../graphql/execution/validate-arguments.ts';

/** The values of `extensions.code`. */
const GRAPHQL_CODES = {
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
} as const satisfies Record<RefusalCode, string>;

/** The code of an error that was thrown before the operation was executed. */
export function codeOf(error: unknown, isBug: boolean): string {
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
  const operation = findOperation(outcome, request, pagePolicy);
  const present = (error: Place, cause: unknown) => presentError(error, cause, request.requestId, onBug);
  if ('data' in result) {
    const explained = errors.map((error) => present(error, causeOf(error) ?? explainFieldError(error, operation)));
    return { errors: explained, status: 200 };
  }
  const { refusal, documentErrors } = explainRequestErrors(errors, operation, isValid);
  const ofDocument = documentErrors.map((error) => present(error, causeOf(error)));
  if (!refusal) return { errors: ofDocument, status: 400 };
  const refused = errors.filter((error) => !documentErrors.includes(error));
  const locations = refused.flatMap((error) => error.locations ?? []);
  const status = refusal.code === 'insufficient_scope' ? 403 : 400;
  return {
    errors: [present({ message: refusal.message, locations, path: undefined }, refusal), ...ofDocument],
    status,
  };
}

/** Returns null if the document could not be parsed or does not contain the operation. */
function findOperation(
  { document }: RequestOutcome,
  { parameters, identity }: GraphQLRequest,
  pagePolicy: PagePolicy,
): OperationRequest | null {
  const operation = document && getOperationAST(document, parameters.operationName);
  if (!document || !operation) return null;
  return { document, operation, variables: parameters.variables ?? {}, identity, pagePolicy };
}

/** Explains errors without data: the operation was not executed. */
function explainRequestErrors(errors: readonly GraphQLError[], operation: OperationRequest | null, isValid: boolean) {
  if (operation && !isValid) return splitErrors(errors, operation);
  const refusal = operation && findVariablesRefusal(operation);
  return { refusal, documentErrors: refusal ? [] : errors };
}

/** Explains an error of GraphQL beside data: the arguments of a field did not fit. One about a result is a bug. */
function explainFieldError(error: GraphQLError, operation: OperationRequest | null): unknown {
  return operation ? (findArgumentsRefusal(error, operation) ?? new Error(error.message)) : undefined;
}

/** Messages of the parser and the validator quote the request. */
const MAX_MESSAGE_LENGTH = 500;

type Place = Pick<GraphQLError, 'message' | 'locations' | 'path'>;

/** Returns an error as it is sent (GraphQL section 7.1.2). */
function presentError(
  { message, locations, path }: Place,
  cause: unknown,
  requestId: string,
  onBug: PresentOptions['onBug'],
) {
  const present = (shown: string, code: string, details: object = {}) => {
    const extensions = { code, ...details, request_id: requestId };
    return { message: shown, locations, path, extensions };
  };
  if (cause instanceof Refusal) {
    const faults = shownFaults(cause.faults);
    return present(cause.message, GRAPHQL_CODES[cause.code], {
      ...(faults.length > 0 && { errors: faults }),
      ...(cause.retryAfterS !== null && { retry_after: cause.retryAfterS }),
    });
  }
  if (cause === undefined) {
    const shown = message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
    return present(shown, 'BAD_USER_INPUT', { errors: [{ path: 'query', message: shown }] });
  }
  onBug(cause);
  return present('Something went wrong on our side.', 'INTERNAL_SERVER_ERROR');
}

/** Unwraps an error to any depth. Undefined for an error of GraphQL itself. */
function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error.originalError;
  while (cause instanceof GraphQLError) cause = cause.originalError;
  return cause;
}
