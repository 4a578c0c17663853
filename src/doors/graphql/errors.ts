import { type ExecutionResult, GraphQLError } from 'graphql';
import { Refusal, type RefusalCode, shownFaults } from '../../errors.ts';
import { createArgumentsExplainer, splitErrors } from '../../graphql/execution/argument-faults.ts';
import type { RequestOutcome } from '../../graphql/execution/execute-request.ts';
import { type ProblemCode, problemOf } from '../../http/problem.ts';

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
function codeOf(code: ProblemCode): string {
  if (code in GRAPHQL_CODES) return GRAPHQL_CODES[code as RefusalCode];
  return code === 'internal' ? 'INTERNAL_SERVER_ERROR' : 'BAD_USER_INPUT';
}

/** The further extensions of a refusal. */
function detailsOf({ faults, retryAfterS }: Pick<Refusal, 'faults' | 'retryAfterS'>): object {
  return {
    ...(faults.length > 0 && { errors: shownFaults(faults) }),
    ...(retryAfterS !== null && { retry_after: retryAfterS }),
  };
}

/** Formats the response to a request that was refused before its operation was executed. */
export function formatRefusal(error: unknown, requestId: string): string {
  const { code, detail, faults, headers } = problemOf(error);
  const retryAfter = headers['retry-after'];
  const details = detailsOf({ faults, retryAfterS: retryAfter === undefined ? null : Number(retryAfter) });
  return formatError(detail, { code: codeOf(code), ...details, request_id: requestId });
}

/** Formats the response to a request that was not executed. */
export function formatError(message: string, extensions: object): string {
  return JSON.stringify({ errors: [{ message, extensions }] });
}

/**
 * Converts errors for clients. Refusals and GraphQL's own errors about a request keep their message. Any other error is a
 * bug: it is masked and passed to `onBug`.
 * @returns the errors, and the status for clients that accept GraphQL's media type
 */
export function presentErrors(
  { result, request, isValid }: RequestOutcome<ExecutionResult>,
  requestId: string,
  onBug: (bug: unknown) => void,
) {
  const { errors = [] } = result;
  /** Returns an error as it is sent (GraphQL section 7.1.2). */
  const present = ({ message: text, locations, path }: Place, cause: unknown) => {
    const { message, ...shown } = describeCause(cause, text, onBug);
    return { message, locations, path, extensions: { ...shown, request_id: requestId } };
  };
  if ('data' in result) {
    // the arguments of a field did not fit; an error about a result is a bug
    const explain = request && createArgumentsExplainer(request);
    const causeOfField = (error: GraphQLError) => causeOf(error) ?? explain?.(error) ?? new Error(error.message);
    return { errors: errors.map((error) => present(error, causeOfField(error))), status: 200 };
  }
  const { refusal, documentErrors } = splitErrors(errors, request, isValid);
  const ofDocument = documentErrors.map((error) => present(error, causeOf(error)));
  if (!refusal) return { errors: ofDocument, status: 400 };
  const refused = errors.filter((error) => !documentErrors.includes(error));
  const locations = refused.flatMap((error) => error.locations ?? []);
  const shown = present({ message: refusal.message, locations, path: undefined }, refusal);
  return { errors: [shown, ...ofDocument], status: refusal.code === 'insufficient_scope' ? 403 : 400 };
}

/** Messages of the parser and the validator quote the request. */
const MAX_MESSAGE_LENGTH = 500;

type Place = Pick<GraphQLError, 'message' | 'locations' | 'path'>;

/** Returns the message and the extensions of an error. @param text the message of an error without a cause */
function describeCause(cause: unknown, text: string, onBug: (bug: unknown) => void) {
  if (cause instanceof Refusal) {
    return { message: cause.message, code: GRAPHQL_CODES[cause.code], ...detailsOf(cause) };
  }
  if (cause === undefined) {
    const message = text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
    return { message, code: 'BAD_USER_INPUT', errors: [{ path: 'query', message }] };
  }
  onBug(cause);
  return { message: 'Something went wrong on our side.', code: 'INTERNAL_SERVER_ERROR' };
}

/** Unwraps an error to any depth. Undefined for an error of GraphQL itself. */
function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error.originalError;
  while (cause instanceof GraphQLError) cause = cause.originalError;
  return cause;
}
