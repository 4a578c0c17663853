import type { PagePolicy } from '#reader/page-url';
import { Refusal, refuseFaults } from '../../errors.ts';
import { spellParameters } from '../embed/input.ts';
import { InputReader, type SentParameters } from '../input/input-reader.ts';
import { type DescribedParameter, namedEntries, type Spelling, textCheck } from '../input/parameters.ts';
import { checkInstant, toDate } from '../instant.ts';
import { type Identity, isName, NAME_RULE } from './account.ts';
import { cursorParameters } from './cursor-paging.ts';
import { isTokenId, type NewToken, SCOPES, type Scope } from './token.ts';

/** The scopes as GraphQL spells them, with descriptions. */
export const SCOPE_VALUES = {
  READ: 'Read embeds, their pages, views and changes, and the settings of the account.',
  WRITE: 'Create, change and delete embeds, check new ones, and refresh their pages.',
  ADMIN:
    'Create, list and revoke tokens, change the settings of the account, manage webhooks, and list audit events. It implies neither of the others.',
} as const satisfies Record<Uppercase<Scope>, string>;

export type ScopeValue = keyof typeof SCOPE_VALUES;

export function toScopeValue(scope: Scope): ScopeValue {
  return scope.toUpperCase() as ScopeValue;
}

/** The parameters of a new token. */
export const NEW_TOKEN_FIELDS = {
  name: {
    restName: 'name',
    type: 'text',
    isRequired: true,
    check: textCheck(isName, `must be ${NAME_RULE}`),
    description: `The purpose of the token: ${NAME_RULE}.`,
  },
  scopes: {
    restName: 'scopes',
    type: 'enum',
    values: SCOPE_VALUES,
    isList: true,
    isRequired: true,
    description: 'What the token allows: one or more scopes, of those that the calling token has.',
  },
  expiresAt: {
    restName: 'expires_at',
    type: 'instant',
    check: checkInstant,
    description: 'The time at which the token stops working, in the future. If it is omitted, the token never expires.',
  },
} as const satisfies Record<string, DescribedParameter>;

export const NEW_TOKEN_PARAMETERS = spellParameters(namedEntries<DescribedParameter>(NEW_TOKEN_FIELDS));

const CURSOR_RULE = 'must be the id of a token of the account';
export const TOKEN_LIST_PARAMETERS = cursorParameters(textCheck(isTokenId, CURSOR_RULE));

interface NewTokenValues {
  readonly name: string;
  readonly scopes: readonly ScopeValue[];
  readonly expiresAt?: string;
}

/** @throws {Refusal} `invalid`, with all faults; so do the other functions that parse input */
export function parseNewTokenValues(
  sent: SentParameters,
  policy: PagePolicy,
  now: Date,
  spelling: Spelling,
): NewTokenValues {
  const reader = new InputReader(sent, NEW_TOKEN_PARAMETERS[spelling], policy);
  reader.readAll();
  const values = reader.values as unknown as NewTokenValues;
  if (values.expiresAt !== undefined && toDate(values.expiresAt) <= now) {
    reader.addFault('expiresAt', 'must be in the future');
  }
  reader.requireNoFaults();
  return values;
}

/** Parses the input of the mutation `createToken`. */
export function parseNewToken(input: unknown, policy: PagePolicy, now: Date): Omit<NewToken, 'accountId'> {
  const { name, scopes, expiresAt } = parseNewTokenValues({ values: input }, policy, now, 'graphql');
  return {
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(toScopeValue(scope))),
    expiresAt: expiresAt === undefined ? null : toDate(expiresAt),
  };
}

/** Creates the refusal of a cursor that names no token of the account. */
export function cursorNotFound(): Refusal {
  return refuseFaults([{ path: 'after', message: CURSOR_RULE }]);
}

/** @throws {Refusal} `insufficient_scope` if the new token could do what the caller cannot */
export function requireOwnScopes({ scopes }: Identity, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const message = `A token can only create tokens with scopes that it has itself; this one does not have ${missing.join(' and ')}.`;
  throw new Refusal('insufficient_scope', message);
}

/** @throws {Refusal} `invalid`: a replay of the create could not return the secret, which is not stored */
export function refuseIdempotencyKey(key: string | null, noun = 'tokens'): void {
  if (key === null) return;
  const message = `is not supported for ${noun}, because the secret is shown only once; leave the header out`;
  throw refuseFaults([{ path: 'Idempotency-Key', message }]);
}

/** Creates the refusal of unknown ids and of other accounts' ids, which clients cannot tell apart. */
export function tokenNotFound(): Refusal {
  return new Refusal('not_found', 'There is no token with this id.');
}

export function lastAdminToken(): Refusal {
  const message =
    'This is the last token of the account with the scope admin: no other one is valid for 24 hours more. So it cannot be revoked through the API. Create another one first, or revoke it on the command line.';
  return new Refusal('conflict', message);
}
