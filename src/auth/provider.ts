import type { Configuration } from 'openid-client';
import { loadOnce } from '../awaitable.ts';
import type { Person } from '../domain/identity/account.ts';
import { findClaim, isSubject, nameOf, parseRoles } from '../domain/identity/person.ts';
import type { JsonObject } from '../domain/json.ts';
import { Refusal } from '../errors.ts';

interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly roleClaim: string;
}

/** A sign-in that a browser has begun. The browser keeps it in a cookie. */
export interface Login {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The origin of the console. */
  readonly origin: string;
  /** The place in the console where the sign-in began. */
  readonly returnTo: string;
  /** By the clock of the database, which all gateways share. In milliseconds. */
  readonly begunAt: number;
}

export type Provider = ReturnType<typeof createProvider>;

export const CALLBACK_PATH = '/sign-in/callback';
const TIMEOUT_S = 5;
const RETRY_AFTER_S = 10;
/** Clocks of the provider and of this service may differ by this much. */
const CLOCK_TOLERANCE_S = 10;

/** Failures of checks. Any other one means that the provider does not answer as a provider does. */
const REFUSED =
  /^OAUTH_(JWT_|INVALID_RESPONSE|KEY_SELECTION|AUTHORIZATION_RESPONSE|RESPONSE_BODY|WWW_AUTHENTICATE|UNSUPPORTED_OPERATION)/;

/** Signs people in by OpenID Connect: the authorization code flow with PKCE, state and nonce. Reads the provider's metadata once. */
export function createProvider({ issuer, clientId, clientSecret, roleClaim }: ProviderSettings) {
  const load = loadOnce(async () => {
    const client = await import('openid-client');
    const url = new URL(issuer);
    const execute: ((configuration: Configuration) => void)[] = [client.enableNonRepudiationChecks];
    if (url.protocol === 'http:') execute.push(client.allowInsecureRequests);
    const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE_S };
    const authentication = client.ClientSecretBasic(clientSecret);
    const options = { execute, timeout: TIMEOUT_S };
    return { client, configuration: await client.discovery(url, clientId, metadata, authentication, options) };
  });

  return {
    /** @throws {Refusal} `unavailable` if the provider cannot be reached */
    begin: (origin: string, returnTo: string, now: Date) =>
      explain(async () => {
        const { client, configuration } = await load();
        const verifier = client.randomPKCECodeVerifier();
        const [state, nonce] = [client.randomState(), client.randomNonce()];
        const login: Login = { state, nonce, verifier, origin, returnTo, begunAt: now.getTime() };
        const location = client.buildAuthorizationUrl(configuration, {
          redirect_uri: origin + CALLBACK_PATH,
          scope: 'openid profile email',
          state: login.state,
          nonce: login.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { login, location };
      }),

    /**
     * Exchanges the code in a callback of the provider for the person, who may have no role.
     * @throws {Refusal} `unauthenticated`, `insufficient_scope` for an e-mail address that is not verified, `unavailable`
     */
    async finish({ search }: URL, { state, nonce, verifier, origin }: Login): Promise<Person> {
      const claims = await explain(async () => {
        const { client, configuration } = await load();
        const tokens = await client.authorizationCodeGrant(configuration, new URL(CALLBACK_PATH + search, origin), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const ofToken: JsonObject & { readonly sub: string } = { sub: '', ...tokens.claims() };
        const { name, email, email_verified: isVerified } = ofToken;
        const isEmailComplete = email === undefined || isVerified !== undefined;
        const isComplete = name !== undefined && findClaim(ofToken, roleClaim) !== undefined && isEmailComplete;
        if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return ofToken;
        return { ...(await client.fetchUserInfo(configuration, tokens.access_token, ofToken.sub)), ...ofToken };
      });
      return personOf(claims);
    },
  };

  function personOf(claims: JsonObject & { readonly sub: string }): Person {
    const { sub: subject, email, email_verified: isVerified } = claims;
    if (!isSubject(subject)) {
      const rule = 'the subject must have 1 to 255 characters, and no control characters';
      throw new Refusal('unauthenticated', `The response of the sign-in provider is not valid: ${rule}.`);
    }
    // some providers write booleans as text, and some never say it
    if (email !== undefined && isVerified !== undefined && String(isVerified) !== 'true') {
      throw new Refusal('insufficient_scope', 'Your provider has not verified your e-mail address.');
    }
    return { issuer, subject, name: nameOf(claims), accounts: parseRoles(findClaim(claims, roleClaim)) };
  }
}

/** Converts the errors of the client. Their messages contain no secrets. */
async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', status = 0, cause, ...told } = error as ClientError;
    // without a code, the message may contain an address of the operator's network
    const reason = code === '' ? 'no response' : (cause?.message ?? (error as Error).message);
    if (!REFUSED.test(code) || status >= 500) {
      const message = `The sign-in provider cannot be reached or does not work: ${reason}. Try again later.`;
      throw new Refusal('unavailable', message, [], RETRY_AFTER_S);
    }
    if (told.error === undefined)
      throw new Refusal('unauthenticated', `The response of the sign-in provider is not valid: ${reason}.`);
    const description = told.error_description ? ` (${told.error_description})` : '';
    throw new Refusal('unauthenticated', `The sign-in provider has refused the sign-in: ${told.error}${description}.`);
  }
}

interface ClientError {
  readonly code?: string;
  readonly status?: number;
  readonly cause?: { readonly message?: string };
  /** The error that the provider has sent, such as `access_denied`. */
  readonly error?: string;
  readonly error_description?: string;
}
