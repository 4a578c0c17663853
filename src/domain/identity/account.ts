import { Refusal } from '../../errors.ts';
import type { Scope } from './token.ts';

/** The account of `ACCESS_TOKEN` and of the token that a first start makes. */
export const DEFAULT_ACCOUNT = 'default';

/** Names of accounts and of tokens. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** What a name must be, in words. */
export const NAME_RULE =
  '1 to 64 lower-case letters, digits, dots, underscores and hyphens, beginning with a letter or digit';

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Who is asking, and what the credential allows. */
export interface Identity {
  /** The id of the token, for counting what it does. */
  readonly tokenId: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
}

/**
 * The account on whose behalf a resolver works.
 * @throws {Refusal} `insufficient_scope` when the credential does not allow it.
 */
export function requireScope(identity: Identity, scope: Scope): string {
  if (!identity.scopes.includes(scope)) throw insufficientScope(scope);
  return identity.accountId;
}

/** Said to whoever is known, but may not do what needs the scope. */
export function insufficientScope(scope: Scope): Refusal {
  return new Refusal('insufficient_scope', `This needs a token with the scope ${scope}.`);
}
