import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openApp } from '../../../test/open-app.ts';
import { createSearchIndex, findEntries } from '../src/client/search-index.ts';

const MAX_BYTES = 60_000;

/** Words that developers type, with the beginning of an address that the first three results contain. */
const EXPECTED: Readonly<Record<string, string>> = {
  idempotency: '/docs/idempotency',
  'Idempotency-Key': '/docs/idempotency',
  idempotenci: '/docs/idempotency',
  retry: '/docs/idempotency',
  etag: '/docs/idempotency',
  '429': '/docs/operations/limits',
  sso: '/docs/sign-in',
  polling: '/docs/changes',
  gdpr: '/docs/embedding',
  responsive: '/docs/embedding',
  sort: '/docs/filtering',
  curl: '/docs/',
  mcp: '/docs/mcp',
  height: '/docs/embedding',
  csp: '/docs/embedding',
  subscribe: '/docs/subscriptions',
  upgrade: '/docs/operations/upgrading',
  iframe: '/docs/embedding',
  pagination: '/docs/paging',
  cursor: '/docs/paging',
  token: '/docs/tokens',
  auth: '/docs/tokens',
  'rate limit': '/docs/operations/limits',
  postgres: '/docs/operations/postgresql',
  prometheus: '/docs/operations/observability',
  backup: '/docs/operations/durability',
  docker: '/docs/operations/production',
  oembed: '/docs/embedding',
  filter: '/docs/filtering',
  'create embed': '/docs/',
  createEmbed: '/docs/graphql/createEmbed',
  websocket: '/docs/subscriptions',
  typescript: '/docs/kit',
  notion: '/docs/',
  cdn: '/docs/operations/cdn',
  'dark mode': '/docs/',
  showTopBar: '/docs/graphql/types',
  'import csv': '/docs/c',
  delet: '/docs/',
  port: '/docs/configuration',
  insufficient_scope: '/docs/errors',
  'If-Match': '/docs/idempotency',
  'Last-Event-ID': '/docs/subscriptions',
  on_conflict: '/docs/external-ids',
  nextjs: '/docs/guides/next',
  '404': '/docs/errors',
  heigth: '/docs/graphql/types#Picture.height',
  wehbook: '/docs/rest/objects#Webhook',
  idempotecny: '/docs/idempotency',
};

test('the search finds what developers type, within 60 kB that are loaded on focus', async () => {
  const client = (await openApp()).withAuthorization(null);
  const json = await (await client.fetch('/docs/search.json')).text();
  const index = createSearchIndex(JSON.parse(json));
  const missed = Object.entries(EXPECTED).flatMap(([words, start]) => {
    const urls = findEntries(index, words).map(({ url }) => url);
    return urls.slice(0, 3).some((url) => url.startsWith(start)) ? [] : [`${words}: ${urls.slice(0, 6).join(' ')}`];
  });
  expect(missed).toEqual([]);
  expect(findEntries(index, 'zzzzzz')).toEqual([]);

  const html = await (await client.fetch('/docs')).text();
  const [, src = ''] = /<search [^>]*data-src="([^"]+)"/.exec(html) ?? [];
  const script = await (await client.fetch(src)).text();
  expect(gzipSync(script).length + gzipSync(json).length).toBeLessThan(MAX_BYTES);
});
