/** Origins that browsers may call from: any, or those of a list. */
export type CorsOrigins = '*' | readonly string[];

const ALLOWED_HEADERS = 'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key';
const EXPOSED_HEADERS =
  'ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
const PREFLIGHT_MAX_AGE_S = 7_200;

/**
 * Adds what the Fetch standard's CORS protocol asks of an answer. Tokens travel in a header that scripts set, never in
 * cookies, so credentials are not allowed and no origin is reflected that is not on the list.
 */
export function addCorsHeaders(headers: Record<string, string>, request: Request, origins: CorsOrigins): void {
  if (origins !== '*') headers.vary = headers.vary === undefined ? 'Origin' : `${headers.vary}, Origin`;
  const origin = request.headers.get('origin');
  // for any origin it is said to all, so that a cache may keep one answer for all
  if (origins === '*') headers['access-control-allow-origin'] = '*';
  if (origin === null || (origins !== '*' && !origins.includes(origin))) return;
  if (origins !== '*') headers['access-control-allow-origin'] = origin;
  headers['access-control-expose-headers'] = EXPOSED_HEADERS;
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return;
  headers['access-control-allow-methods'] = headers.allow ?? '';
  headers['access-control-allow-headers'] = ALLOWED_HEADERS;
  headers['access-control-max-age'] = String(PREFLIGHT_MAX_AGE_S);
}
