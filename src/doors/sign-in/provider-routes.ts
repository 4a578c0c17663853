import { hash } from 'node:crypto';
import { html, Markup } from '#reader/html';
import { networkOf } from '../../auth/identify.ts';
import { CALLBACK_PATH, type Login, type Provider } from '../../auth/provider.ts';
import { createQuotas } from '../../auth/quota.ts';
import { findSessionSecret, isSecureOrigin, readSessionCookie, sessionCookie } from '../../auth/session-cookie.ts';
import { LOGIN_GONE, type Sessions } from '../../auth/sessions.ts';
import { CACHE_BYTES } from '../../cache-bytes.ts';
import { LOGIN_MS } from '../../domain/identity/session.ts';
import { isObject } from '../../domain/json.ts';
import { RateLimited, Refusal, refuseFaults } from '../../errors.ts';
import { createPublicRoute, type Exchange, type Route } from '../../http/exchange.ts';
import { problemOf } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { readObject, requireOwnOrigin } from './request.ts';

interface Options {
  readonly provider: Provider;
  readonly sessions: Sessions;
  readonly now: () => Date;
  /** Limits the sign-ins of an address. */
  readonly isLimited: boolean;
}

/** Steps of sign-ins per address and minute. Each may call the provider. */
const MAX_STEPS = 120;
/** A place in the console: only the fragment differs. */
const RETURN_PATH = /^\/(#\/[\x21-\x7e]{0,1000})?$/;

/**
 * Creates the routes of a sign-in by the provider: one begins it, and the provider returns to the other. Between them, the cookie of
 * the session contains the sign-in, so only the browser that has begun it can finish it, and only once within 10 minutes.
 */
export function createProviderRoutes({ provider, sessions, now, isLimited }: Options): readonly Route[] {
  const steps = createQuotas('address', MAX_STEPS, CACHE_BYTES.signInQuotas);

  function countStep({ address }: Exchange): void {
    const { quota, isExceeded } = steps.take(networkOf(address));
    if (isLimited && isExceeded) throw new RateLimited('steps of sign-ins from this address', quota);
  }

  async function begin(exchange: Exchange): Promise<Reply> {
    countStep(exchange);
    const { url, request } = exchange;
    const origin = requireOwnOrigin(exchange);
    const { return_to: returnTo = '/' } = await readObject(request);
    if (typeof returnTo !== 'string' || !RETURN_PATH.test(returnTo)) {
      throw refuseFaults([{ path: 'return_to', message: 'must be a place in the console, such as /#/tokens' }]);
    }
    const { login, location } = await provider.begin(origin, returnTo, now());
    // its cookie is replaced
    const secret = findSessionSecret(exchange);
    if (secret !== null) await sessions.end(secret);
    const value = Buffer.from(JSON.stringify(login)).toString('base64url');
    // the provider sends the browser back from another site
    const cookie = sessionCookie(url, origin, value, { maxAgeS: LOGIN_MS / 1_000, sameSite: 'Lax' });
    return reply(JSON.stringify({ location: location.href }), {
      headers: { 'content-type': 'application/json', 'set-cookie': cookie, 'cache-control': 'no-store' },
    });
  }

  async function finish(exchange: Exchange): Promise<Reply> {
    countStep(exchange);
    const { url } = exchange;
    const login = requireLogin(exchange, now());
    const { origin, returnTo: location, state } = login;
    try {
      const { secret, maxAgeS } = await sessions.openFor(await provider.finish(url, login), state);
      const cookie = sessionCookie(url, origin, secret, { maxAgeS });
      return reply(null, { status: 303, headers: { location, 'set-cookie': cookie, 'cache-control': 'no-store' } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return faultPage(error, { 'set-cookie': sessionCookie(url, origin, '', { maxAgeS: 0 }) });
    }
  }

  return [
    { ...createPublicRoute('/sign-in', begin), methods: ['POST'] },
    createPublicRoute(CALLBACK_PATH, finish, (error) => faultPage(error)),
  ];
}

/** @throws {Refusal} `malformed` unless this browser has begun the sign-in with the state of the callback, and not finished it */
function requireLogin(exchange: Exchange, now: Date): Login {
  const state = exchange.url.searchParams.get('state');
  for (const isSecure of [true, false]) {
    const login = parseLogin(readSessionCookie(exchange, isSecure), now);
    if (login && isSecureOrigin(login.origin) === isSecure && login.state === state) return login;
  }
  throw new Refusal('malformed', LOGIN_GONE);
}

const LOGIN_FIELDS = ['state', 'nonce', 'verifier', 'origin', 'returnTo'] as const;

/** Returns null for the secret of a session. A client may send any cookie: what is checked here is what the service uses. */
function parseLogin(value: string | null, now: Date): Login | null {
  try {
    const login: unknown = JSON.parse(Buffer.from(value ?? '', 'base64url').toString());
    if (!isObject(login) || !LOGIN_FIELDS.every((field) => typeof login[field] === 'string')) return null;
    const isRecent = now.getTime() - Number(login.begunAt) < LOGIN_MS;
    return isRecent && RETURN_PATH.test(String(login.returnTo)) ? (login as unknown as Login) : null;
  } catch {
    return null;
  }
}

const STYLE =
  ':root{color-scheme:light dark}body{background:Canvas;color:CanvasText;font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.25rem}a{color:inherit}';
const STYLE_HASH = hash('sha256', STYLE, 'base64');

/** Shows why a sign-in has failed. The message may quote the provider. */
function faultPage(error: unknown, cookies: Readonly<Record<string, string>> = {}): Reply {
  const { status, detail, headers, code } = problemOf(error);
  const { 'www-authenticate': _, ...others } = headers;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not signed in · Embed Gateway</title>
<style>${new Markup(STYLE)}</style></head>
<body><main><h1>You are not signed in</h1><p>${detail}</p><p><a href="/">Back to the console</a></p></main></body></html>
`;
  return reply(page.text, {
    status,
    refusalCode: code,
    headers: {
      ...others,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      ...cookies,
    },
  });
}
