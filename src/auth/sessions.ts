import { DEFAULT_ACCOUNT, type Identity, OPERATOR_TOKEN_ID, type Person } from '../domain/identity/account.ts';
import {
  createSessionSecret,
  hashOfOperatorToken,
  hashOfSession,
  LOGIN_MS,
  PERSON_SESSION_MS,
  type Session,
  TOKEN_SESSION_MS,
} from '../domain/identity/session.ts';
import { hashOfToken } from '../domain/identity/token.ts';
import { Refusal } from '../errors.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { TokenStore } from '../store/tokens.ts';

/** A new session. Its secret is only in the cookie of the browser. */
export interface OpenedSession {
  readonly secret: string;
  readonly maxAgeS: number;
}

export type Sessions = ReturnType<typeof createSessions>;

export const LOGIN_GONE =
  'This browser has not begun this sign-in, has begun another one since, or has finished it. Sign in again.';

const NO_ROLE =
  'You have no role here. The claim of your provider that OIDC_ROLE_CLAIM names must contain viewer, editor or admin.';

/** @param now the clock of the database */
export function createSessions(store: SessionStore, accounts: Pick<TokenStore, 'ensureAccount'>, now: () => Date) {
  async function open(
    session: Omit<Session, 'hash' | 'createdAt'>,
    secret = createSessionSecret(),
  ): Promise<OpenedSession> {
    const createdAt = now();
    await store.insert({ ...session, hash: hashOfSession(secret), createdAt });
    return { secret, maxAgeS: Math.ceil((session.expiresAt.getTime() - createdAt.getTime()) / 1_000) };
  }

  async function openIn(accountId: string, person: Person, expiresAt: Date) {
    await accounts.ensureAccount(accountId, now());
    return open({ accountId, holder: holderOf(person), tokenHash: null, person, expiresAt });
  }

  return {
    /** Exchanges a token, whose identity is given, for a session. */
    exchange(token: string, { accountId, tokenId }: Identity) {
      const secret = createSessionSecret();
      const isOfOperator = tokenId === OPERATOR_TOKEN_ID;
      const tokenHash = isOfOperator ? hashOfOperatorToken(secret, token) : hashOfToken(token);
      const expiresAt = new Date(now().getTime() + TOKEN_SESSION_MS);
      return open({ accountId, holder: `token:${tokenId}`, tokenHash, person: null, expiresAt }, secret);
    },
    /**
     * Opens a session in the account `default` of the person, or else in the first one. Creates the account if there is none.
     * Ends the other sessions of the person, in all browsers, if their roles or name have changed.
     * @param state names the sign-in, which opens one session only
     * @throws {Refusal} `malformed` if it has opened one, `insufficient_scope` for a person without a role
     */
    async openFor(person: Person, state: string) {
      const [first] = Object.keys(person.accounts);
      const accountId = Object.hasOwn(person.accounts, DEFAULT_ACCOUNT) ? DEFAULT_ACCOUNT : (first ?? DEFAULT_ACCOUNT);
      const hash = hashOfSession(state);
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + LOGIN_MS);
      const login = { hash, accountId, holder: `login:${hash}`, tokenHash: null, person: null, createdAt, expiresAt };
      if (!(await store.insert(login))) throw new Refusal('malformed', LOGIN_GONE);
      await store.deleteOutdated(holderOf(person), person);
      if (first === undefined) throw new Refusal('insufficient_scope', NO_ROLE);
      return openIn(accountId, person, new Date(now().getTime() + PERSON_SESSION_MS));
    },
    /**
     * Replaces the session of a person by one in another account, with the same end.
     * @throws {Refusal} `insufficient_scope` if the person has no role there
     */
    async switchTo(secret: string, accountId: string) {
      const session = await store.findByHash(hashOfSession(secret));
      if (!session?.person || !Object.hasOwn(session.person.accounts, accountId)) {
        throw new Refusal('insufficient_scope', 'You have no role in this account.');
      }
      return openIn(accountId, session.person, session.expiresAt);
    },
    /** Ends a session, within 5 s in all gateways. Does nothing for an unknown one. */
    end: (secret: string): Promise<void> => store.delete(hashOfSession(secret)),
  };
}

function holderOf({ subject }: Person): string {
  return `person:${subject}`;
}
