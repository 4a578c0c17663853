import { expect, test } from 'vitest';
import { createToken } from '../../src/domain/identity/token.ts';
import type { Engine } from '../../src/store/engine.ts';
import { openTokens } from '../../src/store/tokens.ts';

test('tokens that are wanted at the same time are one read, and those of other accounts are not found', async () => {
  const facts = { scopes: ['read'], name: 'ci', expiresAt: null } as const;
  const made = ['ada', 'ada', 'eve'].map((accountId) => createToken({ ...facts, accountId }, new Date()).token);
  const reads: (readonly string[])[] = [];
  const findMany = async ({ where }: { where: { id: { in: readonly string[] } } }) => {
    reads.push(where.id.in);
    return made.filter(({ id }) => where.id.in.includes(id)).map((token) => ({ ...token, scope: 'read' }));
  };
  const store = openTokens({ client: { token: { findMany } }, executor: {} } as unknown as Engine);
  const ids = made.map(({ id }) => id);
  const found = await Promise.all([...ids, ...ids].map((id) => store.find('ada', id)));
  expect(found.map((token) => token?.id ?? null)).toEqual([ids[0], ids[1], null, ids[0], ids[1], null]);
  expect(reads).toEqual([ids]);
});
