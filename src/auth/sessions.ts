import { DEFAULT_ACCOUNT, type Identity, OPERATOR_TOKEN_ID, type Person } from '../domain/identity/account.ts';
import {
  createSessionSecret,
  hashOfOperatorToken,
  hashOfSession,
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

export interface Sessions {
  /** Exchanges a token, whose identity is given, for a session. */
  exchange(token: string, identity: Identity): Promise<OpenedSession>;
  /** Opens a session in the account `default` of the person, or else in the first one. Creates the account if there is none. */
  openFor(person: Person): Promise<OpenedSession>;
  /**
   * Replaces the session of a person by one in another account, with the same end.
   * @throws {Refusal} `insufficient_scope` if the person has no role there
   */
  switchTo(secret: string, accountId: string): Promise<OpenedSession>;
  /** Ends a session, within 5 s in all gateways. Does nothing for an unknown one. */
  end(secret: string): Promise<void>;
}

export function createSessions(store: SessionStore, accounts: Pick<TokenStore, 'ensureAccount'>): Sessions {
  async function open(session: Omit<Session, 'hash' | 'createdAt'>, secret = createSessionSecret()) {
    const createdAt = new Date();
    await store.insert({ ...session, hash: hashOfSession(secret), createdAt });
    return { secret, maxAgeS: Math.ceil((session.expiresAt.getTime() - createdAt.getTime()) / 1_000) };
  }

  async function openIn(accountId: string, person: Person, expiresAt: Date) {
    await accounts.ensureAccount(accountId, new Date());
    return open({ accountId, holder: `person:${person.subject}`, tokenHash: null, person, expiresAt });
  }

  return {
    exchange(token, { accountId, tokenId }) {
      const secret = createSessionSecret();
      const isOfOperator = tokenId === OPERATOR_TOKEN_ID;
      const tokenHash = isOfOperator ? hashOfOperatorToken(secret, token) : hashOfToken(token);
      const expiresAt = new Date(Date.now() + TOKEN_SESSION_MS);
      return open({ accountId, holder: `token:${tokenId}`, tokenHash, person: null, expiresAt }, secret);
    },
    openFor(person) {
      const [first = DEFAULT_ACCOUNT] = Object.keys(person.accounts).sort();
      const accountId = Object.hasOwn(person.accounts, DEFAULT_ACCOUNT) ? DEFAULT_ACCOUNT : first;
      return openIn(accountId, person, new Date(Date.now() + PERSON_SESSION_MS));
    },
    async switchTo(secret, accountId) {
      const session = await store.findByHash(hashOfSession(secret));
      if (!session?.person || !Object.hasOwn(session.person.accounts, accountId)) {
        throw new Refusal('insufficient_scope', 'You have no role in this account.');
      }
      return openIn(accountId, session.person, session.expiresAt);
    },
    end: (secret) => store.delete(hashOfSession(secret)),
  };
}
