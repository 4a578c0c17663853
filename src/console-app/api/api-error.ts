import type { CombinedError } from '@urql/core';

/** An error as the console shows it. */
export interface ApiError {
  readonly message: string;
  /** The error of each invalid field, by field name. Each completes a sentence that begins with the field's label. */
  readonly faults: Readonly<Record<string, string>>;
  readonly code: string | null;
}

interface Extensions {
  readonly code?: string;
  readonly request_id?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

const UNREACHABLE = 'The service cannot be reached. Check your connection, then try again.';

/** Converts an error to the API's own message; without a response, the service was unreachable. */
export function apiErrorOf(error: CombinedError): ApiError {
  const [first] = error.graphQLErrors;
  if (!first) return { message: UNREACHABLE, faults: {}, code: null };
  const { code, errors = [], request_id: requestId }: Extensions = first.extensions;
  const faults = Object.fromEntries(errors.map(({ path, message }) => [path.replace(/^input\./, ''), message]));
  return { message: messageOf(first.message, code, requestId, error), faults, code: code ?? null };
}

export function isUnauthenticated(error: CombinedError): boolean {
  return error.graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED');
}

function messageOf(
  message: string,
  code: string | undefined,
  requestId: string | undefined,
  error: CombinedError,
): string {
  if (code === 'INTERNAL_SERVER_ERROR' && requestId) return `${message} Request ${requestId}.`;
  const seconds = (error.response as Response | undefined)?.headers?.get('retry-after');
  return code === 'SERVICE_UNAVAILABLE' && seconds ? `${message} Try again in ${seconds} s.` : message;
}
