import { createAuthenticate } from '../auth/authenticate.ts';
import { createIdentify } from '../auth/identify.ts';
import { createProvider } from '../auth/provider.ts';
import { createSessions } from '../auth/sessions.ts';
import type { Config } from '../config.ts';
import { createSignInRoutes } from '../doors/sign-in/routes.ts';
import type { Database } from '../store/database.ts';
import { instrument } from '../telemetry/instrument.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** Creates what identifies callers, and the routes by which the console and GraphiQL sign in. */
export function createAccess(
  config: Config,
  database: Pick<Database, 'tokens' | 'sessions' | 'counts' | 'now'>,
  observers: Telemetry['observers'],
) {
  const { accessToken, oidc } = config;
  const { now } = database;
  const sessions = instrument('store.sessions', database.sessions, observers);
  const authenticate = createAuthenticate({
    tokens: database.tokens,
    sessions,
    accessToken,
    issuer: oidc?.issuer ?? null,
    now,
  });
  const identify = createIdentify(authenticate, config.rateLimit, database.counts);
  const options = {
    identify,
    sessions: createSessions(sessions, database.tokens, now),
    provider: config.console && oidc ? createProvider(oidc) : null,
    now,
    isLimited: config.rateLimit > 0,
  };
  const signIn = config.console || config.graphiql ? createSignInRoutes(options) : () => null;
  return { authenticate, identify, signIn };
}
