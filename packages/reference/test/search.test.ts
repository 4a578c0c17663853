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
  'too many requests': '/docs/operations/limits#rate-limits',
  quota: '/docs/operations/limits',
  'optimistic locking': '/docs/idempotency',
  'frame-ancestors': '/docs/embedding',
  'iframe height': '/docs/embedding',
  resize: '/docs/embedding',
  wordpres: '/docs/guides/wordpress',
  vue: '/docs/kit',
  'webhook signature': '/docs/webhooks',
  hmac: '/docs/webhooks',
  'rotate secret': '/docs/rest/rotateWebhookSecret',
  purge: '/docs/operations/cdn',
  cloudflare: '/docs/operations/cdn',
  nginx: '/docs/operations/cdn',
  'next page': '/docs/paging',
  'bulk delete': '/docs/graphql#change-or-delete',
  csv: '/docs/cli',
  export: '/docs/cli',
  restore: '/docs/cli#backup-and-restore',
  citus: '/docs/operations/citus',
  sharding: '/docs/operations/citus',
  'rolling update': '/docs/operations/upgrading',
  'health check': '/docs/operations/',
  metrics: '/docs/operations/observability',
  otel: '/docs/operations/observability',
  tracing: '/docs/operations/observability',
  logs: '/docs/operations/observability',
  'token scope': '/docs/tokens',
  permissions: '/docs/tokens',
  login: '/docs/sign-in',
  keycloak: '/docs/sign-in',
  font: '/docs/embedding#font',
  'accent color': '/docs/settings',
  darkmode: '/docs/embedding',
  fragment: '/docs/embedding',
  expires: '/docs/settings',
  'allowed sites': '/docs/settings',
  whitelist: '/docs/settings',
  views: '/docs/views',
  analytics: '/docs/views',
  robots: '/docs/embedding#directives',
  externalid: '/docs/external-ids',
  upsert: '/docs/external-ids',
  changes: '/docs/changes',
  sync: '/docs/changes',
  'llms.txt': '/docs/mcp',
  copyright: '/docs/embedding',
  paywall: '/docs/pages',
  cors: '/docs/configuration#CORS_ORIGIN',
  graphiql: '/docs/graphql#graphiql',
  'audit log': '/docs/audit',
  keyboard: '/docs/console',
  'error codes': '/docs/errors',
  authenticaton: '/docs/sign-in',
  embeding: '/docs/embedding',
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
