import { expect, test } from 'vitest';
import { CHANGE_LIST_PARAMETERS } from '../../src/domain/embed-change.ts';
import { insufficientScope, isName, requireScope } from '../../src/domain/identity/account.ts';
import {
  AUDIT_LIST_PARAMETERS,
  actorTokenIdOf,
  describeActor,
  isAuditAction,
} from '../../src/domain/identity/audit-event.ts';
import { parseCursorPaging } from '../../src/domain/identity/cursor-paging.ts';
import {
  createSessionSecret,
  hashOfOperatorToken,
  hashOfSession,
  SESSION_SECRET,
} from '../../src/domain/identity/session.ts';
import {
  createSecretCheck,
  createToken,
  hashOfToken,
  isTokenId,
  isTokenLive,
  isTokenText,
} from '../../src/domain/identity/token.ts';
import {
  cursorNotFound,
  lastAdminToken,
  parseNewToken,
  parseNewTokenValues,
  refuseIdempotencyKey,
  requireOwnScopes,
  TOKEN_LIST_PARAMETERS,
  tokenNotFound,
} from '../../src/domain/identity/token-input.ts';
import { faultsOf } from './faults.ts';

const POLICY = { allowPrivatePages: false };
const NOW = new Date('2026-01-31T12:00:00Z');
const TOKEN_ID = '0Aa1Bb2Cc3Dd';
const EVENT_ID = '01arz3ndektsv4rrffq69g5fav';
const ADA = { tokenId: TOKEN_ID, accountId: 'ada', scopes: ['read', 'admin'] } as const;

test('a token has a random secret, a checksum and an id', () => {
  const options = { accountId: 'ada', name: 'ci', scopes: ['read'], expiresAt: null } as const;
  const made = Array.from({ length: 300 }, () => createToken(options, NOW));
  expect(new Set(made.flatMap(({ text, token }) => [text, token.id])).size).toBe(600);
  for (const { text, token } of made) {
    expect(text).toMatch(/^emb_[0-9A-Za-z]{49}$/);
    expect([isTokenText(text), isTokenId(token.id), token.hash]).toEqual([true, true, hashOfToken(text)]);
    expect(token).toMatchObject({ ...options, createdAt: NOW, revokedAt: null, lastUsedAt: null });
  }
  // no digit is rarer than half of the mean, which 12,900 random digits miss by less than a fifth
  const digits = made.flatMap(({ text }) => [...text.slice(4, 47)]);
  const counts = Object.values(Object.groupBy(digits, (digit) => digit)).map((group) => group?.length ?? 0);
  expect(counts.length).toBe(62);
  expect(Math.min(...counts)).toBeGreaterThan(104);
  expect(Math.max(...counts)).toBeLessThan(416);
  // bytes modulo 62 would favour the first eight digits by a fourth
  expect(digits.filter((digit) => digit < '8').length).toBeLessThan(1_850);
});

test('the checksum of a token is its CRC-32 in base62, so stored tokens stay valid', () => {
  const text = `emb_${'0'.repeat(42)}`;
  for (const end of ['01tcr5g', '10Iro26', '22WDmky', 'A1BM38Y']) {
    expect([end, isTokenText(text + end)]).toEqual([end, true]);
    expect([end, isTokenText(`${text}${end}0`), isTokenText(`x${text}${end}`)]).toEqual([end, false, false]);
    expect([end, isTokenText(text + end.toLowerCase().replace('1', '2'))]).toEqual([end, false]);
  }
  for (const each of ['', 'emb_', `${text}0000000`, `${text}000000`]) expect(isTokenText(each)).toBe(false);
});

test('the secret of a session is random, and its hashes are SHA-256', () => {
  const [secret, other] = [createSessionSecret(), createSessionSecret()];
  expect(secret).toMatch(SESSION_SECRET);
  expect(secret).not.toBe(other);
  expect(hashOfSession(secret)).toBe(hashOfToken(secret));
  // with the secret, equal access tokens have different hashes
  expect(hashOfOperatorToken(secret, 'x')).toBe(hashOfToken(`${secret} x`));
});

