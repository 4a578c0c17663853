import { GraphQLError } from 'graphql';
import { Refusal, type RefusalCode, shownFaults } from '../errors.ts';

/** The codes that clients see in `extensions.code`. */
export type GraphQLCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

/** Every refusal in the words of GraphQL. */
const GRAPHQL_CODES: Record<RefusalCode, GraphQLCode> = {
  malformed: 'BAD_USER_INPUT',
  invalid: 'BAD_USER_INPUT',
  unauthenticated: 'UNAUTHENTICATED',
  invalid_token: 'UNAUTHENTICATED',
  insufficient_scope: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  precondition_failed: 'CONFLICT',
  rate_limited: 'RATE_LIMITED',
  unavailable: 'SERVICE_UNAVAILABLE',
};

/** The code of an error that ended a request before GraphQL saw it. */
export function codeOf(error: unknown, isBug: boolean): GraphQLCode {
  if (error instanceof Refusal) return GRAPHQL_CODES[error.code];
  return isBug ? 'INTERNAL_SERVER_ERROR' : 'BAD_USER_INPUT';
}

/** Messages of the parser and the validator quote the request, which may be long. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * An error of any origin as clients may see it. Refusals keep their words. What graphql-js and Yoga say of a request
 * that cannot be run is the caller's to mend. Everything else is a bug: masked, and handed to `onBug`.
 */
export function presentError(error: GraphQLError, requestId: string, onBug: (bug: unknown) => void): GraphQLError {
  const cause = causeOf(error);
  if (cause instanceof Refusal) {
    const faults = shownFaults(cause.faults);
    return rewrite(error, cause.message, {
      code: GRAPHQL_CODES[cause.code],
      ...(faults.length > 0 && { errors: faults }),
      ...(error.extensions.http !== undefined && { http: error.extensions.http }),
    });
  }
  if (cause === undefined) {
    const message = error.message.slice(0, MAX_MESSAGE_LENGTH);
    const http = error.extensions.http ?? { spec: true, status: 400 };
    return rewrite(error, message, { code: 'BAD_USER_INPUT', errors: [{ path: 'query', message }], http });
  }
  onBug(cause);
  return rewrite(error, 'Something went wrong on our side.', { code: 'INTERNAL_SERVER_ERROR', request_id: requestId });
}

/** What an error wraps, at any depth; undefined when GraphQL itself speaks. */
function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error.originalError;
  while (cause instanceof GraphQLError) cause = cause.originalError;
  return cause;
}

function rewrite(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes: nodes ?? null, source, positions, path, extensions });
}
