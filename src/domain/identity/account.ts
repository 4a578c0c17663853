import { Refusal } from '../../errors.ts';
import type { Scope } from './token.ts';

/** The account of `ACCESS_TOKEN` and of the token that the first start creates. */
export const DEFAULT_ACCOUNT = 'default';

export const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export const NAME_RULE =
  '1 to 64 lower-case letters, digits, dots, underscores and hyphens, beginning with a letter or digit';

export function isName(text: string): boolean {
  return NAME_PATTERN.test(text);
}

/** The token id of callers that use `ACCESS_TOKEN`, which is in no database. */
export const OPERATOR_TOKEN_ID = 'ACCESS_TOKEN';

export const ROLES = {
  viewer: ['read'],
  editor: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof ROLES;

/** A person whom the OpenID Connect provider has signed in. */
export interface Person {
  readonly issuer: string;
  /** Names the person at the issuer. */
  readonly subject: string;
  readonly name: string;
  /** The role in each account of the person. */
  readonly accounts: Readonly<Record<string, Role>>;
}

export interface Identity {
  /** The id of a token, or `person:<subject>`. */
  readonly tokenId: string;
  /** The person of a session; absent for a token. */
  readonly person?: Person | undefined;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
}

/** Returns the caller as audit events name it: `token:<id>`, or `person:<name>`. */
export function actorOf({ tokenId, person }: Identity): string {
  return person ? `person:${person.name}` : `token:${tokenId}`;
}

/** @throws {Refusal} `insufficient_scope` */
export function requireScope(identity: Identity, scope: Scope): string {
  if (!identity.scopes.includes(scope)) throw insufficientScope(scope);
  return identity.accountId;
}

export function insufficientScope(scope: Scope): Refusal {
  return new Refusal('insufficient_scope', `This needs a token with the scope ${scope}.`);
}
