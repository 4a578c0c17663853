import type { Quota } from '../errors.ts';
import type { IncomingRequest } from './exchange.ts';
import type { Reply } from './reply.ts';

export type CorsOrigins = '*' | readonly string[];

const ALLOWED_HEADERS =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, X-Request-Id';
const EXPOSED_HEADERS =
  'ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
const PREFLIGHT_MAX_AGE_S = 7_200;

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

export function addCommonHeaders({ status, headers }: Reply, requestId: string, quota: Quota | null): void {
  headers['x-request-id'] = requestId;
  headers['x-content-type-options'] = 'nosniff';
  // a 304 would replace the stored headers of the client (RFC 9111 section 3.2)
  if (status !== 304) {
    headers['content-security-policy'] ??= DATA_POLICY;
    headers['referrer-policy'] ??= 'no-referrer';
  }
  if (!quota) return;
  // draft-ietf-httpapi-ratelimit-headers-10
  headers['ratelimit-policy'] = `"${quota.policy}";q=${quota.limit};w=${quota.windowS}`;
  headers.ratelimit = `"${quota.policy}";r=${quota.remaining};t=${quota.resetS}`;
}

/** Allows no credentials: scripts send tokens in a header. Without a list of origins, shared caches can store the reply. */
export function addCorsHeaders({ headers }: Reply, request: IncomingRequest, origins: CorsOrigins): void {
  if (origins === '*') headers['access-control-allow-origin'] = '*';
  else headers.vary = headers.vary === undefined ? 'Origin' : `${headers.vary}, Origin`;
  const origin = request.headers.get('origin');
  if (origin === null || (origins !== '*' && !origins.includes(origin))) return;
  if (origins !== '*') headers['access-control-allow-origin'] = origin;
  headers['access-control-expose-headers'] = EXPOSED_HEADERS;
  if (request.method !== 'OPTIONS' || request.headers.get('access-control-request-method') === null) return;
  headers['access-control-allow-methods'] = headers.allow ?? '';
  headers['access-control-allow-headers'] = ALLOWED_HEADERS;
  headers['access-control-max-age'] = String(PREFLIGHT_MAX_AGE_S);
}
