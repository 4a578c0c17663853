import type { CombinedError } from '@urql/core';

/** An error as the console shows it. */
export interface ApiError {
  readonly message: string;
  /** The error of each invalid field, by field name. Each completes a sentence that begins with the field's label. */
  readonly faults: Readonly<Record<string, string>>;
  readonly code: string | null;
  /** The seconds after which the API allows another attempt. */
  readonly retryAfterS: number | null;
}

interface Extensions {
  readonly code?: string;
  readonly request_id?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

export const UNREACHABLE = 'The service cannot be reached. Check your connection, then try again.';

/** Converts an error to the API's own message; without a response, the service was unreachable. */
export function apiErrorOf(error: CombinedError): ApiError {
  const [first] = error.graphQLErrors;
  if (!first) return { message: UNREACHABLE, faults: {}, code: null, retryAfterS: null };
  const { code, errors = [], request_id: requestId }: Extensions = first.extensions;
  const faults = Object.fromEntries(errors.map(({ path, message }) => [path.replace(/^input\./, ''), message]));
  const seconds = Number((error.response as Response | undefined)?.headers?.get('retry-after') ?? 0);
  const retryAfterS = seconds > 0 ? seconds : null;
  return { message: messageOf(first.message, code, requestId, retryAfterS), faults, code: code ?? null, retryAfterS };
}

/** True if the service may have made a change all the same, because it has neither confirmed nor rejected it. */
export function isUnconfirmed({ code }: ApiError): boolean {
  return code === null || code === 'SERVICE_UNAVAILABLE' || code === 'INTERNAL_SERVER_ERROR';
}

/** Says that a change failed, or that it may have been made. */
export function describeFailure(error: ApiError, subject: string, change: string): string {
  const result = isUnconfirmed(error)
    ? `The service did not confirm that the ${subject} was ${change}.`
    : `The ${subject} was not ${change}.`;
  return `${result} ${error.message}`;
}

export function isUnauthenticated(error: CombinedError): boolean {
  return error.graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED');
}

function messageOf(
  message: string,
  code: string | undefined,
  requestId: string | undefined,
  retryAfterS: number | null,
): string {
  if (code === 'INTERNAL_SERVER_ERROR' && requestId) return `${message} Request ${requestId}.`;
  return code === 'SERVICE_UNAVAILABLE' && retryAfterS ? `${message} Try again in ${retryAfterS} s.` : message;
}
