import { auditServer } from 'graphql-http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { openApp } from '../open-app.ts';

test('passes every audit of the GraphQL-over-HTTP specification', async () => {
  const { app, as } = await openApp();
  const listener = await listen({ port: 0, host: '127.0.0.1', answer: app.handle });
  onTestFinished(() => listener.close(0));
  const { authorization } = await as('ada');
  const results = await auditServer({
    url: `http://127.0.0.1:${listener.port}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), authorization } }),
  });
  expect(results.length).toBeGreaterThan(50);
  const faults = results
    .filter(({ status }) => status !== 'ok')
    .map(({ id, name, status }) => `${status} ${id} ${name}`);
  expect(faults).toEqual([]);
});
