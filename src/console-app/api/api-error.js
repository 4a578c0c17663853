const UNREACHABLE = 'The service cannot be reached. Check your connection, then try again.';
/** The API's own words wherever it has said something. */
export function troubleOf(error) {
  const [first] = error.graphQLErrors;
  if (!first) return { message: UNREACHABLE, faults: {}, code: null };
  const { code, errors = [], request_id: requestId } = first.extensions;
  const faults = Object.fromEntries(errors.map(({ path, message }) => [path.replace(/^input\./, ''), message]));
  return { message: messageOf(first.message, code, requestId, error), faults, code: code ?? null };
}
export function isUnauthenticated(error) {
  return error.graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED');
}
function messageOf(message, code, requestId, error) {
  if (code === 'INTERNAL_SERVER_ERROR' && requestId) return `${message} Request ${requestId}.`;
  const seconds = error.response?.headers?.get('retry-after');
  return code === 'SERVICE_UNAVAILABLE' && seconds ? `${message} Try again in ${seconds} s.` : message;
}
