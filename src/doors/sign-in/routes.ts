import type { Identify } from '../../auth/identify.ts';
import type { Provider } from '../../auth/provider.ts';
import { authorizationOf, findSessionSecret, sessionCookie } from '../../auth/session-cookie.ts';
import type { OpenedSession, Sessions } from '../../auth/sessions.ts';
import { refuseFaults } from '../../errors.ts';
import type { Accepted, Exchange, Route } from '../../http/exchange.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { createProviderRoutes } from './provider-routes.ts';
import { readObject, requireOwnOrigin } from './request.ts';

interface Options {
  readonly identify: Identify;
  readonly sessions: Sessions;
  /** Null if people sign in with tokens only. */
  readonly provider: Provider | null;
  readonly now: () => Date;
  readonly isLimited: boolean;
}

/**
 * Creates the routes by which the console signs in and out. They answer only requests of the service's own pages, so no other
 * site can sign a browser in or out.
 */
export function createSignInRoutes(options: Options): (url: URL) => Route | null {
  const { identify, sessions, provider } = options;

  /** Exchanges the token in the body for a session, or the session of a person for one in the account in the body. */
  async function acceptSession(exchange: Exchange): Promise<Accepted> {
    requireOwnOrigin(exchange);
    const { token: sent, account } = await readObject(exchange.request);
    // as in the header, spaces around a token do not count
    const token = typeof sent === 'string' ? sent.trim() : '';
    const isSwitch = typeof account === 'string' && sent === undefined;
    if (!isSwitch && token === '') {
      throw refuseFaults([{ path: 'token', message: 'must be an access token' }]);
    }
    const authorization = isSwitch ? authorizationOf(exchange, true) : `Bearer ${token}`;
    const caller = await identify({ authorization, address: exchange.address });
    const open = isSwitch
      ? () => sessions.switchTo(findSessionSecret(exchange) ?? '', account)
      : () => sessions.exchange(token, caller.identity);
    return { caller, handle: () => replaceSession(exchange, open) };
  }

  async function replaceSession(exchange: Exchange, open: () => Promise<OpenedSession>): Promise<Reply> {
    const { secret, maxAgeS } = await open();
    await endCurrent(exchange);
    return cookieReply(exchange, secret, maxAgeS);
  }

  async function endSession(exchange: Exchange): Promise<Reply> {
    requireOwnOrigin(exchange);
    await endCurrent(exchange);
    return cookieReply(exchange, '', 0);
  }

  async function endCurrent(exchange: Exchange): Promise<void> {
    const secret = findSessionSecret(exchange);
    if (secret !== null) await sessions.end(secret);
  }

  const sessionRoute: Route = {
    name: '/session',
    methods: ['POST', 'DELETE'],
    accept: (exchange) => (exchange.method === 'POST' ? acceptSession(exchange) : { caller: null, handle: endSession }),
  };
  const routes = [sessionRoute, ...(provider ? createProviderRoutes({ ...options, provider }) : [])];
  return ({ pathname }) => routes.find(({ name }) => name === pathname) ?? null;
}

function cookieReply(exchange: Exchange, value: string, maxAgeS: number): Reply {
  const cookie = sessionCookie(exchange.url, requireOwnOrigin(exchange), value, { maxAgeS });
  return reply(null, { status: 204, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } });
}
