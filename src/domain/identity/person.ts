import { isObject, type JsonObject } from '../json.ts';
import { DEFAULT_ACCOUNT, isName, type Person, ROLES, type Role } from './account.ts';

const MAX_ACCOUNTS = 100;
const MAX_NAME_LENGTH = 100;
/** OpenID Connect Core 1.0 section 2. */
const SUBJECT = /^\P{Cc}{1,255}$/u;

/**
 * Reads roles from a claim: a role or `<account>:<role>`, a list of these, or an object with the role of each account. A role
 * without an account is one in the account `default`. Other values are ignored. Of several roles in an account, the highest
 * counts. At most 100 accounts are read, and returned in the order of their names.
 */
export function parseRoles(claim: unknown): Person['accounts'] {
  const entries = isObject(claim) ? Object.entries(claim) : [claim].flat().map(entryOf);
  const roles = new Map<string, Role>();
  for (const [account, role] of entries) {
    if (!isRole(role) || !isName(account) || (roles.size >= MAX_ACCOUNTS && !roles.has(account))) continue;
    const known = roles.get(account);
    if (known === undefined || ROLES[role].length > ROLES[known].length) roles.set(account, role);
  }
  return Object.fromEntries([...roles].sort());
}

function entryOf(text: unknown): readonly [account: string, role: unknown] {
  const [first, ...rest] = typeof text === 'string' ? text.split(':') : [];
  return rest.length === 0 ? [DEFAULT_ACCOUNT, first] : [first ?? '', rest.join(':')];
}

function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(ROLES, value);
}

export function isSubject(text: string): boolean {
  return SUBJECT.test(text) && text.isWellFormed();
}

/** Finds a claim by its name, or by a path of names with dots, such as `realm_access.roles`. */
export function findClaim(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), claims);
}

/** Returns the name, or else the user name, an e-mail address that the provider has verified, or the subject. */
export function nameOf(claims: JsonObject & { readonly sub: string }): string {
  const { name, preferred_username: userName, email, email_verified: isVerified, sub } = claims;
  const names = [name, userName, isVerified === true && email].filter((each) => typeof each === 'string');
  const lines = names.map((each) =>
    each
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, MAX_NAME_LENGTH)
      .toWellFormed(),
  );
  return lines.find((each) => each !== '') ?? sub;
}
