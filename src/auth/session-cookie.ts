import { SESSION_SECRET } from '../domain/identity/session.ts';
import { Refusal } from '../errors.ts';

interface BrowserRequest {
  readonly request: { readonly headers: { get(name: Lowercase<string>): string | null } };
  readonly url: URL;
}

/**
 * Begins the authorization of a session. A header cannot contain a line break, so no client can send this: a session counts
 * only by its cookie.
 */
const SESSION_SCHEME = '\nSession ';

/** The header in which the console names the account that it shows. */
const SHOWN_ACCOUNT = 'embed-account';

/**
 * Returns the origin of a request that a page of this service has sent; null for any other request. Browsers send `Origin` with
 * every POST and DELETE, and no script can change it (https://fetch.spec.whatwg.org/#origin-header).
 */
export function findOwnOrigin({ request: { headers }, url }: BrowserRequest): string | null {
  const origin = headers.get('origin');
  if (origin !== `http://${url.host}` && origin !== `https://${url.host}`) return null;
  return (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin' ? origin : null;
}

/**
 * Returns whether a script of this service reads by GET. Browsers send no `Origin` with it, but over TLS and to loopback hosts
 * they say where it comes from (https://w3c.github.io/webappsec-fetch-metadata/). An address that a person opens is no read.
 */
function isOwnRead({ request: { headers } }: BrowserRequest): boolean {
  const isOfScript = headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-dest') === 'empty';
  return isOfScript && headers.get('origin') === null;
}

/** Returns the value of {@link sessionCookie}; null without one. The request need not be one of the service's own pages. */
export function readSessionCookie({ request, url }: BrowserRequest, isSecure: boolean): string | null {
  const start = `${cookieName(url, isSecure)}=`;
  const pairs = request.headers.get('cookie')?.split(/; */) ?? [];
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
}

/** Returns the secret of the session of a request from the service's own page; null without one. */
export function findSessionSecret(exchange: BrowserRequest): string | null {
  const origin = findOwnOrigin(exchange);
  const schemes = origin !== null ? [isSecureOrigin(origin)] : isOwnRead(exchange) ? [true, false] : [];
  const secrets = schemes.map((isSecure) => readSessionCookie(exchange, isSecure));
  return secrets.find((secret) => secret !== null && SESSION_SECRET.test(secret)) ?? null;
}

/**
 * Returns the header Authorization, or without one the session of a request from the service's own page. The secret is empty if
 * the console has no cookie any more: its session has ended.
 */
export function authorizationOf(
  exchange: BrowserRequest,
  isOfConsole = exchange.request.headers.get(SHOWN_ACCOUNT) !== null,
): string | null {
  const header = exchange.request.headers.get('authorization');
  if (header !== null) return header;
  const secret = findSessionSecret(exchange) ?? (isOfConsole ? '' : null);
  return secret === null ? null : SESSION_SCHEME + secret;
}

/**
 * Checks the account that the console shows: another tab may have replaced the cookie, and the change is meant for the old account.
 * @throws {Refusal} `invalid_token`
 */
export function requireShownAccount({ request: { headers } }: BrowserRequest, accountId: string): void {
  const shown = headers.get(SHOWN_ACCOUNT);
  if (shown === null || shown === accountId) return;
  throw new Refusal('invalid_token', 'Another tab of this browser has signed in to another account.');
}

/** Returns null for an authorization that a client has sent in a header. */
export function findSessionOf(authorization: string): string | null {
  return authorization.startsWith(SESSION_SCHEME) ? authorization.slice(SESSION_SCHEME.length) : null;
}

export function isSecureOrigin(origin: string): boolean {
  return origin.startsWith('https:');
}

/**
 * Returns the value of `Set-Cookie`. The cookie belongs to one host, so embeds, which have other hosts, never receive it.
 * @param maxAgeS 0 deletes the cookie
 */
export function sessionCookie(
  url: URL,
  origin: string,
  value: string,
  { maxAgeS, sameSite = 'Strict' }: { readonly maxAgeS: number; readonly sameSite?: 'Strict' | 'Lax' },
): string {
  const isSecure = isSecureOrigin(origin);
  const name = cookieName(url, isSecure);
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}

/** Cookies ignore ports, so the name has it. No other host can set a cookie with the prefix `__Host-` (RFC 6265bis section 4.1.3). */
function cookieName({ port }: URL, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}embed-gateway-session${port && `-${port}`}`;
}
