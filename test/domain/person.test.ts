import { expect, test } from 'vitest';
import { actorOf } from '../../src/domain/identity/account.ts';
import { findClaim, isSubject, nameOf, parseRoles } from '../../src/domain/identity/person.ts';

test.each([
  ['admin', { default: 'admin' }],
  [['viewer', 'editor', 'viewer'], { default: 'editor' }],
  [['sales:viewer', 'a:b:admin', 'constructor', 7, null], { sales: 'viewer' }],
  [['viewer:x', ':viewer', 'sales:', 'sales:viewer:'], {}],
  [{ sales: 'admin', Sales: 'admin', x: 'owner' }, { sales: 'admin' }],
  [{ sales: ['admin'], x: 7 }, {}],
  [undefined, {}],
])('the claim %j gives the roles %j', (claim, roles) => {
  expect(parseRoles(claim)).toEqual(roles);
});

test('roles in the first 100 accounts count, and a higher role in one of them also behind those', () => {
  const names = Array.from({ length: 101 }, (_, i) => `a${i}`);
  const roles = parseRoles([...names.map((name) => `${name}:viewer`), 'a0:editor']);
  expect(Object.keys(roles)).toEqual(names.slice(0, 100).sort());
  expect([roles.a0, roles.a1]).toEqual(['editor', 'viewer']);
});

test('a subject has 1 to 255 characters, and no control characters and halves of characters among them', () => {
  expect(['ada', 'ä b', 'x'.repeat(255)].every(isSubject)).toBe(true);
  expect(['', 'x'.repeat(256), 'a\u0000', '\nada', 'a\ud800'].some(isSubject)).toBe(false);
});

test('a claim is found by its name or its path', () => {
  const claims = { sub: 's', 'https://a.example/roles': 1, realm_access: { roles: 2 }, none: null };
  expect(findClaim(claims, 'https://a.example/roles')).toBe(1);
  expect(findClaim(claims, 'realm_access.roles')).toBe(2);
  expect(findClaim(claims, 'realm_access.other.roles')).toBeUndefined();
  expect(findClaim(claims, 'none.roles')).toBeUndefined();
  expect(findClaim(claims, 'none')).toBeNull();
});

test.each([
  [{ name: ' Ada\nLovelace ' }, 'Ada Lovelace'],
  [{ name: 'a\u0000\u0007\r\nb' }, 'a b'],
  [{ name: 'x'.repeat(101) }, 'x'.repeat(100)],
  [{ name: `${'x'.repeat(99)}😀` }, `${'x'.repeat(99)}\ufffd`],
  [{ name: ' ', preferred_username: 'ada' }, 'ada'],
  [{ name: 7, preferred_username: 'ada' }, 'ada'],
  [{ name: 'Ada', preferred_username: 'ada', email: 'a@b.example', email_verified: true }, 'Ada'],
  [{ email: 'a@b.example', email_verified: true }, 'a@b.example'],
  [{ email: 'a@b.example', email_verified: 'true' }, 's'],
  [{ name: ' ', email: 'a@b.example' }, 's'],
  [{}, 's'],
])('a person with the claims %j is called %j', (claims, name) => {
  expect(nameOf({ sub: 's', ...claims })).toBe(name);
});

test('audit events name a person by the name, and a token by its id', () => {
  const person = { issuer: 'https://login.example', subject: 's', name: 'Ada', accounts: {} };
  const identity = { tokenId: 'person:s', accountId: 'default', scopes: [] };
  expect(actorOf({ ...identity, person })).toBe('person:Ada');
  expect(actorOf({ ...identity, tokenId: 'x' })).toBe('token:x');
});
