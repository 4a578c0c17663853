import { GraphQLError, getOperationAST } from 'graphql';
import type { PagePolicy } from '../../domain/page/url.ts';
import { Refusal, type RefusalCode, shownFaults } from '../../errors.ts';
import { findArgumentsRefusal, findVariablesRefusal, splitErrors } from '../../graphql/execution/coercion-faults.ts';
import type { GraphQLRequest, RequestOutcome } from '../../graphql/execution/execute-request.ts';
import type { OperationRequest } from '../../graphql/execution/validate-arguments.ts';

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

interface Presenting {
  readonly pagePolicy: PagePolicy;
  readonly onBug: (bug: unknown) => void;
}

/**
 * The one place where errors become what clients see. Refusals keep their words. What GraphQL says of a request is the
 * caller's to mend. Everything else is a bug: masked, and handed to `onBug`.
 * @returns the errors, and the status for clients that know GraphQL's own media type
 */
export function presentErrors(performed: RequestOutcome, request: GraphQLRequest, { pagePolicy, onBug }: Presenting) {
  const { result, isValid } = performed;
  const { errors = [] } = result;
  const asked = askedIn(performed, request, pagePolicy);
  // the result may be shared with equal requests, whose ids are others
  const present = (error: GraphQLError) => presentError(error, request.requestId, onBug);
  if ('data' in result) return { errors: explainFieldErrors(errors, asked).map(present), status: 200 };
  const explained = explainRequestErrors(errors, asked, isValid);
  return { ...explained, errors: explained.errors.map(present) };
}

/** What the request asks for, if it came so far. */
function askedIn(
  { document }: RequestOutcome,
  { parameters, identity }: GraphQLRequest,
  pagePolicy: PagePolicy,
): OperationRequest | null {
  const operation = document && getOperationAST(document, parameters.operationName);
  if (!document || !operation) return null;
  return { document, operation, variables: parameters.variables ?? {}, identity, pagePolicy };
}

/** Errors without data: the request did not run. */
function explainRequestErrors(errors: readonly GraphQLError[], asked: OperationRequest | null, isValid: boolean) {
  if (!asked) return { errors, status: 400 };
  const { refusal, others } = isValid
    ? { refusal: findVariablesRefusal(asked), others: [] }
    : splitErrors(errors, asked);
  if (!refusal) return { errors, status: 400 };
  const nodes = errors.filter((error) => !others.includes(error)).flatMap((error) => error.nodes ?? []);
  const explained = new GraphQLError(refusal.message, { nodes, originalError: refusal });
  return { errors: [explained, ...others], status: refusal.code === 'insufficient_scope' ? 403 : 400 };
}

/** Errors beside data: fields failed, those of the resolvers and those whose arguments did not fit. */
function explainFieldErrors(errors: readonly GraphQLError[], asked: OperationRequest | null) {
  return errors.map((error) => {
    if (!asked || causeOf(error) !== undefined) return error;
    const { nodes, path } = error;
    // what GraphQL says of a field, but not of its arguments, is not the caller's to mend
    const originalError = findArgumentsRefusal(error, asked) ?? new Error(error.message);
    return new GraphQLError(originalError.message, { nodes: nodes ?? null, path, originalError });
  });
}

/** Messages of the parser and the validator quote the request, which may be long. */
const MAX_MESSAGE_LENGTH = 500;

interface Extensions {
  readonly code: GraphQLCode;
  readonly errors?: ReturnType<typeof shownFaults>;
}

function presentError(error: GraphQLError, requestId: string, onBug: Presenting['onBug']): GraphQLError {
  const cause = causeOf(error);
  const rewritten = (message: string, extensions: Extensions) =>
    rewrite(error, message, { ...extensions, request_id: requestId });
  if (cause instanceof Refusal) {
    const faults = shownFaults(cause.faults);
    return rewritten(cause.message, {
      code: GRAPHQL_CODES[cause.code],
      ...(faults.length > 0 && { errors: faults }),
    });
  }
  if (cause === undefined) {
    const message = error.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
    return rewritten(message, { code: 'BAD_USER_INPUT', errors: [{ path: 'query', message }] });
  }
  onBug(cause);
  return rewritten('Something went wrong on our side.', { code: 'INTERNAL_SERVER_ERROR' });
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