test('a secret is compared with whole texts', () => {
  const isSecret = createSecretCheck('open sesame');
  expect(['open sesame', 'open sesam', 'open sesame ', '', 'Open sesame'].map(isSecret)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  [null, null, true],
  [new Date(NOW.getTime() + 1), null, true],
  [NOW, null, false],
  [new Date(NOW.getTime() - 1), null, false],
  [null, NOW, false],
  [new Date(NOW.getTime() + 1), NOW, false],
])('a token that expires at %o and was revoked at %o is live: %s', (expiresAt, revokedAt, isLive) => {
  expect(isTokenLive({ expiresAt, revokedAt }, NOW)).toBe(isLive);
});

test('a scope is required by name', () => {
  expect(requireScope(ADA, 'read')).toBe('ada');
  expect(() => requireScope(ADA, 'write')).toThrow(insufficientScope('write'));
  expect(insufficientScope('write')).toMatchObject({
    code: 'insufficient_scope',
    message: 'This needs a token with the scope write.',
  });
});

test('a token creates only tokens with scopes that it has', () => {
  expect(() => requireOwnScopes(ADA, ['admin', 'read'])).not.toThrow();
  const message = (missing: string) =>
    `A token can only create tokens with scopes that it has itself; this one does not have ${missing}.`;
  const refusal = (missing: string) =>
    expect.objectContaining({ code: 'insufficient_scope', message: message(missing) });
  expect(() => requireOwnScopes(ADA, ['read', 'write'])).toThrow(refusal('write'));
  expect(() => requireOwnScopes({ ...ADA, scopes: [] }, ['read', 'write'])).toThrow(refusal('read and write'));
});

const NAME =
  'must be 1 to 64 lower-case letters, digits, dots, underscores and hyphens, beginning with a letter or digit';
const TIME = 'must be a time as in RFC 3339, such as 2026-01-31T12:00:00.000Z';
/** By the clock of the database, which can differ from that of the machine. */
const LATER = new Date('2999-01-31T12:00:00Z');
const SCOPES = 'must be a list of one or more of READ, WRITE, ADMIN, each once';

test.each<[input: object, faults: Record<string, string>]>([
  [{}, { name: 'is required', scopes: 'is required' }],
  [{ name: '', scopes: ['READ'] }, { name: NAME }],
  [{ name: 7, scopes: ['READ'] }, { name: NAME }],
  [{ name: ['ci'], scopes: ['READ'] }, { name: NAME }],
  [{ name: '.ci', scopes: ['READ'] }, { name: NAME }],
  [{ name: 'x'.repeat(65), scopes: ['READ'] }, { name: NAME }],
  [{ name: 'ci', scopes: [] }, { scopes: SCOPES }],
  [{ name: 'ci', scopes: ['READ', 'READ'] }, { scopes: `${SCOPES}; READ is there twice` }],
  [{ name: 'ci', scopes: ['READ'], expiresAt: 'tomorrow' }, { expiresAt: TIME }],
  [{ name: 'ci', scopes: ['READ'], expiresAt: 7 }, { expiresAt: TIME }],
  [{ name: 'ci', scopes: ['READ'], expiresAt: '2999-01-31T12:00:00Z' }, { expiresAt: 'must be in the future' }],
  [
    { name: '', scopes: ['READ'], expiresAt: '2020-01-31T12:00:00Z' },
    { name: NAME, expiresAt: 'must be in the future' },
  ],
])('the new token %j is refused', (input, faults) => {
  expect(faultsOf(() => parseNewToken(input, POLICY, LATER))).toEqual(
    Object.entries(faults).map(([path, message]) => ({ path, message })),
  );
});

test('a new token has its scopes in one order, and its end in milliseconds', () => {
  const scopes = ['ADMIN', 'READ'];
  expect(parseNewToken({ name: 'ci', scopes }, POLICY, LATER)).toEqual({
    name: 'ci',
    scopes: ['read', 'admin'],
    expiresAt: null,
  });
  const expiresAt = '2999-12-31T23:59:59.9999+01:00';
  expect(parseNewToken({ name: 'ci', scopes: 'WRITE', expiresAt }, POLICY, LATER)).toEqual({
    name: 'ci',
    scopes: ['write'],
    expiresAt: new Date('2999-12-31T22:59:59.999Z'),
  });
  const values = { name: 'ci', scopes: ['read'], expires_at: expiresAt };
  expect(parseNewTokenValues({ values }, POLICY, LATER, 'rest')).toEqual({ name: 'ci', scopes: ['READ'], expiresAt });
});

test.each([
  ['tokens', TOKEN_LIST_PARAMETERS, TOKEN_ID, 'must be the id of a token of the account'],
  ['audit events', AUDIT_LIST_PARAMETERS, EVENT_ID, 'must be the id of an audit event'],
  ['changes', CHANGE_LIST_PARAMETERS, `${'0a'.repeat(8)}-123456789012345`, 'must be the cursor of a change'],
] as const)('the list of %s is paged by its own ids', (_what, parameters, cursor, message) => {
  const parse = (args: object) => parseCursorPaging({ ...args }, parameters, POLICY);
  expect(parse({})).toEqual({ size: 10, after: undefined });
  expect(parse({ first: null, after: null })).toEqual({ size: 10, after: undefined });
  expect(parse({ first: 3, after: cursor })).toEqual({ size: 3, after: cursor });
  for (const after of ['x', 7, [cursor], `${cursor}0`, `0${cursor}`]) {
    expect(faultsOf(() => parse({ after }))).toEqual([{ path: 'after', message }]);
  }
  expect(faultsOf(() => parse({ first: 101 }))).toMatchObject([{ path: 'first' }]);
});

test('the refusals of tokens say what to do', () => {
  expect(cursorNotFound().faults).toEqual([{ path: 'after', message: 'must be the id of a token of the account' }]);
  expect(tokenNotFound()).toMatchObject({ code: 'not_found', message: 'There is no token with this id.' });
  expect(lastAdminToken()).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      /^This is the last token .* Create another one first, or revoke it on the command line\.$/,
    ),
  });
  expect(() => refuseIdempotencyKey(null)).not.toThrow();
  expect(faultsOf(() => refuseIdempotencyKey('x'))).toEqual([
    {
      path: 'Idempotency-Key',
      message: 'is not supported for tokens, because the secret is shown only once; leave the header out',
    },
  ]);
});

test.each([
  [`token:${TOKEN_ID}`, 'ci', TOKEN_ID, 'ci'],
  [`token:${TOKEN_ID}`, null, TOKEN_ID, TOKEN_ID],
  ['cli', null, null, 'command line'],
  ['cli:ada', null, null, 'command line'],
  ['start', null, null, 'first start'],
  ['cli:token:x', null, null, 'command line'],
])('the actor %s with the name %s is shown', (actor, name, tokenId, shown) => {
  const event = {
    id: EVENT_ID,
    action: 'TOKEN_CREATED',
    actor,
    subjectId: null,
    subjectName: null,
    count: 1,
    changes: null,
  } as const;
  expect([actorTokenIdOf(event), describeActor(event, name)]).toEqual([tokenId, shown]);
});

test('names and actions are checked', () => {
  expect(['a', '0', 'a.b_c-d', 'x'.repeat(64)].every(isName)).toBe(true);
  expect(['', '-a', 'A', 'a b', 'x'.repeat(65), 'a\n'].some(isName)).toBe(false);
  expect(['EMBEDS_CREATED', 'TOKEN_REVOKED'].every(isAuditAction)).toBe(true);
  expect(['token_revoked', '', 'toString'].some(isAuditAction)).toBe(false);
});
