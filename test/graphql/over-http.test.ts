import { auditServer } from 'graphql-http';
import { expect, test } from 'vitest';
import { openService } from '../open-service.ts';

test('passes every audit of the GraphQL-over-HTTP specification', async () => {
  const { as, origin } = await openService();
  const { authorization } = await as('ada');
  const results = await auditServer({
    url: `${origin}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), authorization } }),
  });
  expect(results.length).toBeGreaterThan(50);
  const faults = results
    .filter(({ status }) => status !== 'ok')
    .map(({ id, name, status }) => `${status} ${id} ${name}`);
  expect(faults).toEqual([]);
});
